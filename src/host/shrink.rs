//! Smaller programs that still fail.
//!
//! Everything that can be left out is left out by turns: a statement, a loop around its body, one side of an operation, a condition, a term. What
//! remains is tried by whoever runs programs safely, until nothing more can go.

use super::program::{Affine, Condition, Program, Statement, Subscript, Value};

/// Attempts to make one program smaller: each compiles and runs, some ten of them in a second.
const MOST_ATTEMPTS: usize = 600;

/// The smallest program found for which `fails` holds.
pub fn shrunk(program: &Program, mut fails: impl FnMut(&Program) -> bool) -> Program {
    let mut best = program.clone();
    let mut attempts = 0;
    'again: loop {
        for smaller in candidates(&best) {
            attempts += 1;
            if attempts > MOST_ATTEMPTS {
                return best;
            }
            if fails(&smaller) {
                best = smaller;
                continue 'again;
            }
        }
        return best;
    }
}

/// Programs with one thing less, those with much less first.
fn candidates(program: &Program) -> Vec<Program> {
    let mut found: Vec<Program> =
        bodies(&program.body).into_iter().map(|body| Program { body, ..program.clone() }).collect();
    for (n, m) in
        [(program.n / 2, program.m), (program.n, program.m / 2), (program.n - 1, program.m), (program.n, program.m - 1)]
    {
        if (n, m) != (program.n, program.m) && n >= 0 && m >= 0 {
            found.push(Program { n, m, ..program.clone() });
        }
    }
    found
}

fn bodies(body: &[Statement]) -> Vec<Vec<Statement>> {
    let mut found = Vec::new();
    for at in 0..body.len() {
        let with = |parts: Vec<Statement>| [&body[..at], &parts, &body[at + 1..]].concat();
        found.push(with(Vec::new()));
        if let Statement::If { then, otherwise, .. } = &body[at] {
            found.extend([with(then.clone()), with(otherwise.clone())]);
        }
        found.extend(statements(&body[at]).into_iter().map(|statement| with(vec![statement])));
    }
    found
}

fn statements(statement: &Statement) -> Vec<Statement> {
    match statement {
        Statement::Loop(this) => {
            let mut found: Vec<_> =
                bodies(&this.body).into_iter().map(|body| super::program::Loop { body, ..this.clone() }).collect();
            if this.leave.is_some() {
                found.push(super::program::Loop { leave: None, ..this.clone() });
            }
            for (plain, changed) in [(1, this.step != 1), (-1, this.step < -1)] {
                if changed {
                    found.push(super::program::Loop { step: plain, ..this.clone() });
                }
            }
            found.extend(sums(&this.from).into_iter().map(|from| super::program::Loop { from, ..this.clone() }));
            found.into_iter().map(Statement::Loop).collect()
        }
        Statement::Assign { array, at, value } => {
            let by_value =
                values(value).into_iter().map(|value| Statement::Assign { array: *array, at: at.clone(), value });
            let by_place =
                subscripts(at).into_iter().map(|at| Statement::Assign { array: *array, at, value: value.clone() });
            by_value.chain(by_place).collect()
        }
        Statement::Set { scalar, value } => {
            values(value).into_iter().map(|value| Statement::Set { scalar: *scalar, value }).collect()
        }
        Statement::Rotate(scalars) if scalars.len() > 2 => vec![Statement::Rotate(scalars[1..].to_vec())],
        Statement::Rotate(_) => Vec::new(),
        Statement::If { when, then, otherwise } => {
            let make = |when: &Condition, then: &[Statement], otherwise: &[Statement]| Statement::If {
                when: when.clone(),
                then: then.to_vec(),
                otherwise: otherwise.to_vec(),
            };
            let mut found: Vec<_> = bodies(then).iter().map(|then| make(when, then, otherwise)).collect();
            found.extend(bodies(otherwise).iter().map(|otherwise| make(when, then, otherwise)));
            found.extend(conditions(when).iter().map(|when| make(when, then, otherwise)));
            found
        }
        Statement::Tick(value) => values(value).into_iter().map(Statement::Tick).collect(),
    }
}

fn values(value: &Value) -> Vec<Value> {
    match value {
        Value::Binary(operator, a, b) => {
            let mut found = vec![(**a).clone(), (**b).clone()];
            found.extend(values(a).into_iter().map(|a| Value::Binary(*operator, Box::new(a), b.clone())));
            found.extend(values(b).into_iter().map(|b| Value::Binary(*operator, a.clone(), Box::new(b))));
            found
        }
        Value::Choice(when, a, b) => {
            let mut found = vec![(**a).clone(), (**b).clone()];
            found.extend(conditions(when).into_iter().map(|when| Value::Choice(Box::new(when), a.clone(), b.clone())));
            found
        }
        Value::Load { array, at } => {
            let mut found = vec![Value::Constant(1)];
            found.extend(subscripts(at).into_iter().map(|at| Value::Load { array: *array, at }));
            found
        }
        Value::Counter(sum) => sums(sum).into_iter().map(Value::Counter).chain([Value::Constant(1)]).collect(),
        Value::Scalar(_) => vec![Value::Constant(1)],
        Value::Constant(_) => Vec::new(),
    }
}

fn subscripts(at: &Subscript) -> Vec<Subscript> {
    match at {
        Subscript::Affine(sum) => sums(sum).into_iter().map(Subscript::Affine).collect(),
        Subscript::Modulo(sum, modulus) => {
            let plain = [Subscript::Affine(sum.clone())];
            sums(sum).into_iter().map(|sum| Subscript::Modulo(sum, *modulus)).chain(plain).collect()
        }
        Subscript::Flipped(sum) => vec![Subscript::Affine(sum.clone())],
        Subscript::Through { index, at, plus } => {
            sums(at).into_iter().map(|at| Subscript::Through { index: *index, at, plus: *plus }).collect()
        }
    }
}

fn sums(sum: &Affine) -> Vec<Affine> {
    let mut found = Vec::new();
    for at in 0..sum.terms.len() {
        let mut terms = sum.terms.clone();
        terms.remove(at);
        found.push(Affine { terms, ..sum.clone() });
        if sum.terms[at].1 != 1 {
            let mut terms = sum.terms.clone();
            terms[at].1 = 1;
            found.push(Affine { terms, ..sum.clone() });
        }
    }
    if sum.constant != 0 {
        found.push(Affine { constant: 0, ..sum.clone() });
    }
    found
}

fn conditions(condition: &Condition) -> Vec<Condition> {
    match condition {
        Condition::Affine { equal, a, b } => {
            let left = sums(a).into_iter().map(|a| Condition::Affine { equal: *equal, a, b: b.clone() });
            let right = sums(b).into_iter().map(|b| Condition::Affine { equal: *equal, a: a.clone(), b });
            left.chain(right).collect()
        }
        Condition::Data { kind, a, b } => {
            let left = values(a).into_iter().map(|a| Condition::Data { kind: *kind, a, b: b.clone() });
            let right = values(b).into_iter().map(|b| Condition::Data { kind: *kind, a: a.clone(), b });
            left.chain(right).collect()
        }
        Condition::Not(inner) => {
            let inside = conditions(inner).into_iter().map(|inner| Condition::Not(Box::new(inner)));
            [(**inner).clone()].into_iter().chain(inside).collect()
        }
        Condition::Both(a, b) => vec![(**a).clone(), (**b).clone()],
    }
}
