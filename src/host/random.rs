//! Random programs, the same for the same seed.

use super::program::{
    Affine, Array, BINS, Base, Condition, Kind, Loop, MOST, Operator, Program, Statement, Subscript, Value, Variable,
};
use fastrand::Rng;

/// Loops inside one another.
const DEEPEST: usize = 3;

/// Statements of a body, at most.
const MOST_STATEMENTS: usize = 3;

/// The program of a case.
pub fn program(seed: u64) -> Program {
    let mut rng = Rng::with_seed(seed);
    let mut invention = Invention { arrays: arrays(&mut rng), scalars: Vec::new(), rng };
    let n_scalars = invention.rng.usize(0..5);
    let favourite = invention.kind();
    for _ in 0..n_scalars {
        let kind = if invention.chance(2, 3) { favourite } else { invention.kind() };
        invention.scalars.push(kind);
    }
    let n_nests = invention.rng.usize(1..4);
    let body = (0..n_nests).map(|_| invention.nest()).collect();
    let Invention { arrays, scalars, mut rng } = invention;
    Program {
        arrays,
        scalars,
        body,
        n: rng.i64(0..=MOST),
        m: rng.i64(0..=MOST),
        flags: rng.bool(),
        at_end: rng.bool(),
        contents: rng.u64(..),
    }
}

fn arrays(rng: &mut Rng) -> Vec<Array> {
    let mut arrays = vec![Array { kind: Kind::I32, base: Base::Argument { alone: rng.bool() }, is_index: true }];
    let favourite = Kind::ALL[rng.usize(..Kind::ALL.len())];
    for at in 1..rng.usize(2..5) + 1 {
        let kind = if rng.u8(..3) > 0 { favourite } else { Kind::ALL[rng.usize(..Kind::ALL.len())] };
        let base = match rng.u8(..10) {
            0..=3 => Base::Argument { alone: true },
            4..=5 => Base::Argument { alone: false },
            6 => Base::Global,
            7 => Base::Held,
            _ if at > 1 => Base::View { of: at - 1, shift: rng.i64(-2..8) },
            _ => Base::Argument { alone: false },
        };
        let kind = if matches!(base, Base::View { .. }) { fitting(kind, &arrays, at - 1) } else { kind };
        arrays.push(Array { kind, base, is_index: false });
    }
    alone_is_true(&mut arrays);
    arrays
}

/// The kind for a view: floats of one size are not read as floats of another, where they may be anything.
fn fitting(kind: Kind, arrays: &[Array], mut of: usize) -> Kind {
    loop {
        if kind.is_float() && arrays[of].kind.is_float() {
            return arrays[of].kind;
        }
        match arrays[of].base {
            Base::View { of: next, .. } => of = next,
            _ => return kind,
        }
    }
}

/// An array of which there are views is not alone.
fn alone_is_true(arrays: &mut [Array]) {
    for at in 0..arrays.len() {
        if let Base::View { of, .. } = arrays[at].base {
            let mut root = of;
            while let Base::View { of, .. } = arrays[root].base {
                root = of;
            }
            if let Base::Argument { alone } = &mut arrays[root].base {
                *alone = false;
            }
        }
    }
}

struct Invention {
    rng: Rng,
    arrays: Vec<Array>,
    scalars: Vec<Kind>,
}

impl Invention {
    fn chance(&mut self, of: u32, all: u32) -> bool {
        self.rng.u32(..all) < of
    }

    fn kind(&mut self) -> Kind {
        Kind::ALL[self.rng.usize(..Kind::ALL.len())]
    }

    fn nest(&mut self) -> Statement {
        let refused = self.chance(1, 4);
        let mut this = self.counted(0);
        if refused {
            let value = self.value(1, 1);
            this.body.push(Statement::Tick(value));
        }
        Statement::Loop(this)
    }

