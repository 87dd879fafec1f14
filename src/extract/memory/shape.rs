//! The dimensions of an array, from the byte offsets of all its accesses.
//!
//! Accesses `A[i][j]` and `A[i - 1][j + 1]` to `double A[][1000]` have offsets `8000 i + 8 j` and `8000 i + 8 j - 7992`. One set of
//! strides, here `(8000, 8)`, is chosen per array; then each offset is divided by the strides from the largest to the smallest, constants
//! rounded to the nearest, which gives the subscripts `(i, j)` and `(i - 1, j + 1)`. With `A[i * n + j]` the strides are polynomials,
//! `(8 n, 8)`. A division is right only if each subscript but the first stays within its extent (stride over next stride), else two
//! different subscripts could name one element: that is proved, or assumed and tested before the nest. (The idea is delinearization,
//! Grosser et al., ICS 2015; but shapes here are of arrays, not of single accesses.)
//!
//! Rows of `n + 2` elements, as of a grid with a border, give `8 n i + 16 i + 8 j`. Most terms agree that `n` only occurs as `n + 2`; so the offset is
//! rewritten for `q = n + 2`, as `8 q i + 8 j`, divided by `(8 q, 8)`, and what comes out is rewritten back.

use crate::extract::numbers::affine::Affine;
use crate::extract::numbers::interval::Interval;
use crate::extract::numbers::obligations::{Conditional, Obligation, Obligations};
use crate::extract::numbers::polynomial::{Atom, Polynomial};
use crate::extract::numbers::scope::Scope;
use crate::extract::refusal::Reason;
use crate::presburger::PwAff;
use std::collections::BTreeMap;

/// An access before its array has a shape.
#[derive(Clone, Debug)]
pub struct RawAccess {
    /// Bytes from the base.
    pub offset: Polynomial,
    pub scope: Scope,
}

/// Strides in bytes, largest first: a product of parameters times a number.
#[derive(Clone, Debug, PartialEq, Eq)]
struct Stride {
    product: Vec<Atom>,
    bytes: i128,
}

/// What was found for one array.
pub struct Shape {
    /// Bytes between neighbours in each dimension.
    pub strides: Vec<Polynomial>,
    /// Subscripts of each access, in the order given.
    pub subscripts: Vec<Vec<Polynomial>>,
    /// Extents of all dimensions but the first.
    pub extents: Vec<Polynomial>,
}

/// One dimension, if all accesses are affine in it.
pub fn flat(accesses: &[RawAccess], element_bytes: i128) -> Option<Shape> {
    let subscript = |access: &RawAccess| {
        let mut terms = access.offset.terms();
        let is_whole = access.offset.is_affine() && terms.all(|(_, factor)| factor % element_bytes == 0);
        is_whole.then(|| vec![access.offset.divided(element_bytes)])
    };
    let subscripts = accesses.iter().map(subscript).collect::<Option<_>>()?;
    Some(Shape { strides: vec![Polynomial::constant(element_bytes)], subscripts, extents: Vec::new() })
}

/// Whether one dimension is enough for each access to stay in the row that its iterators name: the numbers that data gives and that it adds
/// are known to be smaller than a row.
pub fn stays_in_rows(affine: &Affine<'_, '_, '_>, access: &RawAccess) -> bool {
    let is_given = |atoms: &[Atom]| atoms.iter().any(|atom| matches!(atom, Atom::Unknown(_)));
    let counts = |atoms: &[Atom]| atoms.iter().any(|atom| matches!(atom, Atom::Iterator(_)));
    let rows = access.offset.terms().filter(|(atoms, _)| counts(atoms) && !is_given(atoms));
    let Some(row) = rows.map(|(_, factor)| factor.abs()).min() else { return true };
    let mut given = access.offset.terms().filter(|(atoms, _)| is_given(atoms));
    let sum = given.try_fold(Polynomial::default(), |sum, (atoms, factor)| {
        let term = atoms.iter().try_fold(Polynomial::constant(factor), |p, a| p.multiply(&Polynomial::atom(*a)))?;
        sum.add(&term)
    });
    sum.is_some_and(|sum| affine.interval(&sum).is_within(Interval::new(0, row - 1)))
}

