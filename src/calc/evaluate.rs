//! Statements carried out, operators applied.
//!
//! | operator | set, set | relation, relation | relation, set |
//! |---|---|---|---|
//! | `+ *` | union, intersection | the same | `*`: restrict the domain |
//! | `-` | difference | difference | remove from the domain |
//! | `->*`, `->-` | | | restrict, remove from the range |
//! | `.`, `before` | | first the left, then the right one | |
//! | `after` | | first the right, then the left one | |
//! | `->` | all pairs | | |
//! | `cross` | product | product | |
//! | `cross_range` | | range product | |
//! | `%` | gist | gist | gist of the domain |
//! | `<<` and the like | lexicographic order of two sets | of the images | |
//! | `= != <= < >= >` | comparison of sets | of relations | |
//! | `R(S)`, `R(T)` | | `R` after `T` | image |
//!
//! Counts (piecewise quasi-polynomials) add, subtract and multiply at each element, and by an integer; with a set `*` restricts their domain,
//! `%` simplifies them within it, and `@` is their value at each of its elements; `F(S)` is the sum over a set, `F(R)` and `R . F` the sum over the
//! images of each element. `ub F` and `lb F` are pairs of a bound (`*` and `@` with a set as for counts) and whether it is reached. A schedule stands for the relation of its dates, and a pair of a result and a truth value for the result.

use std::time::Instant;

use super::dataflow::{Schedule, dataflow, full_dataflow, model};
use super::syntax::{Action, Dataflow, Expression, Statement, Term};
use super::value::{Value, Wrong};
use super::{Calculator, DEEPEST_SOURCE, Failure, Printed, functions, schedule, syntax};
use crate::presburger::int::Number;
use crate::presburger::{Int, Ratio, UnionMap, UnionPwQPolynomial, UnionPwQPolynomialFold, UnionSet};
use crate::scop::tree::Tree;

/// Largest exponent of a relation: the work grows with it, and what people compute by hand is far below.
pub(super) const LARGEST_EXPONENT: i64 = 1000;

impl Calculator {
    /// Carries out one statement.
    pub(super) fn execute(&mut self, statement: &Statement, show: &mut dyn FnMut(&Printed)) -> Result<(), Failure> {
        match &statement.action {
            Action::Assign(name, expression) => {
                let value = self.value(expression)?;
                self.variables.insert(name.clone(), value);
            }
            Action::Print(expression) => show(&self.timed(expression)?),
            Action::Assert(expression) => {
                let holds = self.value(expression)?.bool().map_err(|w| Failure::at(expression.at, w.0))?;
                if !holds {
                    return Err(Failure::at(statement.at, "this assertion does not hold"));
                }
            }
            Action::Source(file) => self.source(file, statement.at, show)?,
            Action::Write(file, expression) => {
                let text = format!("{}\n", self.value(expression)?);
                let written = std::fs::write(self.directory.join(file), text);
                written.map_err(|e| Failure::at(statement.at, format!("{file}: {e}")))?;
            }
        }
        Ok(())
    }

    /// The value, with the best time of computing it.
    fn timed(&mut self, expression: &Expression) -> Result<Printed, Failure> {
        let repetitions = self.repetitions;
        let mut once = || {
            let start = Instant::now();
            let value = self.value(expression)?;
            Ok(Printed { value, time: start.elapsed() })
        };
        let first = once()?;
        (1..repetitions).try_fold(first, |best, _| {
            let next = once()?;
            Ok(if next.time < best.time { next } else { best })
        })
    }

    fn text_of(&self, file: &str, at: usize) -> Result<String, Failure> {
        std::fs::read_to_string(self.directory.join(file)).map_err(|e| Failure::at(at, format!("{file}: {e}")))
    }

    fn source(&mut self, file: &str, at: usize, show: &mut dyn FnMut(&Printed)) -> Result<(), Failure> {
        if self.sources == DEEPEST_SOURCE {
            return Err(Failure::at(at, format!("files read each other deeper than {DEEPEST_SOURCE}")));
        }
        let text = self.text_of(file, at)?;
        self.sources += 1;
        let outcome = self.run(&text, show);
        self.sources -= 1;
        outcome.map_err(|e| Failure::at(at, format!("{file}, line {}, column {}: {}", e.line, e.column, e.message)))
    }

