//! Functions from points to the writes that they come from: quasi-affine selection trees by their meaning.
//!
//! In `for (i) { for (j < i) S: a[j] = ..; }` the last write of `a[q]` before iteration `t` is `S{t - 1, q}` where `0 <= q < t - 1`
//! and there is none elsewhere. A [`Quast`] holds such a function as disjoint cells `(set, term)` over the tuples `[t, q]`; a
//! tuple in no cell has no source (the bottom of the trees). What is printed and executed is the tree that
//! [`grow`](super::grow) makes of the cells.
//!
//! [`Quast::fold`] is the effect of a loop from that of its body: the term at the largest value of the loop's variable that has one.
//! (Klimov, *Yet another way of building exact polyhedral model for weakly dynamic affine programs*, section 3; Feautrier,
//! *Dataflow analysis of array and scalar references*, 1991, for the trees.)

use crate::presburger::{Aff, DimKind, Id, Int, Map, MultiAff, PwMultiAff, Set, Space, Tuple};

/// An instance of a node of the graph: `name{e1, .., ek}`.
#[derive(Clone, Debug)]
pub struct Term {
    /// The node's place in the graph.
    pub node: usize,
    /// One expression for each variable of its context.
    pub args: Vec<Aff>,
}

/// A partial function from the tuples of a space to instances of nodes.
#[derive(Clone)]
pub struct Quast {
    space: Space,
    cells: Vec<(Set, Term)>,
}

/// What is read under a condition where the write itself is under one: the sources if it holds and if it does not.
pub struct Atomic {
    /// Where.
    pub cell: Set,
    /// The write if the condition holds; `None`: nothing is written.
    pub yes: Option<Term>,
    /// The write if it does not.
    pub no: Option<Term>,
}

/// The space of tuples of `n` dimensions without a name.
pub fn tuples(params: &[Id], n: usize) -> Space {
    Space::set(params, &Tuple::anonymous(n))
}

/// The function that has these values.
pub fn function(domain: &Space, affs: Vec<Aff>) -> MultiAff {
    let range = tuples(domain.params(), affs.len());
    MultiAff::new(&Space::from_domain_and_range(domain, &range), affs)
}

/// The dimensions at `positions`, as a function.
pub fn selection(domain: &Space, positions: impl IntoIterator<Item = usize>) -> MultiAff {
    function(domain, positions.into_iter().map(|d| Aff::var_on_domain(domain, DimKind::Out, d)).collect())
}

impl Term {
    /// The same formulas of the same node.
    pub fn is_same(&self, other: &Term) -> bool {
        self.node == other.node && self.args.iter().zip(&other.args).all(|(a, b)| a.plain_is_equal(b))
    }

    /// One of both that is this one on `own` and `other` on `others`, if there is one.
    fn common(&self, own: &Set, other: &Term, others: &Set) -> Option<Term> {
        if self.node != other.node {
            return None;
        }
        let agree = |set: &Set| self.args.iter().zip(&other.args).all(|(a, b)| set.is_subset(&a.eq_set(b)));
        if self.is_same(other) || agree(others) { Some(self.clone()) } else { agree(own).then(|| other.clone()) }
    }

    /// `x -> term(f(x))`
    pub fn pullback(&self, inner: &MultiAff) -> Term {
        Term { node: self.node, args: self.args.iter().map(|aff| aff.pullback(inner)).collect() }
    }

    /// `{ x -> args(x) : x in set }`
    pub fn relation(&self, set: &Set) -> Map {
        function(set.space(), self.args.clone()).as_map().intersect_domain(set)
    }
}

impl Quast {
    /// Nowhere defined.
    pub fn empty(space: &Space) -> Quast {
        Quast { space: space.clone(), cells: Vec::new() }
    }

    /// The function with these disjoint cells.
    pub fn from_cells(space: &Space, cells: impl IntoIterator<Item = (Set, Term)>) -> Quast {
        let mut merged: Vec<(Set, Term)> = Vec::new();
        for (set, term) in cells.into_iter().filter(|(set, _)| !set.is_empty()) {
            let known = merged.iter_mut().find_map(|(known, own)| {
                let common = own.common(known, &term, &set)?;
                Some((known, own, common))
            });
            match known {
                Some((all, own, common)) => (*all, *own) = (all.union_disjoint(&set), common),
                None => merged.push((set, term)),
            }
        }
        let cells = merged.into_iter().map(|(set, term)| (set.coalesce(), term)).collect();
        Quast { space: space.clone(), cells }
    }

    /// The space of its arguments.
    pub fn space(&self) -> &Space {
        &self.space
    }

    /// Its disjoint cells.
    pub fn cells(&self) -> &[(Set, Term)] {
        &self.cells
    }

    /// Changes all terms by `f`, which keeps different ones different.
    pub fn each_term(&mut self, f: &mut impl FnMut(&mut Term)) {
        self.cells.iter_mut().for_each(|(_, term)| f(term));
    }

    /// Where it is defined.
    pub fn domain(&self) -> Set {
        self.cells.iter().fold(Set::empty(&self.space), |all, (set, _)| all.union_disjoint(set)).coalesce()
    }

    /// What `later` says, and where it says nothing what this one says: the effect of one write and then another.
    pub fn seq(&self, later: &Quast) -> Quast {
        let hidden = later.domain();
        let earlier = self.cells.iter().map(|(set, term)| (set.subtract(&hidden), term.clone()));
        Quast::from_cells(&self.space, earlier.chain(later.cells.iter().cloned()))
    }

