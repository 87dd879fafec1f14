//! isl notation, written.
//!
//! The conjunction with equality `o0 - i - 1 = 0` and inequalities `i >= 0`, `-i + n - 1 >= 0` is written `[n] -> { S[i] -> A[i + 1] : 0 <= i < n }`: an
//! equality that gives a dimension by those before it is written in its place, a lower and an upper bound of one form make a
//! range, `i - 2 floor(i / 2)` is `(i) mod 2`, divs stand where they are used, and only locals without definition need `exists`. Pieces with the
//! same tuples are joined by `or`. What is written is read back by [`super::parse`] and by isl.

use crate::presburger::named::aff::Aff;
use crate::presburger::named::basic_map::{BasicMap, ConstraintKind};
use crate::presburger::named::map::Map;
use crate::presburger::named::multi::{MultiAff, PwMultiAff};
use crate::presburger::named::pw_aff::PwAff;
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{Id, Space, Tuple, Tuples};
use crate::presburger::named::union_aff::UnionPwAff;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::matrix::eliminate;

const KEYWORDS: [&str; 15] = [
    "and", "or", "not", "exists", "implies", "mod", "true", "false", "floor", "ceil", "floord", "ceild", "min", "max",
    "abs",
];

/// `[n, m] -> `, or nothing.
pub(crate) fn prefix(space: &Space) -> String {
    let names: Vec<&str> = space.params().iter().map(Id::as_str).collect();
    if names.is_empty() { String::new() } else { format!("[{}] -> ", names.join(", ")) }
}

/// A name for each dimension of the space, parameters first, all different: the one it has, made unique by primes, or `i0`, `o0`.
pub(crate) fn names(space: &Space) -> Vec<String> {
    let mut all: Vec<String> = space.params().iter().map(ToString::to_string).collect();
    for kind in [crate::presburger::DimKind::In, crate::presburger::DimKind::Out] {
        let letter = if kind == crate::presburger::DimKind::Out && space.is_map() { "o" } else { "i" };
        for d in 0..space.dim(kind) {
            let given = space.dim_name(kind, d).map(Id::as_str).filter(|name| !KEYWORDS.contains(name));
            let mut name = given.map_or_else(|| format!("{letter}{d}"), ToString::to_string);
            while all.contains(&name) {
                name.push('\'');
            }
            all.push(name);
        }
    }
    all
}

/// The tuple with a text for each dimension, taken from the front of `texts`.
fn tuple(tuple: &Tuple, texts: &mut impl Iterator<Item = String>) -> String {
    let name = tuple.name().map_or("", Id::as_str);
    match tuple.pair() {
        Some((first, second)) => {
            let first = self::tuple(first, texts);
            format!("{name}[{first} -> {}]", self::tuple(second, texts))
        }
        None => format!("{name}[{}]", texts.take(tuple.n_dim()).collect::<Vec<_>>().join(", ")),
    }
}

pub(super) fn tuples(space: &Space, texts: &[String]) -> String {
    let mut texts = texts.iter().cloned();
    match space.tuples() {
        Tuples::Params => String::new(),
        Tuples::Set(one) => tuple(one, &mut texts),
        Tuples::Map(domain, range) => {
            let domain = tuple(domain, &mut texts);
            format!("{domain} -> {}", tuple(range, &mut texts))
        }
    }
}

/// `S[i, j]`, with its dimensions' names; empty for parameters alone.
pub(crate) fn tuple_text(space: &Space) -> String {
    tuples(space, &names(space)[space.params().len()..])
}

/// What each column after the constant is called; divs by their definitions.
struct Columns {
    names: Vec<String>,
    /// Rows `(d | n)` of the locals that have definitions, and the column of each.
    divs: Vec<(usize, Vec<Int>)>,
}

