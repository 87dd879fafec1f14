//! Parametric integer programming: the lexicographically smallest or greatest outputs as a function of the inputs.
//!
//! For `{ [n] -> [y] : 2 y >= n, y <= 10 }` the minimum is `y = floor((n + 1) / 2)` where `n <= 20`, and for greater `n` there is none. The answer
//! is a list of disjoint pieces, each with a domain, integer divisions of the inputs, and one affine form per output; it is exact over the
//! integers, whatever existentials the constraints have. Feautrier, "Parametric integer programming" (1988): the tableau
//! ([`super::lex_tableau`]) is solved with signs that a context of the inputs ([`super::context`]) decides; where the sign of a row depends on
//! the inputs, the context is split in two and both are solved.
//!
//! Where the outputs have no smallest value because they can decrease for ever, no piece is given, and the part of the domain is listed apart:
//! whoever asks for the minimum of all is told so ([`Unbounded`]).

use super::context::{Context, Sign};
use super::lex_tableau::{LexTableau, Value};
use super::project;
use super::sample::is_empty;
use super::unknowns::Sense;
use super::unknowns::Unknowns;
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::budget::spend_rows;
use crate::presburger::number::int::Number;
use crate::presburger::number::matrix::Matrix;
use crate::presburger::number::matrix::negate;

/// That there is no optimum: for some inputs there are solutions, and always better ones. isl: "unbounded optimum".
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Unbounded {
    pub(crate) sense: Sense,
}

impl std::fmt::Display for Unbounded {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(match self.sense {
            Sense::Minimum => "unbounded optimum: there is no smallest element",
            Sense::Maximum => "unbounded optimum: there is no greatest element",
        })
    }
}

impl std::error::Error for Unbounded {}

/// The outputs as affine forms on a part of the inputs.
#[derive(Clone, Debug)]
pub(crate) struct Piece<T> {
    /// Over the inputs; all its locals are divs; has a point.
    pub domain: Conjunction<T>,
    /// The divs of `values`, as rows `(d | n)` of width `2 + inputs + divs`.
    pub divs: Matrix<T>,
    /// One row `[1 | inputs | divs]` per output.
    pub values: Matrix<T>,
}

/// Disjoint pieces, and the disjoint parts of the domain where there is no solution at all (`empty`) or no smallest one (`unbounded`).
#[derive(Clone, Debug)]
pub(crate) struct Optimum<T> {
    pub pieces: Vec<Piece<T>>,
    pub empty: Vec<Conjunction<T>>,
    pub unbounded: Vec<Conjunction<T>>,
}

impl<T> Optimum<T> {
    /// The optimum, if there is one wherever there is a solution.
    pub fn bounded(self, sense: Sense) -> Result<Self, Unbounded> {
        if self.unbounded.is_empty() { Ok(self) } else { Err(Unbounded { sense }) }
    }
}

/// The lexicographic optimum of the last `n_out` variables of `conj` as a function of the others, for the values of these in `domain`.
pub(crate) fn lexopt<T: Number>(
    conj: &Conjunction<T>,
    domain: &Conjunction<T>,
    n_out: usize,
    sense: Sense,
) -> Optimum<T> {
    run(conj, domain, n_out, sense, Rest::Wanted)
}

/// As [`lexopt`], without the parts that have no solution.
pub(crate) fn lexopt_pieces<T: Number>(
    conj: &Conjunction<T>,
    domain: &Conjunction<T>,
    n_out: usize,
    sense: Sense,
) -> Optimum<T> {
    run(conj, domain, n_out, sense, Rest::LeftOut)
}

/// The parts of `domain` for which `conj` has a solution in its last `n_out` variables and its locals: disjoint, all locals divs.
pub(crate) fn solvable<T: Number>(conj: &Conjunction<T>, domain: &Conjunction<T>, n_out: usize) -> Vec<Conjunction<T>> {
    let n_in = conj.n_var - n_out;
    lexopt_pieces(&conj.project_to_locals(n_in, n_out), domain, 0, Sense::Minimum)
        .pieces
        .into_iter()
        .map(|piece| piece.domain)
        .collect()
}

