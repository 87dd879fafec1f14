//! Which elements a program may touch, so that memory ends right behind them.
//!
//! Loops and conditions on counters are followed exactly, with the numbers that the program runs on: in
//!
//! ```text
//! for (c0 = 0; c0 < n; c0++) if (c0 < 3) a1[c0] = 0;
//! ```
//!
//! only three elements of `a1` are. Where data decides, both ways count; what index arrays hold is known.

use super::program::{
    Affine, BINS, Base, Condition, Content, Function, Loop, MOST, Program, ROWS, Statement, Subscript, Value, Variable,
    Width,
};

/// Least and greatest value.
pub type Range = (i64, i64);

/// Ranges of the counters around a place, outermost first.
pub type Ranges = Vec<Range>;

/// Added to the elements of [`Base::Rows`] by the table's pointers.
pub const ROW_SHIFTS: [i64; ROWS as usize] = [0, 2, 0, 1];

/// What an index array holds at an element: the same on each run, and whatever else the program touches.
pub fn content_of_index(program: &Program, array: usize, element: i64) -> i64 {
    let mixed = |seed: u64| {
        let x = seed.wrapping_add(0x9E37_79B9_7F4A_7C15).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        (x ^ (x >> 29)).wrapping_mul(0x94D0_49BB_1331_11EB) >> 33
    };
    let here = mixed(program.contents ^ (array as u64) << 40 ^ element as u64);
    match program.arrays[array].content {
        Content::Sorted => (element.div_euclid(2) + (here % 2) as i64 * (element & 1)).clamp(0, BINS - 1),
        _ => (here % BINS as u64) as i64,
    }
}

impl Affine {
    /// Whatever the parameters are.
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
    /// What has to be added to the sum so that a remainder of it is not negative.
    pub fn lift(sum: &Affine, modulus: i64, counters: &Ranges) -> i64 {
        let (low, _) = sum.range(counters);
        if low < 0 { (-low + modulus - 1) / modulus * modulus } else { 0 }
    }

    /// How many times `N` and a number above 0 have to be added to the sum so that it is not negative.
    pub fn times(sum: &Affine, plus: i64, counters: &Ranges) -> i64 {
        let (low, _) = sum.range(counters);
        if low < 0 { (-low + plus - 1) / plus } else { 0 }
    }
}

impl Loop {
    /// The values of the counter, whatever the parameters are.
    pub fn range(&self, counters: &Ranges) -> Range {
        if self.row.is_some() {
            return (0, BINS);
        }
        let (low, _) = self.from.range(counters);
        let (_, high) = self.to.range(counters);
        (low, low.max(high - 1))
    }
}

impl Program {
    /// Of each array, the elements that may be touched; those of local arrays begin at or before 0.
    pub fn extents(&self) -> Vec<Range> {
        let mut walk = Walk { program: self, found: vec![None; self.arrays.len()], counters: vec![], ranges: vec![] };
        self.functions.iter().for_each(|Function { body, .. }| walk.all(body));
        let mut extents: Vec<Range> = walk.found.into_iter().map(|range| range.unwrap_or((0, 0))).collect();
        for (extent, array) in extents.iter_mut().zip(&self.arrays) {
            match array.base {
                Base::Rows => extent.1 += ROW_SHIFTS.iter().max().copied().unwrap_or(0),
                Base::Local => *extent = (extent.0.min(0), extent.1.max(0)),
                _ => {}
            }
        }
        extents
    }
}

struct Walk<'p> {
    program: &'p Program,
    found: Vec<Option<Range>>,
    counters: Vec<i64>,
    ranges: Ranges,
}

