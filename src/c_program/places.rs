//! Places in memory as they are written, and the elements of a model that they are.
//!
//! `c[i][i].b[9 - i]` is the variable `c` with the steps `[i]`, `[i]`, `.b`, `[9 - i]`: the element `c_b[c[i, i] -> b[9 - i]]`, as pet writes it. A place that is not an element
//! but more, a row or a structure, is all elements in it.

use super::Wrong;
use super::builder::{Builder, Role};
use super::types::Type;
use super::values::{Affine, Number, Term};
use crate::presburger::{Map, PwAff, Set};
use lang_c::ast::{BinaryOperator, Expression, MemberOperator, UnaryOperator};

/// A place.
#[derive(Clone, Debug)]
pub struct Path {
    /// The number of the variable.
    pub base: usize,
    pub steps: Vec<Step>,
}

/// A way into an object.
#[derive(Clone, Debug)]
pub enum Step {
    /// Behind a subscript.
    Index(Index),
    /// In a field.
    Field(String),
}

/// Which element.
#[derive(Clone, Debug)]
pub enum Index {
    /// This one.
    At(Number),
    /// One, but nobody knows which.
    Unknown,
    /// Each of them.
    All,
}

/// What a name of a parameter stands for where a function is looked into.
#[derive(Clone, Debug)]
pub enum Alias {
    /// The argument itself.
    Same(Path),
    /// An address of the argument.
    Address(Path),
}

/// A set of elements of one array of the model.
pub struct Elements {
    pub array: String,
    /// From the iterations around.
    pub relation: Map,
    /// The extents of its dimensions.
    pub shape: Vec<Option<PwAff>>,
    pub kind: Type,
    /// Whether it is known which they are.
    pub is_exact: bool,
    /// Values of subscripts of arrays, which are within these.
    pub subscripts: Vec<Number>,
    /// Iterations around whose subscripts are beyond the ends of rows: what they touch is not in the relation.
    pub beyond: Set,
}

