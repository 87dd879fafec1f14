//! What a file declares: functions with their bodies and what stands for them, variables outside of functions, types; and which names a piece of code mentions or changes.
//!
//! In `void f(int n, int A[n]) __attribute__((pencil_access(f_sum)));` the function `f_sum` stands for `f`.

use super::Wrong;
use super::exits::jumps;
use super::operators::{assigns, integer, steps};
use super::types::{Types, declared, specifiers};
use lang_c::ast::{
    BinaryOperator, BinaryOperatorExpression, CallExpression, Constant, Declaration, DeclarationSpecifier, Declarator,
    DeclaratorKind, DerivedDeclarator, EnumType, Expression, Extension, ExternalDeclaration, FunctionDefinition,
    Identifier, Statement, StorageClassSpecifier, TranslationUnit, TypeQualifier, TypeSpecifier, UnaryOperator,
    UnaryOperatorExpression,
};
use lang_c::span::{Node, Span};
use lang_c::visit::{self, Visit};
use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

/// A file.
pub struct Unit<'u> {
    /// Functions with bodies, in their order.
    pub functions: Vec<&'u FunctionDefinition>,
    /// Declarations outside of functions, without those of types.
    pub globals: Vec<&'u Declaration>,
    /// The values of names in enumerations.
    pub constants: BTreeMap<String, i64>,
    /// Types with names.
    pub types: Types,
    summaries: BTreeMap<String, String>,
    /// For each function, which parameters lead to what it only reads.
    reads_only: BTreeMap<String, Vec<bool>>,
}

impl<'u> Unit<'u> {
    /// What a parsed file declares.
    ///
    /// # Errors
    /// None of today.
    pub fn of(unit: &'u TranslationUnit) -> Result<Unit<'u>, Wrong> {
        let mut found = Unit {
            functions: Vec::new(),
            globals: Vec::new(),
            constants: BTreeMap::new(),
            types: Types::default(),
            summaries: BTreeMap::new(),
            reads_only: BTreeMap::new(),
        };
        for external in &unit.0 {
            match &external.node {
                ExternalDeclaration::FunctionDefinition(function) => {
                    found.learn(&function.node.specifiers);
                    found.signature(&function.node.specifiers, &function.node.declarator.node);
                    found.functions.push(&function.node);
                }
                ExternalDeclaration::Declaration(declaration) => found.declaration(&declaration.node),
                ExternalDeclaration::StaticAssert(_) => {}
            }
        }
        Ok(found)
    }

    fn declaration(&mut self, declaration: &'u Declaration) {
        self.learn(&declaration.specifiers);
        let is_typedef = |specifier: &Node<DeclarationSpecifier>| matches!(&specifier.node, DeclarationSpecifier::StorageClass(c) if c.node == StorageClassSpecifier::Typedef);
        if declaration.specifiers.iter().any(is_typedef) {
            for each in &declaration.declarators {
                let base = self.types.base(specifiers(&declaration.specifiers), &no_extent);
                let (name, kind) = declared(&each.node.declarator.node, base, &no_extent);
                self.types.define(&name, kind);
            }
            return;
        }
        for each in &declaration.declarators {
            self.signature(&declaration.specifiers, &each.node.declarator.node);
        }
        self.globals.push(declaration);
    }

    /// Remembers structures and constants of enumerations.
    pub fn learn(&mut self, declared: &[Node<DeclarationSpecifier>]) {
        let constants = &self.constants;
        let extent = |size: &Node<Expression>| constant(&size.node, constants).map(|value| value.to_string());
        self.types.learn(specifiers(declared), &extent);
        for specifier in specifiers(declared) {
            if let TypeSpecifier::Enum(listed) = specifier {
                self.enumeration(&listed.node);
            }
        }
    }

    fn enumeration(&mut self, listed: &EnumType) {
        let mut next = 0;
        for each in &listed.enumerators {
            if let Some(value) = &each.node.expression {
                let Some(value) = constant(&value.node, &self.constants) else { return };
                next = value;
            }
            self.constants.insert(each.node.identifier.node.name.clone(), next);
            next += 1;
        }
    }

    /// What the declaration of a function says of calls.
    fn signature(&mut self, specifiers: &[Node<DeclarationSpecifier>], declarator: &Declarator) {
        let Some(parameters) = parameters(declarator) else { return };
        let name = name_of(declarator).to_string();
        let is_const = |each: &Node<lang_c::ast::ParameterDeclaration>| {
            each.node
                .specifiers
                .iter()
                .any(|s| matches!(&s.node, DeclarationSpecifier::TypeQualifier(q) if q.node == TypeQualifier::Const))
        };
        self.reads_only.insert(name.clone(), parameters.iter().map(is_const).collect());
        let in_front = specifiers.iter().filter_map(|specifier| match &specifier.node {
            DeclarationSpecifier::Extension(extensions) => Some(extensions.iter()),
            _ => None,
        });
        for extension in in_front.flatten().chain(&declarator.extensions) {
            let Extension::Attribute(attribute) = &extension.node else { continue };
            if let ("pencil_access", [argument]) = (attribute.name.node.trim_matches('_'), &attribute.arguments[..])
                && let Expression::Identifier(summary) = &argument.node
            {
                self.summaries.insert(name.clone(), summary.node.name.clone());
            }
        }
    }

    /// The function to look into for a call of `name`.
    pub fn looked_into(&self, name: &str) -> Option<&'u FunctionDefinition> {
        let name = self.summaries.get(name).map_or(name, String::as_str);
        self.functions.iter().find(|function| name_of(&function.declarator.node) == name).copied()
    }

