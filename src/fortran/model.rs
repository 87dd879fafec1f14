//! From the tree of a program to its model.
//!
//! ```text
//! do i = 1, n                     P1[i] : 1 <= i <= n       reads r[], x[i]   writes p1[i]
//!   if (r < x(i)) r = x(i)        S1[i] : 1 <= i <= n       reads x[i]        writes r[]      when p1[i]
//! enddo
//! ```
//!
//! A name that is nowhere assigned and stands in a bound, a subscript or a condition that has no element of an array in it is a *structure parameter*. Conditions that are affine in
//! these and in variables of loops become part of domains, all others statements that compute a truth value.

use super::names::Names;
use super::syntax::{Declared, Part, Program};
use super::terms::Term;
use super::words::{Place, error_at};
use crate::presburger::{DimKind, Id, Map, ParseError, Set, UnionSet};
use crate::scop::tree::{Band, Node};
use crate::scop::{
    Access, AccessKind, Array, ArrayKind, ElementType, Expression, Location, Scop, Statement, Symbol, Tree,
};
use std::collections::{BTreeMap, BTreeSet};

/// The model of a program that stands in this file.
///
/// # Errors
/// What is not affine that must be, at its place.
pub fn model(program: &Program, file: &str, text: &str) -> Result<Scop, ParseError> {
    let names = Names::of(program);
    let (statements, symbols, truths, ways) = (Vec::new(), BTreeMap::new(), BTreeSet::new(), Vec::new());
    let mut builder = Builder { names, file, text, statements, symbols, truths, ways, n_tests: 0, n_told: 0 };
    let (root, _) = builder.parts(&program.body, &Around::default())?;
    let params: Vec<Id> = builder.names.params.iter().map(|name| Id::new(name)).collect();
    let domains = builder.statements.iter().map(|s| UnionSet::from_set(&s.domain));
    let domain = domains.fold(UnionSet::empty(&params), |all, each| all.union(&each));
    let known = |fact: &String| {
        let set = Set::parse(&format!("{} {{ : {fact} }}", builder.names.list()));
        set.map_err(|error| error_at(text, builder.place_of(fact), error.message))
    };
    let everything = Set::parse(&format!("{} {{ : }}", builder.names.list())).expect("law: no constraint is one");
    let assumed = program.assumed.iter().map(known).collect::<Result<Vec<_>, _>>()?;
    let context = assumed.iter().fold(everything.clone(), |all, fact| all.intersect(fact));
    let scop = Scop {
        name: program.name.clone().unwrap_or_else(|| "program".to_string()),
        params,
        context,
        assumed: everything,
        arrays: builder.arrays(program).into(),
        symbols: builder.symbols.into_values().collect(),
        statements: builder.statements.into(),
        schedule: Tree::from_root(Node::Domain { domain, child: Box::new(root) }),
    };
    Ok(scop.aligned())
}

/// What is around a statement.
#[derive(Clone, Default)]
pub struct Around {
    pub loops: Vec<String>,
    /// Bounds and conditions, as text.
    pub constraints: Vec<String>,
    /// The conditions on data: the array with the truth values, the loops around its test, and what the value is.
    pub guards: Vec<(String, usize, bool)>,
}

/// The scalars that say how a loop around goes on.
#[derive(Clone)]
pub struct Way {
    /// Whether the loop does, if something leaves it.
    pub on: Option<String>,
    /// Whether this iteration does, if something leaves that alone.
    pub rest: Option<String>,
}

pub struct Builder<'t> {
    pub names: Names,
    file: &'t str,
    pub text: &'t str,
    statements: Vec<Statement>,
    symbols: BTreeMap<String, Symbol>,
    /// Arrays of truth values that the program does not have itself.
    pub truths: BTreeSet<String>,
    /// Of the loops around, outermost first.
    pub ways: Vec<Way>,
    n_tests: usize,
    /// Statements that say, or ask, whether a loop or an iteration goes on.
    pub n_told: usize,
}

/// A node of the schedule tree and the statements below it, by their places.
pub type Scheduled = (Node, Vec<usize>);