    fn read(&mut self, file: &str, at: usize) -> Result<Value, Failure> {
        let text = self.text_of(file, at)?;
        let inside = |e: &dyn std::fmt::Display| Failure::at(at, format!("{file}: {e}"));
        if text.trim_start().starts_with("domain:") {
            return Tree::parse(&text).map(Value::Tree).map_err(|e| inside(&e));
        }
        let statements = syntax::parse(&text).map_err(|f| inside(&f.message))?;
        match &statements[..] {
            [Statement { action: Action::Print(expression), .. }] => {
                self.value(expression).map_err(|f| inside(&f.message))
            }
            _ => Err(Failure::at(at, format!("{file}: expected one expression"))),
        }
    }

    /// `[instances, must-writes, may-writes, reads, schedule]` of the model in a file.
    fn parse_file(&mut self, file: &str, at: usize) -> Result<Value, Failure> {
        let text = self.text_of(file, at)?;
        let (instances, accesses, schedule) =
            model(&text, file).map_err(|e| Failure::at(at, format!("{file}: {e}")))?;
        let accesses = accesses.into_iter().map(Value::Map);
        let all = [Value::Set(instances)].into_iter().chain(accesses).chain([Value::Tree(schedule)]);
        Ok(Value::List(all.collect()))
    }

    fn value(&mut self, expression: &Expression) -> Result<Value, Failure> {
        let at = expression.at;
        let wrong = |w: Wrong| Failure::at(at, w.0);
        match &expression.term {
            Term::Name(name) => match name.as_str() {
                "True" | "true" => Ok(Value::Bool(true)),
                "False" | "false" => Ok(Value::Bool(false)),
                _ => self.variables.get(name).cloned().ok_or_else(|| Failure::at(at, format!("`{name}` has no value"))),
            },
            Term::Integer(digits) => digits.parse().map(Value::Int).map_err(|_| Failure::at(at, "this is no integer")),
            Term::Text(text) => Ok(Value::Text(text.clone())),
            Term::Set(set) => Ok(Value::Set(set.clone())),
            Term::Relation(relation) => Ok(Value::Map(relation.clone())),
            Term::Polynomial(function) => Ok(Value::Polynomial(function.clone())),
            Term::Tree(tree) => Ok(Value::Tree(tree.clone())),
            Term::List(items) => Ok(Value::List(items.iter().map(|i| self.value(i)).collect::<Result<_, _>>()?)),
            Term::Function(name @ ("read" | "parse_file"), argument) => match self.value(argument)? {
                Value::Text(file) if *name == "read" => self.read(&file, at),
                Value::Text(file) => self.parse_file(&file, at),
                other => Err(wrong(other.not("a string"))),
            },
            Term::Function(name, argument) => functions::call(name, &self.value(argument)?).map_err(wrong),
            Term::Binary(operator, left, right) => {
                let (left, right) = (self.value(left)?, self.value(right)?);
                binary(operator, &left, &right).map_err(wrong)
            }
            Term::Call(function, arguments) => {
                let function = self.value(function)?;
                let arguments = arguments.iter().map(|a| self.value(a)).collect::<Result<Vec<_>, _>>()?;
                call(&function, &arguments).map_err(wrong)
            }
            Term::Index(list, index) => {
                let (list, index) = (self.value(list)?, self.value(index)?);
                element(&list, &index).map_err(wrong)
            }
            Term::Power(base, exponent) => power(&self.value(base)?, *exponent).map_err(wrong),
            Term::Closure(base) => {
                let (closure, exact) = self.value(base)?.map().map_err(wrong)?.transitive_closure();
                Ok(Value::List(vec![Value::Map(closure), Value::Bool(exact)]))
            }
            Term::Negative(operand) => Ok(Value::Int(self.value(operand)?.int().map_err(wrong)?.neg())),
            Term::Dataflow(query) => self.dataflow(query, at),
            Term::Codegen(order, options) => {
                let order = self.value(order)?;
                let options = options.as_ref().map(|o| self.value(o)?.map().map_err(wrong)).transpose()?;
                let text = match order.result() {
                    Value::Tree(tree) => schedule::codegen_tree(tree),
                    _ => order
                        .map()
                        .and_then(|map| schedule::codegen_map(&map, &options.unwrap_or_else(|| UnionMap::empty(&[])))),
                };
                text.map(Value::Code).map_err(wrong)
            }
            Term::Schedule(domain, respecting, minimizing) => {
                let domain = self.value(domain)?.set().map_err(wrong)?;
                let mut union = |relations: &[Expression]| {
                    relations.iter().try_fold(UnionMap::empty(&[]), |all, each| {
                        Ok::<_, Failure>(all.union(&self.value(each)?.map().map_err(|w| Failure::at(each.at, w.0))?))
                    })
                };
                let (respecting, minimizing) = (union(respecting)?, union(minimizing)?);
                schedule::compute(&domain, &respecting, &minimizing).map(Value::Tree).map_err(wrong)
            }
        }
    }

