//! Bounds of quasi-polynomials as isl prints them: `{ [n] -> max(n, 1/4 * n^2) : n >= 0 }`.

use super::print::{bare_braces, names, prefix, tuple_text, with_condition};
use super::print_polynomial::polynomial_text;
use crate::presburger::counting::fold::{PwQPolynomialFold, UnionPwQPolynomialFold};
use crate::presburger::counting::polynomial::Polynomial;
use crate::presburger::named::set::Set;
use std::fmt;

fn disjuncts(fold: &PwQPolynomialFold) -> Vec<String> {
    let names = names(fold.domain_space());
    let domain = tuple_text(fold.domain_space());
    let arrow = if domain.is_empty() { String::new() } else { format!("{domain} -> ") };
    let word = if fold.is_greatest() { "max" } else { "min" };
    let text = |values: &Option<Vec<Polynomial>>| match values {
        None => format!("{}infty", if fold.is_greatest() { "" } else { "-" }),
        Some(values) => values.iter().map(|value| polynomial_text(value, &names)).collect::<Vec<_>>().join(", "),
    };
    let one = |(set, values): &(Set, _)| with_condition(format!("{arrow}{word}({})", text(values)), set);
    fold.pieces.iter().map(one).collect()
}

impl fmt::Display for PwQPolynomialFold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", prefix(self.domain_space()), bare_braces(&disjuncts(self)))
    }
}

impl fmt::Display for UnionPwQPolynomialFold {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let all: Vec<String> = self.parts().flat_map(disjuncts).collect();
        write!(f, "{}{}", prefix(self.params_space()), bare_braces(&all))
    }
}
