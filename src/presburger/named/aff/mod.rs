//! Quasi-affine expressions: affine forms with integer divisions, over a constant denominator.
//!
//! `[n] -> { S[i] -> [(n + 3 * floor(i / 2))] }` is defined on the whole space `S[i]` and is a sum over the columns
//! `[1 | parameters | dimensions | divs]`; here the only div is `floor(i / 2)`. Values are rational: `i / 2` is an expression whose value at 3
//! is three halves, and its `floor` is another. Over the space of parameters alone it is an expression in the parameters. Expressions are
//! kept small: content divided out, unused divs dropped, equal ones merged, integer parts pulled out of divs, so that
//! `floor((2 i + 5) / 2)` becomes `i + 2`. (Definition 4.1 of Verdoolaege's tutorial; isl: `isl_aff`.)
//!
//! Implements: 002 4.1

mod reduce;

use super::basic_map::{ConstraintKind, Div};
use super::map::Map;
use super::multi::MultiAff;
use super::pw_aff::PwAff;
use super::set::Set;
use super::space::{DimKind, Id, Space, Tuple, Tuples};
use crate::presburger::conjunction::Conjunction;
use crate::presburger::number::int::{Int, Number};
use crate::presburger::number::matrix::{Matrix, dot};
use reduce::{Columns, placed};
use std::rc::Rc;

/// `(c + a . (params, dims) + b . divs) / d` over the tuples of a set space, or over parameters alone.
#[derive(Clone)]
pub struct Aff {
    space: Space,
    body: Rc<Body>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
struct Body {
    /// One row `(d | n)` per div, of width `2 + variables + divs`, as in a conjunction.
    divs: Matrix<Int>,
    /// `[1 | variables | divs]`.
    numerator: Vec<Int>,
    /// Positive.
    denominator: Int,
}

impl Aff {
    fn new(space: &Space, divs: Matrix<Int>, numerator: Vec<Int>, denominator: Int) -> Aff {
        let mut body = Body { divs, numerator, denominator };
        body.reduce();
        Aff { space: space.clone(), body: Rc::new(body) }
    }

    fn affine(space: &Space, numerator: Vec<Int>) -> Aff {
        assert!(!space.is_map(), "law: expressions are over a set's space, not {space}");
        Aff::new(space, Matrix::new(2 + space.n_dim()), numerator, Int::one())
    }

    /// `0`. isl: `aff_zero_on_domain`.
    pub fn zero_on_domain(domain: &Space) -> Aff {
        Aff::constant_on_domain(domain, &Int::zero())
    }

    /// A constant. isl: `aff_val_on_domain`.
    pub fn constant_on_domain(domain: &Space, value: &Int) -> Aff {
        let mut row = vec![Int::zero(); 1 + domain.n_dim()];
        row[0] = value.clone();
        Aff::affine(domain, row)
    }

    /// A parameter (`Param`) or a dimension (`Out`) of the domain. isl: `aff_var_on_domain`.
    pub fn var_on_domain(domain: &Space, kind: DimKind, position: usize) -> Aff {
        assert!(position < domain.dim(kind), "law: dimension {position} of {kind:?} is in {domain}");
        let mut row = vec![Int::zero(); 1 + domain.n_dim()];
        row[1 + domain.offset(kind) + position] = Int::one();
        Aff::affine(domain, row)
    }

    /// The parameter of that name, which the space gets if it lacks it. isl: `aff_param_on_domain_space_id`.
    pub fn param_on_domain(domain: &Space, name: &str) -> Aff {
        let space = domain.align_params(&Space::params_only(&[Id::new(name)]));
        let position = space.find_param(name).unwrap_or_else(|| panic!("law: {name} was added"));
        Aff::var_on_domain(&space, DimKind::Param, position)
    }

    /// `(constant + coefficients . (params, dims, divs)) / denominator`. Rows may be shorter than the number of columns.
    /// isl: `aff_alloc`, then `aff_set_coefficient_val`.
    pub fn from_parts(domain: &Space, divs: &[Div], constant: &Int, coefficients: &[Int], denominator: &Int) -> Aff {
        assert!(denominator.is_positive(), "the denominator of an expression is positive");
        let width = 1 + domain.n_dim() + divs.len();
        let wide = |head: &[&Int], row: &[Int], width: usize| {
            let mut wide: Vec<Int> = head.iter().map(|x| (*x).clone()).chain(row.iter().cloned()).collect();
            assert!(wide.len() <= width || wide[width..].iter().all(Number::is_zero), "a coefficient for each column");
            wide.resize(width, Int::zero());
            wide
        };
        let rows = divs.iter().map(|div| wide(&[&div.denominator, &div.constant], &div.coefficients, 1 + width));
        let matrix = Matrix::from_rows(1 + width, rows);
        Aff::new(domain, matrix, wide(&[constant], coefficients, width), denominator.clone())
    }

