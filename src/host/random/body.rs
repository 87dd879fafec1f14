//! Random loops and what is in them.

use super::kind;
use crate::host::program::{
    Affine, Array, BINS, Base, Call, Condition, Content, Form, Kind, LeaveTo, Loop, MOST, Operator, Statement,
    Subscript, Value, Variable, Width,
};
use fastrand::Rng;

/// Loops inside one another.
pub(super) const DEEPEST: usize = 3;

/// Statements of a body, at most.
const MOST_STATEMENTS: usize = 3;

/// The array of indices, and that of sorted ones.
const INDEX: usize = 0;
const SORTED: usize = 1;

/// What may be said at a place of a function.
pub(super) struct Invention<'r, 'p> {
    pub rng: &'r mut Rng,
    arrays: &'p [Array],
    pub scalars: Vec<Kind>,
    pub sums: usize,
    /// Local arrays that live here.
    alive: Vec<usize>,
}

impl<'r, 'p> Invention<'r, 'p> {
    pub fn new(rng: &'r mut Rng, arrays: &'p [Array]) -> Self {
        Invention { rng, arrays, scalars: Vec::new(), sums: 0, alive: Vec::new() }
    }

    pub fn chance(&mut self, of: u32, all: u32) -> bool {
        self.rng.u32(..all) < of
    }

    pub fn kind(&mut self) -> Kind {
        kind(self.rng)
    }

    pub(super) fn bounds(&mut self, depth: usize) -> Loop {
        let mut from = Affine::constant(self.rng.i64(0..3));
        let mut to = match self.rng.u8(..4) {
            0 => Affine::constant(self.rng.i64(1..=MOST)),
            1 => Affine { terms: vec![(Variable::M, 1)], constant: self.rng.i64(-1..2) },
            _ => Affine { terms: vec![(Variable::N, 1)], constant: self.rng.i64(-2..2) },
        };
        let mut row = None;
        if depth > 0 && self.chance(1, 4) {
            let outer = self.rng.usize(..depth);
            match self.rng.u8(..5) {
                0 | 1 => from = Affine { constant: self.rng.i64(0..2), ..Affine::counter(outer) },
                2 | 3 => to = Affine { constant: self.rng.i64(0..3), ..Affine::counter(outer) },
                _ => row = Some((if self.chance(3, 4) { SORTED } else { INDEX }, Affine::counter(outer))),
            }
        }
        let step = [1, 1, 1, 1, 1, 2, 3, -1, -1, -2][self.rng.usize(..10)];
        let width = match self.rng.u8(..16) {
            0 => Width::Bits8,
            1 => Width::Bits16,
            2..=5 => Width::Bits32,
            6 => self.walked().map_or(Width::Bits64, Width::Pointer),
            _ => Width::Bits64,
        };
        Loop {
            from,
            to,
            row,
            step,
            width,
            leave: None,
            leave_first: false,
            leave_to: LeaveTo::Behind,
            body: Vec::new(),
        }
    }

    pub(super) fn counted(&mut self, depth: usize) -> Loop {
        let mut this = self.bounds(depth);
        if self.chance(1, 8) {
            this.leave = Some(self.condition(depth + 1));
            this.leave_first = self.rng.bool();
            this.leave_to = [LeaveTo::Behind, LeaveTo::BehindAll, LeaveTo::End][self.rng.usize(..3)];
        }
        this.body = self.body(depth + 1);
        this
    }

    /// An array that a pointer may walk through.
    fn walked(&mut self) -> Option<usize> {
        let fits = |array: &Array| {
            array.form == Form::Element
                && matches!(array.base, Base::Argument { .. } | Base::Global | Base::View { .. })
        };
        let all: Vec<usize> = (0..self.arrays.len()).filter(|at| fits(&self.arrays[*at])).collect();
        (!all.is_empty()).then(|| all[self.rng.usize(..all.len())])
    }

    fn body(&mut self, depth: usize) -> Vec<Statement> {
        let n = self.rng.usize(1..=MOST_STATEMENTS);
        let mut body: Vec<Statement> = (0..n).map(|_| self.statement(depth)).collect();
        if depth == 1 && self.chance(2, 3) {
            let at = self.rng.usize(..=body.len());
            body.insert(at, Statement::Loop(self.counted(depth)));
        }
        body
    }

    fn statement(&mut self, depth: usize) -> Statement {
        let statement = match self.rng.u8(..18) {
            0..=2 if depth < DEEPEST => Some(Statement::Loop(self.counted(depth))),
            3 => self.rotation(),
            4 | 5 if !self.scalars.is_empty() => Some(self.setting(depth)),
            6 => Some(self.conditional(depth)),
            7 => self.turning(depth),
            8 => self.scratch(depth),
            9 => self.extreme(depth),
            10 => Some(self.histogram(depth)),
            11 if self.sums > 0 => Some(Statement::Sum { sum: 0, value: self.value(depth, 1) }),
            12 if depth > 0 && self.chance(1, 10) => Some(Statement::Tick(self.value(depth, 1))),
            _ => None,
        };
        statement.unwrap_or_else(|| self.assignment(depth))
    }

