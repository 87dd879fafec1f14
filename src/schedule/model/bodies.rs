//! Statements that are scheduled as one.
//!
//! `for i: for j { S0; S1; ...; S23; }` has so many statements that integer programs for rows of each would take long, and what they found would be
//! loops for each; so all of them get the rows of the first, their leader, and stay in one loop.

use super::problem::Problem;

impl Problem {
    /// The problem in which the statements of each of these bodies have the same rows, so far as their iterators are alike.
    pub fn keeping(mut self, bodies: &[Vec<usize>]) -> Problem {
        for body in bodies {
            for (at, s) in body.iter().enumerate() {
                let is_alike = |other: &&usize| {
                    let (this, other) = (&self.statements[*s], &self.statements[**other]);
                    this.n == other.n && this.free == other.free
                };
                let leader = body[..at].iter().find(is_alike).copied().unwrap_or(*s);
                self.leaders[*s] = leader;
            }
        }
        self
    }

    /// The problem in which the statements of each of these lists are known to share an innermost loop of the program.
    pub fn sharing(mut self, innermost: &[Vec<usize>]) -> Problem {
        for together in innermost {
            together.iter().for_each(|s| self.neighbours[*s] = together[0]);
        }
        self
    }

    /// Arrows both ways between statements that have the same rows: they stay in one component.
    pub fn bonds(&self) -> impl Iterator<Item = (usize, usize)> + '_ {
        let led = self.leaders.iter().enumerate().filter(|(s, leader)| s != *leader);
        led.flat_map(|(s, leader)| [(s, *leader), (*leader, s)])
    }
}