impl Columns {
    /// `1` and terms for each column after `[constant | ...]`, with remainders where that is shorter.
    fn form(&self, row: &[Int]) -> String {
        let mut row = row.to_vec();
        let mut terms = Vec::new();
        for (column, div) in self.divs.iter().rev() {
            let Some((rest, factor)) = self.as_remainder(&row, *column, div) else { continue };
            terms.push((factor, format!("(({}) mod {})", self.form(&div[1..]), div[0])));
            row = rest;
        }
        let plain = (1..row.len()).filter(|&c| !row[c].is_zero()).map(|c| (row[c].clone(), self.names[c - 1].clone()));
        let mut terms: Vec<(Int, String)> = plain.chain(terms.into_iter().rev()).collect();
        if terms.len() == 1 && row[0].is_zero() && terms[0].0.is_one() {
            let text = terms.remove(0).1;
            return text
                .strip_prefix('(')
                .and_then(|t| t.strip_suffix(')'))
                .filter(|t| t.contains(" mod "))
                .unwrap_or(&text)
                .to_string();
        }
        let mut text = String::new();
        for (factor, name) in terms {
            let times = if name.starts_with('(') || name.contains('(') { "*" } else { "" };
            let size = factor.abs();
            let factor_text = if size.is_one() { String::new() } else { format!("{size}{times}") };
            let sign = match (text.is_empty(), factor.is_negative()) {
                (true, false) => "",
                (true, true) => "-",
                (false, false) => " + ",
                (false, true) => " - ",
            };
            text += &format!("{sign}{factor_text}{name}");
        }
        match (text.is_empty(), row[0].sign()) {
            (true, _) => row[0].to_string(),
            (false, 0) => text,
            (false, 1) => format!("{text} + {}", row[0]),
            (false, _) => format!("{text} - {}", row[0].abs()),
        }
    }

    /// `row = factor * (n mod d) + rest`, if `rest` has fewer terms than the row without the div.
    fn as_remainder(&self, row: &[Int], column: usize, div: &[Int]) -> Option<(Vec<Int>, Int)> {
        if row[column].is_zero() || !row[column].is_divisible_by(&div[0]) {
            return None;
        }
        let factor = row[column].div_exact(&div[0]).neg();
        let mut rest = row.to_vec();
        rest[column] = Int::zero();
        let before = rest[1..].iter().filter(|x| !x.is_zero()).count();
        for (x, n) in rest.iter_mut().zip(&div[1..]) {
            *x = x.sub(&n.mul(&factor));
        }
        let after = rest[1..].iter().filter(|x| !x.is_zero()).count();
        (after < before).then_some((rest, factor))
    }

    /// Makes the names of the divs among the columns from `first`, and of the other locals.
    fn name_locals(mut names: Vec<String>, divs: &[Option<Vec<Int>>]) -> (Columns, Vec<String>) {
        let mut unknown = Vec::new();
        let mut fresh = 0;
        for div in divs {
            let name = match div {
                Some(_) => String::new(),
                None => loop {
                    let name = format!("e{fresh}");
                    fresh += 1;
                    if !names.contains(&name) {
                        unknown.push(name.clone());
                        break name;
                    }
                },
            };
            names.push(name);
        }
        let first = names.len() - divs.len() + 1;
        let mut columns = Columns { names, divs: Vec::new() };
        for (l, div) in divs.iter().enumerate() {
            if let Some(div) = div {
                let name = format!("floor(({})/{})", columns.form(&div[1..]), div[0]);
                columns.names[first + l - 1] = name;
                columns.divs.push((first + l, div.clone()));
            }
        }
        (columns, unknown)
    }
}

/// The text of one conjunction: its tuples, and its condition unless there is none.
struct Written {
    tuples: String,
    condition: String,
}

/// Solves equalities for dimensions with coefficient 1 or -1 by columns before them, last dimension first: `solved[d]` is the row of
/// dimension `d` (counted after the parameters), with coefficient -1 there.
fn solve(
    eq: &mut Vec<Vec<Int>>,
    ineq: &mut [Vec<Int>],
    n_param: usize,
    n_var: usize,
    local_reach: &[usize],
) -> Vec<Option<Vec<Int>>> {
    let mut solved: Vec<Option<Vec<Int>>> = vec![None; n_var - n_param];
    for v in (n_param..n_var).rev() {
        let column = 1 + v;
        let suits = |row: &Vec<Int>| {
            row[column].abs().is_one()
                && row[column + 1..=n_var].iter().all(Number::is_zero)
                && row[1 + n_var..].iter().zip(local_reach).all(|(x, reach)| x.is_zero() || *reach < column)
        };
        let Some(r) = eq.iter().position(suits) else { continue };
        let mut row = eq.remove(r);
        if row[column].is_positive() {
            row.iter_mut().for_each(|x| *x = x.neg());
        }
        for other in eq.iter_mut().chain(ineq.iter_mut()).chain(solved.iter_mut().flatten()) {
            eliminate(other, &row, column);
        }
        solved[v - n_param] = Some(row);
    }
    solved
}