    /// `last T any Y before K under S`: with `last` alone the dependences and the sinks without a source, else the dependences.
    fn dataflow(&mut self, query: &Dataflow, at: usize) -> Result<Value, Failure> {
        let wrong = |w: Wrong| Failure::at(at, w.0);
        let mut optional = |e: &Option<Expression>| -> Result<UnionMap, Failure> {
            match e {
                Some(e) => self.value(e)?.map().map_err(|w| Failure::at(e.at, w.0)),
                None => Ok(UnionMap::empty(&[])),
            }
        };
        let (must, may) = (optional(&query.last)?, optional(&query.any)?);
        let sinks = self.value(&query.before)?.map().map_err(|w| Failure::at(query.before.at, w.0))?;
        let schedule = match self.value(&query.under)? {
            Value::Tree(tree) => Schedule::Tree(tree),
            other => Schedule::Relation(other.map().map_err(|w| Failure::at(query.under.at, w.0))?),
        };
        let analysis = if query.full { full_dataflow } else { dataflow };
        let flow = analysis(&schedule, &sinks, &must, &may).map_err(wrong)?;
        if query.any.is_some() {
            return Ok(Value::Map(flow.may_dependence));
        }
        Ok(Value::List(vec![Value::Map(flow.must_dependence), Value::Map(flow.must_no_source)]))
    }
}

fn call(function: &Value, arguments: &[Value]) -> Result<Value, Wrong> {
    let [argument] = arguments else { return Err(Wrong(format!("expected one argument, found {}", arguments.len()))) };
    if let Value::Polynomial(function) = function.result() {
        return if argument.is_map() { sum_over(function, argument) } else { sum_in(function, argument) };
    }
    let relation = function.map()?;
    if argument.is_map() {
        return Ok(Value::Map(argument.map()?.apply_range(&relation)));
    }
    Ok(Value::Set(argument.set()?.apply(&relation)))
}

/// The sum over the elements of a set.
fn sum_in(function: &UnionPwQPolynomial, set: &Value) -> Result<Value, Wrong> {
    let sum = function.intersect_domain(&set.set()?).sum();
    sum.map(Value::Polynomial).map_err(|e| Wrong(e.to_string()))
}

/// For each element, the sum over its images.
fn sum_over(function: &UnionPwQPolynomial, relation: &Value) -> Result<Value, Wrong> {
    let sum = function.sum_over(&relation.map()?);
    sum.map(Value::Polynomial).map_err(|e| Wrong(e.to_string()))
}

fn element(list: &Value, index: &Value) -> Result<Value, Wrong> {
    let Value::List(items) = list else { return Err(list.not("a list")) };
    let found = index.int()?.as_i64().and_then(|i| usize::try_from(i).ok()).and_then(|i| items.get(i));
    found.cloned().ok_or_else(|| Wrong(format!("the list has {} elements, numbered from 0", items.len())))
}

pub(super) fn power(base: &Value, exponent: i64) -> Result<Value, Wrong> {
    let relation = base.map()?;
    match exponent {
        0 => Err(Wrong("the power 0 of a relation is not defined".to_string())),
        n if n.abs() > LARGEST_EXPONENT => Err(Wrong(format!("an exponent over {LARGEST_EXPONENT} is not supported"))),
        n => {
            let once = if n < 0 { relation.reverse() } else { relation };
            Ok(Value::Map(once.fixed_power(n.abs())))
        }
    }
}

