//! Where pointers lead that the function sets itself, outside of a region.
//!
//! Two arrays of a model are two places. What a function is given is taken for that, as in pet; but after `int *p = &k;` or `p = A + 1;` a region that
//! uses `p` and `k`, or `p` and `A`, would touch one place by two names.

use super::Wrong;
use super::builder::Builder;
use super::operators::assigns;
use super::types::Type;
use super::unit::{Uses, name_of};
use lang_c::ast::{
    BinaryOperatorExpression, BlockItem, Expression, FunctionDefinition, Identifier, InitDeclarator, Initializer,
    UnaryOperator, UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use std::collections::BTreeSet;

/// What a variable is set to, in a whole function.
struct Set {
    variable: String,
    at: usize,
    /// All names in the value.
    names: Names,
}

#[derive(Default)]
struct Names {
    all: BTreeSet<String>,
    /// Those whose address it holds.
    addressed: BTreeSet<String>,
}

#[derive(Default)]
struct Sets(Vec<Set>);

/// The first variable of a region, these items of a function, that leads to another one of it.
pub fn led(builder: &Builder<'_>, function: &FunctionDefinition, items: &[Node<BlockItem>]) -> Option<Wrong> {
    let mut uses = Uses::default();
    items.iter().for_each(|item| uses.visit_block_item(&item.node, &item.span));
    let mentioned = uses.mentioned;
    let mut sets = Sets::default();
    sets.visit_statement(&function.statement.node, &function.statement.span);
    let kind = |name: &str| builder.find(name).map(|at| &builder.variables[at].kind);
    let is_place = |name: &str| matches!(kind(name), Some(Type::Pointer(_) | Type::Array { .. } | Type::Other));
    sets.0.iter().filter(|set| mentioned.contains(&set.variable) && is_place(&set.variable)).find_map(|set| {
        let is_led_to = |name: &&String| {
            **name != set.variable
                && mentioned.contains(*name)
                && (set.names.addressed.contains(*name) || is_place(name))
        };
        let other = set.names.all.iter().find(is_led_to)?;
        let text = format!("'{}' leads to '{other}', and the region uses both", set.variable);
        Some(Wrong::at(set.at, text))
    })
}

impl<'ast> Visit<'ast> for Sets {
    fn visit_init_declarator(&mut self, declared: &'ast InitDeclarator, span: &'ast Span) {
        if let Some(value) = &declared.initializer
            && let Initializer::Expression(value) = &value.node
        {
            let variable = name_of(&declared.declarator.node).to_string();
            self.0.push(Set { variable, at: span.start, names: Names::of(&value.node, &value.span) });
        }
        visit::visit_init_declarator(self, declared, span);
    }

    fn visit_binary_operator_expression(&mut self, operation: &'ast BinaryOperatorExpression, span: &'ast Span) {
        if assigns(&operation.operator.node).is_some()
            && let Expression::Identifier(name) = &operation.lhs.node
        {
            let names = Names::of(&operation.rhs.node, &operation.rhs.span);
            self.0.push(Set { variable: name.node.name.clone(), at: span.start, names });
        }
        visit::visit_binary_operator_expression(self, operation, span);
    }
}

impl Names {
    fn of(value: &Expression, span: &Span) -> Names {
        let mut names = Names::default();
        names.visit_expression(value, span);
        names
    }
}

impl<'ast> Visit<'ast> for Names {
    fn visit_identifier(&mut self, identifier: &'ast Identifier, _: &'ast Span) {
        self.all.insert(identifier.name.clone());
    }

    fn visit_unary_operator_expression(&mut self, operation: &'ast UnaryOperatorExpression, span: &'ast Span) {
        if operation.operator.node == UnaryOperator::Address {
            let operand = Names::of(&operation.operand.node, &operation.operand.span);
            self.addressed.extend(operand.all);
        }
        visit::visit_unary_operator_expression(self, operation, span);
    }
}