    /// Whether a function without a body only reads what its argument leads to.
    pub fn only_reads(&self, function: &str, argument: usize) -> bool {
        self.reads_only.get(function).and_then(|all| all.get(argument)).copied().unwrap_or_default()
    }

    /// The names that a statement changes, calls included.
    pub fn changed(&self, statement: &Statement, span: &Span) -> BTreeSet<String> {
        let mut uses = Uses::default();
        uses.visit_statement(statement, span);
        let mut pending: Vec<String> = uses.called.iter().cloned().collect();
        let mut seen = BTreeSet::new();
        while let Some(name) = pending.pop() {
            let Some(function) = self.looked_into(&name).filter(|_| seen.insert(name)) else { continue };
            let mut inner = Uses::default();
            inner.visit_statement(&function.statement.node, &function.statement.span);
            pending.extend(inner.called);
            uses.changed.extend(inner.changed);
        }
        uses.changed
    }
}

/// No array of a type with a name has a length that depends on variables.
fn no_extent(size: &Node<Expression>) -> Option<String> {
    constant(&size.node, &BTreeMap::new()).map(|value| value.to_string())
}

/// The names in a statement: mentioned ones, those that are changed, functions that are called.
#[derive(Default)]
pub struct Uses {
    pub mentioned: BTreeSet<String>,
    pub changed: BTreeSet<String>,
    pub called: BTreeSet<String>,
}

impl Uses {
    fn change(&mut self, target: &Expression) {
        match target {
            Expression::Identifier(name) => {
                self.changed.insert(name.node.name.clone());
            }
            Expression::Member(member) => self.change(&member.node.expression.node),
            Expression::BinaryOperator(index) if index.node.operator.node == BinaryOperator::Index => {
                self.change(&index.node.lhs.node);
            }
            Expression::UnaryOperator(operation) => self.change(&operation.node.operand.node),
            _ => {}
        }
    }
}

impl<'ast> Visit<'ast> for Uses {
    fn visit_identifier(&mut self, identifier: &'ast Identifier, _: &'ast Span) {
        self.mentioned.insert(identifier.name.clone());
    }

    fn visit_call_expression(&mut self, call: &'ast CallExpression, span: &'ast Span) {
        if let Expression::Identifier(name) = &call.callee.node {
            self.called.insert(name.node.name.clone());
        }
        visit::visit_call_expression(self, call, span);
    }

