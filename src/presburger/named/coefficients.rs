//! The affine forms that are non-negative on a set: Farkas' lemma.
//!
//! On `[n] -> { S[i] : 0 <= i < n }` the form `c_cst + c_n n + c_i i` is non-negative exactly for the coefficients in
//! `{ coefficients[[c_cst, c_n] -> S[c_i]] : c_n >= 0 and c_cst + c_n >= 0 and c_n + c_i >= 0 }`: one row for each vertex `(n, i) = (1, 0)` and for
//! each ray `(1, 0)`, `(1, 1)` of the polyhedron. No multiplier is eliminated (see [`crate::presburger::algebra::generators`]), so there is no explosion.

use super::map::Map;
use super::set::Set;
use super::space::{DimKind, Id, Space, Tuple};
use crate::presburger::algebra::generators::Cone;
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::int::{Int, Number};

impl Set {
    /// The coefficients `(c_cst, c_params, c)` such that `c_cst + c_params . p + c . x >= 0` for each element `x`, over the rationals: integer
    /// points of that cone of rational coefficients. Locals count as rational dimensions. isl: `set_coefficients`.
    pub fn coefficients(&self) -> Set {
        let space = self.coefficient_space();
        let pieces = self.0.pieces.wide();
        let whole = Set(Map::universe(&space));
        pieces.iter().fold(whole, |all, piece| {
            let (lines, rays) = cone_of(piece).generators();
            let row = |generator: &Vec<Int>| {
                let visible = generator[..1 + piece.n_var].iter().cloned();
                [Int::zero()].into_iter().chain(visible).collect::<Vec<Int>>()
            };
            let rows = |all: &[Vec<Int>]| all.iter().map(row).collect::<Vec<_>>();
            Set(all.0.restrict(&rows(&lines), &rows(&rays)))
        })
    }

    /// `coefficients[[c_cst, c_n] -> S[..]]`, without parameters.
    fn coefficient_space(&self) -> Space {
        let constants =
            std::iter::once("c_cst".to_string()).chain(self.space().params().iter().map(|p| format!("c_{p}")));
        let first = Tuple::with_dim_names(None, constants.map(|name| Some(Id::new(&name))).collect());
        let own = self.space().tuple(DimKind::Out).cloned().unwrap_or_else(|| Tuple::anonymous(0));
        Space::set(&[], &Tuple::nested(Some(Id::new("coefficients")), &first, &own))
    }
}

/// The generators of a conjunction as a polyhedron in variables and locals.
fn cone_of(piece: &Conjunction<Int>) -> Cone {
    let rows =
        |rows: &crate::presburger::number::matrix::Matrix<Int>| rows.rows().map(<[Int]>::to_vec).collect::<Vec<_>>();
    let bounds = (0..piece.n_local()).filter(|&l| !piece.divs.row(l)[0].is_zero()).flat_map(|l| piece.div_bounds(l));
    let inequalities: Vec<Vec<Int>> = rows(&piece.ineq).into_iter().chain(bounds).collect();
    Cone::of(piece.width(), &rows(&piece.eq), &inequalities)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::{Expect, expect};

    fn check(set: &str, expected: Expect) {
        expected.assert_eq(&Set::parse(set).expect("a set").coefficients().to_string());
    }

    #[test]
    fn forms_are_valid_on_vertices_and_rays() {
        check(
            "[n] -> { S[i, j] : 0 <= i <= j < n }",
            expect![
                "{ coefficients[[c_cst, c_n] -> S[i, j]] : c_n >= -c_cst and j >= -c_n - i and j >= -c_n and c_n >= 0 }"
            ],
        );
        check(
            "{ [i] : 0 <= i <= 5 or i >= 100 }",
            expect!["{ coefficients[[c_cst] -> [i]] : 100i >= -c_cst and 5i >= -c_cst and c_cst >= 0 and i >= 0 }"],
        );
        check("[n] -> { A[i, j] : i = j + n }", expect!["{ coefficients[[c_cst, c_n] -> A[-c_n, c_n]] : c_cst >= 0 }"]);
    }
}