impl Walk<'_> {
    fn note(&mut self, array: usize, (low, high): Range) {
        let known = self.found[array].get_or_insert((low, high));
        *known = (known.0.min(low), known.1.max(high));
    }

    fn sum(&self, sum: &Affine) -> i64 {
        let value = |variable: &Variable| match variable {
            Variable::N => self.program.n,
            Variable::M => self.program.m,
            Variable::Counter(depth) => self.counters.get(*depth).copied().unwrap_or(0),
        };
        sum.constant + sum.terms.iter().map(|(variable, factor)| value(variable) * factor).sum::<i64>()
    }

    fn all(&mut self, body: &[Statement]) {
        body.iter().for_each(|statement| self.statement(statement));
    }

    fn statement(&mut self, statement: &Statement) {
        match statement {
            Statement::Loop(this) => self.counted(this),
            Statement::Assign { array, at, value } => {
                self.access(*array, at);
                self.value(value);
            }
            Statement::Set { value, .. } | Statement::Sum { value, .. } | Statement::Tick(value) => self.value(value),
            Statement::Rotate(_) | Statement::Turn(_) => {}
            Statement::Point { when, .. } => drop(self.condition(when)),
            Statement::If { when, then, otherwise } => {
                let holds = self.condition(when);
                if holds != Some(false) {
                    self.all(then);
                }
                if holds != Some(true) {
                    self.all(otherwise);
                }
            }
            Statement::Scratch { array, body, .. } => {
                self.note(*array, (0, 0));
                self.all(body);
            }
        }
    }

    fn counted(&mut self, this: &Loop) {
        let (from, to) = match &this.row {
            Some((index, at)) => {
                let at = self.sum(at);
                self.note(*index, (at, at + 1));
                let content = |at| content_of_index(self.program, *index, at);
                (content(at), content(at + 1))
            }
            None => (self.sum(&this.from), self.sum(&this.to)),
        };
        if let Width::Pointer(array) = this.width {
            self.note(array, (from, from.max(to)));
        }
        self.ranges.push(this.range(&self.ranges));
        let mut counter = if this.step < 0 { to - 1 } else { from };
        while from <= counter && counter < to {
            self.counters.push(counter);
            let test = |walk: &mut Self| this.leave.as_ref().and_then(|when| walk.condition(when)) == Some(true);
            let mut leaves = this.leave_first && test(self);
            if !leaves {
                self.all(&this.body);
                leaves = !this.leave_first && test(self);
            }
            self.counters.pop();
            if leaves {
                break;
            }
            counter += this.step;
        }
        self.ranges.pop();
    }

    fn access(&mut self, array: usize, at: &Subscript) {
        let exactly = |at: i64| (at, at);
        let range = match at {
            Subscript::Affine(sum) => exactly(self.sum(sum)),
            Subscript::Modulo(sum, modulus) => {
                exactly((self.sum(sum) + Subscript::lift(sum, *modulus, &self.ranges)) % modulus)
            }
            Subscript::Ring(sum, plus) => {
                let size = self.program.n + plus;
                exactly((self.sum(sum) + Subscript::times(sum, *plus, &self.ranges) * size) % size)
            }
            Subscript::Clamped { sum, plus, least_first } => {
                let (value, most) = (self.sum(sum), self.program.n + plus);
                exactly(if *least_first { value.max(0).min(most) } else { value.min(most).max(0) })
            }
            Subscript::Flipped(sum) => exactly(self.sum(sum) ^ 1),
            Subscript::Shifted(sum, by) => exactly(self.sum(sum) >> by),
            Subscript::Divided(sum, by) => exactly(self.sum(sum) / by),
            Subscript::Masked(sum, mask) => exactly(self.sum(sum) & mask),
            Subscript::Narrow { sum, bits, signed } => {
                let up = 64 - bits;
                let shifted = self.sum(sum) << up;
                exactly(if *signed { shifted >> up } else { (shifted as u64 >> up) as i64 })
            }
            Subscript::Through { index, at, plus } => {
                let at = self.sum(at);
                self.note(*index, (at, at));
                exactly(content_of_index(self.program, *index, at) + plus)
            }
            Subscript::Scalar { mask, .. } => (0, *mask),
        };
        self.note(array, range);
    }

    fn value(&mut self, value: &Value) {
        match value {
            Value::Load { array, at } => self.access(*array, at),
            Value::Binary(_, a, b) => [a, b].into_iter().for_each(|side| self.value(side)),
            Value::Choice(when, a, b) => {
                self.condition(when);
                [a, b].into_iter().for_each(|side| self.value(side));
            }
            Value::Call(_, inner) => self.value(inner),
            Value::Constant(_) | Value::Scalar(_) | Value::Counter(_) => {}
        }
    }

    /// Whether it holds, if counters alone decide.
    fn condition(&mut self, condition: &Condition) -> Option<bool> {
        match condition {
            Condition::Affine { equal, a, b } => {
                let (a, b) = (self.sum(a), self.sum(b));
                Some(if *equal { a == b } else { a < b })
            }
            Condition::Data { a, b, .. } => {
                [a, b].into_iter().for_each(|side| self.value(side));
                None
            }
            Condition::Not(inner) => self.condition(inner).map(|holds| !holds),
            Condition::Both(a, b) => match (self.condition(a), self.condition(b)) {
                (Some(false), _) | (_, Some(false)) => Some(false),
                (Some(true), Some(true)) => Some(true),
                _ => None,
            },
        }
    }
}