    fn visit_unary_operator_expression(&mut self, operation: &'ast UnaryOperatorExpression, span: &'ast Span) {
        if steps(&operation.operator.node).is_some() || operation.operator.node == UnaryOperator::Address {
            self.change(&operation.operand.node);
        }
        visit::visit_unary_operator_expression(self, operation, span);
    }

    fn visit_binary_operator_expression(&mut self, operation: &'ast BinaryOperatorExpression, span: &'ast Span) {
        if assigns(&operation.operator.node).is_some() {
            self.change(&operation.lhs.node);
        }
        visit::visit_binary_operator_expression(self, operation, span);
    }
}

/// The names that code mentions outside of a range (or in it, if it may run again), without those in declarators.
struct Outside<'r> {
    range: &'r Range<usize>,
    names: BTreeSet<String>,
    /// Whether the range runs again after itself: what it mentions is mentioned behind it, too.
    is_repeated: bool,
}

impl<'ast> Visit<'ast> for Outside<'_> {
    fn visit_identifier(&mut self, identifier: &'ast Identifier, _: &'ast Span) {
        self.names.insert(identifier.name.clone());
    }

    fn visit_declarator(&mut self, _: &'ast Declarator, _: &'ast Span) {}

    fn visit_statement(&mut self, statement: &'ast Statement, span: &'ast Span) {
        let is_inside = self.range.start <= span.start && span.end <= self.range.end;
        if is_inside && !self.is_repeated {
            return;
        }
        let is_loop = matches!(statement, Statement::For(_) | Statement::While(_) | Statement::DoWhile(_));
        let is_around = span.start < self.range.start && self.range.end <= span.end;
        let before = self.is_repeated;
        self.is_repeated |= is_loop && is_around;
        visit::visit_statement(self, statement, span);
        self.is_repeated = before;
    }
}

/// The names that a statement mentions outside of a range, or in it if it may run again.
pub fn mentioned_outside(statement: &Node<Statement>, range: &Range<usize>) -> BTreeSet<String> {
    let mut outside = Outside { range, names: BTreeSet::new(), is_repeated: jumps(statement) };
    outside.visit_statement(&statement.node, &statement.span);
    outside.names
}

/// The name that a declarator declares; empty if it declares none.
pub fn name_of(declarator: &Declarator) -> &str {
    match &declarator.kind.node {
        DeclaratorKind::Abstract => "",
        DeclaratorKind::Identifier(name) => &name.node.name,
        DeclaratorKind::Declarator(inner) => name_of(&inner.node),
    }
}

/// The parameters, if a function is declared.
pub fn parameters(declarator: &Declarator) -> Option<&[Node<lang_c::ast::ParameterDeclaration>]> {
    declarator.derived.iter().find_map(|each| match &each.node {
        DerivedDeclarator::Function(function) => Some(&function.node.parameters[..]),
        _ => None,
    })
}

/// The value of a constant expression of the simplest kinds.
pub fn constant(expression: &Expression, constants: &BTreeMap<String, i64>) -> Option<i64> {
    match expression {
        Expression::Constant(constant) => match &constant.node {
            Constant::Integer(written) => integer(written),
            _ => None,
        },
        Expression::Identifier(name) => constants.get(&name.node.name).copied(),
        Expression::UnaryOperator(operation) if operation.node.operator.node == UnaryOperator::Minus => {
            constant(&operation.node.operand.node, constants)?.checked_neg()
        }
        Expression::BinaryOperator(operation) => {
            let left = constant(&operation.node.lhs.node, constants)?;
            let right = constant(&operation.node.rhs.node, constants)?;
            match operation.node.operator.node {
                BinaryOperator::Plus => left.checked_add(right),
                BinaryOperator::Minus => left.checked_sub(right),
                BinaryOperator::Multiply => left.checked_mul(right),
                BinaryOperator::Divide => left.checked_div(right),
                _ => None,
            }
        }
        _ => None,
    }
}