    /// The expression `row . [1 | variables | divs]` over the divs of a conjunction, all of which it mentions have definitions.
    pub(crate) fn from_rows(domain: &Space, divs: Matrix<Int>, row: Vec<Int>, denominator: Int) -> Aff {
        Aff::new(domain, divs, row, denominator)
    }

    /// The space of the tuples that it is defined on. isl: `aff_get_domain_space`.
    pub fn domain_space(&self) -> &Space {
        &self.space
    }

    /// The numerator's coefficient of a parameter (`Param`) or dimension (`Out`). isl: `aff_get_coefficient_val`.
    pub fn coefficient(&self, kind: DimKind, position: usize) -> Int {
        assert!(position < self.space.dim(kind), "law: dimension {position} of {kind:?} is in {}", self.space);
        self.body.numerator[1 + self.space.offset(kind) + position].clone()
    }

    /// The numerator's coefficient of a div. isl: `aff_get_coefficient_val`.
    pub fn div_coefficient(&self, div: usize) -> Int {
        self.body.numerator[1 + self.space.n_dim() + div].clone()
    }

    /// The numerator's constant term. isl: `aff_get_constant_val`.
    pub fn constant_value(&self) -> Int {
        self.body.numerator[0].clone()
    }

    /// The positive denominator, in lowest terms. isl: `aff_get_denominator_val`.
    pub fn denominator(&self) -> Int {
        self.body.denominator.clone()
    }

    /// Its divs; each refers to those before it. isl: `aff_get_div`.
    pub fn divs(&self) -> Vec<Div> {
        let read = |row: &[Int]| Div {
            denominator: row[0].clone(),
            constant: row[1].clone(),
            coefficients: row[2..].to_vec(),
        };
        self.body.divs.rows().map(read).collect()
    }

    /// Number of its divs. isl: `aff_dim` of divs.
    pub fn n_div(&self) -> usize {
        self.body.divs.len()
    }

    pub(crate) fn numerator(&self) -> &[Int] {
        &self.body.numerator
    }

    pub(crate) fn div_rows(&self) -> &Matrix<Int> {
        &self.body.divs
    }

    /// No variable occurs in it. isl: `aff_is_cst`.
    pub fn is_constant(&self) -> bool {
        self.body.numerator[1..].iter().all(Number::is_zero)
    }

    /// Numerator and denominator of its value, if that is constant. isl: `aff_get_constant_val`.
    pub fn as_constant(&self) -> Option<(Int, Int)> {
        self.is_constant().then(|| (self.constant_value(), self.denominator()))
    }

    /// Its value, if that is a constant integer. isl: `aff_get_constant_val`.
    pub fn as_integer(&self) -> Option<Int> {
        (self.is_constant() && self.body.denominator.is_one()).then(|| self.constant_value())
    }

    /// The constant 0. isl: `aff_plain_is_zero`.
    pub fn is_zero(&self) -> bool {
        self.body.numerator.iter().all(Number::is_zero)
    }

    /// Whether one of the parameters or dimensions occurs in it, also in a div. isl: `aff_involves_dims`.
    pub fn involves(&self, kind: DimKind, first: usize, n: usize) -> bool {
        let at = 1 + self.space.offset(kind) + first;
        let occurs = |row: &[Int]| row[at..at + n].iter().any(|x| !x.is_zero());
        occurs(&self.body.numerator) || self.body.divs.rows().any(|div| occurs(&div[1..]))
    }

    /// The same formula (equal expressions may have different ones). isl: `aff_plain_is_equal`.
    pub fn plain_is_equal(&self, other: &Aff) -> bool {
        let (a, b) = self.aligned(other);
        a.space.has_equal_tuples(&b.space) && a.body == b.body
    }

    pub(crate) fn aligned(&self, other: &Aff) -> (Aff, Aff) {
        if self.space.has_equal_params(&other.space) {
            return (self.clone(), other.clone());
        }
        let model = self.space.align_params(&other.space);
        (self.with_params_of(&model), other.with_params_of(&model))
    }