/// The shape under which all accesses agree. `hints` are strides in bytes that the program's types suggest.
pub fn infer(
    affine: &Affine<'_, '_, '_>,
    accesses: &[RawAccess],
    element_bytes: i128,
    hints: &[i128],
    name: &str,
) -> Result<Conditional<Shape>, Reason> {
    let no = || Reason::NonAffineSubscript { array: name.to_string() };
    let mut parts = accesses.iter().flat_map(|a| a.offset.terms()).filter(|(_, factor)| factor % element_bytes != 0);
    if let Some((atoms, _)) = parts.next() {
        let is_stride = |atoms: &[Atom]| atoms.iter().any(|atom| atom.is_constant());
        let of_strides = is_stride(atoms) && parts.all(|(atoms, _)| is_stride(atoms));
        return Err(if of_strides { no() } else { Reason::MixedElementTypes { array: name.to_string() } });
    }
    let plain = shape_of(affine, accesses, element_bytes, hints);
    let bordered = bordered_shape(affine, accesses, element_bytes, hints);
    let shape = match (plain, bordered) {
        (Some(plain), Some(bordered)) => {
            let better = n_within(affine, accesses, &bordered) > n_within(affine, accesses, &plain);
            if better { bordered } else { plain }
        }
        (plain, bordered) => plain.or(bordered).ok_or_else(no)?,
    };
    let owed = in_bounds(affine, accesses, &shape, name)?;
    Ok(Conditional::new(shape, owed))
}

/// The shape under which row lengths are parameters plus constants, where accesses suggest some.
fn bordered_shape(
    affine: &Affine<'_, '_, '_>,
    accesses: &[RawAccess],
    element_bytes: i128,
    hints: &[i128],
) -> Option<Shape> {
    let shifts = row_shifts(accesses);
    if shifts.is_empty() {
        return None;
    }
    let rewrite = |access: &RawAccess| {
        let offset = moved(&access.offset, &shifts, -1)?;
        Some(RawAccess { offset, ..access.clone() })
    };
    let rewritten = accesses.iter().map(rewrite).collect::<Option<Vec<_>>>()?;
    let shape = shape_of(affine, &rewritten, element_bytes, hints)?;
    let back = |all: &[Polynomial]| all.iter().map(|p| moved(p, &shifts, 1)).collect::<Option<Vec<_>>>();
    let subscripts = shape.subscripts.iter().map(|own| back(own)).collect::<Option<Vec<_>>>()?;
    let shape = Shape { strides: back(&shape.strides)?, subscripts, extents: back(&shape.extents)? };
    shape_is_possible(affine, accesses, &shape).then_some(shape)
}

/// How many subscripts stay within their extents in all instances of their access.
fn n_within(affine: &Affine<'_, '_, '_>, accesses: &[RawAccess], shape: &Shape) -> usize {
    let stays = |scope: &Scope, subscript: &Polynomial, extent: &Polynomial| {
        let affs = (affine.aff(subscript, scope), affine.aff(extent, scope));
        matches!(affs, (Ok(s), Ok(e)) if scope.domain.is_subset(&within(affine, scope, &s, &e)))
    };
    let mut answers = Answers::new(&stays);
    let of_access = |(access, subscripts): (_, &Vec<Polynomial>)| {
        let inner = subscripts.iter().skip(1).zip(&shape.extents);
        inner.filter(|(s, e)| answers.of(access, s, e)).count()
    };
    accesses.iter().zip(&shape.subscripts).map(of_access).sum()
}

/// Whether subscripts in scopes stay within extents, found out once for those that are alike: a block has hundreds of accesses with the same ones.
struct Answers<'a> {
    find: &'a dyn Fn(&Scope, &Polynomial, &Polynomial) -> bool,
    known: Vec<(Scope, Polynomial, Polynomial, bool)>,
}

