//! Smaller programs that still fail.
//!
//! Everything that can be left out is left out by turns: a statement, a loop around its body, one side of an operation, a condition, a term. What
//! remains is tried by whoever runs programs safely, until nothing more can go.

use super::program::{
    Affine, Array, Base, Condition, Form, Function, LeaveTo, Loop, Program, Statement, Subscript, Value, Way, Width,
};

/// Attempts to make one program smaller: each compiles and runs, some ten of them in a second.
const MOST_ATTEMPTS: usize = 600;

/// The number of a way ([`Way::after`]) without passes afterwards.
const RARELY_NOTHING: usize = 7;

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
    let mut found = Vec::new();
    for at in 0..program.functions.len() {
        let with = |functions: Vec<Function>| Program {
            functions: [&program.functions[..at], &functions, &program.functions[at + 1..]].concat(),
            ..program.clone()
        };
        if program.functions.len() > 1 {
            found.push(with(Vec::new()));
        }
        let function = &program.functions[at];
        found.extend(bodies(&function.body).into_iter().map(|body| with(vec![Function { body, ..function.clone() }])));
    }
    for (n, m) in
        [(program.n / 2, program.m), (program.n, program.m / 2), (program.n - 1, program.m), (program.n, program.m - 1)]
    {
        if (n, m) != (program.n, program.m) && n >= 0 && m >= 0 {
            found.push(Program { n, m, ..program.clone() });
        }
    }
    found.extend(ways(&program.way).into_iter().map(|way| Program { way, ..program.clone() }));
    found.extend(arrays(&program.arrays).into_iter().map(|arrays| Program { arrays, ..program.clone() }));
    found
}

/// With fewer options and runs.
fn ways(way: &Way) -> Vec<Way> {
    let words: Vec<&str> = way.words.split(' ').collect();
    let mut found = Vec::new();
    for at in (0..words.len()).filter(|at| !words[*at].contains("parallel") && !words[*at].starts_with("min-work")) {
        let rest = [&words[..at], &words[at + 1..]].concat().join(" ");
        found.push(Way { words: rest, ..way.clone() });
    }
    if way.threads.len() > 1 {
        found.extend(way.threads.iter().map(|count| Way { threads: vec![*count], ..way.clone() }));
    }
    if way.after != RARELY_NOTHING {
        found.push(Way { after: RARELY_NOTHING, ..way.clone() });
    }
    found
}

/// With plain arrays in place of others.
fn arrays(arrays: &[Array]) -> Vec<Vec<Array>> {
    let mut found = Vec::new();
    let mut with = |at: usize, array: Array| {
        let mut changed = arrays.to_vec();
        changed[at] = array;
        if changed != arrays {
            found.push(changed);
        }
    };
    for (at, array) in arrays.iter().enumerate() {
        with(at, Array { form: Form::Element, ..array.clone() });
        if matches!(array.base, Base::Global | Base::ThreadLocal | Base::Held | Base::Rows | Base::View { .. }) {
            with(at, Array { base: Base::Argument { alone: false }, ..array.clone() });
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
        Statement::Loop(this) => loops(this).into_iter().map(Statement::Loop).collect(),
        Statement::Scratch { array, value, body } => {
            let with = |body| Statement::Scratch { array: *array, value: *value, body };
            bodies(body).into_iter().map(with).collect()
        }
        Statement::Sum { sum, value } => {
            values(value).into_iter().map(|value| Statement::Sum { sum: *sum, value }).collect()
        }
        Statement::Turn(pointers) if pointers.len() > 2 => vec![Statement::Turn(pointers[1..].to_vec())],
        Statement::Turn(_) => Vec::new(),
        Statement::Point { array, to, when } => {
            let with = |when| Statement::Point { array: *array, to: *to, when };
            conditions(when).into_iter().map(with).collect()
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

fn loops(this: &Loop) -> Vec<Loop> {
    let mut found: Vec<_> = bodies(&this.body).into_iter().map(|body| Loop { body, ..this.clone() }).collect();
    if let Some(when) = &this.leave {
        found.push(Loop { leave: None, ..this.clone() });
        if this.leave_to != LeaveTo::Behind {
            found.push(Loop { leave_to: LeaveTo::Behind, ..this.clone() });
        }
        found.extend(conditions(when).into_iter().map(|when| Loop { leave: Some(when), ..this.clone() }));
    }
    if this.row.is_some() {
        found.push(Loop { row: None, ..this.clone() });
    }
    if this.width != Width::Bits64 {
        found.push(Loop { width: Width::Bits64, ..this.clone() });
    }
    for (plain, changed) in [(1, this.step != 1), (-1, this.step < -1)] {
        if changed {
            found.push(Loop { step: plain, ..this.clone() });
        }
    }
    found.extend(sums(&this.from).into_iter().map(|from| Loop { from, ..this.clone() }));
    found.extend(sums(&this.to).into_iter().map(|to| Loop { to, ..this.clone() }));
    found
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
        Value::Call(call, inner) => {
            let inside = values(inner).into_iter().map(|inner| Value::Call(*call, Box::new(inner)));
            [(**inner).clone()].into_iter().chain(inside).collect()
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
        Subscript::Ring(sum, plus) => {
            let plain = [Subscript::Affine(sum.clone())];
            sums(sum).into_iter().map(|sum| Subscript::Ring(sum, *plus)).chain(plain).collect()
        }
        Subscript::Flipped(sum)
        | Subscript::Shifted(sum, _)
        | Subscript::Divided(sum, _)
        | Subscript::Masked(sum, _)
        | Subscript::Clamped { sum, .. }
        | Subscript::Narrow { sum, .. } => vec![Subscript::Affine(sum.clone())],
        Subscript::Scalar { .. } => vec![Subscript::Affine(Affine::constant(0))],
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
