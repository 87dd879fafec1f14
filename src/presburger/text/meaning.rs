//! What a tree of isl notation means: relations and functions.
//!
//! The dimensions of a disjunct's tuples, in order, are the variables of a flat anonymous set, and each `exists` adds more at the end. A
//! value is a [`PwAff`] over that set (so `min`, `? :` and `floor` may stand anywhere), a condition a [`Set`]; at the end the
//! existentials are projected out and the set gets the tuples of the text. An element of a tuple that is a new name names its dimension,
//! any other element is a value that the dimension has. Affine comparisons of a conjunction, which is nearly all that is ever written, are
//! gathered in one conjunction and simplified once.

use super::lexer::ParseError;
use super::syntax::{Content, Disjunct, Element, Node, Tree, TupleTree};
use crate::presburger::conjunction::Conjunction;
use crate::presburger::named::aff::Aff;
use crate::presburger::named::basic_map::ConstraintKind;
use crate::presburger::named::map::Map;
use crate::presburger::named::multi_pw::MultiPwAff;
use crate::presburger::named::pw_aff::PwAff;
use crate::presburger::named::set::Set;
use crate::presburger::named::space::{DimKind, Id, Space, Tuple, Tuples};
use crate::presburger::number::int::{Int, Number};

/// Most dimensions of one tuple or `exists`: a limit on the width of rows, far beyond any program.
const MOST_DIMENSIONS: usize = 500;

/// The text that trees were read from, and its parameters.
pub(super) struct Meaning<'a> {
    pub text: &'a str,
    pub params: Vec<Id>,
}

type Known<T> = Result<T, ParseError>;

/// The variables in scope: dimensions of tuples, then existentials.
#[derive(Clone)]
struct Scope {
    space: Space,
    names: Vec<Option<String>>,
}

impl Scope {
    fn new(params: &[Id], names: Vec<Option<String>>) -> Scope {
        Scope { space: Space::set(params, &Tuple::anonymous(names.len())), names }
    }

    fn variable(&self, position: usize) -> PwAff {
        PwAff::var_on_domain(&self.space, DimKind::Out, position)
    }
}

/// The dimensions of tuples: names and the values that some have.
#[derive(Default)]
pub(super) struct Layout<'t> {
    pub names: Vec<Option<String>>,
    values: Vec<Option<&'t Tree>>,
}

/// Comparisons of affine forms, and other conditions, that hold together.
struct Together {
    affine: Conjunction<Int>,
    others: Vec<Set>,
}

fn flipped(sign: &str) -> &'static str {
    match sign {
        "<=" => ">",
        "<" => ">=",
        ">=" => "<",
        ">" => "<=",
        "=" => "!=",
        _ => "=",
    }
}