impl<'a> Answers<'a> {
    fn new(find: &'a dyn Fn(&Scope, &Polynomial, &Polynomial) -> bool) -> Self {
        Answers { find, known: Vec::new() }
    }

    fn of(&mut self, access: &RawAccess, subscript: &Polynomial, extent: &Polynomial) -> bool {
        let is_alike = |(scope, s, e, _): &&(Scope, Polynomial, Polynomial, bool)| {
            s == subscript
                && e == extent
                && scope.has_dimensions_of(&access.scope)
                && scope.domain.plain_is_equal(&access.scope.domain)
        };
        if let Some((.., answer)) = self.known.iter().find(is_alike) {
            return *answer;
        }
        let answer = (self.find)(&access.scope, subscript, extent);
        self.known.push((access.scope.clone(), subscript.clone(), extent.clone(), answer));
        answer
    }
}

/// The shape that the program's types or the steps of the accesses suggest, if one divides all offsets.
fn shape_of(affine: &Affine<'_, '_, '_>, accesses: &[RawAccess], element_bytes: i128, hints: &[i128]) -> Option<Shape> {
    let products = stride_products(accesses)?;
    let hinted = chain(element_bytes, hints);
    let is_known = hinted.len() > 1 || products.len() != 1;
    let fixed = if is_known { hinted } else { guessed_strides(affine, accesses, element_bytes) };
    let choices = [fixed, vec![element_bytes]];
    for (at, fixed) in choices.iter().enumerate() {
        if at > 0 && *fixed == choices[0] {
            break;
        }
        let with = |step: Step| {
            let strides = all_strides(accesses, &products, (fixed, step), element_bytes);
            divide_all(affine, accesses, &strides).filter(|shape| shape_is_possible(affine, accesses, shape))
        };
        let Some(shape) = with(Step::Least) else { continue };
        let n_inner = shape.extents.len() * accesses.len();
        let n = n_within(affine, accesses, &shape);
        let wider = (n < n_inner).then(|| with(Step::Common)).flatten();
        return Some(wider.filter(|wider| n_within(affine, accesses, wider) > n).unwrap_or(shape));
    }
    None
}

/// By how much a parametric product is multiplied in a stride.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Step {
    /// Rows are as short as their elements allow: `n` in `a[2 * n * i + j]`.
    Least,
    /// Rows are as long as all steps allow: `3 * w` in `a[(y * w + x) * 3 + c]`.
    Common,
}

/// The parameters that row lengths contain with a constant added: `(n, 2)` if most terms `a n i` come with a term `2 a i`.
fn row_shifts(accesses: &[RawAccess]) -> Vec<(Atom, i128)> {
    let mut votes: BTreeMap<Atom, BTreeMap<i128, usize>> = BTreeMap::new();
    for access in accesses {
        let terms: BTreeMap<&[Atom], i128> = access.offset.terms().collect();
        for (atoms, factor) in &terms {
            if atoms.iter().filter(|a| !a.is_constant()).count() != 1 {
                continue;
            }
            for atom in atoms.iter().filter(|a| a.is_constant()) {
                let rest = without(atoms, &[*atom]).unwrap_or_default();
                let beside = terms.get(&rest[..]).copied().unwrap_or(0);
                if beside % factor == 0 {
                    *votes.entry(*atom).or_default().entry(beside / factor).or_default() += 1;
                }
            }
        }
    }
    let most = |shifts: &BTreeMap<i128, usize>| {
        shifts.iter().max_by_key(|(shift, votes)| (**votes, **shift == 0, -**shift)).map(|(shift, _)| *shift)
    };
    votes.iter().filter_map(|(atom, shifts)| Some((*atom, most(shifts).filter(|shift| *shift != 0)?))).collect()
}

/// The polynomial with `sign` times its shift added to each parameter.
fn moved(polynomial: &Polynomial, shifts: &[(Atom, i128)], sign: i128) -> Option<Polynomial> {
    shifts.iter().try_fold(polynomial.clone(), |p, (atom, shift)| p.shifted(*atom, sign * shift))
}