impl<T: Number> Piece<T> {
    /// All points over the inputs and `n_out` more variables, with the divs of the values as locals.
    pub fn with_divs(&self, n_out: usize) -> Conjunction<T> {
        let mut result = Conjunction::universe(self.domain.n_var);
        for div in self.divs.rows() {
            let width = result.width();
            result.add_div(&div[..=width]);
        }
        result.insert_variables(self.domain.n_var, n_out)
    }

    /// The pairs of inputs and outputs.
    pub fn graph(&self) -> Conjunction<T> {
        let (n_in, n_out) = (self.domain.n_var, self.values.len());
        let mut graph = self.with_divs(n_out);
        for (i, value) in self.values.rows().enumerate() {
            let mut row = vec![T::zero(); graph.width()];
            row[..=n_in].clone_from_slice(&value[..=n_in]);
            row[1 + n_in + n_out..].clone_from_slice(&value[1 + n_in..]);
            row[1 + n_in + i] = T::one().neg();
            graph.add_eq(&row);
        }
        self.domain.insert_variables(n_in, n_out).conjoin(&graph).simplified()
    }
}

/// Whether the parts of the domain that have no solution are an answer too.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Rest {
    Wanted,
    LeftOut,
}

fn run<T: Number>(
    conj: &Conjunction<T>,
    domain: &Conjunction<T>,
    n_out: usize,
    sense: Sense,
    rest: Rest,
) -> Optimum<T> {
    assert_eq!(conj.n_var, domain.n_var + n_out, "the domain is over the inputs");
    let mut result = Optimum { pieces: Vec::new(), empty: Vec::new(), unbounded: Vec::new() };
    let conj = &conj.clone().simplified();
    let domains =
        if project::has_unknown_locals(domain) { project::compute_divs(domain) } else { vec![domain.clone()] };
    for domain in &domains {
        if conj.known_empty {
            if rest == Rest::Wanted && !is_empty(domain) {
                result.empty.push(domain.clone());
            }
        } else if let Some(context) = Context::new(domain) {
            Search { conj, n_out, sense, rest, result: &mut result }.start(context);
        }
    }
    result
}

struct Search<'a, T> {
    conj: &'a Conjunction<T>,
    n_out: usize,
    sense: Sense,
    rest: Rest,
    result: &'a mut Optimum<T>,
}

/// The outputs over the unknowns of the tableau, of which the first `n_leading` lead an output.
struct Outputs<T> {
    rows: Matrix<T>,
    n_unknown: usize,
    n_leading: usize,
}

enum Step {
    Continue,
    Done,
    Split(usize),
}

