//! What is known while a region becomes a model: its variables and parameters, values, iterations around, what was found so far.
//!
//! An integer from outside that the region does not change is a parameter; what types say of it, and what accesses say for which values a program could only be wrong, becomes the context.
//!
//! Implements: 002 5.7

use super::exits::labels_behind;
use super::loops::Loop;
use super::places::{Alias, Elements};
use super::touched::Touched;
use super::types::{Type, Types, declared, specifiers};
use super::unit::{Unit, Uses, mentioned_outside, name_of, parameters};
use super::values::{Affine, Number, range};
use super::{Control, Wrong};
use crate::presburger::{Id, Map, Set};
use crate::scop::{Array, ArrayKind, Statement as Modelled};
use lang_c::ast::{
    BlockItem, Declaration, DeclarationSpecifier, Expression, FunctionDefinition, Statement, StorageClassSpecifier,
};
use lang_c::span::Node;
use lang_c::visit::Visit;
use std::collections::{BTreeMap, BTreeSet};

/// A variable.
#[derive(Clone, Debug)]
pub struct Variable {
    /// What the model calls it.
    pub name: String,
    pub kind: Type,
    pub role: Role,
    /// Whether code behind the region can see it.
    lives_on: bool,
    /// Whether the next call of the function sees it.
    is_static: bool,
}

/// What a variable is for a model.
#[derive(Clone, Debug)]
pub enum Role {
    /// Memory that statements touch.
    Memory,
    /// Lives within one instance.
    Private,
    /// A parameter or an iterator: its value is part of the model, nobody touches it.
    Silent,
    /// Was an iterator.
    Spent,
    /// Another place.
    Alias(Alias),
}

/// The loops around a statement.
#[derive(Clone, Debug)]
pub struct Around {
    /// Names of iterators.
    pub dims: Vec<String>,
    /// Their values: tuples without a name.
    pub domain: Set,
    /// What types say of iterators, where these do not wrap around.
    pub limits: Vec<String>,
}

/// A model in the making.
#[derive(Clone)]
pub struct Builder<'b> {
    pub unit: &'b Unit<'b>,
    pub file: &'b str,
    pub text: &'b str,
    pub params: Vec<String>,
    /// What types say of parameters.
    pub known: Set,
    /// What can only be if the program does what it must not.
    pub never: Set,
    pub scopes: Vec<BTreeMap<String, usize>>,
    pub variables: Vec<Variable>,
    values: BTreeMap<usize, Number>,
    pub around: Around,
    pub touched: Touched,
    pub statements: Vec<Modelled>,
    pub arrays: Vec<Array>,
    pub n_statements: usize,
    pub n_loops: usize,
    /// Whether the length of an array is computed, which does not wrap around.
    pub is_in_length: bool,
    /// What becomes of control that data decides.
    pub control: Control,
    /// Under which conditions what comes next runs.
    pub guards: Vec<Guard>,
    /// What may be left around.
    pub ways: Vec<Way>,
    /// For each loop, by its place in the text: the labels of what comes right behind it.
    pub behind: BTreeMap<usize, Vec<String>>,
}

/// A condition that a statement computes.
#[derive(Clone, Debug)]
pub struct Guard {
    /// The scalar that holds it, with an element for each step or iteration.
    pub array: String,
    /// The value with which statements run.
    pub holds: bool,
    /// From iterations of the loop to elements.
    pub element: Map,
}

/// A loop around that may be left, or the region.
#[derive(Clone, Debug)]
pub struct Way {
    /// The scalar that says whether it goes on.
    pub on: String,
    /// The one that says whether the rest of the iteration runs; the same if no `continue` is in it.
    pub rest: String,
    /// The labels of what comes right behind it.
    pub behind: Vec<String>,
}

/// Words of isl's notation that cannot be names.
const WORDS: [&str; 16] = [
    "and", "or", "not", "exists", "implies", "mod", "floor", "floord", "ceil", "ceild", "min", "max", "true", "false",
    "infty", "rat",
];