/// The products of parameters that multiply iterators, longest first, each containing the next, the last empty.
fn stride_products(accesses: &[RawAccess]) -> Option<Vec<Vec<Atom>>> {
    let mut products: Vec<Vec<Atom>> = vec![Vec::new()];
    for access in accesses {
        for (atoms, _) in access.offset.terms() {
            let (constant, varying): (Vec<Atom>, Vec<Atom>) = atoms.iter().partition(|a| a.is_constant());
            match varying.len() {
                0 => {}
                1 if products.contains(&constant) => {}
                1 => products.push(constant),
                _ => return None,
            }
        }
    }
    products.sort_by(|a, b| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
    products.windows(2).all(|pair| without(&pair[0], &pair[1]).is_some()).then_some(products)
}

/// The atoms of `product` less those of `part`; `None` if some are not there.
fn without(product: &[Atom], part: &[Atom]) -> Option<Vec<Atom>> {
    let mut rest = product.to_vec();
    for atom in part {
        let at = rest.iter().position(|a| a == atom)?;
        rest.remove(at);
    }
    Some(rest)
}

/// Constant strides among those that are wanted: largest first, each divisible by the next, the last the element's size.
fn chain(element_bytes: i128, wanted: &[i128]) -> Vec<i128> {
    let mut sorted: Vec<i128> = wanted.iter().copied().filter(|s| *s > element_bytes).collect();
    sorted.sort_unstable();
    sorted.dedup();
    let mut strides = vec![element_bytes];
    for stride in sorted {
        if stride % strides[strides.len() - 1] == 0 {
            strides.push(stride);
        }
    }
    strides.reverse();
    strides
}

/// The strides by which the accesses move, if all subscripts then stay in their rows for certain.
fn guessed_strides(affine: &Affine<'_, '_, '_>, accesses: &[RawAccess], element_bytes: i128) -> Vec<i128> {
    let factors: Vec<i128> = accesses
        .iter()
        .flat_map(|access| access.offset.terms())
        .filter(|(atoms, _)| atoms.iter().any(|atom| !atom.is_constant()))
        .map(|(_, factor)| factor.abs())
        .collect();
    let guessed = chain(element_bytes, &factors);
    let strides: Vec<Stride> = guessed.iter().map(|bytes| Stride { product: Vec::new(), bytes: *bytes }).collect();
    let certain = divide_all(affine, accesses, &strides).is_some_and(|shape| {
        let inner =
            |s: &Vec<Polynomial>| s.iter().skip(1).zip(&shape.extents).all(|(s, e)| provably_within(affine, s, e));
        shape.subscripts.iter().all(inner)
    });
    if certain { guessed } else { vec![element_bytes] }
}

fn provably_within(affine: &Affine<'_, '_, '_>, subscript: &Polynomial, extent: &Polynomial) -> bool {
    let high = extent.as_constant().map(|e| e - 1);
    high.is_some_and(|high| affine.interval(subscript).is_within(Interval::new(0, high)))
}

/// A parametric product's stride is the least or the common step of its terms, at least one element; the constant ones are as given.
fn all_strides(
    accesses: &[RawAccess],
    products: &[Vec<Atom>],
    (fixed, wanted): (&[i128], Step),
    element_bytes: i128,
) -> Vec<Stride> {
    let mut strides = Vec::new();
    for product in products {
        if product.is_empty() {
            strides.extend(fixed.iter().map(|bytes| Stride { product: Vec::new(), bytes: *bytes }));
            continue;
        }
        let mut step = 0i128;
        for access in accesses {
            for (atoms, factor) in access.offset.terms() {
                let (constant, varying): (Vec<Atom>, Vec<Atom>) = atoms.iter().partition(|a| a.is_constant());
                if constant == *product && varying.len() == 1 {
                    step = num_integer::gcd(step, factor);
                }
            }
        }
        let largest = fixed.iter().copied().max().unwrap_or(element_bytes);
        let bytes = match (step % largest == 0, wanted) {
            (true, Step::Least) => largest,
            (true, Step::Common) => step,
            (false, _) => element_bytes,
        };
        strides.push(Stride { product: product.clone(), bytes });
    }
    strides
}

fn divide_all(affine: &Affine<'_, '_, '_>, accesses: &[RawAccess], strides: &[Stride]) -> Option<Shape> {
    let mut extents = Vec::new();
    for pair in strides.windows(2) {
        let ratio = without(&pair[0].product, &pair[1].product)?;
        if pair[0].bytes % pair[1].bytes != 0 {
            return None;
        }
        let extent = Polynomial::constant(pair[0].bytes / pair[1].bytes);
        extents.push(ratio.iter().try_fold(extent, |e, atom| e.multiply(&Polynomial::atom(*atom)))?);
    }
    let subscripts =
        accesses.iter().map(|access| divide(affine, access, strides, &extents)).collect::<Option<Vec<_>>>()?;
    let stride = |s: &Stride| {
        let bytes = Polynomial::constant(s.bytes);
        s.product.iter().try_fold(bytes, |p, atom| p.multiply(&Polynomial::atom(*atom)))
    };
    Some(Shape { strides: strides.iter().map(stride).collect::<Option<Vec<_>>>()?, subscripts, extents })
}

/// One offset as subscripts. Terms of parameters only fit more than one dimension: first the largest stride that divides them, and if the
/// subscripts then certainly leave their extents, the smallest.
fn divide(
    affine: &Affine<'_, '_, '_>,
    access: &RawAccess,
    strides: &[Stride],
    extents: &[Polynomial],
) -> Option<Vec<Polynomial>> {
    let fits = |product: &[Atom]| affine.product_parameter(product).is_ok();
    let largest = divide_with(access, strides, Preferred::Largest, &fits)?;
    let outside = |subscripts: &[Polynomial]| {
        subscripts.iter().skip(1).zip(extents).any(|(s, extent)| {
            let below = affine.interval(s).high.is_some_and(|high| high < 0);
            let past = s.subtract(extent).is_some_and(|d| affine.interval(&d).low.is_some_and(|low| low >= 0));
            below || past
        })
    };
    if !outside(&largest) {
        return Some(largest);
    }
    let borrowed = borrow(affine, &largest, extents).filter(|other| !outside(other));
    borrowed
        .or_else(|| divide_with(access, strides, Preferred::Smallest, &fits).filter(|other| !outside(other)))
        .or(Some(largest))
}

/// With a row less where the next subscript is certainly negative: `[i + 5][-1]` is `[i + 4][n - 1]`.
fn borrow(affine: &Affine<'_, '_, '_>, subscripts: &[Polynomial], extents: &[Polynomial]) -> Option<Vec<Polynomial>> {
    let mut moved = subscripts.to_vec();
    for at in (1..moved.len()).rev() {
        if affine.interval(&moved[at]).high.is_some_and(|high| high < 0) {
            moved[at] = moved[at].add(&extents[at - 1])?;
            moved[at - 1] = moved[at - 1].subtract(&Polynomial::constant(1))?;
        }
    }
    Some(moved)
}

/// Which of the strides that divide a term.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Preferred {
    Largest,
    Smallest,
}

