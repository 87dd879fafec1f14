//! Programs of the fuzzer, as data: loops over arrays, scalars that change places, conditions, calls.
//!
//! A program cannot have undefined behaviour, whatever its numbers are: arithmetic wraps, every subscript's interval is known and arrays are just as long,
//! and floats stay small, so that none becomes a NaN. Array 0 of
//!
//! ```text
//! for (c0 = 0; c0 < n; c0++) a0[2 * c0 + 1] = a0[c0] + s0;
//! ```
//!
//! has the elements 0 to `2 * MOST + 1`, where `MOST` is the greatest `n`.

use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

/// The greatest value of the parameters `n` and `m`: three nested loops are then some thousand iterations.
pub const MOST: i64 = 12;

/// Values of index arrays, and bins of what they select, are below this.
pub const BINS: i64 = 9;

/// The type of an element or a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    I8,
    I16,
    I32,
    I64,
    F32,
    F64,
}

impl Kind {
    pub const ALL: [Kind; 6] = [Kind::I8, Kind::I16, Kind::I32, Kind::I64, Kind::F32, Kind::F64];

    pub fn is_float(self) -> bool {
        matches!(self, Kind::F32 | Kind::F64)
    }

    pub fn bytes(self) -> usize {
        match self {
            Kind::I8 => 1,
            Kind::I16 => 2,
            Kind::I32 | Kind::F32 => 4,
            Kind::I64 | Kind::F64 => 8,
        }
    }
}

