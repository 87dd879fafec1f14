//! `schedule D respecting V minimizing P`, and `codegen`.
//!
//! ```text
//! S := schedule [n] -> { S[i] : 0 <= i < n; T[i] : 0 <= i < n } respecting { S[i] -> T[i] } minimizing { S[i] -> T[i] };
//! codegen S;                                      # for (int c0 = 0; c0 < n; c0 += 1) { S(c0); T(c0); }
//! codegen { A[i] -> [i] : 0 <= i < 4 } using { [i] -> unroll[0] };
//! ```
//!
//! A schedule runs the first of each pair of `V` before the second one, and tries to bring the pairs of `V` that are also in `P` near each
//! other; the scheduler is the compiler's, and each schedule is proved. The options of `codegen` say of a relation's dimensions, as isl's
//! do, that their loops are to be `separate`, `atomic` or unrolled.
//!
//! Implements: 002 5.9

use super::value::Wrong;
use crate::ast::{self, Ast};
use crate::dependence::{Dependences, LiveOut};
use crate::presburger::{DimKind, Int, MultiUnionPwAff, Set, UnionMap, UnionSet};
use crate::schedule;
use crate::scop::tree::{Band, LoopKind, Node, Tree};
use crate::scop::{Scop, Statement, Table};

/// A schedule of the instances that keeps all pairs of `respecting` in order.
pub(super) fn compute(domain: &UnionSet, respecting: &UnionMap, minimizing: &UnionMap) -> Result<Tree, Wrong> {
    let inside = |relation: &UnionMap| relation.intersect_domain(domain).intersect_range(domain);
    let (validity, proximity) = (inside(respecting), inside(minimizing));
    let statements = domain.sets().map(|set| statement(&set)).collect::<Result<_, _>>()?;
    let params = domain.params_space().align_params(&validity.params_space()).align_params(&proximity.params_space());
    let none = || UnionMap::empty(params.params());
    let universe = Set::universe(&params.params_space());
    let scop = Scop {
        name: String::new(),
        params: params.params().to_vec(),
        context: universe.clone(),
        assumed: universe,
        arrays: Table::default(),
        symbols: Vec::new(),
        statements,
        schedule: Tree::from_root(Node::Domain { domain: domain.clone(), child: Box::new(Node::Leaf) }),
    };
    let dependences = Dependences {
        pairs: Vec::new(),
        flow: validity.intersect(&proximity).coalesce(),
        anti: validity.subtract(&proximity).coalesce(),
        output: none(),
        reduction: none(),
        in_order: none(),
        reduction_use: none(),
        live_in: none(),
        live_out: LiveOut::known(none()),
        exact: true,
        between_reductions: Default::default(),
    };
    let options = schedule::Options {
        tiling: schedule::Tiling::Never,
        blocking: schedule::Blocking::Never,
        ..Default::default()
    };
    let found = schedule::Schedule::of(&scop.aligned(), &dependences, &options).tree;
    schedule::check::check(&found, &validity, &none())
        .map_err(|_| Wrong("no schedule respects all pairs".to_string()))?;
    Ok(found)
}

fn statement(set: &Set) -> Result<Statement, Wrong> {
    let tuple = set.space().tuple(DimKind::Out);
    let name = set.space().tuple_name(DimKind::Out).cloned();
    match (name, tuple) {
        (Some(name), Some(tuple)) if !tuple.is_wrapping() => Ok(Statement::bare(name, set.clone())),
        _ => Err(Wrong(format!("instances without a name of their own: {}", set.space()))),
    }
}

/// Loops in C that run a schedule tree.
pub(super) fn codegen_tree(tree: &Tree) -> Result<String, Wrong> {
    let context = Set::universe(&tree.domain().params_space());
    written(Ast::of(tree, &context, &ast::Options::default()))
}

/// Loops in C that run the domain of a relation in the order of its values.
pub(super) fn codegen_map(dates: &UnionMap, options: &UnionMap) -> Result<String, Wrong> {
    let width = dates.maps().map(|map| map.dim(DimKind::Out)).max().unwrap_or(0);
    let kinds: Vec<LoopKind> = (0..width).map(|d| kind(options, d)).collect();
    let functions = dates.maps().all(|map| map.dim(DimKind::Out) == width && map.is_single_valued());
    if functions && kinds.iter().any(|kind| *kind != LoopKind::Default) {
        let bare = dates.maps().fold(UnionMap::empty(dates.params_space().params()), |mut all, map| {
            all.add_map(&map.flatten_range().set_tuple_name(DimKind::Out, None));
            all
        });
        if let Some(partial) = MultiUnionPwAff::from_union_map(&bare) {
            let band = Band { options: kinds, ..Band::new(partial) };
            let band = Node::Band { band, child: Box::new(Node::Leaf) };
            return codegen_tree(&Tree::from_root(Node::Domain { domain: dates.domain(), child: Box::new(band) }));
        }
    }
    let context = Set::universe(&dates.params_space().params_space());
    written(Ast::of_map(dates, &context, &ast::Options::default()))
}

/// What `{ [..] -> separate[0] }` and the like say of dimension `d`.
fn kind(options: &UnionMap, d: usize) -> LoopKind {
    let names = [("separate", LoopKind::Separate), ("atomic", LoopKind::Atomic), ("unroll", LoopKind::Unroll)];
    let says = |name: &str| {
        options.maps().any(|map| {
            let named = map.space().tuple_name(DimKind::Out).is_some_and(|id| id.as_str() == name);
            named && map.dim(DimKind::Out) == 1 && !map.fix(DimKind::Out, 0, &Int::from(d as i64)).is_empty()
        })
    };
    names.into_iter().find(|(name, _)| says(name)).map_or(LoopKind::Default, |(_, kind)| kind)
}

fn written(loops: Result<Ast, ast::Unbounded>) -> Result<String, Wrong> {
    let loops = loops.map_err(|e| Wrong(e.to_string()))?;
    Ok(ast::print::fragment(&loops.root).trim_end().to_string())
}