    /// Defined on `set` only.
    pub fn restrict(&self, set: &Set) -> Quast {
        let cells = self.cells.iter().map(|(own, term)| (own.intersect(set), term.clone()));
        Quast::from_cells(&self.space, cells)
    }

    /// `x -> self(f(x))`
    pub fn pullback(&self, inner: &MultiAff) -> Quast {
        let cells = self.cells.iter().map(|(set, term)| (set.preimage(inner), term.pullback(inner)));
        Quast::from_cells(&inner.domain_space(), cells)
    }

    /// At each point of `open` the value at the lexicographically largest values of the last `count` dimensions for which there is one,
    /// and the points without any.
    pub fn fold(&self, count: usize, open: &Set) -> (Quast, Set) {
        let n = self.space.dim(DimKind::Out) - count;
        let narrow = tuples(self.space.params(), n);
        // The number of the cell comes last: cells are disjoint, so it decides nothing, and tells whose value the largest is.
        let numbered = self.cells.iter().enumerate().map(|(number, (set, _))| {
            let all = Map::from_range(&set.insert_dims(DimKind::Out, n + count, 1));
            let cell = all.move_dims(DimKind::In, 0, DimKind::Out, 0, n);
            cell.fix(DimKind::Out, count, &Int::from(number as i64))
        });
        let Some(pairs) = numbered.reduce(|all, next| all.union_disjoint(&next)) else {
            return (Quast::empty(&narrow), open.clone());
        };
        let largest = pairs.partial_lexmax_pw_multi_aff(open);
        let (largest, none) = largest.expect("law: statements of dynamic programs end");
        let mut cells = Vec::new();
        for (set, values) in largest.pieces() {
            let values: Vec<Aff> = values.affs().iter().map(|aff| aff.reset_domain_space(&narrow)).collect();
            let set = set.reset_space(&narrow);
            let own = (0..n).map(|d| Aff::var_on_domain(&narrow, DimKind::Out, d));
            let whole = function(&narrow, own.chain(values[..count].iter().cloned()).collect());
            for (number, (_, term)) in self.cells.iter().enumerate() {
                let is_this = values[count].eq_set(&Aff::constant_on_domain(&narrow, &Int::from(number as i64)));
                cells.push((set.intersect(&is_this), term.pullback(&whole)));
            }
        }
        (Quast::from_cells(&narrow, cells), none.reset_space(&narrow))
    }

    /// The cells of `if p then self else other`, with what each branch writes there.
    pub fn atomic(&self, other: &Quast) -> Vec<Atomic> {
        let mut found: Vec<Atomic> = Vec::new();
        let (yes_domain, no_domain) = (self.domain(), other.domain());
        for (set, term) in &self.cells {
            found.push(Atomic { cell: set.subtract(&no_domain), yes: Some(term.clone()), no: None });
            for (other_set, other_term) in &other.cells {
                let cell = set.intersect(other_set);
                found.push(Atomic { cell, yes: Some(term.clone()), no: Some(other_term.clone()) });
            }
        }
        for (set, term) in &other.cells {
            found.push(Atomic { cell: set.subtract(&yes_domain), yes: None, no: Some(term.clone()) });
        }
        found.retain(|atomic| !atomic.cell.is_empty());
        found
    }
}

/// Variables that name the elements of a set: the first `n_kept` dimensions, those of the others that they do not determine, and the
/// function from these variables to the whole tuple. What determines a dimension says `expression(set, kept so far, dimension)`.
pub fn coordinates(
    set: &Set,
    n_kept: usize,
    expression: fn(&Set, &[usize], usize) -> Option<Aff>,
) -> (Vec<usize>, MultiAff) {
    let n = set.dim(DimKind::Out);
    let mut kept: Vec<usize> = (0..n_kept).collect();
    let mut values: Vec<Option<Aff>> = vec![None; n];
    for d in n_kept..n {
        match expression(set, &kept, d) {
            Some(aff) => values[d] = Some(aff),
            None => kept.push(d),
        }
    }
    let space = tuples(set.space().params(), kept.len());
    let value = |d: usize| match &values[d] {
        Some(aff) => aff.pullback(&selection(&space, 0..aff.domain_space().dim(DimKind::Out))),
        None => {
            let at = kept.iter().position(|k| *k == d).expect("law: a dimension is kept or determined");
            Aff::var_on_domain(&space, DimKind::Out, at)
        }
    };
    let whole = function(&space, (0..n).map(value).collect());
    (kept, whole)
}

/// The one expression of the dimensions `kept` that dimension `d` has in all elements, if there is one.
pub fn determined(set: &Set, kept: &[usize], d: usize) -> Option<Aff> {
    let n = set.dim(DimKind::Out);
    let mut pairs = Map::from_range(set);
    for other in (0..n).rev().filter(|other| *other != d && !kept.contains(other)) {
        pairs = pairs.project_out(DimKind::Out, other, 1);
    }
    // Those kept come before `d`, as both grow.
    let pairs = pairs.move_dims(DimKind::In, 0, DimKind::Out, 0, kept.len());
    let value = PwMultiAff::from_map(&pairs)?;
    match value.pieces() {
        [(_, value)] => Some(value.aff(0).reset_domain_space(&tuples(set.space().params(), kept.len()))),
        _ => None,
    }
}