/// Where an array's memory comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Base {
    /// A pointer argument; `alone` if `noalias` says that nobody else has it.
    Argument {
        alone: bool,
    },
    Global,
    /// Behind a pointer that is read from a table at each access.
    Held,
    /// The memory of an earlier array, some elements further, read as another type.
    View {
        of: usize,
        shift: i64,
    },
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Array {
    pub kind: Kind,
    pub base: Base,
    /// Never written, with values from 0 to [`BINS`] in it.
    pub is_index: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Variable {
    /// The counter of the loop at this depth.
    Counter(usize),
    N,
    M,
}

/// A sum of variables with factors, and a constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Affine {
    pub terms: Vec<(Variable, i64)>,
    pub constant: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subscript {
    Affine(Affine),
    /// Remainder of a sum that is not negative.
    Modulo(Affine, i64),
    /// The sum with its last bit turned round.
    Flipped(Affine),
    /// What an index array holds there, and a constant.
    Through {
        index: usize,
        at: Affine,
        plus: i64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    Least,
    Greatest,
    And,
    Or,
    Xor,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    Constant(i64),
    Load { array: usize, at: Subscript },
    Scalar(usize),
    Counter(Affine),
    Binary(Operator, Box<Value>, Box<Value>),
    Choice(Box<Condition>, Box<Value>, Box<Value>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    /// Less than, or equal.
    Affine {
        equal: bool,
        a: Affine,
        b: Affine,
    },
    Data {
        kind: Kind,
        a: Value,
        b: Value,
    },
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loop {
    pub from: Affine,
    pub to: Affine,
    /// Not zero; a loop with a negative one runs from the last value below `to` down to `from`.
    pub step: i64,
    /// Counted in 64 bits, else in 32.
    pub wide: bool,
    /// Left after an iteration in which this holds.
    pub leave: Option<Condition>,
    pub body: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Statement {
    Loop(Loop),
    Assign {
        array: usize,
        at: Subscript,
        value: Value,
    },
    Set {
        scalar: usize,
        value: Value,
    },
    /// Each takes the value of the next, the last that of the first.
    Rotate(Vec<usize>),
    If {
        when: Condition,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// A call that nobody knows.
    Tick(Value),
}

/// A function, and what it is called with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    pub arrays: Vec<Array>,
    pub scalars: Vec<Kind>,
    pub body: Vec<Statement>,
    pub n: i64,
    pub m: i64,
    /// Arithmetic of counters and addresses says that it does not wrap.
    pub flags: bool,
    /// Arrays end at the page without access, else they begin after one.
    pub at_end: bool,
    /// Where the initial contents of memory come from.
    pub contents: u64,
}

/// Least and greatest value.
pub type Range = (i64, i64);

/// Ranges of the counters around a place, outermost first.
pub type Ranges = Vec<Range>;

impl Affine {
    pub fn constant(constant: i64) -> Affine {
        Affine { terms: Vec::new(), constant }
    }

    pub fn range(&self, counters: &Ranges) -> Range {
        let mut sum = (self.constant, self.constant);
        for (variable, factor) in &self.terms {
            let (low, high) = match variable {
                Variable::Counter(depth) => counters.get(*depth).copied().unwrap_or((0, 0)),
                Variable::N | Variable::M => (0, MOST),
            };
            let (x, y) = (low * factor, high * factor);
            sum = (sum.0 + x.min(y), sum.1 + x.max(y));
        }
        sum
    }
}

impl Subscript {
    pub fn range(&self, counters: &Ranges) -> Range {
        match self {
            Subscript::Affine(sum) => sum.range(counters),
            Subscript::Modulo(_, modulus) => (0, modulus - 1),
            Subscript::Flipped(sum) => {
                let (low, high) = sum.range(counters);
                (low - 1, high + 1)
            }
            Subscript::Through { plus, .. } => (*plus, plus + BINS - 1),
        }
    }

    /// What has to be added to the sum so that a remainder of it is not negative.
    pub fn lift(sum: &Affine, modulus: i64, counters: &Ranges) -> i64 {
        let (low, _) = sum.range(counters);
        if low < 0 { (-low + modulus - 1) / modulus * modulus } else { 0 }
    }
}

impl Loop {
    /// The values of the counter.
    pub fn range(&self, counters: &Ranges) -> Range {
        let (low, _) = self.from.range(counters);
        let (_, high) = self.to.range(counters);
        (low, low.max(high - 1))
    }
}

impl Program {
    /// Of each array, the elements that may be touched.
    pub fn extents(&self) -> Vec<Range> {
        let mut found: Vec<Option<Range>> = vec![None; self.arrays.len()];
        let mut note = |array: usize, range: Range| {
            let known = found[array].get_or_insert(range);
            *known = (known.0.min(range.0), known.1.max(range.1));
        };
        let mut counters = Vec::new();
        self.body.iter().for_each(|statement| extents_in(statement, &mut counters, &mut note));
        found.into_iter().map(|range| range.unwrap_or((0, 0))).collect()
    }

    /// What meets in it, for the table of coverage.
    pub fn features(&self) -> BTreeSet<&'static str> {
        let mut found = BTreeSet::new();
        for array in &self.arrays {
            found.insert(match array.base {
                Base::Argument { alone: true } => "noalias",
                Base::Argument { alone: false } => "may overlap",
                Base::Global => "global",
                Base::Held => "held pointer",
                Base::View { of, .. } if self.arrays[of].kind != array.kind => "punned",
                Base::View { .. } => "overlaps",
            });
            found.insert(if array.kind.is_float() { "float" } else { "integer" });
        }
        self.body.iter().for_each(|statement| features_in(statement, 0, &mut found));
        if self.body.iter().filter(|s| matches!(s, Statement::Loop(_))).count() > 1 {
            found.insert("several nests");
        }
        found
    }
}

fn extents_in(statement: &Statement, counters: &mut Ranges, note: &mut impl FnMut(usize, Range)) {
    match statement {
        Statement::Loop(this) => {
            counters.push(this.range(counters));
            this.body.iter().for_each(|inner| extents_in(inner, counters, note));
            this.leave.iter().for_each(|when| extents_of_condition(when, counters, note));
            counters.pop();
        }
        Statement::Assign { array, at, value } => {
            extents_of_access(*array, at, counters, note);
            extents_of_value(value, counters, note);
        }
        Statement::Set { value, .. } | Statement::Tick(value) => extents_of_value(value, counters, note),
        Statement::Rotate(_) => {}
        Statement::If { when, then, otherwise } => {
            extents_of_condition(when, counters, note);
            then.iter().chain(otherwise).for_each(|inner| extents_in(inner, counters, note));
        }
    }
}

fn extents_of_access(array: usize, at: &Subscript, counters: &Ranges, note: &mut impl FnMut(usize, Range)) {
    note(array, at.range(counters));
    if let Subscript::Through { index, at, .. } = at {
        note(*index, at.range(counters));
    }
}

fn extents_of_value(value: &Value, counters: &Ranges, note: &mut impl FnMut(usize, Range)) {
    match value {
        Value::Load { array, at } => extents_of_access(*array, at, counters, note),
        Value::Binary(_, a, b) => [a, b].into_iter().for_each(|side| extents_of_value(side, counters, note)),
        Value::Choice(when, a, b) => {
            extents_of_condition(when, counters, note);
            [a, b].into_iter().for_each(|side| extents_of_value(side, counters, note));
        }
        Value::Constant(_) | Value::Scalar(_) | Value::Counter(_) => {}
    }
}

fn extents_of_condition(condition: &Condition, counters: &Ranges, note: &mut impl FnMut(usize, Range)) {
    match condition {
        Condition::Affine { .. } => {}
        Condition::Data { a, b, .. } => [a, b].into_iter().for_each(|side| extents_of_value(side, counters, note)),
        Condition::Not(inner) => extents_of_condition(inner, counters, note),
        Condition::Both(a, b) => [a, b].into_iter().for_each(|side| extents_of_condition(side, counters, note)),
    }
}

fn features_in(statement: &Statement, depth: usize, found: &mut BTreeSet<&'static str>) {
    match statement {
        Statement::Loop(this) => {
            found.insert(["one loop", "two loops", "three loops"][depth.min(2)]);
            for (holds, name) in [
                (this.step < 0, "downwards"),
                (this.step.abs() > 1, "steps"),
                (!this.wide, "32-bit counter"),
                (this.leave.is_some(), "break"),
                (
                    !this.from.terms.is_empty() || this.to.terms.iter().any(|t| matches!(t.0, Variable::Counter(_))),
                    "triangle",
                ),
            ] {
                if holds {
                    found.insert(name);
                }
            }
            this.body.iter().for_each(|inner| features_in(inner, depth + 1, found));
        }
        Statement::Assign { array, at, value } => {
            found.insert(match at {
                Subscript::Affine(_) => "affine store",
                Subscript::Modulo(..) => "modulo store",
                Subscript::Flipped(_) => "flipped store",
                Subscript::Through { .. } => "indirect store",
            });
            if matches!(value, Value::Binary(_, a, _) if matches!(&**a, Value::Load { array: of, at: there } if of == array && there == at))
            {
                found.insert("update in memory");
            }
        }
        Statement::Set { scalar, value } => {
            let is_update = matches!(value, Value::Binary(_, a, _) if **a == Value::Scalar(*scalar));
            found.insert(if is_update { "reduction" } else { "scalar" });
        }
        Statement::Rotate(scalars) => {
            found.insert(if scalars.len() > 2 { "rotation" } else { "swap" });
        }
        Statement::If { when, then, otherwise } => {
            found.insert(if matches!(when, Condition::Affine { .. }) { "affine condition" } else { "data condition" });
            then.iter().chain(otherwise).for_each(|inner| features_in(inner, depth, found));
        }
        Statement::Tick(_) => {
            found.insert("unknown call");
        }
    }
}
