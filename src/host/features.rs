//! What meets in a program, for the table of coverage: `for (c0...) a0[idx[c0]] += s0` has "one loop", "histogram" and "scalar read".

use super::program::{
    Array, Base, Call, Condition, Content, Form, Function, Kind, LeaveTo, Loop, Operator, Program, Runtime, Statement,
    Subscript, Value, Variable, Width,
};
use std::collections::BTreeSet;

pub type Found = BTreeSet<&'static str>;

impl Program {
    /// Names of what the program has in it, and of how it is run.
    pub fn features(&self) -> Found {
        let mut found = BTreeSet::new();
        self.arrays.iter().for_each(|array| features_of_array(array, self, &mut found));
        for Function { scalars, sums, body } in &self.functions {
            body.iter().for_each(|statement| of_statement(statement, 0, &mut found));
            note(&mut found, body.iter().filter(|s| matches!(s, Statement::Loop(_))).count() > 1, "several nests");
            note(&mut found, *sums > 0, "sum in any order");
            for kind in scalars {
                found.insert(if kind.is_float() { "float scalar" } else { "integer scalar" });
            }
        }
        note(&mut found, self.functions.len() > 1, "several functions");
        note(&mut found, self.flags, "nowrap flags");
        note(&mut found, self.at_end, "ends at a page");
        note(&mut found, !self.at_end, "begins at a page");
        note(&mut found, self.n == 0 || self.m == 0, "empty loops");
        self.features_of_way(&mut found);
        found
    }

    fn features_of_way(&self, found: &mut Found) {
        let has = |word: &str| self.way.words.split(' ').any(|each| each.starts_with(word));
        for (holds, name) in [
            (has("no-parallel"), "sequential"),
            (has("parallel"), "parallel"),
            (has("tile"), "small tiles"),
            (has("no-tile"), "no tiles"),
            (has("fuse=max"), "most fusion"),
            (has("fuse=min"), "least fusion"),
            (has("provoke-panic"), "internal error"),
            (has("validate"), "validated"),
            (matches!(self.way.runtime, Runtime::Library { new_thread: true }), "new thread"),
            (matches!(self.way.runtime, Runtime::Library { new_thread: false }), "libomp"),
            (matches!(self.way.runtime, Runtime::Turns { .. }), "threads by turns"),
        ] {
            note(found, holds, name);
        }
    }
}

fn meet(found: &mut Found, name: &'static str) {
    found.insert(name);
}

fn note(found: &mut Found, holds: bool, name: &'static str) {
    if holds {
        found.insert(name);
    }
}

fn features_of_array(array: &Array, program: &Program, found: &mut Found) {
    found.insert(match array.base {
        Base::Argument { alone: true } => "noalias",
        Base::Argument { alone: false } => "may overlap",
        Base::Global => "global",
        Base::ThreadLocal => "thread-local",
        Base::Held => "held pointer",
        Base::Rows => "table of pointers",
        Base::View { of, .. } if program.arrays[of].kind != array.kind => "punned",
        Base::View { .. } => "overlaps",
        Base::Variable { .. } if program.in_table => "pointer in memory",
        Base::Variable { .. } => "pointer variable",
        Base::Local => "local array",
    });
    match array.form {
        Form::Element => false,
        Form::Bytes => found.insert("byte addresses"),
        Form::Integers => found.insert("pointers as integers"),
        Form::Member { .. } => found.insert("member"),
    };
    note(found, array.content == Content::Sorted, "sorted index");
    if array.content == Content::Data {
        found.insert(match array.kind {
            Kind::I1 => "i1",
            Kind::I8 => "i8",
            Kind::I16 => "i16",
            Kind::I32 => "i32",
            Kind::I64 => "i64",
            Kind::I128 => "i128",
            Kind::F16 => "half",
            Kind::F32 => "float",
            Kind::F64 => "double",
            Kind::F128 => "fp128",
        });
    }
}

fn of_statement(statement: &Statement, depth: usize, found: &mut Found) {
    match statement {
        Statement::Loop(this) => of_loop(this, depth, found),
        Statement::Assign { array, at, value } => {
            let is_update = matches!(value, Value::Binary(_, a, _) if matches!(&**a, Value::Load { array: of, at: there } if of == array && there == at));
            note(found, is_update, "update in memory");
            note(found, is_update && matches!(at, Subscript::Through { .. }), "histogram");
            of_subscript(at, found);
            of_value(value, found);
        }
        Statement::Set { scalar, value } => {
            let is_update = matches!(value, Value::Binary(_, a, _) if **a == Value::Scalar(*scalar));
            found.insert(if is_update { "reduction" } else { "scalar" });
            of_value(value, found);
        }
        Statement::Sum { value, .. } => of_value(value, found),
        Statement::Rotate(scalars) => {
            found.insert(if scalars.len() > 2 { "rotation" } else { "swap" });
        }
        Statement::Turn(_) => {
            found.insert("pointers turn");
        }
        Statement::Point { when, .. } => {
            found.insert("pointer chosen");
            of_condition(when, found);
        }
        Statement::If { when, then, otherwise } => {
            found.insert(if matches!(when, Condition::Affine { .. }) { "affine condition" } else { "data condition" });
            if let [Statement::Set { .. }, Statement::Set { value, .. }] = &then[..] {
                let is_read = matches!(value, Value::Load { .. });
                found.insert(if is_read { "extreme with value" } else { "extreme with place" });
            }
            note(found, asks_for_borders(when), "borders");
            note(found, is_exchange(then), "exchange");
            of_condition(when, found);
            then.iter().chain(otherwise).for_each(|inner| of_statement(inner, depth, found));
        }
        Statement::Scratch { body, .. } => {
            found.insert("lifetime");
            body.iter().for_each(|inner| of_statement(inner, depth, found));
        }
        Statement::Tick(value) => {
            found.insert("unknown call");
            of_value(value, found);
        }
    }
}