/// Products that are a number of their own may be left over.
fn divide_with(
    access: &RawAccess,
    strides: &[Stride],
    preferred: Preferred,
    is_number: &dyn Fn(&[Atom]) -> bool,
) -> Option<Vec<Polynomial>> {
    let mut subscripts = vec![Polynomial::default(); strides.len()];
    for (atoms, factor) in access.offset.terms() {
        let is_constant = atoms.iter().all(|atom| atom.is_constant());
        let first = match is_constant {
            false => {
                let constant: Vec<Atom> = atoms.iter().copied().filter(|atom| atom.is_constant()).collect();
                strides.iter().position(|s| s.product == constant)?
            }
            true => {
                let fits = |s: &&Stride| without(atoms, &s.product).is_some_and(|rest| rest.len() <= 1);
                let is_smallest = preferred == Preferred::Smallest;
                let divides = |s: &&Stride| without(atoms, &s.product).is_some_and(|rest| is_number(&rest));
                let chosen = if is_smallest { strides.iter().rfind(fits) } else { strides.iter().find(fits) };
                let chosen = chosen.or_else(|| strides.iter().find(divides))?;
                strides.iter().position(|s| s.product == chosen.product)?
            }
        };
        let rest_atoms = without(atoms, &strides[first].product)?;
        let mut left = factor;
        for (at, stride) in strides.iter().enumerate().skip(first) {
            if stride.product != strides[first].product {
                break;
            }
            let is_last = strides.get(at + 1).is_none_or(|next| next.product != stride.product);
            let quotient = if is_last { left / stride.bytes } else { nearest(left, stride.bytes) };
            left -= quotient * stride.bytes;
            let term =
                rest_atoms.iter().try_fold(Polynomial::constant(quotient), |p, a| p.multiply(&Polynomial::atom(*a)))?;
            subscripts[at] = subscripts[at].add(&term)?;
        }
        if left != 0 {
            return None;
        }
    }
    Some(subscripts)
}