impl Builder<'_> {
    /// The place that an expression names; `None` for what is not a place.
    pub fn path(&self, term: &Term) -> Result<Option<Path>, Wrong> {
        Ok(match &term.node {
            Expression::Identifier(name) => {
                let Some(base) = self.find(&name.node.name) else {
                    return Err(Wrong::at(term.span.start, format!("`{}` is not declared", name.node.name)));
                };
                match &self.variables[base].role {
                    Role::Alias(Alias::Same(path)) => Some(path.clone()),
                    Role::Alias(Alias::Address(_)) => {
                        return Err(Wrong::at(term.span.start, "this address is not followed"));
                    }
                    _ => Some(Path { base, steps: Vec::new() }),
                }
            }
            Expression::Member(member) => {
                let inner = &member.node.expression;
                let inner = match member.node.operator.node {
                    MemberOperator::Direct => self.path(inner)?,
                    MemberOperator::Indirect => self.element(inner, Index::At(zero()))?,
                };
                inner.map(|path| path.with(Step::Field(member.node.identifier.node.name.clone())))
            }
            Expression::BinaryOperator(operation) if operation.node.operator.node == BinaryOperator::Index => {
                let index = self.number(&operation.node.rhs.node).map_or(Index::Unknown, Index::At);
                self.element(&operation.node.lhs, index)?
            }
            Expression::UnaryOperator(operation) if operation.node.operator.node == UnaryOperator::Indirection => {
                self.element(&operation.node.operand, Index::At(zero()))?
            }
            _ => None,
        })
    }

    /// The element of what an expression names or leads to.
    fn element(&self, of: &Term, index: Index) -> Result<Option<Path>, Wrong> {
        if let Expression::Identifier(name) = &of.node
            && let Some(base) = self.find(&name.node.name)
            && let Role::Alias(Alias::Address(path)) = &self.variables[base].role
        {
            return Ok(Some(path.beside(index)));
        }
        let path = self.path(of)?.map(|path| path.with(Step::Index(index)));
        let indirect = || Wrong::at(of.span.start, "this address is not followed");
        path.map_or_else(|| Err(indirect()), |path| Ok(Some(path)))
    }

    /// The type of what is at a place.
    pub fn kind_of(&self, path: &Path) -> Type {
        let mut kind = self.variables[path.base].kind.clone();
        for step in &path.steps {
            kind = match (&kind, step) {
                (Type::Array { of, .. } | Type::Pointer(of), Step::Index(_)) => (**of).clone(),
                (Type::Struct(fields), Step::Field(name)) => {
                    fields.iter().find(|(known, _)| known == name).map_or(Type::Other, |(_, kind)| kind.clone())
                }
                _ => Type::Other,
            };
        }
        kind
    }

    /// All elements at a place, array by array.
    pub fn elements(&self, path: &Path, at: usize) -> Result<Vec<Elements>, Wrong> {
        match self.kind_of(path) {
            Type::Array { .. } => self.elements(&path.with(Step::Index(Index::All)), at),
            Type::Pointer(to) if path.steps.is_empty() && !matches!(*to, Type::Void) => {
                self.elements(&path.with(Step::Index(Index::All)), at)
            }
            Type::Struct(fields) => {
                let inner = fields.iter().map(|(name, _)| self.elements(&path.with(Step::Field(name.clone())), at));
                Ok(inner.collect::<Result<Vec<_>, _>>()?.into_iter().flatten().collect())
            }
            Type::Pointer(_) if !path.steps.is_empty() => Err(Wrong::at(at, "this address is not followed")),
            Type::Other | Type::Void => Err(Wrong::at(at, "what this is cannot be said by a model")),
            kind => Ok(vec![self.single(path, kind, at)?]),
        }
    }

    fn single(&self, path: &Path, kind: Type, at: usize) -> Result<Elements, Wrong> {
        let variable = &self.variables[path.base];
        let mut written = Written { name: variable.name.clone(), tuple: Tuple::default(), ..Written::default() };
        let mut around = variable.kind.clone();
        for step in &path.steps {
            around = match (around, step) {
                (Type::Array { of, extent }, Step::Index(index)) => {
                    if let Index::At(number) = index {
                        written.subscripts.push(number.clone());
                    }
                    self.subscript(&mut written, index, extent);
                    (*of).clone()
                }
                (Type::Pointer(of), Step::Index(index)) => {
                    self.subscript(&mut written, index, None);
                    (*of).clone()
                }
                (Type::Struct(fields), Step::Field(field)) => {
                    written.enter(field);
                    let found = fields.iter().find(|(known, _)| known == field);
                    found.map(|(_, kind)| kind.clone()).ok_or_else(|| Wrong::at(at, "there is no such field"))?
                }
                _ => return Err(Wrong::at(at, "what this is cannot be said by a model")),
            };
        }
        let from = format!("{} {{ [{}] -> ", self.list(), self.around.dims.join(", "));
        let relation = self.relation(&written.texts(&from), at)?;
        let beyond = self.around.domain.subtract(&relation.domain());
        let extent = |text: &Option<String>| {
            text.as_ref().and_then(|text| PwAff::parse(&format!("{} {{ [({text})] }}", self.list())).ok())
        };
        let shape = written.extents.iter().map(extent).collect();
        let (is_exact, subscripts) = (!written.is_unknown, written.subscripts);
        Ok(Elements { array: written.name, relation, shape, kind, is_exact, subscripts, beyond })
    }

    /// What texts of relations say for the iterations around.
    fn relation(&self, texts: &[String], at: usize) -> Result<Map, Wrong> {
        let mut relation: Option<Map> = None;
        for text in texts {
            let map = Map::parse(text).map_err(|error| Wrong::at(at, format!("{}: {text}", error.message)))?;
            relation = Some(relation.map_or(map.clone(), |all| all.union(&map)));
        }
        let relation = relation.ok_or_else(|| Wrong::at(at, "this is no place"))?;
        Ok(relation.intersect_domain(&self.around.domain).coalesce())
    }

    fn subscript(&self, written: &mut Written, index: &Index, extent: Option<String>) {
        let value = match index {
            Index::At(number) => number.value.clone(),
            Index::Unknown | Index::All => {
                let name = (written.extents.len()..).map(|n| format!("o{n}")).find(|name| self.is_unused(name));
                let name = name.expect("law: there are more names than are used");
                written.is_unknown |= matches!(index, Index::Unknown);
                Affine::of(name)
            }
        };
        written.add(value, extent);
    }
}