impl<T: Number> Search<'_, T> {
    fn start(&mut self, mut context: Context<T>) {
        let mut unknowns = Unknowns::new(self.conj, self.n_out, self.sense, &mut context);
        let equalities = unknowns.solve_equalities(&mut context);
        unknowns.order();
        let width = context.width();
        let (constraints, inequalities) = unknowns.split_ineq(width);
        let possible = equalities.iter().all(|row| self.require_zero(&mut context, row))
            && inequalities.iter().all(|row| self.require(&mut context, row));
        if !possible {
            return;
        }
        let outputs =
            Outputs { rows: unknowns.outputs(width), n_unknown: unknowns.order.len(), n_leading: unknowns.n_leading };
        let tableau = LexTableau::new(outputs.n_unknown, &constraints);
        let mut open = vec![(context, tableau)];
        while let Some((mut context, mut tableau)) = open.pop() {
            loop {
                match self.step(&mut context, &mut tableau, &outputs) {
                    Step::Continue => {}
                    Step::Done => break,
                    Step::Split(r) => {
                        let row = tableau.parametric_part(r).to_vec();
                        let mut opposite = row.clone();
                        negate(&mut opposite);
                        let (mut other_context, mut other_tableau) = (context.copy(), tableau.copy());
                        other_context.add(&opposite);
                        other_tableau.forget_mixed();
                        other_tableau.set_sign(r, Sign::Negative);
                        open.push((other_context, other_tableau));
                        context.add(&row);
                        tableau.forget_mixed();
                        tableau.set_sign(r, Sign::NonNegative);
                    }
                }
            }
        }
    }

    fn step(&mut self, context: &mut Context<T>, tableau: &mut LexTableau<T>, outputs: &Outputs<T>) -> Step {
        if let Some(r) = tableau.negative_row(&mut |row| context.sign(row)) {
            if tableau.raise(r) {
                return Step::Continue;
            }
            self.record_empty(context.conjunction().clone());
            return Step::Done;
        }
        let stuck = tableau.mixed_rows().find(|&r| tableau.is_at_maximum(r));
        if let Some(r) = stuck {
            let row = tableau.parametric_part(r).to_vec();
            assert!(self.require(context, &row), "law: a mixed row is non-negative somewhere");
            tableau.forget_mixed();
            tableau.set_sign(r, Sign::NonNegative);
            return Step::Continue;
        }
        if let Some(r) = tableau.mixed_rows().next() {
            return Step::Split(r);
        }
        if (0..outputs.n_leading).any(|u| matches!(tableau.value(u), Value::Unbounded)) {
            self.record_unbounded(context.conjunction());
            return Step::Done;
        }
        if let Some(u) = tableau.fractional_unknown() {
            return match tableau.cut(u, context) {
                Some(row) if !self.require(context, &row) => Step::Done,
                _ => Step::Continue,
            };
        }
        self.record_piece(context, tableau, outputs);
        Step::Done
    }

    /// Adds `row . p >= 0`; the rest of the context has no solution. `false` if nothing is left.
    fn require(&mut self, context: &mut Context<T>, row: &[T]) -> bool {
        match context.sign(row) {
            Sign::NonNegative => true,
            Sign::Negative => {
                self.record_empty(context.conjunction().clone());
                false
            }
            Sign::Mixed => {
                if self.rest == Rest::Wanted {
                    let mut opposite = row.to_vec();
                    negate(&mut opposite);
                    let mut rest = context.conjunction().clone();
                    rest.add_ineq(&opposite);
                    self.record_empty(rest);
                }
                context.add(row);
                true
            }
        }
    }

    /// Adds `row . p = 0`; the rest of the context has no solution. `false` if nothing is left.
    fn require_zero(&mut self, context: &mut Context<T>, row: &[T]) -> bool {
        let negated: Vec<T> = row.iter().map(Number::neg).collect();
        self.require(context, row) && self.require(context, &negated)
    }

    fn record_empty(&mut self, part: Conjunction<T>) {
        if self.rest == Rest::Wanted {
            self.result.empty.push(part.simplified());
        }
    }

    /// In this part the relaxation of the constraints decreases for ever: there is no minimum where there is a solution.
    fn record_unbounded(&mut self, part: &Conjunction<T>) {
        let solutions = self.conj.project_to_locals(part.n_var, self.n_out);
        let feasible = run(&solutions, part, 0, Sense::Minimum, self.rest);
        self.result.unbounded.extend(feasible.pieces.into_iter().map(|piece| piece.domain));
        self.result.empty.extend(feasible.empty);
    }

    fn record_piece(&mut self, context: &Context<T>, tableau: &LexTableau<T>, outputs: &Outputs<T>) {
        let width = context.width();
        let k = outputs.n_unknown;
        let mut values = Matrix::with_capacity(self.n_out, width);
        for output in outputs.rows.rows() {
            let value = values.push_zero();
            value[..output.len() - k].clone_from_slice(&output[k..]);
            for (u, factor) in output[..outputs.n_leading].iter().enumerate().filter(|(_, x)| !x.is_zero()) {
                let Value::Affine { denominator, row } = tableau.value(u) else {
                    panic!("law: the outputs are bounded")
                };
                spend_rows(1, row.len());
                for (x, y) in value.iter_mut().zip(row) {
                    x.add_mul(&y.div_exact(denominator), factor);
                }
            }
            if self.sense == Sense::Maximum {
                value.iter_mut().for_each(|x| *x = x.neg());
            }
        }
        let domain = context.conjunction().clone();
        let divs = domain.divs.clone();
        let domain = domain.simplified();
        self.result.pieces.push(Piece { domain, divs, values });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::number::int::{Int, unless_overflow};
    use crate::presburger::tests::brute;
    use crate::property::property;

    /// Compares with enumeration: inputs in the box `brute::BOX`, outputs and locals bounded by the constraints or seen in a wider box.
    fn check(conj: &Conjunction<i64>, domain: &Conjunction<i64>, n_out: usize, sense: Sense) {
        let Some(optimum) = unless_overflow(|| lexopt(conj, domain, n_out, sense)) else {
            return;
        };
        for x in brute::points(domain.n_var, brute::BOX) {
            let holding = |c: &Conjunction<i64>| c.contains(&brute::ints(&x)) == Some(true);
            let hits: Vec<&Piece<i64>> = optimum.pieces.iter().filter(|p| holding(&p.domain)).collect();
            let empties = optimum.empty.iter().filter(|c| holding(c)).count();
            let unbounded = optimum.unbounded.iter().filter(|c| holding(c)).count();
            let inside = brute::contains(domain, &x);
            assert_eq!(
                hits.len() + empties + unbounded,
                inside as usize,
                "{x:?} in {conj:?} on {domain:?}: {optimum:?}"
            );
            if !inside {
                continue;
            }
            let expected = brute::optimum(conj, &x, n_out, sense == Sense::Maximum);
            match (hits.first(), expected) {
                (Some(piece), Some(y)) => {
                    assert_eq!(brute::values(&piece.divs, &piece.values, &x), y, "{x:?} in {conj:?}: {piece:?}");
                    let mut both = x.clone();
                    both.extend(&y);
                    assert!(brute::contains(&piece.graph(), &both));
                }
                (None, None) => assert_eq!(empties, 1, "{x:?} in {conj:?}"),
                (None, Some(_)) => assert_eq!(unbounded, 1, "{x:?} has a solution in {conj:?}"),
                (Some(piece), None) => panic!("{x:?} has no solution in {conj:?}: {piece:?}"),
            }
        }
    }

    #[test]
    fn a_half_rounded_up() {
        let mut conj = Conjunction::<i64>::universe(2);
        conj.add_ineq(&[0, -1, 2]);
        conj.add_ineq(&[10, 0, -1]);
        let optimum = lexopt(&conj, &Conjunction::universe(1), 1, Sense::Minimum);
        assert_eq!((optimum.pieces.len(), optimum.empty.len()), (1, 1));
        check(&conj, &Conjunction::universe(1), 1, Sense::Minimum);
        let greatest = lexopt(&conj, &Conjunction::universe(1), 1, Sense::Maximum);
        assert_eq!(greatest.pieces[0].values.row(0), [10, 0]);
    }

    #[test]
    fn no_smallest_output_is_unbounded_not_empty() {
        let mut conj = Conjunction::<i64>::universe(2);
        conj.add_ineq(&[0, 1, -1]);
        let optimum = lexopt(&conj, &Conjunction::universe(1), 1, Sense::Minimum);
        assert!(optimum.pieces.is_empty() && optimum.empty.is_empty() && optimum.unbounded.len() == 1);
    }

    #[test]
    fn equalities_are_solved_over_the_integers() {
        let mut conj = Conjunction::<i64>::universe(3);
        conj.add_eq(&[0, -1, 3, 5]);
        conj.add_ineq(&[0, 0, 1, 0]);
        conj.add_ineq(&[0, 0, 0, 1]);
        check(&conj, &Conjunction::universe(1), 2, Sense::Minimum);
        check(&conj, &Conjunction::universe(1), 2, Sense::Maximum);
    }

    #[test]
    fn optima_agree_with_enumeration() {
        property(300, |u| {
            let n_in = u.int_in_range(0..=2)?;
            let n_out = u.int_in_range(0..=2)?;
            let mut conj = brute::conjunction(u, n_in + n_out, 2, 3)?;
            brute::bound_all(&mut conj, n_in);
            let domain = brute::conjunction(u, n_in, 1, 1)?;
            let domain = brute::bounded(&domain);
            check(&conj, &domain, n_out, Sense::Minimum);
            check(&conj, &domain, n_out, Sense::Maximum);
            Ok(())
        });
    }

    #[test]
    fn wide_numbers_give_the_same_answers() {
        property(300, |u| {
            let mut conj = brute::conjunction(u, 3, 1, 3)?;
            brute::bound_all(&mut conj, 1);
            let narrow = lexopt(&conj, &Conjunction::universe(1), 2, Sense::Minimum);
            let wide = lexopt::<Int>(&conj.convert(), &Conjunction::universe(1), 2, Sense::Minimum);
            assert_eq!(format!("{:?}", narrow.pieces), format!("{:?}", wide.pieces));
            Ok(())
        });
    }
}