    fn counted(&mut self, depth: usize) -> Loop {
        let counter = |depth: usize| Affine { terms: vec![(Variable::Counter(depth), 1)], constant: 0 };
        let mut from = Affine::constant(self.rng.i64(0..3));
        let mut to = match self.rng.u8(..4) {
            0 => Affine::constant(self.rng.i64(1..=MOST)),
            1 => Affine { terms: vec![(Variable::M, 1)], constant: self.rng.i64(-1..2) },
            _ => Affine { terms: vec![(Variable::N, 1)], constant: self.rng.i64(-2..2) },
        };
        if depth > 0 && self.chance(1, 4) {
            let outer = self.rng.usize(..depth);
            match self.rng.bool() {
                true => from = Affine { constant: self.rng.i64(0..2), ..counter(outer) },
                false => to = Affine { constant: self.rng.i64(0..3), ..counter(outer) },
            }
        }
        let step = match self.rng.u8(..8) {
            0 => 2,
            1 => 3,
            2 => -1,
            _ => 1,
        };
        let leave = if self.chance(1, 12) { Some(self.condition(depth + 1)) } else { None };
        Loop { from, to, step, wide: self.chance(2, 3), leave, body: self.body(depth + 1) }
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
        match self.rng.u8(..12) {
            0 | 1 if depth < DEEPEST => Statement::Loop(self.counted(depth)),
            2 if self.scalars.len() > 1 => self.rotation().unwrap_or_else(|| self.assignment(depth)),
            3 | 4 if !self.scalars.is_empty() => self.setting(depth),
            5 => {
                let when = self.condition(depth);
                let then = vec![self.simple(depth)];
                let otherwise = if self.chance(1, 3) { vec![self.simple(depth)] } else { Vec::new() };
                Statement::If { when, then, otherwise }
            }
            _ => self.assignment(depth),
        }
    }

    fn simple(&mut self, depth: usize) -> Statement {
        match self.rng.u8(..4) {
            0 if !self.scalars.is_empty() => self.setting(depth),
            1 if self.scalars.len() > 1 => self.rotation().unwrap_or_else(|| self.assignment(depth)),
            2 if depth < DEEPEST && self.chance(1, 3) => Statement::Loop(self.counted(depth)),
            _ => self.assignment(depth),
        }
    }

    fn rotation(&mut self) -> Option<Statement> {
        let kind = self.scalars[self.rng.usize(..self.scalars.len())];
        let mut alike: Vec<usize> = (0..self.scalars.len()).filter(|at| self.scalars[*at] == kind).collect();
        self.rng.shuffle(&mut alike);
        alike.truncate(self.rng.usize(2..4));
        (alike.len() > 1).then_some(Statement::Rotate(alike))
    }

    fn setting(&mut self, depth: usize) -> Statement {
        let scalar = self.rng.usize(..self.scalars.len());
        let mut value = self.value(depth, 2);
        if self.chance(2, 3) {
            value = Value::Binary(self.operator(), Box::new(Value::Scalar(scalar)), Box::new(value));
        }
        Statement::Set { scalar, value }
    }

    fn assignment(&mut self, depth: usize) -> Statement {
        let array = self.rng.usize(1..self.arrays.len());
        let at = self.subscript(depth);
        let mut value = self.value(depth, 2);
        if self.chance(1, 3) {
            value = Value::Binary(self.operator(), Box::new(Value::Load { array, at: at.clone() }), Box::new(value));
        }
        Statement::Assign { array, at, value }
    }

    fn operator(&mut self) -> Operator {
        use Operator::*;
        [Add, Add, Add, Subtract, Multiply, Least, Greatest, And, Or, Xor][self.rng.usize(..10)]
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
        match self.rng.u8(..14) {
            0 | 1 => Subscript::Modulo(sum, self.rng.i64(2..6)),
            2 => Subscript::Flipped(sum),
            3 | 4 => Subscript::Through { index: 0, at: sum, plus: self.rng.i64(0..2) },
            5 => Subscript::Affine(Affine::constant(self.rng.i64(0..BINS))),
            _ => Subscript::Affine(sum),
        }
    }

    fn value(&mut self, depth: usize, size: usize) -> Value {
        match self.rng.u8(..10) {
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
            _ => Value::Load { array: self.rng.usize(..self.arrays.len()), at: self.subscript(depth) },
        }
    }

    fn condition(&mut self, depth: usize) -> Condition {
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