impl<'b> Builder<'b> {
    /// A builder that knows what is declared around a region.
    pub fn new(
        unit: &'b Unit<'b>,
        function: &'b FunctionDefinition,
        (items, outside): (&[Node<BlockItem>], &[&Declaration]),
        (file, text, control): (&'b str, &'b str, Control),
    ) -> Result<Builder<'b>, Wrong> {
        let nothing = |text: &str| Set::parse(text).expect("law: this is a set");
        let mut builder = Builder {
            unit,
            file,
            text,
            params: Vec::new(),
            known: nothing("{ : }"),
            never: nothing("{ : false }"),
            scopes: vec![BTreeMap::new(), BTreeMap::new()],
            variables: Vec::new(),
            values: BTreeMap::new(),
            around: Around { dims: Vec::new(), domain: nothing("{ [] }"), limits: Vec::new() },
            touched: Touched::default(),
            statements: Vec::new(),
            arrays: Vec::new(),
            n_statements: 0,
            n_loops: 0,
            is_in_length: false,
            control,
            guards: Vec::new(),
            ways: Vec::new(),
            behind: labels_behind(&function.statement),
        };
        let mut uses = Uses::default();
        items.iter().for_each(|item| uses.visit_block_item(&item.node, &item.span));
        let changed: BTreeSet<String> = items.iter().flat_map(|item| builder.changed_by(item)).collect();
        let fixed = |name: &str| !changed.contains(name);
        for global in &unit.globals {
            builder.declare_outside(global, &fixed);
        }
        let globals = builder.scopes.pop().expect("law: there are two");
        builder.scopes = vec![globals, BTreeMap::new()];
        let range = items.first().map_or(0, |item| item.span.start)..items.last().map_or(0, |item| item.span.end);
        let later = mentioned_outside(&function.statement, &range);
        let n_global = builder.variables.len();
        for parameter in parameters(&function.declarator.node).unwrap_or_default() {
            let base = builder.base(&parameter.node.specifiers);
            let Some(declarator) = &parameter.node.declarator else { continue };
            let (name, kind) = declared(&declarator.node, base, &|size| builder.extent(size));
            builder.declare_fixed(&name, kind, &fixed);
        }
        for declaration in outside {
            builder.declare_outside(declaration, &fixed);
        }
        let own: Vec<(String, usize)> = builder.scopes[1].iter().map(|(name, at)| (name.clone(), *at)).collect();
        for (name, at) in own.into_iter().filter(|(name, at)| *at >= n_global && !later.contains(name)) {
            let variable = &mut builder.variables[at];
            let is_outside = is_parameter(function, &name) && matches!(variable.kind, Type::Array { .. });
            variable.lives_on &= is_outside || variable.is_static || matches!(variable.kind, Type::Pointer(_));
        }
        builder.only_used(&uses.mentioned);
        Ok(builder)
    }

    fn changed_by(&self, item: &Node<BlockItem>) -> BTreeSet<String> {
        match &item.node {
            BlockItem::Statement(statement) => self.unit.changed(&statement.node, &statement.span),
            _ => BTreeSet::new(),
        }
    }

    fn declare_outside(&mut self, declaration: &Declaration, fixed: &dyn Fn(&str) -> bool) {
        for each in &declaration.declarators {
            let base = self.base(&declaration.specifiers);
            let (name, kind) = declared(&each.node.declarator.node, base, &|size| self.extent(size));
            if !matches!(kind, Type::Other) {
                self.declare_fixed(&name, kind, fixed);
                let variable = self.variables.last_mut().expect("law: one was declared");
                variable.is_static = declaration.specifiers.iter().any(is_static);
            }
        }
    }

    /// A variable from outside of the region: a parameter, if it is an integer that stays the same.
    fn declare_fixed(&mut self, name: &str, kind: Type, fixed: &dyn Fn(&str) -> bool) {
        let Some((bits, signed)) = kind.integer().filter(|_| fixed(name)) else {
            let variable = self.declare(name, kind, Role::Memory);
            self.variables[variable].lives_on = true;
            return;
        };
        let variable = self.declare(name, kind, Role::Silent);
        let own = self.variables[variable].name.clone();
        self.values.insert(variable, Number { value: Affine::of(own.clone()), bits, signed });
        self.params.push(own);
    }

    /// Forgets parameters that neither code nor lengths of arrays mention.
    fn only_used(&mut self, mentioned: &BTreeSet<String>) {
        let mut wanted: BTreeSet<String> = mentioned.clone();
        for name in mentioned {
            if let Some(variable) = self.find(name) {
                lengths(&self.variables[variable].kind, &mut wanted);
            }
        }
        let names: BTreeMap<String, Type> =
            self.variables.iter().map(|variable| (variable.name.clone(), variable.kind.clone())).collect();
        self.params.retain(|param| wanted.contains(param));
        let limits = self.params.iter().map(|param| {
            let (least, most) = range(&names[param]);
            format!("{least} <= {param} <= {most}")
        });
        let limits: Vec<String> = limits.collect();
        let limits = if limits.is_empty() { "true".to_string() } else { limits.join(" and ") };
        let list = self.list();
        let set = |text: &str| Set::parse(&format!("{list} {text}")).expect("law: parameters have names");
        self.known = set(&format!("{{ : {limits} }}"));
        self.never = set("{ : false }");
        self.around.domain = set("{ [] }");
    }

    /// The parameters, as isl writes them.
    pub fn list(&self) -> String {
        format!("[{}] ->", self.params.join(", "))
    }

    /// Types with names.
    pub fn unit_types(&self) -> &Types {
        &self.unit.types
    }

    /// The type that specifiers name.
    pub fn base(&self, named: &[Node<DeclarationSpecifier>]) -> Type {
        self.unit.types.base(specifiers(named), &|size| self.extent(size))
    }

    /// The length of an array.
    pub fn extent(&self, size: &Node<Expression>) -> Option<String> {
        let inner = Builder { is_in_length: true, ..self.clone() };
        match &inner.number(&size.node)?.value.pieces[..] {
            [(None, text)] => Some(text.clone()),
            _ => None,
        }
    }

    /// The variable of this name.
    pub fn find(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name).copied())
    }

    /// Whether a name is one of an enumeration's.
    pub fn is_constant(&self, name: &str) -> bool {
        self.find(name).is_none() && self.unit.constants.contains_key(name)
    }

    /// What is known of a name's value.
    pub fn value_of(&self, name: &str) -> Option<Number> {
        match self.find(name) {
            Some(variable) => self.values.get(&variable).cloned(),
            None => {
                let value = self.unit.constants.get(name)?;
                Some(Number { value: Affine::of(format!("({value})")), bits: 32, signed: true })
            }
        }
    }

    /// What is known of the values of all variables.
    pub fn values(&self) -> &BTreeMap<usize, Number> {
        &self.values
    }

    /// From here on, what is known is what was known before as well.
    pub fn agree(&mut self, before: &BTreeMap<usize, Number>) {
        self.values.retain(|variable, value| before.get(variable) == Some(value));
    }

    /// A variable has a value, which may be known.
    pub fn becomes(&mut self, variable: usize, value: Option<Number>) {
        match value {
            Some(value) => self.values.insert(variable, value),
            None => self.values.remove(&variable),
        };
    }

    /// What a statement changes is not known.
    pub fn forget(&mut self, statement: &Node<Statement>) {
        for name in self.unit.changed(&statement.node, &statement.span) {
            if let Some(variable) = self.find(&name) {
                self.values.remove(&variable);
            }
        }
    }

    /// The same, without what the variable has held so far.
    pub fn without_value(&self, variable: &str) -> Self {
        let mut other = self.clone();
        if let Some(at) = self.find(variable) {
            other.values.remove(&at);
        }
        other
    }

    /// Whether a name is free in formulas.
    pub fn is_unused(&self, name: &str) -> bool {
        let mut known = self.params.iter().chain(&self.around.dims);
        !WORDS.contains(&name) && known.all(|known| known != name)
    }

    /// A name for an iterator.
    pub fn unused(&self, name: &str) -> String {
        let mut names = std::iter::once(name.to_string()).chain((1..).map(|n| format!("{name}_{n}")));
        names.find(|name| self.is_unused(name)).expect("law: there are more names than are used")
    }

    /// A new variable.
    pub fn declare(&mut self, name: &str, kind: Type, role: Role) -> usize {
        let is_taken = |name: &String| WORDS.contains(&name.as_str()) || self.variables.iter().any(|v| v.name == *name);
        let mut names = std::iter::once(name.to_string()).chain((1..).map(|n| format!("{name}_{n}")));
        let own = names.find(|name| !is_taken(name)).expect("law: there are more names than are used");
        self.variables.push(Variable { name: own, kind, role, lives_on: false, is_static: false });
        let variable = self.variables.len() - 1;
        self.scopes.last_mut().expect("law: there is a scope").insert(name.to_string(), variable);
        variable
    }

    /// A name in the model that no variable of the program has.
    pub fn reserved(&mut self, name: &str) -> String {
        self.scopes.push(BTreeMap::new());
        let variable = self.declare(name, Type::Other, Role::Silent);
        self.scopes.pop();
        self.variables[variable].name.clone()
    }

    /// A variable whose value in the loop that begins is known.
    pub fn iterate(&mut self, name: &str, kind: Type, value: Number) {
        let variable = self.declare(name, kind, Role::Silent);
        self.values.insert(variable, value);
    }

    /// The value of the last iterator.
    pub fn set_iterator(&mut self, value: Number) {
        self.values.insert(self.variables.len() - 1, value);
    }

    /// The variable of a loop in it: its number, and what it was outside.
    pub fn enter(&mut self, found: &Loop) -> (usize, Option<Role>) {
        let variable = match (&found.declared, self.find(&found.variable)) {
            (None, Some(variable)) => variable,
            (kind, _) => self.declare(&found.variable, kind.clone().unwrap_or(Type::Other), Role::Silent),
        };
        let outside = std::mem::replace(&mut self.variables[variable].role, Role::Silent);
        self.values.insert(variable, found.value.clone());
        (variable, found.declared.is_none().then_some(outside))
    }

    /// Behind a loop.
    pub fn leave(&mut self, (variable, outside): (usize, Option<Role>)) {
        self.values.remove(&variable);
        match outside {
            Some(Role::Private) => self.variables[variable].role = Role::Private,
            Some(_) => self.variables[variable].role = Role::Spent,
            None => {}
        }
    }

    /// What `what` declares is gone afterwards.
    pub fn scoped<T>(&mut self, what: &mut dyn FnMut(&mut Self) -> Result<T, Wrong>) -> Result<T, Wrong> {
        self.scopes.push(BTreeMap::new());
        let done = what(self);
        self.scopes.pop();
        done
    }

    /// The scopes of a function that is called, with no variable of its own yet; those that were.
    pub fn only_globals(&mut self) -> Vec<BTreeMap<String, usize>> {
        let inside = vec![self.scopes[0].clone(), BTreeMap::new()];
        std::mem::replace(&mut self.scopes, inside)
    }

    /// Back in these scopes.
    pub fn restore(&mut self, scopes: Vec<BTreeMap<String, usize>>) {
        self.scopes = scopes;
    }

    /// Parameters for which some iteration around would have this are not those of a right program.
    pub fn never(&mut self, text: &str) {
        // What runs only if data says so may never run.
        if !self.guards.is_empty() {
            return;
        }
        if let Some(set) = self.here(text) {
            self.never = self.never.union(&set.params()).coalesce();
        }
    }

    /// An array that is touched.
    pub fn declare_array(&mut self, elements: &Elements, variable: usize) {
        if self.arrays.iter().any(|array| array.name.as_str() == elements.array) {
            return;
        }
        let element = elements.kind.element();
        for extent in elements.shape.iter().flatten() {
            let negative = extent.to_string();
            let text = negative.split_once("->").map_or(negative.as_str(), |(_, text)| text);
            let inner = text.trim().trim_start_matches("{ [").trim_end_matches("] }");
            self.never_of_params(inner);
        }
        self.arrays.push(Array {
            name: Id::new(&elements.array),
            element,
            size_bytes: element.bytes(),
            shape: elements.shape.clone(),
            kind: ArrayKind::Memory,
            live_out: self.variables[variable].lives_on,
            source_name: Some(elements.array.clone()).filter(|name| *name == self.variables[variable].name),
            own: 0,
        });
    }

    fn never_of_params(&mut self, length: &str) {
        if let Ok(set) = Set::parse(&format!("{} {{ : {length} < 0 }}", self.list())) {
            self.never = self.never.union(&set).coalesce();
        }
    }
}