impl Meaning<'_> {
    pub(super) fn fail<T>(&self, at: usize, message: impl Into<String>) -> Known<T> {
        Err(ParseError::at(self.text, at, message.into()))
    }

    /// The tuple of a tree; its dimensions are added to the layout.
    pub(super) fn tuple<'t>(&self, tree: &'t TupleTree, layout: &mut Layout<'t>) -> Known<Tuple> {
        let name = tree.name.as_deref().map(Id::new);
        match &tree.content {
            Content::Nested(first, second) => {
                let first = self.tuple(first, layout)?;
                Ok(Tuple::nested(name, &first, &self.tuple(second, layout)?))
            }
            Content::Flat(elements) => {
                let start = layout.names.len();
                elements.iter().for_each(|element| self.element(element, layout));
                if layout.names.len() > MOST_DIMENSIONS {
                    return self.fail(tree.at, "too many dimensions");
                }
                let dims = layout.names[start..].iter().map(|n| n.as_deref().map(Id::new)).collect();
                Ok(Tuple::with_dim_names(name, dims))
            }
        }
    }

    fn element<'t>(&self, element: &'t Element, layout: &mut Layout<'t>) {
        let known = |name: &String, layout: &Layout| {
            layout.names.iter().flatten().any(|n| n == name) || self.params.iter().any(|p| p.as_str() == name)
        };
        let (name, value) = match element {
            Element::Any => (None, None),
            Element::Named(name, value) => (Some(name.clone()), Some(value)),
            Element::Value(tree) => match &tree.node {
                Node::Name(name) if !known(name, layout) => (Some(name.clone()), None),
                _ => (None, Some(tree)),
            },
        };
        layout.names.push(name);
        layout.values.push(value);
    }

    /// The space of a disjunct.
    pub(super) fn space(&self, tuples: Vec<Tuple>) -> Space {
        let mut tuples = tuples.into_iter();
        let tuples = match (tuples.next(), tuples.next()) {
            (None, _) => Tuples::Params,
            (Some(tuple), None) => Tuples::Set(tuple),
            (Some(domain), Some(range)) => Tuples::Map(domain, range),
        };
        Space::params_only(&self.params).with_tuples(tuples)
    }

    /// The relation, set or parameter set of a disjunct.
    pub fn relation(&self, disjunct: &Disjunct) -> Known<Map> {
        let mut layout = Layout::default();
        let tuples = disjunct.tuples.iter().map(|tree| self.tuple(tree, &mut layout)).collect::<Known<Vec<_>>>()?;
        let set = self.flat(&layout, disjunct.condition.as_ref())?;
        Ok(set.0.reset_space(&self.space(tuples)))
    }

    /// The flat set of the values of a layout's dimensions.
    pub(super) fn flat(&self, layout: &Layout, condition: Option<&Tree>) -> Known<Set> {
        let scope = Scope::new(&self.params, layout.names.clone());
        let mut all = Together { affine: Conjunction::universe(scope.space.n_dim()), others: Vec::new() };
        for (position, value) in layout.values.iter().enumerate() {
            if let Some(tree) = value {
                self.compare(&scope.variable(position), "=", &self.value(tree, &scope)?, &mut all);
            }
        }
        if let Some(condition) = condition {
            self.gather(condition, &scope, &mut all)?;
        }
        Ok(all.set(&scope.space))
    }

    /// The members of a disjunct that writes a function, and the domain they are restricted to: from the first tuple, or the parameters,
    /// to the last.
    pub fn function(&self, disjunct: &Disjunct) -> Known<(MultiPwAff, Set)> {
        let (domain, range) = match &disjunct.tuples[..] {
            [range] => (None, range),
            [domain, range] => (Some(domain), range),
            _ => return self.fail(disjunct.at, "expected a function"),
        };
        let mut layout = Layout::default();
        let domain = domain.map(|tree| self.tuple(tree, &mut layout)).transpose()?;
        let scope = Scope::new(&self.params, layout.names.clone());
        let mut images = Layout::default();
        let range = self.tuple_of_values(range, &mut images)?;
        let space = Space::params_only(&self.params).with_tuples(domain.map_or(Tuples::Params, Tuples::Set));
        let values =
            images.values.iter().flatten().map(|tree| Ok(self.value(tree, &scope)?.reset_domain_space(&space)));
        let values = values.collect::<Known<Vec<PwAff>>>()?;
        let flat = self.flat(&layout, disjunct.condition.as_ref())?;
        let function = MultiPwAff::new(&crate::presburger::named::multi::function_space(&space, &range), values);
        Ok((function, Set(flat.0.reset_space(&space))))
    }

    /// As [`Meaning::tuple`], but each element is a value.
    fn tuple_of_values<'t>(&self, tree: &'t TupleTree, layout: &mut Layout<'t>) -> Known<Tuple> {
        let name = tree.name.as_deref().map(Id::new);
        match &tree.content {
            Content::Nested(first, second) => {
                let first = self.tuple_of_values(first, layout)?;
                Ok(Tuple::nested(name, &first, &self.tuple_of_values(second, layout)?))
            }
            Content::Flat(elements) => {
                for element in elements {
                    let (Element::Value(value) | Element::Named(_, value)) = element else {
                        return self.fail(tree.at, "expected a value for each dimension");
                    };
                    layout.values.push(Some(value));
                }
                Ok(Tuple::new(name, elements.len()))
            }
        }
    }

    fn value(&self, tree: &Tree, scope: &Scope) -> Known<PwAff> {
        let one = |tree: &Tree| self.value(tree, scope);
        Ok(match &tree.node {
            Node::Number(number) => PwAff::constant_on_domain(&scope.space, number),
            Node::Name(name) => self.variable(name, tree.at, scope)?,
            Node::Negative(inner) => one(inner)?.neg(),
            Node::Binary(sign, left, right) => self.arithmetic(sign, one(left)?, one(right)?, right.at)?,
            Node::Floor(inner) => one(inner)?.floor(),
            Node::Ceil(inner) => one(inner)?.ceil(),
            Node::Abs(inner) => one(inner)?.abs(),
            Node::Min(parts) => self.folded(parts, scope, PwAff::min)?,
            Node::Max(parts) => self.folded(parts, scope, PwAff::max)?,
            Node::Select(condition, yes, no) => {
                let condition = match &condition.node {
                    Node::Number(_) | Node::Name(_) | Node::Binary(..) => one(condition)?.non_zero_set(),
                    _ => self.condition(condition, scope)?,
                };
                PwAff::select(&condition, &one(yes)?, &one(no)?)
            }
            Node::Piecewise(pieces) => {
                let mut all = PwAff::empty(&scope.space);
                for (value, condition) in pieces {
                    let mut piece = one(value)?;
                    if let Some(condition) = condition {
                        piece = piece.intersect_domain(&self.condition(condition, scope)?);
                    }
                    all = all.union_add(&piece);
                }
                all
            }
            Node::Power(..) => return self.fail(tree.at, "a power is not affine"),
            _ => return self.fail(tree.at, "expected a value, found a condition"),
        })
    }

    fn folded(&self, parts: &[Tree], scope: &Scope, f: fn(&PwAff, &PwAff) -> PwAff) -> Known<PwAff> {
        let mut values = parts.iter().map(|part| self.value(part, scope));
        let Some(first) = values.next() else { return self.fail(0, "expected a value") };
        values.try_fold(first?, |all, value| Ok(f(&all, &value?)))
    }

    fn variable(&self, name: &str, at: usize, scope: &Scope) -> Known<PwAff> {
        if let Some(position) = scope.names.iter().rposition(|n| n.as_deref() == Some(name)) {
            return Ok(scope.variable(position));
        }
        match scope.space.find_param(name) {
            Some(position) => Ok(PwAff::var_on_domain(&scope.space, DimKind::Param, position)),
            None => self.fail(at, format!("unknown name `{name}`")),
        }
    }

    fn arithmetic(&self, sign: &str, left: PwAff, right: PwAff, at: usize) -> Known<PwAff> {
        let constant = || right.as_aff().and_then(|aff| aff.as_integer());
        match sign {
            "+" => Ok(left.add(&right)),
            "-" => Ok(left.sub(&right)),
            "*" => left.mul(&right).map_or_else(|| self.fail(at, "one factor of a product is a number"), Ok),
            "/" => match constant() {
                Some(divisor) if !divisor.is_zero() => Ok(left.scale_down(&divisor)),
                _ => self.fail(at, "a divisor is a number other than 0"),
            },
            _ => match constant() {
                Some(modulus) if modulus.is_positive() => Ok(left.mod_val(&modulus)),
                _ => self.fail(at, "a modulus is a positive number"),
            },
        }
    }

    fn condition(&self, tree: &Tree, scope: &Scope) -> Known<Set> {
        let mut all = Together { affine: Conjunction::universe(scope.space.n_dim()), others: Vec::new() };
        self.gather(tree, scope, &mut all)?;
        Ok(all.set(&scope.space))
    }

    /// Adds a condition to those that hold together.
    fn gather(&self, tree: &Tree, scope: &Scope, all: &mut Together) -> Known<()> {
        match &tree.node {
            Node::And(parts) => parts.iter().try_for_each(|part| self.gather(part, scope, all)),
            Node::Truth(true) => Ok(()),
            Node::Compare(lists, signs) => {
                for (pair, sign) in lists.windows(2).zip(signs) {
                    self.gather_lists(&pair[0], sign, &pair[1], scope, all)?;
                }
                Ok(())
            }
            _ => {
                all.others.push(self.other_condition(tree, scope)?);
                Ok(())
            }
        }
    }

    fn other_condition(&self, tree: &Tree, scope: &Scope) -> Known<Set> {
        let none = Set::empty(&scope.space);
        match &tree.node {
            Node::Truth(_) => Ok(none),
            Node::Or(parts) => parts.iter().try_fold(none, |any, part| Ok(any.union(&self.condition(part, scope)?))),
            Node::Not(inner) => self.negated(inner, scope),
            Node::Implies(left, right) => Ok(self.negated(left, scope)?.union(&self.condition(right, scope)?)),
            Node::Exists(names, body) => self.exists(names, body, scope),
            Node::And(_) | Node::Compare(..) => self.condition(tree, scope),
            _ => self.fail(tree.at, "expected a condition, found a value"),
        }
    }

    fn negated(&self, tree: &Tree, scope: &Scope) -> Known<Set> {
        let all = Set::universe(&scope.space);
        match &tree.node {
            Node::Truth(truth) => Ok(if *truth { Set::empty(&scope.space) } else { all }),
            Node::Not(inner) => self.condition(inner, scope),
            Node::And(parts) => {
                let none = Set::empty(&scope.space);
                parts.iter().try_fold(none, |any, part| Ok(any.union(&self.negated(part, scope)?)))
            }
            Node::Or(parts) => parts.iter().try_fold(all, |both, part| Ok(both.intersect(&self.negated(part, scope)?))),
            Node::Compare(lists, signs) if self.is_single(lists, signs) => {
                let value = |list: &[Tree]| self.value(&list[0], scope);
                let mut all = Together { affine: Conjunction::universe(scope.space.n_dim()), others: Vec::new() };
                let (left, right) = (value(&lists[0])?, value(&lists[1])?);
                if left.as_aff().is_none() || right.as_aff().is_none() {
                    return Ok(self.condition(tree, scope)?.complement());
                }
                self.compare(&left, flipped(signs[0]), &right, &mut all);
                Ok(all.set(&scope.space))
            }
            _ => Ok(self.condition(tree, scope)?.complement()),
        }
    }

    /// One comparison of two values.
    fn is_single(&self, lists: &[Vec<Tree>], signs: &[&str]) -> bool {
        signs.len() == 1
            && lists.iter().all(|list| list.len() == 1)
            && !signs[0].starts_with("<<")
            && !signs[0].starts_with(">>")
    }

    fn exists(&self, names: &[(String, Option<Tree>)], body: &Tree, scope: &Scope) -> Known<Set> {
        let first = scope.names.len();
        if first + names.len() > MOST_DIMENSIONS {
            return self.fail(body.at, "too many variables");
        }
        let all_names = scope.names.iter().cloned().chain(names.iter().map(|(name, _)| Some(name.clone()))).collect();
        let inner = Scope::new(scope.space.params(), all_names);
        let mut all = Together { affine: Conjunction::universe(inner.space.n_dim()), others: Vec::new() };
        for (k, (_, value)) in names.iter().enumerate() {
            if let Some(tree) = value {
                self.compare(&inner.variable(first + k), "=", &self.value(tree, &inner)?, &mut all);
            }
        }
        self.gather(body, &inner, &mut all)?;
        Ok(all.set(&inner.space).project_out(DimKind::Out, first, names.len()))
    }

    fn gather_lists(
        &self,
        left: &[Tree],
        sign: &'static str,
        right: &[Tree],
        scope: &Scope,
        all: &mut Together,
    ) -> Known<()> {
        let values = |list: &[Tree]| list.iter().map(|tree| self.value(tree, scope)).collect::<Known<Vec<_>>>();
        if sign.starts_with("<<") || sign.starts_with(">>") {
            if left.len() != right.len() {
                return self.fail(right[0].at, "lists of different lengths are not ordered");
            }
            all.others.push(lexicographic(&values(left)?, sign, &values(right)?, &scope.space));
            return Ok(());
        }
        let (smaller, greater) = if sign.starts_with('<') { (left, right) } else { (right, left) };
        let ordered = sign != "=" && sign != "!=";
        let below = |tree: &Tree| match &tree.node {
            Node::Max(parts) if ordered => parts.clone(),
            _ => vec![tree.clone()],
        };
        let above = |tree: &Tree| match &tree.node {
            Node::Min(parts) if ordered => parts.clone(),
            _ => vec![tree.clone()],
        };
        let smaller = values(&smaller.iter().flat_map(below).collect::<Vec<_>>())?;
        let greater = values(&greater.iter().flat_map(above).collect::<Vec<_>>())?;
        let strict = if sign.len() == 1 { "<" } else { "<=" };
        for a in &smaller {
            for b in &greater {
                self.compare(a, if ordered { strict } else { sign }, b, all);
            }
        }
        Ok(())
    }

    /// Adds one comparison.
    fn compare(&self, left: &PwAff, sign: &str, right: &PwAff, all: &mut Together) {
        let (Some(a), Some(b)) = (left.as_aff(), right.as_aff()) else {
            all.others.push(match sign {
                "<=" => left.le_set(right),
                "<" => left.lt_set(right),
                ">=" => left.ge_set(right),
                ">" => left.gt_set(right),
                "=" => left.eq_set(right),
                _ => left.ne_set(right),
            });
            return;
        };
        let form = match sign {
            "<=" => b.sub(&a).sign_conjunction(ConstraintKind::Inequality),
            "<" => less(&a, &b),
            ">=" => a.sub(&b).sign_conjunction(ConstraintKind::Inequality),
            ">" => less(&b, &a),
            "=" => a.sub(&b).sign_conjunction(ConstraintKind::Equality),
            _ => {
                all.others.push(a.ne_set(&b));
                return;
            }
        };
        all.affine = all.affine.conjoin(&form);
    }
}

/// `a < b`: the numerator of the difference is at least 1.
fn less(a: &Aff, b: &Aff) -> Conjunction<Int> {
    let difference = b.sub(a);
    let step = Aff::constant_on_domain(difference.domain_space(), &Int::one()).scale_down(&difference.denominator());
    difference.sub(&step).sign_conjunction(ConstraintKind::Inequality)
}

/// Lists of equal length, the first difference of which decides.
fn lexicographic(left: &[PwAff], sign: &str, right: &[PwAff], space: &Space) -> Set {
    let (smaller, greater) = if sign.starts_with('<') { (left, right) } else { (right, left) };
    let mut equal = Set::universe(space);
    let mut result = Set::empty(space);
    for (a, b) in smaller.iter().zip(greater) {
        result = result.union(&equal.intersect(&a.lt_set(b)));
        equal = equal.intersect(&a.eq_set(b));
    }
    if sign.ends_with('=') { result.union(&equal) } else { result }
}

impl Together {
    fn set(self, space: &Space) -> Set {
        let affine = Set(Map::from_conjunctions(space, vec![self.affine]));
        self.others.iter().fold(affine, |all, other| all.intersect(other))
    }
}
