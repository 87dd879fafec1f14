//! Outermost loops: random ones, and those of a shape that has transformations of its own, to which random statements would hardly come.

use super::body::{DEEPEST, Invention};
use crate::host::program::{Affine, Condition, Loop, Operator, Statement, Subscript, Value, Variable};

/// Elements of a row.
const ROW: i64 = 13;

impl Invention<'_, '_> {
    /// An outermost loop, of which some are refused because of a call.
    pub fn nest(&mut self) -> Statement {
        match self.rng.u8(..30) {
            0..=2 => return self.product(),
            3..=8 => return self.stencil(),
            9 => return self.page(),
            10 | 11 => return self.neighbourhood(),
            12 => return self.shifting(),
            13 => return self.exchange(),
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
            terms: vec![(Variable::Counter(a), ROW), (Variable::Counter(b), 1)],
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

    /// `for i: for j: { s = f; for d: for e: if (0 <= i + d - 1 && i + d - 1 < n && ...) s = g(s, a[13 * (i + d - 1) + j + e - 1]); b[13 * i + j] = s; }`, of which points at borders lack some neighbours
    fn neighbourhood(&mut self) -> Statement {
        let points = self.rng.usize(1..3);
        let window = self.rng.usize(1..=points);
        let [from, to, weights] = [self.any(), self.written(), self.any()];
        let mut neighbour = Affine { terms: place(0, points).terms, constant: 0 };
        let mut conditions = Vec::new();
        for nth in 0..window {
            let (point, offset) = (points - window + nth, self.rng.i64(0..3));
            let factor = if point + 1 == points { 1 } else { ROW };
            neighbour.terms.push((Variable::Counter(points + nth), factor));
            neighbour.constant -= offset * factor;
            conditions.extend(self.borders([point, points + nth], offset));
        }
        let load = Value::Load { array: from, at: Subscript::Affine(neighbour) };
        let value = match self.rng.u8(..4) {
            0 => load,
            1 => {
                let (when, other) = (self.condition(points + window), self.value(points, 0));
                Value::Choice(Box::new(when), Box::new(load), Box::new(other))
            }
            _ => {
                let weight = Value::Load { array: weights, at: Subscript::Affine(place(points, window)) };
                Value::Binary(self.operator(), Box::new(load), Box::new(weight))
            }
        };
        let scalar = (!self.scalars.is_empty() && self.chance(2, 3)).then(|| self.rng.usize(..self.scalars.len()));
        let there = Subscript::Affine(place(0, points));
        let so_far = scalar.map_or_else(|| Value::Load { array: to, at: there.clone() }, Value::Scalar);
        let value = Value::Binary(self.operator(), Box::new(so_far), Box::new(value));
        let mut inner = match scalar {
            _ if self.sums > 0 && self.chance(1, 2) => Statement::Sum { sum: 0, value },
            Some(scalar) => Statement::Set { scalar, value },
            None => Statement::Assign { array: to, at: there.clone(), value },
        };
        for when in conditions {
            inner = Statement::If { when, then: vec![inner], otherwise: Vec::new() };
        }
        for nth in (0..window).rev() {
            let (from, to) = (Affine::constant(0), Affine::constant(self.rng.i64(2..5)));
            let bounds = Loop { from, to, row: None, step: 1, ..self.bounds(points + nth) };
            inner = Statement::Loop(Loop { body: vec![inner], ..bounds });
        }
        let mut body = vec![inner];
        if let Some(scalar) = scalar {
            let (first, value) = (self.value(points, 0), Value::Scalar(scalar));
            body.insert(0, Statement::Set { scalar, value: first });
            body.push(Statement::Assign { array: to, at: there, value });
        }
        self.over_points(points, body)
    }

    /// Such statements for each point, mostly of a row that has room for vectors.
    fn over_points(&mut self, points: usize, mut body: Vec<Statement>) -> Statement {
        for depth in (1..points).rev() {
            body = vec![Statement::Loop(Loop { body, ..self.row(depth) })];
        }
        Statement::Loop(Loop { body, ..self.row(0) })
    }

    fn row(&mut self, depth: usize) -> Loop {
        let bounds = self.bounds(depth);
        if self.chance(1, 3) {
            return bounds;
        }
        let to = Affine { terms: vec![(Variable::N, 1)], constant: self.rng.i64(0..20) };
        Loop { from: Affine::constant(0), to, row: None, step: 1, ..bounds }
    }

    /// What is asked of a neighbour: that the sum of the two counters less the offset is on both sides within borders; sometimes less, or with other borders.
    fn borders(&mut self, counters: [usize; 2], offset: i64) -> Vec<Condition> {
        let terms = counters.map(|counter| (Variable::Counter(counter), 1)).to_vec();
        let at = Affine { terms, constant: -offset };
        let mut asked = Vec::new();
        if self.chance(5, 6) {
            let least = Affine::constant(self.rng.i64(0..4) / 3);
            asked.push(Condition::Not(Box::new(Condition::Affine { equal: false, a: at.clone(), b: least })));
        }
        if self.chance(5, 6) {
            let end = if self.chance(2, 3) { Variable::N } else { Variable::M };
            let b = Affine { terms: vec![(end, 1)], constant: self.rng.i64(0..20) };
            asked.push(Condition::Affine { equal: false, a: at, b });
        }
        match <[Condition; 2]>::try_from(asked) {
            Ok([least, most]) if self.chance(2, 3) => vec![Condition::Both(Box::new(least), Box::new(most))],
            Ok(both) => both.to_vec(),
            Err(fewer) => fewer,
        }
    }

    /// `for i: { s = a[i]; for (j = i - 1; j >= 0 && a[j] > s; j--) { a[j + 1] = a[j]; t = j; } a[t] = s; }`
    fn shifting(&mut self) -> Statement {
        let array = self.written();
        let element = |depth, constant| Subscript::Affine(Affine { constant, ..Affine::counter(depth) });
        let load = |depth, constant| Value::Load { array, at: element(depth, constant) };
        let scalar = (!self.scalars.is_empty()).then(|| self.rng.usize(..self.scalars.len()));
        let key = scalar.map_or_else(|| load(0, 0), Value::Scalar);
        let kind = match scalar {
            Some(scalar) => self.scalars[scalar],
            None => self.kind(),
        };
        let (a, b) = if self.rng.bool() { (load(1, 0), key.clone()) } else { (key.clone(), load(1, 0)) };
        let when = Condition::Data { kind, a, b };
        let leave = Some(if self.rng.bool() { when } else { Condition::Not(Box::new(when)) });
        let mut body = vec![Statement::Assign { array, at: element(1, 1), value: load(1, 0) }];
        let place = self.of_scalar();
        if let Some(Subscript::Scalar { scalar, .. }) = place {
            body.push(Statement::Set { scalar, value: Value::Counter(Affine::counter(1)) });
        }
        let to = Affine { constant: self.rng.i64(0..2), ..Affine::counter(0) };
        let (from, row, step) = (Affine::constant(0), None, [-1, -1, -1, -2, 1][self.rng.usize(..5)]);
        let leave_first = self.chance(4, 5);
        let search = Loop { from, to, row, step, leave, leave_first, body, ..self.bounds(1) };
        let mut body = vec![Statement::Loop(search)];
        if let Some(scalar) = scalar {
            body.insert(0, Statement::Set { scalar, value: load(0, 0) });
        }
        body.push(Statement::Assign { array, at: place.unwrap_or(element(0, 0)), value: key });
        Statement::Loop(Loop { body, ..self.bounds(0) })
    }

    /// `for i: if (a[i] < b[i]) { s = a[i]; a[i] = b[i]; b[i] = s; } else a[i] = c;`
    fn exchange(&mut self) -> Statement {
        let [a, b] = [(); 2].map(|()| self.written());
        let [here, there] =
            [(); 2].map(|()| Subscript::Affine(Affine { constant: self.rng.i64(0..4) / 2, ..Affine::counter(0) }));
        let load = |array, at: &Subscript| Value::Load { array, at: at.clone() };
        let assign = |array, at: &Subscript, value| Statement::Assign { array, at: at.clone(), value };
        let other = if self.rng.bool() { load(b, &there) } else { self.value(1, 0) };
        let when = Condition::Data { kind: self.kind(), a: load(a, &here), b: other };
        let mut then = vec![assign(a, &here, load(b, &there)), assign(b, &there, load(a, &here))];
        if !self.scalars.is_empty() {
            let scalar = self.rng.usize(..self.scalars.len());
            then.insert(0, Statement::Set { scalar, value: load(a, &here) });
            then[2] = assign(b, &there, Value::Scalar(scalar));
        }
        let otherwise = if self.rng.bool() { vec![assign(a, &here, self.value(1, 1))] } else { Vec::new() };
        let body = vec![Statement::If { when, then, otherwise }];
        Statement::Loop(Loop { body, ..self.bounds(0) })
    }
}

/// The element of a point, or of a weight: `13 * i + j` of two counters from this depth on.
fn place(depth: usize, counters: usize) -> Affine {
    let factor = |nth| if nth + 1 == counters { 1 } else { ROW };
    Affine { terms: (0..counters).map(|nth| (Variable::Counter(depth + nth), factor(nth))).collect(), constant: 0 }
}
