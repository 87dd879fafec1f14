//! Outermost loops: random ones, and those of a shape that has transformations of its own, to which random statements would hardly come.

use super::body::{DEEPEST, Invention};
use crate::host::program::{Affine, Loop, Operator, Statement, Subscript, Value, Variable};

impl Invention<'_, '_> {
    /// An outermost loop, of which some are refused because of a call.
    pub fn nest(&mut self) -> Statement {
        match self.rng.u8(..30) {
            0..=2 => return self.product(),
            3..=8 => return self.stencil(),
            9 => return self.page(),
            _ => {}
        }
        let refused = self.chance(1, 5);
        let mut this = self.counted(0);
        if refused {
            let value = self.value(1, 1);
            this.body.push(Statement::Tick(value));
        }
        Statement::Loop(this)
    }

    /// `for i: for j: for k: a[13i + j] += b[13i + k] * c[13k + j]`
    fn product(&mut self) -> Statement {
        let sum = |a: usize, b: usize| Affine {
            terms: vec![(Variable::Counter(a), 13), (Variable::Counter(b), 1)],
            constant: 0,
        };
        let [a, b, c] = [(); 3].map(|()| self.written());
        let load = |array, at| Box::new(Value::Load { array, at: Subscript::Affine(at) });
        let product = Value::Binary(Operator::Multiply, load(b, sum(0, 2)), load(c, sum(2, 1)));
        let value = Value::Binary(self.operator(), load(a, sum(0, 1)), Box::new(product));
        let assign = Statement::Assign { array: a, at: Subscript::Affine(sum(0, 1)), value };
        let mut inner = assign;
        for depth in (0..DEEPEST).rev() {
            let mut body = vec![inner];
            if depth > 0 && self.chance(1, 6) {
                let at = self.rng.usize(..2);
                let other = self.assignment(depth + 1);
                body.insert(at, other);
            }
            inner = Statement::Loop(Loop { body, leave: None, ..self.bounds(depth) });
        }
        inner
    }

    /// `for t: { for i: a[i] = f(b[i-1], b[i+1]); for i: b[i] = g(a[i]); }`
    ///
    /// or, of pointers that change places, `for t: { for i: a[i] = f(b[i-1], b[i+1]); swap(a, b); }`
    fn stencil(&mut self) -> Statement {
        let pointers = self.pointers();
        let takes_turns = pointers.len() > 1 && self.chance(4, 5);
        let [a, b] = match pointers[..] {
            [a, b, ..] if takes_turns => [a, b],
            _ => [(); 2].map(|()| self.written()),
        };
        let inner = |this: &mut Self, to: usize, from: usize| {
            let shifted = |shift| Subscript::Affine(Affine { constant: shift, ..Affine::counter(1) });
            let load = |shift| Box::new(Value::Load { array: from, at: shifted(shift) });
            let value = Value::Binary(this.operator(), load(this.rng.i64(-2..2)), load(this.rng.i64(0..2)));
            let body = vec![Statement::Assign { array: to, at: shifted(0), value }];
            Statement::Loop(Loop { body, leave: None, ..this.bounds(1) })
        };
        let body = match takes_turns {
            true => vec![inner(self, a, b), Statement::Turn(pointers)],
            false => vec![inner(self, a, b), inner(self, b, a)],
        };
        Statement::Loop(Loop { body, leave: None, ..self.bounds(0) })
    }

    /// `for i: { a[8i] = f(b[i]); a[8i + 1] = f(b[i + 1]); ... }`, with so many stores that they may become one statement, and with a variable among them
    fn page(&mut self) -> Statement {
        let [a, b, c] = [(); 3].map(|()| self.written());
        let stride = self.rng.i64(0..9);
        let (first, n) = (self.rng.i64(0..4), self.rng.i64(38..46));
        let row = |constant| Subscript::Affine(Affine { terms: vec![(Variable::Counter(0), stride)], constant });
        let mut body = Vec::new();
        for at in 0..n {
            let other = Subscript::Affine(Affine { constant: at % 3, ..Affine::counter(0) });
            let value = Value::Load { array: b, at: other };
            let value = Value::Binary(self.operator(), Box::new(value), Box::new(Value::Constant(at)));
            body.push(Statement::Assign { array: a, at: row(first + at), value });
        }
        for _ in 0..self.rng.usize(0..3) {
            let at = [0, self.rng.usize(..body.len()), body.len()][self.rng.usize(..3)];
            let value = self.value(1, 1);
            body.insert(at, Statement::Assign { array: c, at: Subscript::Affine(Affine::constant(1)), value });
        }
        Statement::Loop(Loop { body, leave: None, ..self.bounds(0) })
    }
}