    /// Over a list of parameters that contains its own.
    pub(crate) fn with_params_of(&self, model: &Space) -> Aff {
        if self.space.has_equal_params(model) {
            return self.clone();
        }
        let space = self.space.with_params(model.params());
        let (own, n) = (self.space.dim(DimKind::Param), self.space.n_dim());
        let columns: Vec<Option<usize>> = [Some(0)]
            .into_iter()
            .chain(model.params().iter().map(|p| self.space.find_param(p).map(|v| 1 + v)))
            .chain((1 + own..1 + n + self.n_div()).map(Some))
            .collect();
        self.rearranged(&space, &columns)
    }

    fn rearranged(&self, space: &Space, columns: &[Option<usize>]) -> Aff {
        let numerator = columns.iter().map(|c| c.map_or_else(Int::zero, |c| self.body.numerator[c].clone())).collect();
        let div_columns: Vec<Option<usize>> =
            [Some(0)].into_iter().chain(columns.iter().map(|c| c.map(|c| c + 1))).collect();
        Aff::new(space, self.body.divs.select_columns(&div_columns), numerator, self.denominator())
    }

    /// The parameters of `model`, in its order, before the others. isl: `aff_align_params`.
    pub fn align_params(&self, model: &Space) -> Aff {
        self.with_params_of(&model.params_space().align_params(&self.space))
    }

    /// The same formula over a space with as many dimensions. isl: `aff_reset_domain_space`.
    pub fn reset_domain_space(&self, space: &Space) -> Aff {
        assert_eq!(space.n_dim(), self.space.n_dim(), "law: {} and {space} have equally many dimensions", self.space);
        Aff { space: space.clone(), body: self.body.clone() }
    }

    /// Both numerators over the divs of both: `(divs, mine, theirs)`.
    fn merged(&self, other: &Aff) -> (Matrix<Int>, Vec<Int>, Vec<Int>) {
        if self.body.divs == other.body.divs {
            return (self.body.divs.clone(), self.body.numerator.clone(), other.body.numerator.clone());
        }
        let n = self.space.n_dim();
        let mut columns = Columns { n, divs: self.body.divs.clone() };
        let place = columns.place(&other.body.divs);
        let width = columns.width();
        let mut mine = self.body.numerator.clone();
        mine.resize(width, Int::zero());
        (columns.divs, mine, placed(&other.body.numerator, &place, width))
    }

    /// `f + g`; one domain space. isl: `aff_add`.
    pub fn add(&self, other: &Aff) -> Aff {
        self.linear(other, &Int::one())
    }

    /// `f - g`; one domain space. isl: `aff_sub`.
    pub fn sub(&self, other: &Aff) -> Aff {
        self.linear(other, &Int::from(-1))
    }

    fn linear(&self, other: &Aff, factor: &Int) -> Aff {
        let (a, b) = self.aligned(other);
        assert!(a.space.has_equal_tuples(&b.space), "law: {} and {} are one space", a.space, b.space);
        let (divs, mut mine, theirs) = a.merged(&b);
        let denominator = a.body.denominator.lcm(&b.body.denominator);
        let up = denominator.div_exact(&a.body.denominator);
        let other_up = denominator.div_exact(&b.body.denominator).mul(factor);
        for (x, y) in mine.iter_mut().zip(&theirs) {
            *x = x.combine(&up, y, &other_up);
        }
        Aff::new(&a.space, divs, mine, denominator)
    }

    /// `-f`. isl: `aff_neg`.
    pub fn neg(&self) -> Aff {
        self.scale(&Int::from(-1))
    }

    /// `factor * f`. isl: `aff_scale_val`.
    pub fn scale(&self, factor: &Int) -> Aff {
        let numerator = self.body.numerator.iter().map(|x| x.mul(factor)).collect();
        Aff::new(&self.space, self.body.divs.clone(), numerator, self.denominator())
    }

    /// `f / divisor`, which is not 0. isl: `aff_scale_down_val`.
    pub fn scale_down(&self, divisor: &Int) -> Aff {
        assert!(!divisor.is_zero(), "law: a divisor is not 0");
        let sign = Int::from(i64::from(divisor.sign()));
        let numerator = self.body.numerator.iter().map(|x| x.mul(&sign)).collect();
        Aff::new(&self.space, self.body.divs.clone(), numerator, self.body.denominator.mul(&divisor.abs()))
    }

    /// `f * g`, where one of them is constant. isl: `aff_mul`.
    pub fn mul(&self, other: &Aff) -> Option<Aff> {
        let (f, (n, d)) = match (self.as_constant(), other.as_constant()) {
            (_, Some(constant)) => (self, constant),
            (Some(constant), None) => (other, constant),
            (None, None) => return None,
        };
        let model = self.space.align_params(&other.space);
        Some(f.with_params_of(&model).scale(&n).scale_down(&d))
    }