/// The tuples and condition of a conjunction in a space.
fn write(space: &Space, basic: &BasicMap) -> Written {
    let (n_param, n_var) = (space.params().len(), space.n_dim());
    let divs: Vec<Option<Vec<Int>>> = basic
        .locals()
        .into_iter()
        .map(|local| local.map(|div| [vec![div.denominator, div.constant], div.coefficients].concat()))
        .collect();
    let (columns, unknown) = Columns::name_locals(names(space), &divs);
    let (mut eq, mut ineq) = (Vec::new(), Vec::new());
    for constraint in basic.constraints() {
        let row = [vec![constraint.constant], constraint.coefficients].concat();
        if constraint.kind == ConstraintKind::Equality { eq.push(row) } else { ineq.push(row) }
    }
    let reach = |div: &Option<Vec<Int>>| {
        div.as_ref().map_or(usize::MAX, |div| {
            let last = div[1..=1 + n_var].iter().rposition(|x| !x.is_zero()).unwrap_or(0);
            let nested = div[2 + n_var..].iter().any(|x| !x.is_zero());
            if nested { n_var + 1 } else { last }
        })
    };
    let local_reach: Vec<usize> = divs.iter().map(reach).collect();
    let solved = solve(&mut eq, &mut ineq, n_param, n_var, &local_reach);
    let used = |column: usize| {
        let rows = eq.iter().chain(&ineq).chain(solved.iter().flatten());
        rows.clone()
            .filter(|row| !row[column].is_zero())
            .any(|row| row[column] != Int::from(-1) || !solved.iter().flatten().any(|s| s == row))
            || divs.iter().flatten().any(|div| !div[1 + column].is_zero())
    };
    let texts: Vec<String> = (n_param..n_var)
        .map(|v| match &solved[v - n_param] {
            None => columns.names[v].clone(),
            Some(row) => {
                let mut value = row.clone();
                value[1 + v] = Int::zero();
                let value = columns.form(&value);
                if used(1 + v) { format!("{} = {value}", columns.names[v]) } else { value }
            }
        })
        .collect();
    let unknown_column = |c: usize| c > n_var && divs[c - 1 - n_var].is_none();
    let hidden = |row: &Vec<Int>| (1..row.len()).any(|c| !row[c].is_zero() && unknown_column(c));
    let (hidden_eq, open_eq): (Vec<_>, Vec<_>) = eq.into_iter().partition(hidden);
    let (hidden_ineq, open_ineq): (Vec<_>, Vec<_>) = ineq.into_iter().partition(hidden);
    let mut parts = conditions(&columns, &open_eq, &open_ineq);
    let inner = conditions(&columns, &hidden_eq, &hidden_ineq);
    if !inner.is_empty() {
        parts.push(format!("exists ({}: {})", unknown.join(", "), inner.join(" and ")));
    }
    Written { tuples: tuples(space, &texts), condition: parts.join(" and ") }
}

/// Each equality and inequality as text, in order; bounds of one form joined.
fn conditions(columns: &Columns, eq: &[Vec<Int>], ineq: &[Vec<Int>]) -> Vec<String> {
    let mut parts: Vec<String> = eq.iter().map(|row| equality(columns, row)).collect();
    let mut done = vec![false; ineq.len()];
    for r in 0..ineq.len() {
        if done[r] {
            continue;
        }
        let row = &ineq[r];
        let Some(v) = subject(columns, row) else {
            parts.push(format!("{} >= 0", columns.form(row)));
            continue;
        };
        let opposite = (r + 1..ineq.len())
            .find(|&k| !done[k] && subject(columns, &ineq[k]) == Some(v) && ineq[k][v] == row[v].neg());
        match opposite {
            None => parts.push(bound(columns, row, v)),
            Some(k) => {
                done[k] = true;
                let (lower, upper) = if row[v].is_positive() { (row, &ineq[k]) } else { (&ineq[k], row) };
                parts.push(range(columns, lower, upper, v));
            }
        }
    }
    parts
}

