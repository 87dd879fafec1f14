//! What a statement touches, whatever is in it: expressions, conditions and loops that data decides about, functions that are called.
//!
//! For `If: if (A[1 + i] > M) M = A[1 + i];` that are the reads of `A[1 + i]` and `M`, which happen, and the write of `M`, which may happen. Loops inside of a statement whose iterations are known
//! are looked at for all their iterations at once.

use super::Wrong;
use super::builder::{Builder, Role, is_static};
use super::exits::{leaves, returns_early};
use super::operators::{assigns, steps};
use super::places::{Alias, Elements, Index, Path};
use super::types::{Type, declared};
use super::unit::{name_of, parameters};
use super::values::{Number, Term, range};
use crate::presburger::{DimKind, Map};
use crate::scop::AccessKind;
use lang_c::ast::{
    BinaryOperator, BlockItem, CallExpression, Declaration, Expression, ForInitializer, ForStatement,
    FunctionDefinition, Initializer, Statement, UnaryOperator,
};
use lang_c::span::Node;

/// What a statement touches.
#[derive(Clone, Debug, Default)]
pub struct Touched {
    /// How many iterators it has; those of loops inside come after these.
    pub outer: usize,
    /// What it does to which array's elements.
    pub accesses: Vec<(AccessKind, String, Map)>,
    /// Arithmetic operations.
    pub operations: u32,
    /// How many conditions on data are around.
    uncertain: usize,
    /// How many calls are around.
    calls: usize,
}

/// Calls within calls that are looked into; more is a recursion.
const DEEPEST_CALL: usize = 16;

impl Touched {
    /// Nothing, by a statement with so many iterators.
    pub fn by(outer: usize) -> Touched {
        Touched { outer, ..Touched::default() }
    }
}