/// The integer nearest to `a / b`, for positive `b`; ties towards zero.
pub fn nearest(a: i128, b: i128) -> i128 {
    let magnitude = (2 * a.abs() + b - 1) / (2 * b);
    if a < 0 { -magnitude } else { magnitude }
}

/// Whether each access keeps its subscripts within the extents for at least some point: a shape under which it never does is wrong.
fn shape_is_possible(affine: &Affine<'_, '_, '_>, accesses: &[RawAccess], shape: &Shape) -> bool {
    let may_stay = |scope: &Scope, subscript: &Polynomial, extent: &Polynomial| {
        let (Ok(subscript), Ok(extent)) = (affine.aff(subscript, scope), affine.aff(extent, scope)) else {
            return false;
        };
        let inside = within(affine, scope, &subscript, &extent);
        scope.domain.is_empty() || !scope.domain.intersect(&inside).is_empty()
    };
    let mut answers = Answers::new(&may_stay);
    accesses.iter().zip(&shape.subscripts).all(|(access, subscripts)| {
        let mut inner = subscripts.iter().skip(1).zip(&shape.extents);
        inner.all(|(s, e)| provably_within(affine, s, e) || answers.of(access, s, e))
    })
}

fn within(affine: &Affine<'_, '_, '_>, scope: &Scope, subscript: &PwAff, extent: &PwAff) -> crate::presburger::Set {
    subscript.ge_set(&affine.constant_aff(scope, 0)).intersect(&subscript.lt_set(extent))
}

/// That no subscript but the first leaves its extent.
fn in_bounds(
    affine: &Affine<'_, '_, '_>,
    accesses: &[RawAccess],
    shape: &Shape,
    name: &str,
) -> Result<Obligations, Reason> {
    let mut owed = Obligations::none();
    let why = super::within_rows(name);
    let mut seen: Vec<(&Polynomial, &Polynomial, &Scope)> = Vec::new();
    for (access, subscripts) in accesses.iter().zip(&shape.subscripts) {
        for (subscript, extent) in subscripts.iter().skip(1).zip(&shape.extents) {
            let known = seen.iter().any(|(s, e, scope)| {
                *s == subscript
                    && *e == extent
                    && scope.has_dimensions_of(&access.scope)
                    && scope.domain.plain_is_equal(&access.scope.domain)
            });
            if known || provably_within(affine, subscript, extent) {
                continue;
            }
            let (s, e) = (affine.aff(subscript, &access.scope)?, affine.aff(extent, &access.scope)?);
            let wanted = within(affine, &access.scope, &s, &e);
            owed.add(Obligation { scope: access.scope.clone(), wanted, why: why.clone() });
            seen.push((subscript, extent, &access.scope));
        }
    }
    Ok(owed)
}