fn binary(operator: &str, left: &Value, right: &Value) -> Result<Value, Wrong> {
    let operator = if operator == "==" { "=" } else { operator };
    let (left, right) = match (left, right) {
        (Value::List(_), Value::List(_)) if operator == "+" => (left, right),
        _ => (left.result(), right.result()),
    };
    match (left, right) {
        (Value::Int(a), Value::Int(b)) => integers(operator, a, b),
        (Value::Bool(a), Value::Bool(b)) => booleans(operator, *a, *b),
        (Value::Text(a), b) if operator == "+" => Ok(Value::Text(format!("{a}{}", plain(b)))),
        (a, Value::Text(b)) if operator == "+" => Ok(Value::Text(format!("{}{b}", plain(a)))),
        (Value::Text(a), Value::Text(b)) if operator == "=" => Ok(Value::Bool(a == b)),
        (Value::Polynomial(f), Value::Polynomial(g)) => polynomials(operator, f, g),
        (map, Value::Polynomial(f)) if map.is_map() && matches!(operator, "." | "before") => sum_over(f, map),
        (Value::Polynomial(f), map) if map.is_map() && operator == "after" => sum_over(f, map),
        (Value::Tree(_), _) => binary(operator, &Value::Map(left.map()?), right),
        (_, Value::Tree(_)) => binary(operator, left, &Value::Map(right.map()?)),
        (Value::Function(_), _) => binary(operator, &Value::Set(left.set()?), right),
        (_, Value::Function(_)) => binary(operator, left, &Value::Set(right.set()?)),
        (Value::Polynomial(f), Value::Int(n)) | (Value::Int(n), Value::Polynomial(f)) => scaled(operator, f, n),
        (Value::Polynomial(f), Value::Set(domain)) => on_domain(operator, f, domain),
        (Value::Fold(bound), Value::Set(domain)) => bound_on_domain(operator, bound, domain),
        (Value::List(a), Value::List(b)) if operator == "+" => Ok(Value::List(a.iter().chain(b).cloned().collect())),
        (Value::Set(a), Value::Set(b))
            if !(a.sets().next().is_none()
                && b.sets().next().is_none()
                && matches!(operator, "." | "before" | "after")) =>
        {
            sets(operator, a, b)
        }
        (Value::Map(_), Value::Set(b)) if b.sets().next().is_some() => restricted(operator, &left.map()?, b),
        (Value::Map(a), Value::Set(b)) if matches!(operator, "->*" | "->-") => restricted(operator, a, b),
        _ => relations(operator, &left.map()?, &right.map()?),
    }
}

fn plain(value: &Value) -> String {
    if let Value::Text(text) = value { text.clone() } else { value.to_string() }
}

fn no_operator(operator: &str, on: &str) -> Wrong {
    Wrong(format!("`{operator}` is not defined on {on}"))
}

fn integers(operator: &str, a: &Int, b: &Int) -> Result<Value, Wrong> {
    Ok(match operator {
        "+" => Value::Int(a.add(b)),
        "-" => Value::Int(a.sub(b)),
        "*" => Value::Int(a.mul(b)),
        "=" => Value::Bool(a == b),
        "!=" => Value::Bool(a != b),
        "<=" => Value::Bool(a <= b),
        "<" => Value::Bool(a < b),
        ">=" => Value::Bool(a >= b),
        ">" => Value::Bool(a > b),
        _ => return Err(no_operator(operator, "integers")),
    })
}

fn booleans(operator: &str, a: bool, b: bool) -> Result<Value, Wrong> {
    match operator {
        "+" => Ok(Value::Bool(a | b)),
        "*" => Ok(Value::Bool(a & b)),
        "=" => Ok(Value::Bool(a == b)),
        "!=" => Ok(Value::Bool(a != b)),
        _ => Err(no_operator(operator, "booleans")),
    }
}

fn polynomials(operator: &str, f: &UnionPwQPolynomial, g: &UnionPwQPolynomial) -> Result<Value, Wrong> {
    let equal = || {
        let known = f.is_equal(g);
        known.ok_or_else(|| Wrong("these forms differ, and no value tells whether they are equal".to_string()))
    };
    Ok(match operator {
        "+" => Value::Polynomial(f.add(g)),
        "-" => Value::Polynomial(f.sub(g)),
        "*" => Value::Polynomial(f.mul(g)),
        "=" => Value::Bool(equal()?),
        "!=" => Value::Bool(!equal()?),
        _ => return Err(no_operator(operator, "piecewise quasi-polynomials")),
    })
}

/// With an integer: a multiple, and whether it is this number.
fn scaled(operator: &str, f: &UnionPwQPolynomial, n: &Int) -> Result<Value, Wrong> {
    let number = || f.as_number() == Some(Ratio::integer(n.clone()));
    Ok(match operator {
        "*" => Value::Polynomial(f.scale(&Ratio::integer(n.clone()))),
        "=" => Value::Bool(number()),
        "!=" => Value::Bool(!number()),
        _ => return Err(no_operator(operator, "a piecewise quasi-polynomial and an integer")),
    })
}