/// The number 0.
pub fn zero() -> Number {
    Number { value: Affine::of("0"), bits: 32, signed: true }
}

impl Path {
    /// One step further.
    fn with(&self, step: Step) -> Path {
        let mut steps = self.steps.clone();
        steps.push(step);
        Path { base: self.base, steps }
    }

    /// What is so many elements behind the place that an address is of.
    pub fn beside(&self, by: Index) -> Path {
        let mut path = self.clone();
        match (path.steps.last_mut(), by) {
            (_, Index::At(number)) if number.value.number() == Some(0) => {}
            (Some(Step::Index(index)), _) => *index = Index::Unknown,
            _ => {}
        }
        path
    }
}

/// The text of an element while it is written.
#[derive(Default)]
struct Written {
    name: String,
    tuple: Tuple,
    extents: Vec<Option<String>>,
    /// Values with the condition under which each is it, and what must hold of all.
    choices: Vec<Affine>,
    is_unknown: bool,
    subscripts: Vec<Number>,
}

/// A tuple, possibly one of fields in another one: where subscripts stand is `\0`.
#[derive(Default)]
struct Tuple {
    outer: Option<String>,
    own: Option<String>,
    n: usize,
}

impl Written {
    fn add(&mut self, value: Affine, extent: Option<String>) {
        self.choices.push(value);
        self.extents.push(extent);
        self.tuple.n += 1;
    }

    fn enter(&mut self, field: &str) {
        let outer = self.finished();
        self.name = format!("{}_{field}", self.name);
        self.tuple = Tuple { outer: Some(outer), own: Some(field.to_string()), n: 0 };
    }

    /// The tuple so far.
    fn finished(&self) -> String {
        let holes = vec!["\0"; self.tuple.n].join(", ");
        match (&self.tuple.outer, &self.tuple.own) {
            (Some(outer), Some(own)) => format!("{}[{outer} -> {own}[{holes}]]", self.name),
            _ => format!("{}[{holes}]", self.name),
        }
    }

    /// A relation for each choice of pieces.
    fn texts(&self, from: &str) -> Vec<String> {
        let mut all: Vec<(Vec<String>, Vec<String>)> = vec![(Vec::new(), Vec::new())];
        for choice in &self.choices {
            let mut longer = Vec::new();
            for (conditions, values) in &all {
                for (when, value) in &choice.pieces {
                    let conditions = conditions.iter().cloned().chain(when.clone()).collect();
                    longer.push((conditions, values.iter().cloned().chain([value.clone()]).collect()));
                }
            }
            all = longer;
        }
        let text = |(mut conditions, values): (Vec<String>, Vec<String>)| {
            for (value, extent) in values.iter().zip(&self.extents) {
                conditions.extend(extent.as_ref().map(|extent| format!("0 <= {value} < {extent}")));
            }
            let mut tuple = String::new();
            let mut values = values.into_iter();
            for c in self.finished().chars() {
                match c {
                    '\0' => tuple.push_str(&values.next().unwrap_or_default()),
                    c => tuple.push(c),
                }
            }
            let conditions = if conditions.is_empty() { "true".to_string() } else { conditions.join(" and ") };
            format!("{from}{tuple} : {conditions} }}")
        };
        all.into_iter().map(text).collect()
    }
}