impl Builder<'_> {
    /// What an expression reads and changes.
    pub fn expression(&mut self, term: &Term) -> Result<(), Wrong> {
        let unknown = || Err(Wrong::at(term.span.start, "what this does cannot be said by a model"));
        match &term.node {
            Expression::Constant(_) | Expression::StringLiteral(_) => Ok(()),
            Expression::SizeOfTy(_) | Expression::SizeOfVal(_) | Expression::AlignOf(_) | Expression::OffsetOf(_) => {
                Ok(())
            }
            Expression::Identifier(name) if self.is_constant(&name.node.name) => Ok(()),
            Expression::Identifier(_) | Expression::Member(_) => self.reads(term),
            Expression::Cast(cast) => self.expression(&cast.node.expression),
            Expression::Comma(all) => all.iter().try_for_each(|each| self.expression(each)),
            Expression::Call(call) => self.call(&call.node, term.span.start),
            Expression::Conditional(choice) => {
                let choice = &choice.node;
                self.expression(&choice.condition)?;
                self.either(&choice.condition, &mut |builder, holds| match holds {
                    Holds::Yes => builder.expression(&choice.then_expression),
                    Holds::No => builder.expression(&choice.else_expression),
                })
            }
            Expression::UnaryOperator(operation) => {
                let (operator, operand) = (&operation.node.operator.node, &operation.node.operand);
                self.touched.operations += 1;
                match operator {
                    UnaryOperator::Indirection => self.reads(term),
                    UnaryOperator::Address => Err(Wrong::at(term.span.start, "this address is not followed")),
                    _ if steps(operator).is_some() => {
                        let by = steps(operator).unwrap_or_default();
                        let value = self.number(&operand.node).and_then(|old| old.moved(by));
                        self.reads(operand)?;
                        self.writes(operand, value)
                    }
                    _ => self.expression(operand),
                }
            }
            Expression::BinaryOperator(operation) => {
                let (operator, left, right) = (&operation.node.operator.node, &operation.node.lhs, &operation.node.rhs);
                match operator {
                    BinaryOperator::Index => return self.reads(term),
                    BinaryOperator::LogicalAnd | BinaryOperator::LogicalOr => {
                        self.expression(left)?;
                        return self.perhaps(&mut |builder| builder.expression(right));
                    }
                    _ => {}
                }
                let Some(with) = assigns(operator) else {
                    self.touched.operations += 1;
                    self.expression(left)?;
                    return self.expression(right);
                };
                let value = match with {
                    None => self.number(&right.node),
                    Some(BinaryOperator::Plus | BinaryOperator::Minus) => {
                        let by = self.number(&right.node).and_then(|number| number.value.number());
                        let by = if with == Some(BinaryOperator::Minus) { by.and_then(i64::checked_neg) } else { by };
                        self.number(&left.node).zip(by).and_then(|(old, by)| old.moved(by))
                    }
                    Some(_) => None,
                };
                self.expression(right)?;
                if with.is_some() {
                    self.touched.operations += 1;
                    self.reads(left)?;
                }
                self.writes(left, value)
            }
            _ => unknown(),
        }
    }

    /// Reads of the subscripts of a place.
    fn subscripts(&mut self, term: &Term) -> Result<(), Wrong> {
        match &term.node {
            Expression::Member(member) => self.subscripts(&member.node.expression),
            Expression::BinaryOperator(operation) if operation.node.operator.node == BinaryOperator::Index => {
                self.subscripts(&operation.node.lhs)?;
                self.expression(&operation.node.rhs)
            }
            Expression::UnaryOperator(operation) => self.subscripts(&operation.node.operand),
            _ => Ok(()),
        }
    }

    fn place(&mut self, term: &Term) -> Result<Path, Wrong> {
        self.subscripts(term)?;
        self.path(term)?.ok_or_else(|| Wrong::at(term.span.start, "this is no place"))
    }

    fn reads(&mut self, term: &Term) -> Result<(), Wrong> {
        let path = self.place(term)?;
        match self.kind_of(&path) {
            Type::Array { .. } | Type::Pointer(_) => Err(Wrong::at(term.span.start, "this address is not followed")),
            _ => self.touch(&path, AccessKind::Read, term.span.start),
        }
    }

    /// A write of a place; of `value`, if that is known.
    fn writes(&mut self, term: &Term, value: Option<Number>) -> Result<(), Wrong> {
        let path = self.place(term)?;
        let kind = self.kind_of(&path);
        if matches!(kind, Type::Array { .. } | Type::Pointer(_)) {
            return Err(Wrong::at(term.span.start, "an address is changed"));
        }
        self.touch(&path, AccessKind::MustWrite, term.span.start)?;
        if path.steps.is_empty() {
            let number = value.zip(kind.integer()).and_then(|(n, kind)| self.converted(n, kind));
            self.becomes(path.base, number);
        }
        Ok(())
    }

    /// One access more.
    pub fn touch(&mut self, path: &Path, kind: AccessKind, at: usize) -> Result<(), Wrong> {
        match (&self.variables[path.base].role, kind) {
            (Role::Private, _) | (Role::Silent, AccessKind::Read) => return Ok(()),
            (Role::Silent, _) => return Err(Wrong::at(at, "the variable of a loop is changed in it")),
            (Role::Spent, AccessKind::Read) => {
                return Err(Wrong::at(at, "this is what a loop leaves in its variable, which is not followed"));
            }
            (Role::Spent, _) => self.variables[path.base].role = Role::Memory,
            (Role::Memory | Role::Alias(_), _) => {}
        }
        for elements in self.elements(path, at)? {
            let is_certain = self.touched.uncertain == 0;
            let kind = match kind {
                AccessKind::MustWrite if !is_certain || !elements.is_exact => AccessKind::MayWrite,
                AccessKind::Kill if !is_certain || !elements.is_exact => continue,
                kind => kind,
            };
            if is_certain && self.guards.is_empty() {
                self.is_inside(&elements, at)?;
                for number in &elements.subscripts {
                    let (least, most) = range(&Type::Int { bits: number.bits, signed: number.signed });
                    self.never(&number.value.holds(|e| format!("({e} < 0 or {e} < {least} or {e} > {most})")));
                }
            }
            let (outer, all) = (self.touched.outer, self.around.dims.len());
            let relation = elements.relation.project_out(DimKind::In, outer, all - outer).coalesce();
            self.declare_array(&elements, path.base);
            let known = self
                .touched
                .accesses
                .iter()
                .any(|(other, array, map)| *other == kind && *array == elements.array && map.is_equal(&relation));
            if !known && !relation.is_empty() {
                self.touched.accesses.push((kind, elements.array, relation));
            }
        }
        Ok(())
    }

    /// That what certainly happens stays in its rows: for some parameters that is believed, for none it cannot be.
    fn is_inside(&self, elements: &Elements, at: usize) -> Result<(), Wrong> {
        let sizes = self.around.domain.clone().params();
        match !sizes.is_empty() && sizes.is_subset(&elements.beyond.clone().params()) {
            true => Err(Wrong::at(at, "a subscript is beyond the end of its row")),
            false => Ok(()),
        }
    }

    /// What may happen or not.
    pub fn perhaps(&mut self, what: &mut dyn FnMut(&mut Self) -> Result<(), Wrong>) -> Result<(), Wrong> {
        let before = self.values().clone();
        self.touched.uncertain += 1;
        let done = what(self);
        self.touched.uncertain -= 1;
        self.agree(&before);
        done
    }

    /// What happens if a condition holds, and what if it does not.
    fn either(
        &mut self,
        condition: &Term,
        what: &mut dyn FnMut(&mut Self, Holds) -> Result<(), Wrong>,
    ) -> Result<(), Wrong> {
        let known = self.condition(&condition.node).filter(|text| self.here(text).is_some());
        let Some(text) = known else {
            self.perhaps(&mut |builder| what(builder, Holds::Yes))?;
            return self.perhaps(&mut |builder| what(builder, Holds::No));
        };
        for (holds, text) in [(Holds::Yes, text.clone()), (Holds::No, format!("not {text}"))] {
            let (domain, before) = (self.around.domain.clone(), self.values().clone());
            self.around.domain = self.here(&text).unwrap_or_else(|| domain.clone());
            what(self, holds)?;
            self.around.domain = domain;
            self.agree(&before);
        }
        Ok(())
    }

    /// All of a statement.
    pub fn inside(&mut self, statement: &Node<Statement>) -> Result<(), Wrong> {
        let at = statement.span.start;
        match &statement.node {
            Statement::Labeled(labeled) => self.inside(&labeled.node.statement),
            Statement::Compound(items) => self.scoped(&mut |builder| builder.items_inside(items)),
            Statement::Expression(expression) => expression.iter().try_for_each(|each| self.expression(each)),
            Statement::Return(value) => value.iter().try_for_each(|value| self.expression(value)),
            Statement::If(choice) => {
                let choice = &choice.node;
                self.expression(&choice.condition)?;
                self.either(&choice.condition, &mut |builder, holds| match (holds, &choice.else_statement) {
                    (Holds::Yes, _) => builder.inside(&choice.then_statement),
                    (Holds::No, Some(other)) => builder.inside(other),
                    (Holds::No, None) => Ok(()),
                })
            }
            Statement::For(each) => self.scoped(&mut |builder| builder.for_inside(&each.node)),
            Statement::While(each) => {
                self.forget(statement);
                self.expression(&each.node.expression)?;
                self.perhaps(&mut |builder| builder.inside(&each.node.statement))?;
                self.forget(statement);
                Ok(())
            }
            Statement::DoWhile(each) => {
                self.forget(statement);
                self.perhaps(&mut |builder| {
                    builder.inside(&each.node.statement)?;
                    builder.expression(&each.node.expression)
                })?;
                self.forget(statement);
                Ok(())
            }
            Statement::Switch(choice) => {
                self.expression(&choice.node.expression)?;
                self.perhaps(&mut |builder| builder.inside(&choice.node.statement))?;
                self.forget(statement);
                Ok(())
            }
            Statement::Break | Statement::Continue => Ok(()),
            Statement::Goto(_) | Statement::Asm(_) => Err(Wrong::at(at, "what this does cannot be said by a model")),
        }
    }

    fn items_inside(&mut self, items: &[Node<BlockItem>]) -> Result<(), Wrong> {
        for item in items {
            match &item.node {
                BlockItem::Statement(statement) => self.inside(statement)?,
                BlockItem::Declaration(declaration) => self.private(&declaration.node)?,
                BlockItem::StaticAssert(_) => {}
            }
        }
        Ok(())
    }

    /// Variables that live in one instance of a statement.
    fn private(&mut self, declaration: &Declaration) -> Result<(), Wrong> {
        if let Some(specifier) = declaration.specifiers.iter().find(|each| is_static(each)) {
            return Err(Wrong::at(specifier.span.start, "variables that outlive their block are not read"));
        }
        for each in &declaration.declarators {
            let (base, declarator) = (self.base(&declaration.specifiers), &each.node.declarator.node);
            let (name, kind) = declared(declarator, base, &|size| self.extent(size));
            let is_integer = kind.integer();
            let variable = self.declare(&name, kind, Role::Private);
            match each.node.initializer.as_ref().map(|initializer| &initializer.node) {
                Some(Initializer::Expression(value)) => {
                    self.expression(value)?;
                    let number = self.number(&value.node).zip(is_integer);
                    let number = number.and_then(|(number, kind)| self.converted(number, kind));
                    self.becomes(variable, number);
                }
                Some(Initializer::List(_)) => {
                    return Err(Wrong::at(each.span.start, "lists of values are not read"));
                }
                None => {}
            }
        }
        Ok(())
    }

    fn for_inside(&mut self, each: &ForStatement) -> Result<(), Wrong> {
        let leaves = leaves(&each.statement.node, &each.statement.span);
        let found = if leaves { None } else { self.for_loop(each) };
        if let Some(found) = found {
            let around = std::mem::replace(&mut self.around, found.around.clone());
            let value = self.enter(&found);
            self.forget(&each.statement);
            let done = self.inside(&each.statement);
            self.forget(&each.statement);
            self.leave(value);
            self.around = around;
            return done;
        }
        match &each.initializer.node {
            ForInitializer::Expression(first) => self.expression(first)?,
            ForInitializer::Declaration(declaration) => self.private(&declaration.node)?,
            ForInitializer::Empty | ForInitializer::StaticAssert(_) => {}
        }
        let changed = |builder: &mut Self| {
            builder.forget(&each.statement);
            let asked = each.condition.iter().chain(&each.step);
            let asked = asked.map(|asked| Node::new(Statement::Expression(Some(asked.clone())), asked.span));
            asked.for_each(|asked| builder.forget(&asked));
        };
        changed(self);
        each.condition.iter().try_for_each(|condition| self.expression(condition))?;
        self.perhaps(&mut |builder| {
            builder.inside(&each.statement)?;
            each.step.iter().try_for_each(|step| builder.expression(step))
        })?;
        changed(self);
        Ok(())
    }

    /// A call.
    fn call(&mut self, call: &CallExpression, at: usize) -> Result<(), Wrong> {
        let Expression::Identifier(name) = &call.callee.node else {
            return Err(Wrong::at(at, "nobody knows what is called here"));
        };
        let name = &name.node.name;
        let said = match name.as_str() {
            "__pencil_maybe" => return Ok(()),
            "__pencil_kill" => Some(AccessKind::Kill),
            "__pencil_use" => Some(AccessKind::Read),
            "__pencil_def" => Some(AccessKind::MustWrite),
            "__pencil_assume" => {
                for argument in &call.arguments {
                    if let (Some(text), 0) = (self.condition(&argument.node), self.touched.uncertain) {
                        self.never(&format!("not {text}"));
                    }
                }
                return Ok(());
            }
            _ => None,
        };
        if let Some(kind) = said {
            return call.arguments.iter().try_for_each(|argument| {
                let path = self.place(argument)?;
                self.touch(&path, kind, argument.span.start)
            });
        }
        if let Some(function) = self.unit.looked_into(name) {
            return self.looked_into(function, call, at);
        }
        for (position, argument) in call.arguments.iter().enumerate() {
            match self.led_to(argument)? {
                None => self.expression(argument)?,
                Some(led) => {
                    let path = match led {
                        Alias::Same(path) => path,
                        Alias::Address(path) => path.beside(Index::Unknown),
                    };
                    self.touch(&path, AccessKind::Read, at)?;
                    if !self.unit.only_reads(name, position) {
                        self.perhaps(&mut |builder| builder.touch(&path, AccessKind::MustWrite, at))?;
                        self.becomes(path.base, None);
                    }
                }
            }
        }
        Ok(())
    }

    /// What an argument leads to, if it is an address.
    fn led_to(&mut self, argument: &Term) -> Result<Option<Alias>, Wrong> {
        if let Expression::UnaryOperator(operation) = &argument.node
            && operation.node.operator.node == UnaryOperator::Address
        {
            return Ok(Some(Alias::Address(self.place(&operation.node.operand)?)));
        }
        if let Expression::Identifier(name) = &argument.node
            && let Some(alias) = self.find(&name.node.name)
            && let Role::Alias(led @ Alias::Address(_)) = &self.variables[alias].role
        {
            return Ok(Some(led.clone()));
        }
        let Some(path) = self.path(argument).unwrap_or_default() else { return Ok(None) };
        let leads = matches!(self.kind_of(&path), Type::Array { .. } | Type::Pointer(_));
        if leads { Ok(Some(Alias::Same(self.place(argument)?))) } else { Ok(None) }
    }

    /// A call of a function with a body.
    fn looked_into(&mut self, function: &FunctionDefinition, call: &CallExpression, at: usize) -> Result<(), Wrong> {
        if self.touched.calls == DEEPEST_CALL {
            return Err(Wrong::at(at, "functions call each other too deeply"));
        }
        let listed = parameters(&function.declarator.node).unwrap_or_default();
        let mut arguments = Vec::new();
        for (parameter, argument) in listed.iter().zip(&call.arguments) {
            let name = parameter.node.declarator.as_ref().map_or("", |declarator| name_of(&declarator.node));
            let leads = self.led_to(argument)?;
            if leads.is_none() {
                self.expression(argument)?;
            }
            arguments.push((name.to_string(), leads, self.number(&argument.node), parameter));
        }
        let scopes = self.only_globals();
        self.touched.calls += 1;
        for (name, leads, number, parameter) in arguments {
            let base = self.base(&parameter.node.specifiers);
            let kind = parameter.node.declarator.as_ref().map_or(base.clone(), |declarator| {
                declared(&declarator.node, base.clone(), &|size| self.extent(size)).1
            });
            let is_integer = kind.integer();
            let role = leads.map_or(Role::Private, Role::Alias);
            let variable = self.declare(&name, kind, role);
            let number = number.zip(is_integer).and_then(|(n, kind)| self.converted(n, kind));
            self.becomes(variable, number);
        }
        let body = &function.statement;
        let done = match returns_early(body) {
            true => self.perhaps(&mut |builder| builder.inside(body)),
            false => self.inside(body),
        };
        self.touched.calls -= 1;
        self.restore(scopes);
        done
    }
}

/// Whether a condition holds.
#[derive(Clone, Copy)]
enum Holds {
    Yes,
    No,
}
