//! From the statements of a region to a model: which are its statements, with which instances, in which order.
//!
//! A loop whose iterations are known is a band, a condition on iterators and parameters part of domains. Everything else that is not an expression is one statement, with its label or that of
//! what data decides about. Statements without a label are called `S_0`, `S_1`, ..., loops `L_0`, ...; a variable that is declared in the region is killed there
//! and where its block ends.

use super::builder::{Builder, Role, is_static};
use super::exits::{leaves, returns};
use super::text::line_and_column;
use super::touched::Touched;
use super::types::declared;
use super::unit::name_of;
use super::values::Term;
use super::{Control, Wrong};
use crate::presburger::{DimKind, Id, Map, Set, UnionSet};
use crate::scop::tree::{Band, Node as Order};
use crate::scop::{Access, AccessKind, Location, Scop, Statement as Modelled, Tree};
use lang_c::ast::{BlockItem, Declaration, ForStatement, Initializer, Statement, WhileStatement};
use lang_c::span::Node;
use std::collections::BTreeMap;

/// What is below a node of the schedule tree.
pub type Scheduled = (Order, UnionSet);

impl Builder<'_> {
    /// The model of a run of statements that comes right behind these declarations.
    pub fn region(&mut self, begun: &[&Declaration], items: &[Node<BlockItem>], name: &str) -> Result<Scop, Wrong> {
        let mut children = self.first_values(begun)?;
        children.extend(self.region_that_is_left(items)?);
        children.extend(self.items(items)?);
        let (root, _) = self.sequence(children);
        let params: Vec<Id> = self.params.iter().map(|name| Id::new(name)).collect();
        let domains = self.statements.iter().map(|statement| UnionSet::from_set(&statement.domain));
        let domain = domains.fold(UnionSet::empty(&params), |all, each| all.union(&each));
        let context = self.known.subtract(&self.never).coalesce();
        let assumed = Set::parse(&format!("{} {{ : }}", self.list())).expect("law: parameters have names");
        let scop = Scop {
            name: name.to_string(),
            params,
            context,
            assumed,
            arrays: std::mem::take(&mut self.arrays).into(),
            symbols: Vec::new(),
            statements: std::mem::take(&mut self.statements).into(),
            schedule: Tree::from_root(Order::Domain { domain, child: Box::new(root) }),
        };
        Ok(scop.aligned())
    }

    pub fn items(&mut self, items: &[Node<BlockItem>]) -> Result<Vec<Scheduled>, Wrong> {
        let (mut children, depth) = (Vec::new(), self.guards.len());
        for item in items {
            match &item.node {
                BlockItem::Statement(statement) => {
                    children.extend(self.statement(statement, None)?);
                    children.extend(self.rest(statement, depth)?);
                }
                BlockItem::Declaration(declaration) => children.extend(self.declaration(&declaration.node)?),
                BlockItem::StaticAssert(_) => {}
            }
        }
        self.guards.truncate(depth);
        Ok(children)
    }

    /// For the exact dataflow: what variables hold that are declared before the region and change in it.
    fn first_values(&mut self, begun: &[&Declaration]) -> Result<Vec<Scheduled>, Wrong> {
        let mut children = Vec::new();
        let begun = if self.control == Control::Exact { begun } else { &[] };
        for each in begun.iter().flat_map(|declaration| &declaration.declarators) {
            let name = name_of(&each.node.declarator.node);
            let variable = self.find(name).filter(|at| matches!(self.variables[*at].role, Role::Memory));
            let first = each.node.initializer.as_ref().map(|initializer| &initializer.node);
            if let (Some(variable), Some(Initializer::Expression(value))) = (variable, first) {
                children.extend(self.initialized(variable, value, each.span.start)?);
            }
        }
        Ok(children)
    }

    /// A variable that has just been declared gets its value.
    fn initialized(&mut self, variable: usize, value: &Term, at: usize) -> Result<Option<Scheduled>, Wrong> {
        let kind = self.variables[variable].kind.integer();
        let number = self.number(&value.node).zip(kind).and_then(|(n, kind)| self.converted(n, kind));
        let earlier = self.earlier();
        let found = self.modelled(None, at, &mut |builder| {
            builder.expression(value)?;
            let path = super::places::Path { base: variable, steps: Vec::new() };
            builder.touch(&path, AccessKind::MustWrite, at)
        })?;
        self.computing(&found, &|accesses| earlier.as_ref()?.begins_with(accesses, value));
        self.becomes(variable, number);
        Ok(found)
    }

    /// A variable of the region: killed, and written if it has a value.
    pub fn declaration(&mut self, declaration: &Declaration) -> Result<Vec<Scheduled>, Wrong> {
        let mut children = Vec::new();
        if let Some(specifier) = declaration.specifiers.iter().find(|each| is_static(each)) {
            return Err(Wrong::at(specifier.span.start, "variables that outlive their block are not read"));
        }
        for each in &declaration.declarators {
            let at = each.span.start;
            let base = self.base(&declaration.specifiers);
            let (name, kind) = declared(&each.node.declarator.node, base, &|size| self.extent(size));
            let variable = self.declare(&name, kind, Role::Memory);
            children.push(self.kill(variable, at)?);
            match each.node.initializer.as_ref().map(|initializer| &initializer.node) {
                Some(Initializer::Expression(value)) => {
                    children.extend(self.initialized(variable, value, at)?);
                }
                Some(Initializer::List(_)) => return Err(Wrong::at(at, "lists of values are not read")),
                None => {}
            }
        }
        Ok(children)
    }

    /// A statement behind which nothing is left of a variable's value; none for the exact dataflow, which a program that reads what it has not written has not.
    pub fn kill(&mut self, variable: usize, at: usize) -> Result<Scheduled, Wrong> {
        if self.control == Control::Exact {
            return Ok((Order::Leaf, UnionSet::empty(&[])));
        }
        let path = super::places::Path { base: variable, steps: Vec::new() };
        let killed = self.modelled(None, at, &mut |builder| builder.touch(&path, AccessKind::Kill, at))?;
        Ok(killed.unwrap_or((Order::Leaf, UnionSet::empty(&[]))))
    }

    pub fn statement(&mut self, statement: &Node<Statement>, label: Option<&str>) -> Result<Vec<Scheduled>, Wrong> {
        let at = statement.span.start;
        if let Some(found) = self.exactly(statement, label) {
            return Ok(found);
        }
        if self.control != Control::Exact && returns(&statement.node, &statement.span) {
            return Err(Wrong::at(at, "the region is left in its middle"));
        }
        if let Some(found) = self.loop_in_steps(statement, label) {
            return Ok(found);
        }
        match &statement.node {
            Statement::Labeled(labeled) => {
                let own = match &labeled.node.label.node {
                    lang_c::ast::Label::Identifier(name) => Some(name.node.name.as_str()),
                    _ => return Err(Wrong::at(at, "this label is not inside of a switch")),
                };
                self.statement(&labeled.node.statement, own)
            }
            Statement::Compound(items) => {
                let n = self.variables.len();
                self.scopes.push(BTreeMap::new());
                let children = self.items(items);
                let own: Vec<usize> = self.scopes.pop().unwrap_or_default().into_values().filter(|v| *v >= n).collect();
                let mut children = children?;
                for variable in own {
                    children.push(self.kill(variable, statement.span.end)?);
                }
                Ok(vec![self.sequence(children)])
            }
            Statement::Expression(None) => Ok(Vec::new()),
            Statement::If(choice) => {
                let known = self.condition(&choice.node.condition.node);
                let Some(text) = known.filter(|text| self.here(text).is_some()) else {
                    return self.whole(statement, label);
                };
                let mut children = Vec::new();
                let branches = [Some(&choice.node.then_statement), choice.node.else_statement.as_ref()];
                for (branch, text) in branches.into_iter().zip([text.clone(), format!("not {text}")]) {
                    let Some(branch) = branch else { continue };
                    let (domain, before) = (self.around.domain.clone(), self.values().clone());
                    self.around.domain = self.here(&text).unwrap_or_else(|| domain.clone());
                    children.extend(self.statement(branch, None)?);
                    self.around.domain = domain;
                    self.agree(&before);
                }
                Ok(children)
            }
            Statement::For(each) => {
                self.scopes.push(BTreeMap::new());
                let done = self.for_statement(&each.node, statement, label);
                self.scopes.pop();
                done
            }
            Statement::While(each) => self.while_statement(&each.node, statement, label),
            Statement::Expression(Some(term)) => Ok(Vec::from_iter(self.expression_alone(term, label)?)),
            Statement::Break | Statement::Continue | Statement::Goto(_) | Statement::Return(_) => {
                Err(Wrong::at(at, "the region is left in its middle"))
            }
            _ => self.whole(statement, label),
        }
    }

    /// A loop without an end, or one that data ends as a whole.
    fn while_statement(
        &mut self,
        each: &WhileStatement,
        statement: &Node<Statement>,
        label: Option<&str>,
    ) -> Result<Vec<Scheduled>, Wrong> {
        self.forget(statement);
        let condition = self.condition(&each.expression.node);
        let goes_on = condition.is_some_and(|text| self.here(&format!("not {text}")).is_some_and(|s| s.is_empty()));
        if !goes_on || leaves(&each.statement.node, &each.statement.span) {
            return self.whole(statement, label);
        }
        let around = self.around.clone();
        self.scopes.push(BTreeMap::new());
        let dim = self.open_steps_of_its_own();
        self.around.domain = self.here(&format!("{dim} >= 0")).unwrap_or_else(|| around.domain.clone());
        let body = self.body(&each.statement);
        self.scopes.pop();
        let band = body.map(|below| self.band(below, label, ""));
        self.around = around;
        Ok(vec![band?])
    }

    fn body(&mut self, body: &Node<Statement>) -> Result<Scheduled, Wrong> {
        self.forget(body);
        let children = self.statement(body, None);
        self.forget(body);
        let children = children?;
        Ok(self.sequence(children))
    }

    fn for_statement(
        &mut self,
        each: &ForStatement,
        statement: &Node<Statement>,
        label: Option<&str>,
    ) -> Result<Vec<Scheduled>, Wrong> {
        let is_left = leaves(&each.statement.node, &each.statement.span);
        let Some(found) = self.for_loop(each).filter(|_| !is_left) else { return self.whole(statement, label) };
        let number = self.n_loops;
        self.n_loops += usize::from(label.is_none());
        let generated = format!("L_{number}");
        let around = std::mem::replace(&mut self.around, found.around.clone());
        let outside = self.enter(&found);
        let body = self.body(&each.statement);
        self.leave(outside);
        let sign = if found.is_falling { "-" } else { "" };
        let band = body.map(|below| self.band(below, Some(label.unwrap_or(&generated)), sign));
        self.around = around;
        Ok(vec![band?])
    }

    /// The last loop around, over what is below.
    pub fn band(&self, (child, below): Scheduled, name: Option<&str>, sign: &str) -> Scheduled {
        if below.is_empty() {
            return (Order::Leaf, below);
        }
        let depth = self.around.dims.len() - 1;
        let member = |set: Set| {
            let statement = set.space().tuple_name(DimKind::Out).map_or("", Id::as_str).to_string();
            let n = set.dim(DimKind::Out);
            let named = |d| set.space().dim_name(DimKind::Out, d).map(ToString::to_string);
            let names: Vec<String> = (0..n).map(|d| named(d).unwrap_or_else(|| format!("i{d}"))).collect();
            format!("{statement}[{}] -> [({sign}{})]", names.join(", "), names[depth])
        };
        let members: Vec<String> = below.sets().map(member).collect();
        let text = format!("{} {}[{{ {} }}]", self.list(), name.unwrap_or(""), members.join("; "));
        let band = Band::parse(&text).expect("law: an iterator is a function");
        (Order::Band { band, child: Box::new(child) }, below)
    }

    /// One after the other; empty parts are none.
    pub fn sequence(&self, children: Vec<Scheduled>) -> Scheduled {
        let mut children: Vec<Scheduled> = children.into_iter().filter(|(_, below)| !below.is_empty()).collect();
        if children.len() < 2 {
            return children.pop().unwrap_or((Order::Leaf, UnionSet::empty(&[])));
        }
        let all = children.iter().fold(UnionSet::empty(&[]), |all, (_, below)| all.union(below));
        let filter = |(node, below): Scheduled| Order::Filter { filter: below, child: Box::new(node) };
        (Order::Sequence(children.into_iter().map(filter).collect()), all)
    }

    /// A statement that is an expression.
    pub fn expression_alone(&mut self, term: &Term, label: Option<&str>) -> Result<Option<Scheduled>, Wrong> {
        let earlier = self.earlier();
        let found = self.modelled(label, term.span.start, &mut |builder| builder.expression(term))?;
        self.computing(&found, &|accesses| earlier.as_ref()?.computes(accesses, term));
        Ok(found)
    }

    /// What is known before a statement, if it is asked for what statements compute.
    fn earlier(&mut self) -> Option<Self> {
        (self.control == Control::Exact).then(|| self.but_for_statements())
    }

    /// All of a statement as one.
    fn whole(&mut self, statement: &Node<Statement>, label: Option<&str>) -> Result<Vec<Scheduled>, Wrong> {
        // What leaves the loops around would be lost in it.
        if self.control == Control::Exact && leaves(&statement.node, &statement.span) {
            return Err(Wrong::at(statement.span.start, "the region is left in its middle"));
        }
        let found = self.modelled(label, statement.span.start, &mut |builder| builder.inside(statement))?;
        Ok(found.into_iter().collect())
    }

    /// A statement of the model that touches what `what` touches; none where it never runs.
    pub fn modelled(
        &mut self,
        label: Option<&str>,
        at: usize,
        what: &mut dyn FnMut(&mut Self) -> Result<(), Wrong>,
    ) -> Result<Option<Scheduled>, Wrong> {
        let name = label.map_or_else(|| format!("S_{}", self.n_statements), str::to_string);
        self.n_statements += usize::from(label.is_none());
        if self.statements.iter().any(|statement| statement.name.as_str() == name) {
            return Err(Wrong::at(at, format!("two statements are called {name}")));
        }
        self.touched = Touched::by(self.around.dims.len());
        let around = self.around.clone();
        what(self)?;
        self.around = around;
        let Touched { accesses, operations, .. } = std::mem::take(&mut self.touched);
        let domain = self.around.domain.coalesce().set_tuple_name(DimKind::Out, Some(&name));
        let domain = self.with_names(&domain);
        if domain.intersect_params(&self.known).is_empty() || (accesses.is_empty() && operations == 0) {
            return Ok(None);
        }
        let (line, column) = line_and_column(self.text, at);
        let location = Location { file: self.file.to_string(), line: line as u32, column: column as u32 };
        let access = |(number, (kind, array, relation)): (usize, (AccessKind, String, Map))| Access {
            id: Id::new(&format!("{name}_r{number}")),
            kind,
            array: Id::new(&array),
            relation: relation.set_tuple_name(DimKind::In, Some(&name)),
            applied: None,
            reduction: None,
            condition: None,
            location: None,
        };
        let n = accesses.len();
        let mut accesses: Vec<Access> = accesses.into_iter().enumerate().map(access).collect();
        for (place, guard) in self.guards.iter().enumerate() {
            let inner = self.around.dims.len() - guard.element.dim(DimKind::In);
            let element = guard.element.add_dims(DimKind::In, inner);
            let asked = access((n + place, (AccessKind::Read, guard.array.clone(), element)));
            let relation = asked.relation.intersect_domain(&domain);
            accesses.push(Access { relation, condition: Some(guard.holds), ..asked });
        }
        let bare = Modelled::bare(Id::new(&name), domain.clone());
        self.statements.push(Modelled { accesses, operations: operations.max(1), location: Some(location), ..bare });
        Ok(Some((Order::Leaf, UnionSet::from_set(&domain).universe())))
    }

    /// The same set with the names of the iterators around.
    fn with_names(&self, domain: &Set) -> Set {
        let name = domain.space().tuple_name(DimKind::Out).map_or("", Id::as_str);
        let text = format!("{} {{ {name}[{}] }}", self.list(), self.around.dims.join(", "));
        Set::parse(&text).map_or_else(|_| domain.clone(), |named| named.intersect(domain))
    }
}
