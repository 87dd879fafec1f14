//! Quasi-polynomials in isl notation.
//!
//! `[n] -> { (1/2 * n + 1/2 * n^2) : n > 0 }`, `{ A[i] -> (1 + floor((i)/2)) : i >= 0 }`: the constant first, then the terms as isl orders
//! them, by degree of the earlier atoms. What is written is read by isl.

use super::print::{bare_braces, names, prefix, tuple_text, with_condition};
use crate::presburger::counting::polynomial::{Atom, Linear, Monomial, Polynomial};
use crate::presburger::counting::pw_qpolynomial::PwQPolynomial;
use crate::presburger::counting::union_qpolynomial::UnionPwQPolynomial;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::ratio::Ratio;
use std::fmt;

fn atom_text(atom: &Atom, names: &[String]) -> String {
    match atom {
        Atom::Var(v) => names[*v].clone(),
        Atom::Floor(floor) => format!("floor(({})/{})", linear_text(&floor.form, names), floor.denominator),
    }
}

fn linear_text(form: &Linear, names: &[String]) -> String {
    let constant = (Vec::new(), Ratio::integer(form.constant.clone()));
    let terms = form.terms.iter().map(|(atom, c)| (vec![(atom.clone(), 1)], Ratio::integer(c.clone())));
    sum_text([constant].into_iter().chain(terms).filter(|(_, c)| !c.is_zero()), names)
}

fn monomial_text(monomial: &Monomial, names: &[String]) -> String {
    let power = |(atom, exponent): &(Atom, u32)| match exponent {
        1 => atom_text(atom, names),
        e => format!("{}^{e}", atom_text(atom, names)),
    };
    monomial.iter().map(power).collect::<Vec<_>>().join(" * ")
}

/// Terms with signs between them.
fn sum_text(terms: impl Iterator<Item = (Monomial, Ratio)>, names: &[String]) -> String {
    let mut text = String::new();
    for (monomial, coefficient) in terms {
        let negative = coefficient.numerator().is_negative();
        let size = if negative { coefficient.neg() } else { coefficient };
        let sign = match (text.is_empty(), negative) {
            (true, false) => "",
            (true, true) => "-",
            (false, false) => " + ",
            (false, true) => " - ",
        };
        let product = match (monomial.is_empty(), size == Ratio::one()) {
            (true, _) => size.to_string(),
            (false, true) => monomial_text(&monomial, names),
            (false, false) => format!("{size} * {}", monomial_text(&monomial, names)),
        };
        text += &format!("{sign}{product}");
    }
    if text.is_empty() { "0".to_string() } else { text }
}

pub(crate) fn polynomial_text(value: &Polynomial, names: &[String]) -> String {
    let text = sum_text(value.terms.iter().map(|(monomial, c)| (monomial.clone(), c.clone())), names);
    if value.terms.len() > 1 { format!("({text})") } else { text }
}

fn disjuncts(function: &PwQPolynomial) -> Vec<String> {
    let names = names(function.domain_space());
    let domain = tuple_text(function.domain_space());
    let arrow = if domain.is_empty() { String::new() } else { format!("{domain} -> ") };
    let mut pieces: Vec<String> = function
        .pieces()
        .iter()
        .map(|(set, value)| with_condition(format!("{arrow}{}", polynomial_text(value, &names)), set))
        .collect();
    if pieces.is_empty() {
        pieces.push(format!("{arrow}{}", Int::zero()));
    }
    pieces
}

impl fmt::Display for PwQPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}{}", prefix(self.domain_space()), bare_braces(&disjuncts(self)))
    }
}

impl fmt::Display for UnionPwQPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut all: Vec<String> = self.parts().flat_map(disjuncts).collect();
        if all.is_empty() {
            all.push("0".to_string());
        }
        write!(f, "{}{}", prefix(self.params_space()), bare_braces(&all))
    }
}

impl fmt::Debug for PwQPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Debug for UnionPwQPolynomial {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}