/// The last variable of a row, that it is written as a bound on: no div, if possible.
fn subject(columns: &Columns, row: &[Int]) -> Option<usize> {
    let is_div = |c: usize| columns.divs.iter().any(|(column, _)| *column == c);
    let all = (1..row.len()).rev().filter(|&c| !row[c].is_zero());
    all.clone().find(|&c| !is_div(c)).or_else(|| all.clone().next())
}

fn term(columns: &Columns, factor: &Int, v: usize) -> String {
    let mut row = vec![Int::zero(); 1 + columns.names.len()];
    row[v] = factor.abs();
    columns.form(&row)
}

/// The row without column `v`, with the sign that makes `|c| v` stand alone on the other side of `>=` or `<=`.
fn other_side(row: &[Int], v: usize) -> Vec<Int> {
    let mut rest = row.to_vec();
    let lower = rest[v].is_positive();
    rest[v] = Int::zero();
    if lower {
        rest.iter_mut().for_each(|x| *x = x.neg());
    }
    rest
}

/// `a` in `a < term` where `rest <= term` with a constant of 1, and the sign.
fn lower_text(columns: &Columns, mut rest: Vec<Int>) -> (String, &'static str) {
    if rest[0].is_one() {
        rest[0] = Int::zero();
        return (columns.form(&rest), "<");
    }
    (columns.form(&rest), "<=")
}

fn upper_text(columns: &Columns, mut rest: Vec<Int>) -> (String, &'static str) {
    if rest[0] == Int::from(-1) {
        rest[0] = Int::zero();
        return (columns.form(&rest), "<");
    }
    (columns.form(&rest), "<=")
}

fn bound(columns: &Columns, row: &[Int], v: usize) -> String {
    let rest = other_side(row, v);
    let term = term(columns, &row[v], v);
    if row[v].is_positive() {
        let (text, sign) = lower_text(columns, rest);
        format!("{term} {} {text}", if sign == "<" { ">" } else { ">=" })
    } else {
        let (text, sign) = upper_text(columns, rest);
        format!("{term} {sign} {text}")
    }
}

fn range(columns: &Columns, lower: &[Int], upper: &[Int], v: usize) -> String {
    let (low, below) = lower_text(columns, other_side(lower, v));
    let (high, above) = upper_text(columns, other_side(upper, v));
    format!("{low} {below} {} {above} {high}", term(columns, &lower[v], v))
}

/// `form = 0` with the last variable alone on the left, or a remainder there.
fn equality(columns: &Columns, row: &[Int]) -> String {
    for (column, div) in columns.divs.iter().rev() {
        if let Some((rest, factor)) = columns.as_remainder(row, *column, div)
            && rest[1..].iter().all(Number::is_zero)
            && rest[0].is_divisible_by(&factor)
        {
            let value = rest[0].div_exact(&factor).neg();
            return format!("({}) mod {} = {value}", columns.form(&div[1..]), div[0]);
        }
    }
    let Some(v) = subject(columns, row) else { return format!("{} = 0", columns.form(row)) };
    format!("{} = {}", term(columns, &row[v], v), columns.form(&other_side(row, v)))
}

/// The disjuncts of a relation, pieces with equal tuples joined by `or`.
pub(super) fn disjuncts(map: &Map) -> Vec<String> {
    let mut groups: Vec<(String, Vec<String>)> = Vec::new();
    for piece in map.basics() {
        let written = write(map.space(), &piece);
        match groups.iter_mut().find(|(tuples, _)| *tuples == written.tuples) {
            Some((_, conditions)) => conditions.push(written.condition),
            None => groups.push((written.tuples, vec![written.condition])),
        }
    }
    let text = |(tuples, conditions): (String, Vec<String>)| {
        let always = conditions.iter().any(String::is_empty);
        match (tuples.is_empty(), always) {
            (true, true) => ":".to_string(),
            (true, false) => format!(": {}", conditions.join(" or ")),
            (false, true) => tuples,
            (false, false) => format!("{tuples} : {}", conditions.join(" or ")),
        }
    };
    groups.into_iter().map(text).collect()
}

