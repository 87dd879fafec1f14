//! `exit` and `cycle` as statements under conditions, as the exact models of programs in C have them.
//!
//! ```text
//! do j = 1, m                            W1:    goes_on = 1         in each iteration:
//!   if (b(j) < 0) exit                   W2[j]: runs[j] = goes_on
//!   s = s + b(j)                         P1[j]: p_P1[j] = b[j] < 0  when runs[j]
//! enddo                                  W3[j]: goes_on = 0         when runs[j] and p_P1[j]
//!                                        W4[j]: runs_1[j] = goes_on when runs[j]
//!                                        S1[j]: s = s + b[j]        when runs[j] and runs_1[j]
//! ```
//!
//! A loop that is left keeps the iterations that its bounds allow, and has a scalar that says whether it goes on; where `cycle` leaves an iteration, a second one says whether that does. What comes next asks for a copy of it,
//! one for each iteration: a truth that is written once.
//!
//! Implements: 004 3.3

use super::model::{Around, Builder, HOLDS, Scheduled, Way, access};
use super::syntax::{Left, Part};
use super::words::Place;
use crate::presburger::ParseError;
use crate::scop::tree::Node;
use crate::scop::{AccessKind, Expression};

/// What a statement writes that is about ways.
enum Told {
    Yes,
    No,
    /// The value of this scalar.
    Copy(String),
}

impl Builder<'_> {
    /// Before a loop with this body: which scalars say how it goes on, and that it does.
    pub fn enter(&mut self, body: &[Part], at: (Place, &Around)) -> Result<Vec<Scheduled>, ParseError> {
        let on = body.iter().any(Part::leaves_loop).then(|| self.truth("goes_on"));
        let rest = body.iter().any(Part::leaves_iteration).then(|| self.truth("rest"));
        let begins = on.clone().map(|on| self.begin(&on, at)).transpose()?;
        self.ways.push(Way { on, rest });
        Ok(Vec::from_iter(begins))
    }

    /// One iteration of the loop that was entered last.
    pub fn iteration(&mut self, body: &[Part], mut around: Around, place: Place) -> Result<Scheduled, ParseError> {
        let mut children = Vec::new();
        if let Some(Way { on, rest }) = self.ways.last().cloned() {
            if let Some(rest) = rest {
                children.push(self.begin(&rest, (place, &around))?);
            }
            if let Some(on) = on {
                children.push(self.ask(on, &mut around, place)?);
            }
        }
        children.push(self.parts(body, &around)?);
        Ok(self.sequence(children))
    }

    /// Behind what may have left the iteration: what comes now runs if it has not.
    pub fn rest(&mut self, around: &mut Around, place: Place) -> Result<Scheduled, ParseError> {
        let way = self.ways.last().and_then(|way| way.rest.clone().or_else(|| way.on.clone()));
        self.ask(way.expect("law: a loop that is left says whether it goes on"), around, place)
    }

    /// Leaves so many loops, and then the next one or its iteration.
    pub fn leave(&mut self, inner: usize, what: Left, at: (Place, &Around)) -> Result<Vec<Scheduled>, ParseError> {
        let outermost = self.ways.len() - 1 - inner;
        let mut scalars = Vec::new();
        for (depth, Way { on, rest }) in self.ways.iter().enumerate().skip(outermost) {
            let goes_on = depth == outermost && what == Left::Iteration;
            scalars.extend(on.clone().filter(|_| !goes_on));
            scalars.extend(rest.clone());
        }
        scalars.into_iter().map(|scalar| self.tell(&scalar, Told::No, at)).collect()
    }

    /// `scalar = 1`, whatever the conditions around are: it has a value wherever it is asked for.
    fn begin(&mut self, scalar: &str, (place, around): (Place, &Around)) -> Result<Scheduled, ParseError> {
        let always = Around { guards: Vec::new(), ..around.clone() };
        self.tell(scalar, Told::Yes, (place, &always))
    }

    /// `runs[i] = scalar`: from here on, what comes runs if that is true.
    fn ask(&mut self, scalar: String, around: &mut Around, place: Place) -> Result<Scheduled, ParseError> {
        let truth = self.truth("runs");
        let asked = self.tell(&truth, Told::Copy(scalar), (place, around))?;
        around.guards.push((truth, around.loops.len(), HOLDS));
        Ok(asked)
    }

    /// A statement that writes a truth, or a copy of one, which each iteration around has for itself.
    fn tell(&mut self, to: &str, told: Told, (place, around): (Place, &Around)) -> Result<Scheduled, ParseError> {
        self.n_told += 1;
        let name = format!("W{}", self.n_told);
        let mut statement = self.statement(&name, place, around)?;
        let mut touch = |array: &str, kind: AccessKind, index: &str| {
            let relation = self.relation(&name, around, array, index, place)?;
            let new = access(&name, statement.accesses.len(), kind, relation);
            let id = new.id.clone();
            statement.accesses.push(new);
            Ok(id)
        };
        let index = if matches!(told, Told::Copy(_)) { around.loops.join(", ") } else { String::new() };
        let value = match told {
            Told::Yes => Expression::Integer(1),
            Told::No => Expression::Integer(0),
            Told::Copy(scalar) => Expression::Name(touch(&scalar, AccessKind::Read, "")?),
        };
        touch(to, AccessKind::MustWrite, &index)?;
        statement.compute = Some(value);
        Ok((Node::Leaf, vec![self.finished(statement)?]))
    }

    /// A new array of truth values.
    fn truth(&mut self, wish: &str) -> String {
        let name = self.names.new_like(wish);
        self.truths.insert(name.clone());
        name
    }
}