fn of_loop(this: &Loop, depth: usize, found: &mut Found) {
    found.insert(["one loop", "two loops", "three loops"][depth.min(2)]);
    let depends = |sum: &super::program::Affine| sum.terms.iter().any(|t| matches!(t.0, Variable::Counter(_)));
    for (holds, name) in [
        (this.step < 0, "downwards"),
        (this.step.abs() > 1, "steps"),
        (matches!(this.width, Width::Bits8 | Width::Bits16), "small counter"),
        (this.width == Width::Bits32, "32-bit counter"),
        (matches!(this.width, Width::Pointer(_)), "pointer counter"),
        (this.leave.is_some(), "break"),
        (is_search(this), "search"),
        (is_search(this) && this.step < 0, "search downwards"),
        (this.leave.is_some() && this.leave_to != LeaveTo::Behind, "early exit"),
        (this.row.is_some(), "rows from data"),
        (depends(&this.from) || depends(&this.to), "triangle"),
    ] {
        note(found, holds, name);
    }
    this.leave.iter().for_each(|when| of_condition(when, found));
    this.body.iter().for_each(|inner| of_statement(inner, depth + 1, found));
}

/// Whether data alone decides when it is left.
fn is_search(this: &Loop) -> bool {
    let Some(leave) = &this.leave else { return false };
    let inner = if let Condition::Not(inner) = leave { inner } else { leave };
    matches!(inner, Condition::Data { .. })
}

/// Whether the sum of two counters is compared.
fn asks_for_borders(when: &Condition) -> bool {
    let is_counter = |term: &(Variable, i64)| matches!(term, (Variable::Counter(_), 1));
    match when {
        Condition::Affine { a, .. } => a.terms.iter().filter(|term| is_counter(term)).count() > 1,
        Condition::Data { .. } => false,
        Condition::Not(inner) => asks_for_borders(inner),
        Condition::Both(a, b) => asks_for_borders(a) && asks_for_borders(b),
    }
}

/// Whether an array is written right after it was read for another one.
fn is_exchange(then: &[Statement]) -> bool {
    then.windows(2).any(|pair| match pair {
        [
            Statement::Assign { array, value: Value::Load { array: read, .. }, .. },
            Statement::Assign { array: written, .. },
        ] => read == written && array != read,
        _ => false,
    })
}

fn of_subscript(at: &Subscript, found: &mut Found) {
    match at {
        Subscript::Affine(sum) => note(found, sum.terms.iter().any(|term| term.1 < 0), "negative stride"),
        Subscript::Modulo(..) => meet(found, "remainder"),
        Subscript::Ring(..) => meet(found, "ring"),
        Subscript::Clamped { .. } => meet(found, "clamped"),
        Subscript::Flipped(_) | Subscript::Masked(..) => meet(found, "mask"),
        Subscript::Shifted(..) | Subscript::Divided(..) => meet(found, "quotient"),
        Subscript::Narrow { .. } => meet(found, "wraps around"),
        Subscript::Through { .. } => meet(found, "indirect"),
        Subscript::Scalar { .. } => meet(found, "subscript from scalar"),
    }
}

fn of_value(value: &Value, found: &mut Found) {
    match value {
        Value::Load { at, .. } => of_subscript(at, found),
        Value::Binary(operator, a, b) => {
            use Operator::*;
            let is_extreme =
                matches!(operator, Least | Greatest | LeastFlagged | GreatestFlagged | LeastCalled | GreatestCalled);
            note(found, is_extreme, "extreme");
            [a, b].into_iter().for_each(|side| of_value(side, found));
        }
        Value::Choice(when, a, b) => {
            found.insert("choice");
            of_condition(when, found);
            [a, b].into_iter().for_each(|side| of_value(side, found));
        }
        Value::Call(call, inner) => {
            found.insert(match call {
                Call::SquareRoot | Call::Logarithm => "errno",
                Call::Exponential | Call::Floor => "mathematical function",
                Call::Mixed => "function with a body",
                Call::Constant => "constant function",
                Call::Reading => "reading function",
            });
            of_value(inner, found);
        }
        Value::Constant(_) | Value::Scalar(_) | Value::Counter(_) => {}
    }
}

fn of_condition(condition: &Condition, found: &mut Found) {
    match condition {
        Condition::Affine { .. } => {}
        Condition::Data { a, b, .. } => [a, b].into_iter().for_each(|side| of_value(side, found)),
        Condition::Not(inner) => of_condition(inner, found),
        Condition::Both(a, b) => [a, b].into_iter().for_each(|side| of_condition(side, found)),
    }
}