    fn conditional(&mut self, depth: usize) -> Statement {
        let when = self.condition(depth);
        let then = vec![self.simple(depth)];
        let otherwise = if self.chance(1, 3) { vec![self.simple(depth)] } else { Vec::new() };
        Statement::If { when, then, otherwise }
    }

    fn simple(&mut self, depth: usize) -> Statement {
        let statement = match self.rng.u8(..5) {
            0 if !self.scalars.is_empty() => Some(self.setting(depth)),
            1 => self.rotation(),
            2 if depth < DEEPEST && self.chance(1, 3) => Some(Statement::Loop(self.counted(depth))),
            3 => self.turning(depth),
            _ => None,
        };
        statement.unwrap_or_else(|| self.assignment(depth))
    }

    fn rotation(&mut self) -> Option<Statement> {
        let kind = *self.scalars.get(self.rng.usize(..self.scalars.len().max(1)))?;
        let mut alike: Vec<usize> = (0..self.scalars.len()).filter(|at| self.scalars[*at] == kind).collect();
        self.rng.shuffle(&mut alike);
        alike.truncate(self.rng.usize(2..4));
        (alike.len() > 1).then_some(Statement::Rotate(alike))
    }

    /// Arrays that are pointers which may change places.
    pub(super) fn pointers(&self) -> Vec<usize> {
        let is_pointer = |at: &usize| matches!(self.arrays[*at].base, Base::Variable { .. });
        (0..self.arrays.len()).filter(is_pointer).collect()
    }

    /// Pointers that change places.
    fn turning(&mut self, depth: usize) -> Option<Statement> {
        let mut all = self.pointers();
        if all.len() < 2 {
            return None;
        }
        self.rng.shuffle(&mut all);
        if self.rng.bool() {
            let when = self.condition(depth);
            return Some(Statement::Point { array: all[0], to: all[1], when });
        }
        Some(Statement::Turn(all))
    }

    /// A local array and what is done with it.
    fn scratch(&mut self, depth: usize) -> Option<Statement> {
        let is_free = |at: &usize| self.arrays[*at].base == Base::Local && !self.alive.contains(at);
        let array = (0..self.arrays.len()).find(is_free)?;
        self.alive.push(array);
        let mut body = self.body(depth.max(2));
        let (at, value) = (self.subscript(depth), self.value(depth, 1));
        body.insert(0, Statement::Assign { array, at, value });
        let (other, at) = (self.written(), self.subscript(depth));
        let load = Value::Load { array, at: self.subscript(depth) };
        body.push(Statement::Assign { array: other, at, value: load });
        self.alive.pop();
        Some(Statement::Scratch { array, value: self.rng.i64(-3..8), body: body.into_iter().collect() })
    }

    /// `if (a[i] < s) { s = a[i]; t = i; }`, or `t = b[i]`
    fn extreme(&mut self, depth: usize) -> Option<Statement> {
        if self.scalars.len() < 2 {
            return None;
        }
        let (s, t) = (self.rng.usize(..self.scalars.len()), self.rng.usize(..self.scalars.len()));
        let load = Value::Load { array: self.any(), at: self.subscript(depth) };
        let kind = self.scalars[s];
        let (a, b) = (load.clone(), Value::Scalar(s));
        let (a, b) = if self.rng.bool() { (a, b) } else { (b, a) };
        let mut when = Condition::Data { kind, a, b };
        if self.chance(1, 4) {
            when = Condition::Not(Box::new(when));
        }
        let mut then = vec![Statement::Set { scalar: s, value: load }];
        if s != t {
            let value = match self.rng.bool() {
                true => Value::Counter(self.affine(depth)),
                false => Value::Load { array: self.any(), at: self.subscript(depth) },
            };
            then.push(Statement::Set { scalar: t, value });
        }
        Some(Statement::If { when, then, otherwise: Vec::new() })
    }

    /// `a[index[i]] += ...`
    fn histogram(&mut self, depth: usize) -> Statement {
        let array = self.written();
        let at = Subscript::Through { index: INDEX, at: self.affine(depth), plus: self.rng.i64(0..2) };
        let value = self.value(depth, 1);
        let value = Value::Binary(self.operator(), Box::new(Value::Load { array, at: at.clone() }), Box::new(value));
        Statement::Assign { array, at, value }
    }

    fn setting(&mut self, depth: usize) -> Statement {
        let scalar = self.rng.usize(..self.scalars.len());
        let mut value = self.value(depth, 2);
        if self.chance(2, 3) {
            value = Value::Binary(self.operator(), Box::new(Value::Scalar(scalar)), Box::new(value));
        }
        Statement::Set { scalar, value }
    }

    pub(super) fn assignment(&mut self, depth: usize) -> Statement {
        let array = self.written();
        let at = self.subscript(depth);
        let mut value = self.value(depth, 2);
        if self.chance(1, 3) {
            value = Value::Binary(self.operator(), Box::new(Value::Load { array, at: at.clone() }), Box::new(value));
        }
        Statement::Assign { array, at, value }
    }