fn on_domain(operator: &str, f: &UnionPwQPolynomial, domain: &UnionSet) -> Result<Value, Wrong> {
    Ok(Value::Polynomial(match operator {
        "*" => f.intersect_domain(domain),
        "%" => f.gist(domain),
        "@" => {
            let most = functions::MOST_SCANNED;
            let values = f.at(domain, most);
            values.ok_or_else(|| Wrong(format!("expected a bounded set of at most {most} elements")))?
        }
        _ => return Err(no_operator(operator, "a piecewise quasi-polynomial and a set")),
    }))
}

fn bound_on_domain(operator: &str, bound: &UnionPwQPolynomialFold, domain: &UnionSet) -> Result<Value, Wrong> {
    match operator {
        "*" => Ok(Value::Fold(bound.intersect_domain(domain))),
        "@" => {
            let most = functions::MOST_SCANNED;
            let values = bound.at(domain, most).map(Value::Polynomial);
            values.ok_or_else(|| Wrong(format!("expected a set of at most {most} elements, each with a finite bound")))
        }
        _ => Err(no_operator(operator, "a bound and a set")),
    }
}

fn sets(operator: &str, a: &UnionSet, b: &UnionSet) -> Result<Value, Wrong> {
    Ok(match operator {
        "+" => Value::Set(a.union(b)),
        "*" => Value::Set(a.intersect(b)),
        "-" => Value::Set(a.subtract(b)),
        "%" => Value::Set(a.gist(b)),
        "->" => Value::Map(UnionMap::from_domain_and_range(a, b)),
        "cross" => Value::Set(a.product(b)),
        "=" => Value::Bool(a.is_equal(b)),
        "!=" => Value::Bool(!a.is_equal(b)),
        "<=" => Value::Bool(a.is_subset(b)),
        ">=" => Value::Bool(b.is_subset(a)),
        "<" => Value::Bool(a.is_subset(b) && !b.is_subset(a)),
        ">" => Value::Bool(b.is_subset(a) && !a.is_subset(b)),
        "<<" => Value::Map(a.lex_lt_union_set(b)),
        "<<=" => Value::Map(a.lex_le_union_set(b)),
        ">>" => Value::Map(a.lex_gt_union_set(b)),
        ">>=" => Value::Map(a.lex_ge_union_set(b)),
        _ => return Err(no_operator(operator, "sets")),
    })
}

fn relations(operator: &str, a: &UnionMap, b: &UnionMap) -> Result<Value, Wrong> {
    Ok(match operator {
        "+" => Value::Map(a.union(b)),
        "*" => Value::Map(a.intersect(b)),
        "-" => Value::Map(a.subtract(b)),
        "%" => Value::Map(a.gist(b)),
        "." | "before" => Value::Map(a.apply_range(b)),
        "after" => Value::Map(b.apply_range(a)),
        "cross_range" => Value::Map(a.range_product(b)),
        "cross" => Value::Map(a.product(b)),
        "=" => Value::Bool(a.is_equal(b)),
        "!=" => Value::Bool(!a.is_equal(b)),
        "<=" => Value::Bool(a.is_subset(b)),
        ">=" => Value::Bool(b.is_subset(a)),
        "<" => Value::Bool(a.is_subset(b) && !b.is_subset(a)),
        ">" => Value::Bool(b.is_subset(a) && !a.is_subset(b)),
        "<<" => Value::Map(a.lex_lt_union_map(b)),
        "<<=" => Value::Map(a.lex_le_union_map(b)),
        ">>" => Value::Map(a.lex_gt_union_map(b)),
        ">>=" => Value::Map(a.lex_ge_union_map(b)),
        _ => return Err(no_operator(operator, "relations")),
    })
}

fn restricted(operator: &str, relation: &UnionMap, set: &UnionSet) -> Result<Value, Wrong> {
    Ok(Value::Map(match operator {
        "*" => relation.intersect_domain(set),
        "-" => relation.subtract_domain(set),
        "->*" => relation.intersect_range(set),
        "->-" => relation.subtract_range(set),
        "%" => relation.gist_domain(set),
        _ => return Err(no_operator(operator, "a relation and a set")),
    }))
}