/// Whether a declaration is of something that outlives its block.
pub fn is_static(specifier: &Node<DeclarationSpecifier>) -> bool {
    let DeclarationSpecifier::StorageClass(class) = &specifier.node else { return false };
    matches!(
        class.node,
        StorageClassSpecifier::Static | StorageClassSpecifier::Extern | StorageClassSpecifier::ThreadLocal
    )
}

/// Whether a function has a parameter of this name.
fn is_parameter(function: &FunctionDefinition, name: &str) -> bool {
    let named = |each: &Node<lang_c::ast::ParameterDeclaration>| {
        each.node.declarator.as_ref().is_some_and(|declarator| name_of(&declarator.node) == name)
    };
    parameters(&function.declarator.node).unwrap_or_default().iter().any(named)
}

/// The names that lengths of arrays mention.
fn lengths(kind: &Type, names: &mut BTreeSet<String>) {
    match kind {
        Type::Array { of, extent } => {
            let text = extent.clone().unwrap_or_default();
            let words = text.split(|c: char| !c.is_alphanumeric() && c != '_');
            names.extend(words.filter(|word| !word.is_empty()).map(str::to_string));
            lengths(of, names);
        }
        Type::Pointer(of) => lengths(of, names),
        Type::Struct(fields) => fields.iter().for_each(|(_, kind)| lengths(kind, names)),
        _ => {}
    }
}