/// The disjuncts, or `tuples : false`.
pub(super) fn disjuncts_or_false(map: &Map) -> Vec<String> {
    let all = disjuncts(map);
    if !all.is_empty() {
        return all;
    }
    let names = names(map.space());
    let tuples = tuples(map.space(), &names[map.space().params().len()..]);
    vec![format!("{tuples}{}: false", if tuples.is_empty() { "" } else { " " })]
}

pub(super) fn braces(params: &Space, disjuncts: &[String]) -> String {
    format!("{}{}", prefix(params), bare_braces(disjuncts))
}

pub(crate) fn bare_braces(disjuncts: &[String]) -> String {
    if disjuncts.is_empty() { "{ }".to_string() } else { format!("{{ {} }}", disjuncts.join("; ")) }
}

/// `(form)`, or `(form)/d`.
pub(crate) fn expression(aff: &Aff) -> String {
    let divs: Vec<Option<Vec<Int>>> = aff.div_rows().rows().map(|row| Some(row.to_vec())).collect();
    let (columns, _) = Columns::name_locals(names(aff.domain_space()), &divs);
    let form = columns.form(aff.numerator());
    if aff.denominator().is_one() { format!("({form})") } else { format!("({form})/{}", aff.denominator()) }
}

/// `S[i] -> A[(i), (0)]`: the tuples of a function with texts for the members.
pub(super) fn function_tuples(space: &Space, members: &[String]) -> String {
    let names = names(&space.domain());
    let domain = names[space.params().len()..].iter().cloned();
    tuples(space, &domain.chain(members.iter().cloned()).collect::<Vec<_>>())
}

/// The condition of a set in words; `None` if it always holds.
fn condition(set: &Set) -> Option<String> {
    let space = set.space();
    let words = |piece: &BasicMap| {
        let written = write_plainly(space, piece);
        (!written.is_empty()).then_some(written)
    };
    let all: Option<Vec<String>> = set.0.basics().iter().map(words).collect();
    all.map(|all| if all.is_empty() { "false".to_string() } else { all.join(" or ") })
}

/// The condition of a conjunction, with all equalities in it.
fn write_plainly(space: &Space, basic: &BasicMap) -> String {
    let flat = Space::params_only(&names(space).iter().map(Id::from).collect::<Vec<_>>());
    let as_params = BasicMap(Map::new(&flat, basic.0.pieces.clone()));
    write(&flat, &as_params).condition
}

pub(crate) fn with_condition(text: String, set: &Set) -> String {
    match condition(set) {
        None => text,
        Some(condition) => format!("{text} : {condition}"),
    }
}

pub(super) fn function_disjuncts(function: &PwMultiAff) -> Vec<String> {
    let one = |(set, tuple): &(Set, MultiAff)| {
        let members: Vec<String> = tuple.affs().iter().map(expression).collect();
        with_condition(function_tuples(function.space(), &members), set)
    };
    function.pieces().iter().map(one).collect()
}

/// `((i) : i >= 0; (0) : i < 0)`, or `(i)` for one piece without condition.
pub(super) fn piecewise(aff: &PwAff) -> String {
    if let Some(aff) = aff.as_aff() {
        return expression(&aff);
    }
    let pieces = aff.pieces().iter().map(|(set, aff)| with_condition(expression(aff), set));
    let text = pieces.collect::<Vec<_>>().join("; ");
    if text.is_empty() { "((0) : false)".to_string() } else { format!("({text})") }
}

pub(super) fn expression_disjuncts(aff: &UnionPwAff) -> Vec<String> {
    aff.pw_affs().flat_map(|aff| function_disjuncts(&aff.to_pw_multi_aff())).collect()
}