/// The polynomial as an affine expression, or the refusal that names the array.
pub fn subscript_aff(
    affine: &Affine<'_, '_, '_>,
    subscript: &Polynomial,
    scope: &Scope,
    name: &str,
) -> Result<PwAff, Reason> {
    affine.aff(subscript, scope).map_err(|_| Reason::NonAffineSubscript { array: name.to_string() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::extract::numbers::polynomial::ParameterId;
    use crate::llvm::LoopId;
    use crate::presburger::{Set, Space};
    use crate::scop::TableId;

    fn access(offset: Polynomial) -> RawAccess {
        let domain = Set::universe(&Space::alloc_set(&[], None, 2));
        RawAccess { offset, scope: Scope::new(vec![LoopId(0), LoopId(1)], domain) }
    }

    fn sum(terms: &[(&[Atom], i128)]) -> Polynomial {
        terms.iter().fold(Polynomial::default(), |sum, (atoms, factor)| {
            let term = atoms
                .iter()
                .fold(Polynomial::constant(*factor), |p, a| p.multiply(&Polynomial::atom(*a)).expect("small"));
            sum.add(&term).expect("small")
        })
    }

    const I: Atom = Atom::Iterator(LoopId(0));
    const J: Atom = Atom::Iterator(LoopId(1));
    const N: Atom = Atom::Parameter(ParameterId::FIRST);

    #[test]
    fn constants_round_to_the_nearest_row() {
        let strides = [Stride { product: vec![], bytes: 8000 }, Stride { product: vec![], bytes: 8 }];
        let offset = sum(&[(&[I], 8000), (&[J], 8), (&[], -7992)]);
        let subscripts = divide_with(&access(offset), &strides, Preferred::Largest, &|_| false).expect("divides");
        assert_eq!(subscripts, [sum(&[(&[I], 1), (&[], -1)]), sum(&[(&[J], 1), (&[], 1)])]);
    }

    #[test]
    fn a_diagonal_step_is_split_over_both_dimensions() {
        let strides = [Stride { product: vec![], bytes: 8000 }, Stride { product: vec![], bytes: 8 }];
        let subscripts =
            divide_with(&access(sum(&[(&[I], 8008)])), &strides, Preferred::Largest, &|_| false).expect("divides");
        assert_eq!(subscripts, [sum(&[(&[I], 1)]), sum(&[(&[I], 1)])]);
    }

    #[test]
    fn a_row_with_a_border_is_one_length() {
        let bordered = sum(&[(&[N, I], 8), (&[I], 16), (&[J], 8), (&[N], 8), (&[], 24)]);
        let diagonal = sum(&[(&[N, I], 8), (&[I], 24)]);
        let plain = sum(&[(&[N, I], 8), (&[I], 8)]);
        assert_eq!(row_shifts(&[access(bordered.clone()), access(bordered.clone()), access(diagonal)]), [(N, 2)]);
        assert_eq!(row_shifts(&[access(plain), access(sum(&[(&[N, I], 8), (&[J], 8)]))]), []);
        let rewritten = moved(&bordered, &[(N, 2)], -1).expect("small");
        assert_eq!(rewritten, sum(&[(&[N, I], 8), (&[J], 8), (&[N], 8), (&[], 8)]));
        assert_eq!(moved(&rewritten, &[(N, 2)], 1), Some(bordered));
    }

    #[test]
    fn a_parametric_stride_is_the_product_that_multiplies_an_iterator() {
        let offset = sum(&[(&[N, I], 8), (&[J], 8), (&[N], 8)]);
        let products = stride_products(&[access(offset.clone())]).expect("a chain");
        assert_eq!(products, [vec![N], vec![]]);
        let strides = all_strides(&[access(offset.clone())], &products, (&[8], Step::Least), 8);
        let subscripts = divide_with(&access(offset), &strides, Preferred::Largest, &|_| false).expect("divides");
        assert_eq!(subscripts, [sum(&[(&[I], 1), (&[], 1)]), sum(&[(&[J], 1)])]);
    }
}