    /// `f + value`. isl: `aff_add_constant_val`.
    pub fn add_constant(&self, value: &Int) -> Aff {
        let mut numerator = self.body.numerator.clone();
        numerator[0].add_mul(value, &self.body.denominator);
        Aff::new(&self.space, self.body.divs.clone(), numerator, self.denominator())
    }

    /// The greatest integer at most `f`. isl: `aff_floor`.
    pub fn floor(&self) -> Aff {
        let d = &self.body.denominator;
        if d.is_one() {
            return self.clone();
        }
        let mut integer: Vec<Int> = self.body.numerator.iter().map(|x| x.div_floor(d)).collect();
        let rest: Vec<Int> = self.body.numerator.iter().map(|x| x.rem_floor(d)).collect();
        let mut columns = Columns { n: self.space.n_dim(), divs: self.body.divs.clone() };
        if let Some(column) = columns.floor_of(&rest, d) {
            integer.resize(columns.width(), Int::zero());
            integer[column] = integer[column].add(&Int::one());
        }
        Aff::new(&self.space, columns.divs, integer, Int::one())
    }

    /// The smallest integer at least `f`. isl: `aff_ceil`.
    pub fn ceil(&self) -> Aff {
        self.neg().floor().neg()
    }

    /// `f - modulus * floor(f / modulus)`, for a positive modulus. isl: `aff_mod_val`.
    pub fn mod_val(&self, modulus: &Int) -> Aff {
        assert!(modulus.is_positive(), "law: a modulus is positive");
        self.sub(&self.scale_down(modulus).floor().scale(modulus))
    }

    /// Its value at the given parameters and dimensions, as a fraction in lowest terms. isl: `aff_eval`.
    pub fn eval(&self, point: &[Int]) -> (Int, Int) {
        assert_eq!(point.len(), self.space.n_dim(), "one value per parameter and dimension");
        let mut values: Vec<Int> = [Int::one()].into_iter().chain(point.iter().cloned()).collect();
        for div in self.body.divs.rows() {
            values.push(dot(&div[1..=values.len()], &values).div_floor(&div[0]));
        }
        let numerator = dot(&self.body.numerator, &values);
        let g = numerator.gcd(&self.body.denominator);
        (numerator.div_exact(&g), self.body.denominator.div_exact(&g))
    }

    /// `f(images)`: each own variable, parameters first, replaced by an expression over `target`.
    pub(crate) fn substitute(&self, target: &Space, images: &[Aff]) -> Aff {
        let n = self.space.n_dim();
        let mut divs: Vec<Aff> = Vec::with_capacity(self.n_div());
        let sum = |row: &[Int], divs: &[Aff]| {
            let start = Aff::constant_on_domain(target, &row[0]);
            let terms = row[1..].iter().zip(images[..n].iter().chain(divs)).filter(|(x, _)| !x.is_zero());
            terms.fold(start, |sum, (x, image)| sum.linear(image, x))
        };
        for div in self.body.divs.rows() {
            let value = sum(&div[1..], &divs).scale_down(&div[0]).floor();
            divs.push(value);
        }
        sum(&self.body.numerator, &divs).scale_down(&self.body.denominator)
    }

    /// `x -> f(g(x))`; the range of `g` is the domain of `f`. isl: `aff_pullback_multi_aff`.
    pub fn pullback(&self, inner: &MultiAff) -> Aff {
        let target = inner.domain_space().align_params(&self.space);
        let own_params = self.space.params().iter().map(|p| Aff::param_on_domain(&target, p));
        let images: Vec<Aff> = own_params.chain(inner.affs().iter().map(|aff| aff.with_params_of(&target))).collect();
        assert_eq!(images.len(), self.space.n_dim(), "law: the range of {} is {}", inner.space(), self.space);
        self.substitute(&target, &images)
    }

    /// An expression equal to it on `context`, and simpler if equalities of the context fix variables. isl: `aff_gist`.
    pub fn gist(&self, context: &Set) -> Aff {
        let context = if context.is_params() && !self.space.is_params() {
            Set::universe(&self.space).intersect_params(context)
        } else {
            context.clone()
        };
        let model = self.space.align_params(context.space());
        let mut simple = self.with_params_of(&model);
        let context = Set(context.0.with_params_of(&model));
        if context.n_pieces() != 1 {
            return simple;
        }
        let basic = &context.pieces()[0];
        for row in basic.constraints().iter().filter(|c| c.kind == crate::presburger::ConstraintKind::Equality) {
            simple = simple.without_variable_of(&row.constant, &row.coefficients);
        }
        simple
    }