    /// An array that may be written here; the first after the index arrays never is local.
    pub(super) fn written(&mut self) -> usize {
        loop {
            let array = self.any();
            if self.arrays[array].content == Content::Data {
                return array;
            }
        }
    }

    pub(super) fn any(&mut self) -> usize {
        loop {
            let array = self.rng.usize(..self.arrays.len());
            if self.arrays[array].base != Base::Local || self.alive.contains(&array) {
                return array;
            }
        }
    }

    pub(super) fn operator(&mut self) -> Operator {
        use Operator::*;
        let all = [
            Add,
            Add,
            Add,
            Add,
            Subtract,
            Subtract,
            Multiply,
            Multiply,
            Divide,
            Least,
            Greatest,
            LeastFlagged,
            GreatestFlagged,
            LeastCalled,
            GreatestCalled,
            And,
            Or,
            Xor,
        ];
        all[self.rng.usize(..all.len())]
    }

    fn affine(&mut self, depth: usize) -> Affine {
        let mut terms = Vec::new();
        for outer in 0..depth {
            if self.chance(1, 2) || (outer + 1 == depth && terms.is_empty()) {
                let factor = [1, 1, 1, 1, 2, -1, 13, 16][self.rng.usize(..8)];
                terms.push((Variable::Counter(outer), factor));
            }
        }
        if self.chance(1, 10) {
            terms.push((if self.rng.bool() { Variable::N } else { Variable::M }, 1));
        }
        Affine { terms, constant: self.rng.i64(-1..3) }
    }

    fn subscript(&mut self, depth: usize) -> Subscript {
        let sum = self.affine(depth);
        match self.rng.u8(..24) {
            0 => Subscript::Modulo(sum, self.rng.i64(2..6)),
            1 => Subscript::Flipped(sum),
            2 | 3 => Subscript::Through { index: self.rng.usize(INDEX..=SORTED), at: sum, plus: self.rng.i64(0..2) },
            4 => Subscript::Affine(Affine::constant(self.rng.i64(0..BINS))),
            5 => Subscript::Shifted(sum, self.rng.u32(1..3)),
            6 => Subscript::Divided(sum, self.rng.i64(2..5)),
            7 => Subscript::Masked(sum, (1 << self.rng.u8(1..5)) - 1),
            8 => Subscript::Narrow { sum, bits: 8, signed: self.rng.bool() },
            10 => Subscript::Ring(sum, self.rng.i64(1..4)),
            11 => Subscript::Clamped { sum, plus: self.rng.i64(-1..3), least_first: self.rng.bool() },
            9 => self.of_scalar().unwrap_or(Subscript::Affine(sum)),
            _ => Subscript::Affine(sum),
        }
    }

    pub(super) fn of_scalar(&mut self) -> Option<Subscript> {
        let fits = |kind: &Kind| !kind.is_float() && *kind != Kind::I1;
        let all: Vec<usize> = (0..self.scalars.len()).filter(|at| fits(&self.scalars[*at])).collect();
        let scalar = *all.get(self.rng.usize(..all.len().max(1)))?;
        Some(Subscript::Scalar { scalar, mask: (1 << self.rng.u8(1..7)) - 1 })
    }

    pub(super) fn value(&mut self, depth: usize, size: usize) -> Value {
        use Call::*;
        match self.rng.u8(..12) {
            0 => Value::Constant(self.rng.i64(-3..8)),
            1 | 2 if !self.scalars.is_empty() => Value::Scalar(self.rng.usize(..self.scalars.len())),
            3 => Value::Counter(self.affine(depth)),
            4..=6 if size > 0 => {
                let sides = [self.value(depth, size - 1), self.value(depth, size - 1)];
                let [a, b] = sides.map(Box::new);
                Value::Binary(self.operator(), a, b)
            }
            7 if size > 0 => {
                let when = Box::new(self.condition(depth));
                let sides = [self.value(depth, size - 1), self.value(depth, size - 1)];
                let [a, b] = sides.map(Box::new);
                Value::Choice(when, a, b)
            }
            8 if size > 0 && self.chance(1, 3) => {
                let all = [SquareRoot, SquareRoot, Logarithm, Exponential, Floor, Mixed, Mixed, Constant, Reading];
                let call = all[self.rng.usize(..all.len())];
                Value::Call(call, Box::new(self.value(depth, size - 1)))
            }
            _ => Value::Load { array: self.any(), at: self.subscript(depth) },
        }
    }

    pub(super) fn condition(&mut self, depth: usize) -> Condition {
        match self.rng.u8(..8) {
            0..=3 => {
                let (a, b) = (self.affine(depth), self.affine(depth));
                Condition::Affine { equal: self.chance(1, 4), a, b }
            }
            4 => Condition::Not(Box::new(self.condition(depth))),
            5 => Condition::Both(Box::new(self.condition(depth)), Box::new(self.condition(depth))),
            _ => {
                let kind = self.kind();
                let (a, b) = (self.value(depth, 0), self.value(depth, 0));
                Condition::Data { kind, a, b }
            }
        }
    }
}
