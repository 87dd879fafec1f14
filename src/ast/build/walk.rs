//! From a schedule tree to loops: what each kind of node does to the statements that reach it.
//!
//! A band scans its members, a filter keeps some instances, a sequence runs its children one after the other, a set in any order, a mark
//! names what is below, a context adds knowledge, an extension brings in new statements (copies of data, for example) that run once per
//! iteration of the loops around it, and a leaf writes the statements that are left.

use super::scan::{Members, Scanner, one};
use crate::ast::rows::guard::{Graft, in_any_order, in_sequence};
use crate::ast::rows::place::Place;
use crate::ast::rows::statement::Statement;
use crate::ast::tree::node::Node;
use crate::presburger::{BasicSet, DimKind, Id, Map, Set, UnionMap, UnionSet};
use crate::scop::tree::{self, Band};
use std::rc::Rc;

impl<'o> Scanner<'o> {
    /// The loops for `node` where `statements` reach it.
    pub fn node(
        &mut self,
        node: &tree::Node,
        statements: &[Rc<Statement>],
        place: &Place,
        mark: Option<&Id>,
    ) -> Vec<Graft> {
        if self.unbounded.is_some() {
            return vec![];
        }
        match node {
            tree::Node::Domain { domain, child } => {
                let active = self.statements(domain);
                self.node(child, &active, place, None)
            }
            tree::Node::Context { context, child } => {
                let context = one(&place.context.to_set().intersect(&self.lift(context, place)));
                let shell = context.remove_divs();
                let enforced = one(&place.enforced.to_set().intersect(&context.to_set()));
                self.node(child, statements, &Place { context, enforced, shell, ..place.clone() }, None)
            }
            tree::Node::Filter { filter, child } => {
                let active = self.filtered(filter, statements);
                if active.is_empty() { vec![] } else { self.node(child, &active, place, None) }
            }
            tree::Node::Band { band, child } => self.band(band, child, statements, place, mark),
            tree::Node::Sequence(children) => {
                children.iter().flat_map(|child| self.node(child, statements, place, None)).collect()
            }
            tree::Node::Set(children) => {
                let each = |child: &tree::Node| in_sequence(self.node(child, statements, place, None));
                vec![in_any_order(children.iter().map(each).collect())]
            }
            tree::Node::Mark { id, child } => {
                let graft = in_sequence(self.node(child, statements, place, Some(id)));
                if graft.node.is_empty() {
                    return vec![];
                }
                vec![Graft::of(graft.guard, Node::Mark { id: id.clone(), body: Box::new(graft.node) })]
            }
            tree::Node::Extension { extension, child } => {
                let mut active = statements.to_vec();
                active.extend(self.added(extension));
                self.node(child, &active, place, None)
            }
            tree::Node::Leaf => self.leaf(statements, place),
        }
    }

    fn band(
        &mut self,
        band: &Band,
        child: &tree::Node,
        statements: &[Rc<Statement>],
        place: &Place,
        mark: Option<&Id>,
    ) -> Vec<Graft> {
        let mut extended = vec![];
        for statement in statements {
            extended.push(self.in_band(statement, band));
        }
        let first = place.levels.len();
        let isolated = band.isolate.as_ref().map_or_else(Vec::new, |set| self.isolated(set, first, band.n_member()));
        let members =
            Members { first, n: band.n_member(), band: Some(band), below: Some(child), mark, isolated, is_open: false };
        self.members(&members, &extended, place, &|scanner, statements, place| {
            scanner.node(child, statements, place, None)
        })
    }

    /// A statement with the dates that a band gives it.
    pub(super) fn in_band(&self, statement: &Statement, band: &Band) -> Rc<Statement> {
        let own = band.partial.extract_multi_pw_aff(&statement.dates.space().domain()).as_map();
        Rc::new(statement.extended(&own, &self.params))
    }

    /// The instances of `domain`, without dates yet.
    fn statements(&self, domain: &UnionSet) -> Vec<Rc<Statement>> {
        let nothing = Set::universe(&crate::ast::rows::region::space(&self.params, 0));
        let statement = |set: Set| Rc::new(Statement::new(Map::from_domain_and_range(&set, &nothing), 0, &self.params));
        domain.sets().filter(|set| !set.is_empty()).map(statement).collect()
    }

    pub(super) fn filtered(&self, filter: &UnionSet, statements: &[Rc<Statement>]) -> Vec<Rc<Statement>> {
        let kept = |statement: &Rc<Statement>| {
            let domain = statement.dates.space().domain();
            let own = filter.sets().find(|set| set.space().has_equal_tuples(&domain))?;
            statement.filtered(&own, &self.params).map(Rc::new)
        };
        statements.iter().filter_map(kept).collect()
    }

    fn added(&self, extension: &UnionMap) -> Vec<Rc<Statement>> {
        let statement = |map: &Map| {
            let n = map.dim(DimKind::In);
            let dates = map.reverse().flatten_range().set_tuple_name(DimKind::Out, None);
            Rc::new(Statement::new(dates, n, &self.params))
        };
        extension.maps().filter(|map| !map.is_empty()).map(statement).collect()
    }

    /// The regions that are scanned apart, one per member, if each is one region.
    fn isolated(&self, set: &Set, first: usize, n: usize) -> Vec<BasicSet> {
        let mut shadow = set.flatten().set_tuple_name(DimKind::Out, None);
        if shadow.dim(DimKind::Out) != first + n {
            return vec![];
        }
        let mut regions = vec![];
        for k in (first + 1..=first + n).rev() {
            shadow = shadow.project_out(DimKind::Out, k, shadow.dim(DimKind::Out) - k);
            match &shadow.remove_divs().coalesce().pieces()[..] {
                [region] => regions.push(region.remove_redundancies()),
                _ => return vec![],
            }
        }
        regions.reverse();
        regions
    }

    fn lift(&self, context: &Set, place: &Place) -> Set {
        let all = Set::universe(&crate::ast::rows::region::space(&self.params, place.levels.len()));
        if context.is_params() {
            all.intersect_params(context)
        } else {
            all.intersect(&context.flatten().set_tuple_name(DimKind::Out, None))
        }
    }
}
