//! With which values of the iterators around it a statement is run, as a set.
//!
//! In
//!
//! ```text
//! for (c0 = max(0, n - 5); c0 <= n - 2; c0 += 1)
//!   if (c0 >= m)
//!     S(c0);
//! ```
//!
//! `S` is run with some of `[n, m] -> { [c0] : c0 >= 0 and c0 >= n - 5 and c0 <= n - 2 and c0 >= m }`. What no conjunction of affine inequalities says, as an upper bound that is
//! a maximum, is left out: the set may be larger than what is run, and is never smaller.

use crate::ast::{Ast, Comparison, Expr, For, Node};
use crate::presburger::{Aff, DimKind, Id, MultiAff, Set, Space};

/// A place in a tree: the iterators of the loops around it, outermost first, and their values there.
#[derive(Clone)]
pub struct Executed {
    iterators: Vec<Id>,
    /// Over the parameters and the iterators.
    pub values: Set,
}

/// Calls for each statement in the tree, with what it is run with.
pub fn for_each_user<'n>(ast: &'n Ast, context: &Set, visit: &mut dyn FnMut(&'n Id, &'n [Expr], &Executed)) {
    let values = Set::universe(&Space::alloc_set(&[], None, 0)).intersect_params(context);
    Executed { iterators: Vec::new(), values }.node(&ast.root, visit);
}

impl Executed {
    fn node<'n>(&self, node: &'n Node, visit: &mut dyn FnMut(&'n Id, &'n [Expr], &Executed)) {
        match node {
            Node::For(each) => self.inside(each).node(&each.body, visit),
            Node::If { condition, then, otherwise } => {
                self.where_holds(condition).node(then, visit);
                otherwise.iter().for_each(|otherwise| self.node(otherwise, visit));
            }
            Node::User { statement, arguments } => visit(statement, arguments, self),
            _ => node.children().into_iter().for_each(|child| self.node(child, visit)),
        }
    }

    fn inside(&self, each: &For) -> Executed {
        let mut inside = self.clone();
        inside.iterators.push(each.iterator.clone());
        inside.values = inside.values.add_dims(DimKind::Out, 1);
        let iterator = Expr::Name(each.iterator.clone());
        let is_at_least = Expr::Compare(Comparison::Ge, iterator.clone().into(), each.lower.clone().into());
        let is_at_most = Expr::Compare(Comparison::Le, iterator.into(), each.upper.clone().into());
        inside.where_holds(&is_at_least).where_holds(&is_at_most)
    }

    /// As far as the condition can be said.
    fn where_holds(&self, condition: &Expr) -> Executed {
        let mut there = self.clone();
        self.restrict(condition, &mut there.values);
        there
    }

    fn restrict(&self, condition: &Expr, values: &mut Set) {
        match condition {
            Expr::And(parts) => parts.iter().for_each(|part| self.restrict(part, values)),
            Expr::Compare(comparison, left, right) => self.compare(*comparison, left, right, values),
            _ => {}
        }
    }

    fn compare(&self, comparison: Comparison, left: &Expr, right: &Expr, values: &mut Set) {
        if let (Comparison::Ge, Expr::Max(parts)) | (Comparison::Le, Expr::Min(parts)) = (comparison, right) {
            return parts.iter().for_each(|part| self.compare(comparison, left, part, values));
        }
        let (Some(left), Some(right)) = (self.affine(left), self.affine(right)) else { return };
        *values = values.intersect(&match comparison {
            Comparison::Eq => left.eq_set(&right),
            Comparison::Ge => left.ge_set(&right),
            Comparison::Gt => left.gt_set(&right),
            Comparison::Le => left.le_set(&right),
            Comparison::Lt => left.lt_set(&right),
            Comparison::Ne => return,
        });
    }

    /// Expressions as functions of the iterators, if they are quasi-affine.
    pub fn functions(&self, exprs: &[Expr]) -> Option<MultiAff> {
        let affs: Vec<Aff> = exprs.iter().map(|expr| self.affine(expr)).collect::<Option<_>>()?;
        Some(MultiAff::new(&Space::alloc_map(&[], self.iterators.len(), affs.len()), affs))
    }

    fn affine(&self, expr: &Expr) -> Option<Aff> {
        let space = self.values.space();
        let both = |a: &Expr, b: &Expr| Some((self.affine(a)?, self.affine(b)?));
        match expr {
            Expr::Int(value) => Some(Aff::constant_on_domain(space, value)),
            Expr::Name(name) => match self.iterators.iter().position(|own| own == name) {
                Some(at) => Some(Aff::var_on_domain(space, DimKind::Out, at)),
                None => Some(Aff::param_on_domain(space, name.as_str())),
            },
            Expr::Add(a, b) => both(a, b).map(|(a, b)| a.add(&b)),
            Expr::Sub(a, b) => both(a, b).map(|(a, b)| a.sub(&b)),
            Expr::Mul(a, b) => both(a, b).and_then(|(a, b)| a.mul(&b)),
            Expr::Neg(of) => Some(self.affine(of)?.neg()),
            Expr::FloorDiv(of, divisor) | Expr::ExactDiv(of, divisor) => {
                Some(self.affine(of)?.scale_down(divisor).floor())
            }
            Expr::Mod(of, divisor) => Some(self.affine(of)?.mod_val(divisor)),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::presburger::Set;

    /// What is printed of the only statement of a tree.
    fn executed(text: &str) -> String {
        let ast: Ast = text.parse().expect("a tree");
        let mut found = String::new();
        for_each_user(&ast, &Set::parse("[n, m] -> { : n >= 0 }").expect("a set"), &mut |statement, _, executed| {
            found += &format!("{statement}: {}\n", executed.values);
        });
        found
    }

    #[test]
    fn bounds_and_conditions_around_a_statement_hold() {
        let text = "[n, m] -> {\n  for (c0 = max(0, n - 5); c0 <= n - 2; c0 += 1) {\n    if (c0 >= m) {\n      S(c0);\n    }\n  }\n}\n";
        let set = "S: [n, m] -> { [i0] : n >= 0 and 0 <= i0 <= n - 2 and i0 >= m and i0 >= n - 5 }\n";
        assert_eq!(executed(text), set);
    }
}