    /// Where the equality `constant + coefficients . x = 0` gives its last variable by unit coefficient: with that substituted.
    fn without_variable_of(&self, constant: &Int, coefficients: &[Int]) -> Aff {
        let n = self.space.n_dim();
        let Some(v) = (0..n).rev().find(|&v| !coefficients[v].is_zero()) else { return self.clone() };
        if coefficients[n..].iter().any(|x| !x.is_zero()) || !coefficients[v].abs().is_one() {
            return self.clone();
        }
        let factor = coefficients[v].neg();
        let mut row: Vec<Int> = [constant].into_iter().chain(&coefficients[..n]).map(|x| x.mul(&factor)).collect();
        row[1 + v] = Int::zero();
        let unit = |u: usize| {
            let mut unit = vec![Int::zero(); 1 + n];
            unit[1 + u] = Int::one();
            Aff::affine(&self.space, unit)
        };
        let images: Vec<Aff> =
            (0..n).map(|u| if u == v { Aff::affine(&self.space, row.clone()) } else { unit(u) }).collect();
        self.substitute(&self.space, &images)
    }

    /// `{ x : f(x) = 0 }`. isl: `aff_zero_basic_set`.
    pub fn zero_set(&self) -> Set {
        self.sign_set(ConstraintKind::Equality)
    }

    /// `{ x : f(x) >= 0 }`. isl: `aff_nonneg_basic_set`.
    pub fn nonneg_set(&self) -> Set {
        self.sign_set(ConstraintKind::Inequality)
    }

    fn sign_set(&self, kind: ConstraintKind) -> Set {
        Set(Map::from_conjunctions(&self.space, vec![self.sign_conjunction(kind)]))
    }

    /// `f >= 0`, or `f = 0`, not simplified.
    pub(crate) fn sign_conjunction(&self, kind: ConstraintKind) -> Conjunction<Int> {
        let mut conj = Conjunction::universe(self.space.n_dim());
        for div in self.body.divs.rows() {
            let width = conj.width();
            conj.add_div(&div[..=width]);
        }
        match kind {
            ConstraintKind::Equality => conj.add_eq(&self.body.numerator),
            ConstraintKind::Inequality => conj.add_ineq(&self.body.numerator),
        }
        conj
    }

    /// `{ x : f(x) = g(x) }`. isl: `aff_eq_set`.
    pub fn eq_set(&self, other: &Aff) -> Set {
        self.sub(other).zero_set()
    }

    /// `{ x : f(x) <= g(x) }`. isl: `aff_le_set`.
    pub fn le_set(&self, other: &Aff) -> Set {
        other.sub(self).nonneg_set()
    }

    /// `{ x : f(x) < g(x) }`. isl: `aff_lt_set`.
    pub fn lt_set(&self, other: &Aff) -> Set {
        other.sub(self).positive().nonneg_set()
    }

    /// An expression that is at least 0 exactly where this one is greater than 0.
    fn positive(&self) -> Aff {
        let mut numerator = self.body.numerator.clone();
        numerator[0] = numerator[0].sub(&Int::one());
        Aff::new(&self.space, self.body.divs.clone(), numerator, self.denominator())
    }

    /// `{ x : f(x) >= g(x) }`. isl: `aff_ge_set`.
    pub fn ge_set(&self, other: &Aff) -> Set {
        other.le_set(self)
    }

    /// `{ x : f(x) > g(x) }`. isl: `aff_gt_set`.
    pub fn gt_set(&self, other: &Aff) -> Set {
        other.lt_set(self)
    }

    /// `{ x : f(x) != g(x) }`. isl: `aff_ne_set`.
    pub fn ne_set(&self, other: &Aff) -> Set {
        self.lt_set(other).union_disjoint(&self.gt_set(other))
    }

    /// The same expression, as one piece. isl: `pw_aff_from_aff`.
    pub fn to_pw_aff(&self) -> PwAff {
        PwAff::from_aff(self)
    }

    /// `{ x -> [f(x)] }` where that is an integer; from the zero-dimensional tuple if it is over parameters. isl: `map_from_aff`.
    pub fn as_map(&self) -> Map {
        MultiAff::from_aff(self).as_map()
    }

    /// The set space, zero-dimensional for parameters, that relations from this expression start in.
    pub(crate) fn proper_domain(space: &Space) -> Space {
        if space.is_params() { space.with_tuples(Tuples::Set(Tuple::anonymous(0))) } else { space.clone() }
    }
}

#[cfg(test)]
mod tests;