impl Builder<'_> {
    pub fn parts(&mut self, parts: &[Part], around: &Around) -> Result<Scheduled, ParseError> {
        let (mut children, mut here) = (Vec::new(), around.clone());
        for (at, part) in parts.iter().enumerate() {
            children.extend(self.part(part, &here)?);
            if at + 1 < parts.len() && part.leaves() {
                here.guards.truncate(around.guards.len());
                children.push(self.rest(&mut here, part.place())?);
            }
        }
        Ok(self.sequence(children))
    }

    /// One after the other; empty parts are none.
    pub fn sequence(&self, children: Vec<Scheduled>) -> Scheduled {
        let mut children: Vec<Scheduled> = children.into_iter().filter(|(_, below)| !below.is_empty()).collect();
        if children.len() < 2 {
            return children.pop().unwrap_or((Node::Leaf, Vec::new()));
        }
        let all = children.iter().flat_map(|(_, below)| below.clone()).collect();
        let filter = |(node, below): Scheduled| Node::Filter { filter: self.instances(&below), child: Box::new(node) };
        (Node::Sequence(children.into_iter().map(filter).collect()), all)
    }

    /// The tuples of some statements.
    fn instances(&self, statements: &[usize]) -> UnionSet {
        let sets = statements.iter().map(|at| UnionSet::from_set(&self.statements[*at].domain));
        sets.fold(UnionSet::empty(&[]), |all, each| all.union(&each)).universe()
    }

    fn part(&mut self, part: &Part, around: &Around) -> Result<Vec<Scheduled>, ParseError> {
        match part {
            Part::Assign { label, target, value, place } => {
                let at = self.assignment(label.as_deref(), target, value, (*place, around))?;
                Ok(vec![(Node::Leaf, vec![at])])
            }
            Part::If { label, condition, yes, no, place } => {
                if let Some(affine) = self.affine_condition(condition, around) {
                    let branch = |constraint: String| {
                        let mut inner = around.clone();
                        inner.constraints.push(constraint);
                        inner
                    };
                    let yes = self.parts(yes, &branch(affine.clone()))?;
                    let no = self.parts(no, &branch(format!("not ({affine})")))?;
                    return Ok(vec![yes, no]);
                }
                let (test, truth) = self.test(label.as_deref(), condition, *place, around)?;
                let branch = |holds: bool| {
                    let mut inner = around.clone();
                    inner.guards.push((truth.clone(), around.loops.len(), holds));
                    inner
                };
                let yes = self.parts(yes, &branch(HOLDS))?;
                let no = self.parts(no, &branch(!HOLDS))?;
                Ok(vec![(Node::Leaf, vec![test]), yes, no])
            }
            Part::Leave { inner, what, place } => self.leave(*inner, *what, (*place, around)),
            Part::Do { .. } => self.a_loop(part, around),
        }
    }

    fn a_loop(&mut self, part: &Part, around: &Around) -> Result<Vec<Scheduled>, ParseError> {
        let Part::Do { variable, first, last, step, body, place } = part else { return Ok(Vec::new()) };
        let (first, last) = (self.affine(first, around)?, self.affine(last, around)?);
        let mut inner = around.clone();
        inner.loops.push(variable.clone());
        inner.constraints.push(match step {
            1 => format!("{first} <= {variable} <= {last}"),
            up if *up > 0 => {
                format!("{first} <= {variable} <= {last} and ({variable} - ({first})) mod {up} = 0")
            }
            down => {
                let down = down.unsigned_abs();
                format!("{last} <= {variable} <= {first} and (({first}) - {variable}) mod {down} = 0")
            }
        });
        let mut children = self.enter(body, (*place, around))?;
        let (child, below) = self.iteration(body, inner, *place)?;
        self.ways.pop();
        children.push((self.band(child, &below, around.loops.len(), *step), below));
        Ok(children)
    }

    fn band(&self, child: Node, below: &[usize], depth: usize, step: i64) -> Node {
        if below.is_empty() {
            return Node::Leaf;
        }
        let sign = if step < 0 { "-" } else { "" };
        let member = |at: &usize| {
            let (name, variables) = self.tuple(*at);
            format!("{name}[{}] -> [({sign}{})]", variables.join(", "), variables[depth])
        };
        let members: Vec<String> = below.iter().map(member).collect();
        let text = format!("{} [{{ {} }}]", self.names.list(), members.join("; "));
        Node::Band { band: Band::parse(&text).expect("law: a variable is a function"), child: Box::new(child) }
    }

    fn tuple(&self, statement: usize) -> (String, Vec<String>) {
        let domain = &self.statements[statement].domain;
        let tuple = domain.space().tuple(DimKind::Out).expect("law: a domain has a tuple");
        let names = tuple.dim_names().into_iter().flatten().map(|name| name.to_string()).collect();
        (self.statements[statement].name.to_string(), names)
    }

    /// A new statement, of which nothing is known yet but where it runs.
    pub fn statement(&self, name: &str, place: Place, around: &Around) -> Result<Statement, ParseError> {
        if self.statements.iter().any(|s| s.name.as_str() == name) {
            return Err(error_at(self.text, place, format!("two statements are called {name}")));
        }
        let constraints =
            if around.constraints.is_empty() { "true".to_string() } else { around.constraints.join(" and ") };
        let text = format!("{} {{ {name}[{}] : {constraints} }}", self.names.list(), around.loops.join(", "));
        let domain = Set::parse(&text).map_err(|error| error_at(self.text, place, error.message))?;
        let mut statement = Statement::bare(Id::new(name), domain);
        let (line, column) = (place.line as u32, place.column as u32);
        statement.location = Some(Location { file: self.file.to_string(), line, column });
        for (truth, depth, holds) in &around.guards {
            let relation = self.relation(name, around, truth, &around.loops[..*depth].join(", "), place)?;
            let at = statement.accesses.len();
            statement.accesses.push(Access { condition: Some(*holds), ..access(name, at, AccessKind::Read, relation) });
        }
        Ok(statement)
    }

    pub fn relation(
        &self,
        from: &str,
        around: &Around,
        to: &str,
        index: &str,
        place: Place,
    ) -> Result<Map, ParseError> {
        let text = format!("{} {{ {from}[{}] -> {to}[{index}] }}", self.names.list(), around.loops.join(", "));
        Map::parse(&text).map_err(|error| error_at(self.text, place, error.message))
    }

    fn assignment(
        &mut self,
        label: Option<&str>,
        target: &Term,
        value: &Term,
        (place, around): (Place, &Around),
    ) -> Result<usize, ParseError> {
        let n_before = self.statements.len() - self.n_tests - self.n_told;
        let name = label.map_or_else(|| format!("S{}", n_before + 1), str::to_string);
        let mut statement = self.statement(&name, place, around)?;
        statement.compute = Some(self.value(value, &mut statement, around)?);
        let Term::Name { name: array, arguments, .. } = target else {
            return Err(error_at(self.text, place, "expected a variable or an element of an array"));
        };
        if around.loops.contains(array) || self.names.params.contains(array) {
            return Err(error_at(self.text, place, format!("{array} is a variable of a loop and cannot be assigned")));
        }
        self.touch(&mut statement, (array, arguments), AccessKind::MustWrite, (place, around))?;
        self.finished(statement)
    }

    /// A statement that computes a truth value, and the array that it goes to.
    fn test(
        &mut self,
        label: Option<&str>,
        condition: &Term,
        place: Place,
        around: &Around,
    ) -> Result<(usize, String), ParseError> {
        self.n_tests += 1;
        let name = label.map_or_else(|| format!("P{}", self.n_tests), str::to_string);
        let truth = self.names.new_like(&format!("p_{name}"));
        self.truths.insert(truth.clone());
        let mut statement = self.statement(&name, place, around)?;
        statement.compute = Some(self.value(condition, &mut statement, around)?);
        let relation = self.relation(&name, around, &truth, &around.loops.join(", "), place)?;
        let at = statement.accesses.len();
        statement.accesses.push(access(&name, at, AccessKind::MustWrite, relation));
        Ok((self.finished(statement)?, truth))
    }

    pub fn finished(&mut self, mut statement: Statement) -> Result<usize, ParseError> {
        let domain = statement.domain.clone();
        if domain.is_empty() {
            // What never runs does so under no condition: there is no instance whose value could decide.
            statement.accesses.retain(|access| access.condition.is_none());
        }
        for each in &mut statement.accesses {
            each.relation = each.relation.intersect_domain(&domain);
        }
        self.statements.push(statement);
        Ok(self.statements.len() - 1)
    }

    /// One more access; its name.
    pub fn touch(
        &self,
        statement: &mut Statement,
        (array, subscripts): (&str, &[Term]),
        kind: AccessKind,
        (place, around): (Place, &Around),
    ) -> Result<Id, ParseError> {
        if self.names.loops.contains(array) {
            let message = format!("{array} is a variable of loops, and here is none of them around");
            return Err(error_at(self.text, place, message));
        }
        let index = subscripts.iter().map(|term| self.affine(term, around)).collect::<Result<Vec<_>, _>>()?;
        let relation = self.relation(statement.name.as_str(), around, array, &index.join(", "), place)?;
        let known = statement.accesses.iter().filter(|a| a.condition.is_none() && a.kind == kind);
        if let Some(same) = known.into_iter().find(|a| a.array.as_str() == array && a.relation.is_equal(&relation)) {
            return Ok(same.id.clone());
        }
        let new = access(statement.name.as_str(), statement.accesses.len(), kind, relation);
        let id = new.id.clone();
        statement.accesses.push(new);
        Ok(id)
    }

    /// What is computed, over the reads of the statement.
    fn value(&mut self, term: &Term, statement: &mut Statement, around: &Around) -> Result<Expression, ParseError> {
        Ok(match term {
            Term::Integer(value) => Expression::Integer(*value),
            Term::Real(value) => Expression::Float(*value),
            Term::Apply { operator, operands, .. } => {
                let operands = operands.iter().map(|operand| self.value(operand, statement, around));
                Expression::Apply(*operator, operands.collect::<Result<_, _>>()?)
            }
            Term::Name { name, arguments, .. } if self.names.external.contains(name) => {
                let operands = arguments.iter().map(|operand| self.value(operand, statement, around));
                let operands = operands.collect::<Result<Vec<_>, _>>()?;
                let (id, arity) = (Id::new(name), operands.len());
                let symbol =
                    Symbol { name: id.clone(), arity, lower: None, upper: None, injective: false, monotone: false };
                self.symbols.entry(name.clone()).or_insert(symbol);
                Expression::Call(id, operands)
            }
            Term::Name { name, arguments, .. } if arguments.is_empty() && self.is_known(name, around) => {
                Expression::Name(Id::new(name))
            }
            Term::Name { name, arguments, place } => {
                Expression::Name(self.touch(statement, (name, arguments), AccessKind::Read, (*place, around))?)
            }
        })
    }

    /// All that statements touch, in the order in which they come.
    fn arrays(&self, program: &Program) -> Vec<Array> {
        let accesses = || self.statements.iter().flat_map(|s| &s.accesses);
        let mut seen = BTreeSet::new();
        let new = accesses().filter(|access| seen.insert(access.array.clone()));
        let array = |access: &Access| {
            let name = access.array.as_str();
            let is_test = self.truths.contains(name);
            let element = if is_test { ElementType::Int(1) } else { element(program, name) };
            Array {
                name: access.array.clone(),
                element,
                size_bytes: element.bytes(),
                shape: vec![None; access.relation.dim(DimKind::Out)],
                kind: if is_test { ArrayKind::Scalar } else { ArrayKind::Memory },
                live_out: !is_test,
                source_name: None,
                own: 0,
            }
        };
        new.map(array).collect()
    }

    /// Where a fact about parameters stands.
    fn place_of(&self, fact: &str) -> Place {
        let line = self.text.lines().position(|line| line.contains("!$assume") && line.contains(fact));
        Place { line: line.map_or(1, |at| at + 1), column: 1 }
    }
}

/// The sense of a condition in its first branch.
pub const HOLDS: bool = true;

pub fn access(statement: &str, at: usize, kind: AccessKind, relation: Map) -> Access {
    let array = relation.space().tuple_name(DimKind::Out).expect("law: elements are named").clone();
    let id = Id::new(&format!("{statement}_{at}"));
    Access { id, kind, array, relation, applied: None, reduction: None, condition: None, location: None }
}

/// The type of a variable: as declared, else by its first letter, as the language has it.
fn element(program: &Program, name: &str) -> ElementType {
    let declared = program.declared.iter().find_map(|(known, declared)| match declared {
        Declared::Variable(element) if known == name => Some(*element),
        _ => None,
    });
    let is_integer = || name.starts_with(|c: char| ('i'..='n').contains(&c.to_ascii_lowercase()));
    declared.unwrap_or_else(|| if is_integer() { ElementType::Int(64) } else { ElementType::Float(64) })
}
