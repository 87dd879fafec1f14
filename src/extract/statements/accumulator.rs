//! One accumulator for a whole nest.
//!
//! In SSA form the sum of `for (i) for (j) s += A[i][j];` has a phi in each loop's header:
//!
//!     outer:  %s = phi [0, entry], [%s.lcssa, latch]
//!     inner:  %t = phi [%s, preheader], [%sum, inner]        %sum = add %t, %a
//!     exit:   %s.lcssa = phi [%sum, inner]
//!
//! As two scalar arrays of the model they would be copied into each other in every iteration of `i`, and no statement would be the
//! update of a reduction over both loops. But `%t` starts with `%s`, `%s` goes on with the last `%t`, and nobody else looks at `%s`
//! while the inner loop runs: so all three are one accumulator, `%s` being its *first name*, and the only statements are `s = 0` and
//! `s = s + A[i][j]`. Several inner loops may take turns, and a test may guard each of them. What an opaque part does to an accumulator,
//! `if (A[i][j] > t) s += A[i][j];`, is a turn as well if it is nothing but updates, or counts the places of its stores.

use super::builder::{StatementBuilder, iterators};
use super::drafts::{AtLatch, Storage, Turn};
use super::root::{Output, Root};
use crate::extract::control::subregion::Opaque;
use crate::extract::numbers::leaf::Leaf;
use crate::extract::reductions::arg_reduction::{Member, Pick};
use crate::extract::reductions::chain::{LONGEST_CHAIN, accumulated, old_value};
use crate::extract::reductions::{packing, pick, ranking};
use crate::extract::refusal::Refusal;
use crate::extract::ssa::operands;
use crate::llvm::{Block, Instruction, LoopId, Value};
use crate::scop::ArrayId;
use std::collections::HashSet;

/// Where the sides of a test bring an accumulator together.
struct Join<'ir> {
    phi: Instruction<'ir>,
    /// By values that have nothing to do with it, not by updates of it.
    is_replaced: bool,
}

/// The phi that an instruction is for, with all that is computed from it, and the value by which that gets there; a phi itself is for itself.
fn way_to_phi<'ir>(from: Instruction<'ir>) -> Option<(Instruction<'ir>, Value<'ir>)> {
    if from.is_phi() {
        return Some((from, from.value()));
    }
    let (mut pending, mut n_seen, mut way) = (vec![from], 0, None);
    while let Some(here) = pending.pop() {
        let users = here.users();
        n_seen += 1;
        if n_seen > LONGEST_CHAIN || users.is_empty() {
            return None;
        }
        for user in users {
            if !user.is_phi() {
                pending.push(user);
            } else if *way.get_or_insert((user, here.value())) != (user, here.value()) {
                return None;
            }
        }
    }
    way
}

/// Whether nothing but a part is computed from a value.
fn is_used_in<'ir>(part: &Opaque<'ir>, value: Value<'ir>) -> bool {
    let (mut pending, mut seen) = (value.users(), HashSet::new());
    while let Some(user) = pending.pop() {
        let Some(home) = user.block() else { return false };
        let is_own = part.blocks.contains(&home)
            || user.is_phi() && home == part.exit
            || user.is_terminator() && home == part.start;
        if is_own || !seen.insert(user) {
            continue;
        }
        if user.is_phi() || !user.is_speculatable() || seen.len() > LONGEST_CHAIN {
            return false;
        }
        pending.extend(user.users());
    }
    true
}

impl<'ir> StatementBuilder<'_, '_, '_, 'ir> {
    /// The phi under which the model knows a value: itself, if it is no second name.
    pub(in crate::extract) fn first_name(&self, value: Value<'ir>) -> Value<'ir> {
        let mut here = value;
        while let Some(next) = self.aliases.get(&here) {
            here = *next;
        }
        here
    }

    /// Gives the phis of inner loops that go on with an outer loop's accumulator its name.
    pub(in crate::extract) fn find_accumulators(&mut self) {
        for header in self.affine.region.blocks.clone() {
            let phis = if self.domains.opaque_of(header).is_some() { Vec::new() } else { header.phis() };
            for phi in phis {
                for name in self.names_inside(phi, header).unwrap_or_default() {
                    self.aliases.entry(name).or_insert(phi.value());
                }
            }
        }
    }

    /// The values that take turns in being the phi of an outer loop's header within one iteration; `None` if anything else happens to it.
    fn names_inside(&self, phi: Instruction<'ir>, header: Block<'ir>) -> Option<Vec<Value<'ir>>> {
        let analyses = self.affine.analyses;
        let outer = analyses.loop_(analyses.loop_of(header)?);
        let last = phi.incoming_from(outer.latch?).filter(|_| outer.header == header)?;
        let (mut here, mut names) = (phi.value(), Vec::new());
        while here != last {
            let inner = self.turn(here, outer.id, &outer.children).or_else(|| self.turn_in_part(here, outer.id));
            let at_join = || self.turn_at_join(here, outer.id).map(|join| vec![join.phi.value()]);
            let turn = inner.or_else(at_join)?;
            here = *turn.last()?;
            names.extend(turn);
        }
        let is_number = |value: &Value<'ir>| {
            let home = value.as_instruction().and_then(Instruction::block);
            home.is_none_or(|home| self.is_integer_expression(*value, home))
        };
        let is_new = |value: &Value<'ir>| !self.aliases.contains_key(value);
        let all_new = names.iter().all(is_new) && !names.is_empty();
        (all_new && !is_number(&phi.value()) && !names.iter().any(is_number)).then_some(names)
    }

    /// The names of the accumulator from the header of the inner loop that goes on with `here` until after that loop, if it is the
    /// only one that does.
    fn turn(&self, here: Value<'ir>, outer: LoopId, children: &[LoopId]) -> Option<Vec<Value<'ir>>> {
        let analyses = self.affine.analyses;
        let users = here.users();
        let starts = |id: &LoopId| {
            let inner = analyses.loop_(*id);
            if self.domains.opaque_of(inner.header).is_some() {
                return None;
            }
            let preheader = inner.preheader?;
            let phi = inner.header.phis().into_iter().find(|phi| phi.incoming_from(preheader) == Some(here))?;
            Some((phi, inner, preheader))
        };
        let mut found = children.iter().filter_map(starts);
        let (Some((phi, inner, preheader)), None) = (found.next(), found.next()) else { return None };
        let result = phi.incoming_from(inner.latch?)?;
        let exit = inner.exit_of_latch()?;
        let closing = |q: &Instruction<'ir>| matches!(q.incoming()[..], [(value, _)] if value == result);
        let mut closed = exit.phis().into_iter().filter(closing);
        let (Some(after), None) = (closed.next(), closed.next()) else { return None };
        let others: Vec<Instruction<'ir>> = users.into_iter().filter(|user| *user != phi).collect();
        let [join] = others[..] else {
            return others.is_empty().then(|| vec![phi.value(), after.value()]);
        };
        let [guard] = preheader.predecessors()[..] else { return None };
        let at = join.block().filter(|at| join.is_phi() && analyses.loop_of(*at) == Some(outer))?;
        let joins = join.incoming().len() == 2
            && join.incoming_from(guard) == Some(here)
            && join.incoming().iter().any(|(value, _)| *value == after.value())
            && guard.successors().contains(&at)
            && after.users() == [join];
        joins.then(|| vec![phi.value(), after.value(), join.value()])
    }

    /// The name of the accumulator behind a test of the loop, sides of which update it, `if (i != j) s += A[i][j]; else s -= b;`, or replace it,
    /// `if (i % 5 == 3) v = B[i];`.
    fn turn_at_join(&self, here: Value<'ir>, outer: LoopId) -> Option<Join<'ir>> {
        let ways = here.users().into_iter().map(|user| Some((user, way_to_phi(user)?))).collect::<Option<Vec<_>>>()?;
        let &[(_, (join, _)), ..] = ways.as_slice() else { return None };
        let home = join.block().filter(|_| ways.iter().all(|(_, (other, _))| *other == join))?;
        let is_header = self.affine.analyses.loop_(outer).header == home;
        let is_behind_part = self.domains.opaque.iter().any(|part| part.exit == home || part.blocks.contains(&home));
        if is_header || is_behind_part || self.affine.analyses.loop_of(home) != Some(outer) {
            return None;
        }
        let mut sides: Vec<Value<'ir>> = join.incoming().into_iter().map(|(value, _)| value).collect();
        sides.retain(|value| *value != here);
        if sides.is_empty() || sides.iter().any(|side| self.first_name(*side) == self.first_name(here)) {
            return None;
        }
        let is_own = |value: Value<'ir>| {
            let block = value.as_instruction().filter(|i| !i.is_phi()).and_then(|i| i.block());
            block.is_some_and(|block| {
                self.affine.region.contains(block) && self.affine.analyses.loop_of(block) == Some(outer)
            })
        };
        let operator = |side: &Value<'ir>| {
            let other_way = |user: &Instruction<'ir>| ways.iter().any(|(own, (_, last))| own == user && last != side);
            let (operator, _) = old_value(*side, None, &|operand| operand == here, &is_own, &other_way, LONGEST_CHAIN)?;
            side.users().iter().all(|user| *user == join).then_some(operator)
        };
        let is_updated =
            operator(&sides[0]).is_some_and(|first| sides.iter().all(|side| operator(side) == Some(first)));
        // By whatever it is computed, nobody looks at what it was when it is written.
        let is_computed = |side: &Value<'ir>| is_own(*side) && side.users().iter().all(|user| *user == join);
        let is_replaced = ways.iter().all(|(user, _)| *user == join);
        (is_updated || is_replaced || sides.iter().all(is_computed)).then_some(Join { phi: join, is_replaced })
    }

    /// Has the sides of tests that update an accumulator or replace it write it.
    fn write_joins(&mut self, first: Value<'ir>, array: ArrayId, loops: &[LoopId]) -> Result<(), Refusal<'ir>> {
        for home in self.affine.region.blocks.clone() {
            let Some(id) = self.affine.analyses.loop_of(home) else { continue };
            let is_name = |phi: &Instruction<'ir>| self.first_name(phi.value()) == first;
            let names: Vec<Instruction<'ir>> = home.phis().into_iter().filter(is_name).collect();
            for here in names {
                let Some(join) = self.turn_at_join(here.value(), id) else { continue };
                if self.first_name(join.phi.value()) == first {
                    self.write_join(&join, (first, array), loops)?;
                }
            }
        }
        Ok(())
    }

    fn write_join(
        &mut self,
        Join { phi, is_replaced }: &Join<'ir>,
        (first, array): (Value<'ir>, ArrayId),
        loops: &[LoopId],
    ) -> Result<(), Refusal<'ir>> {
        let home = phi.block().expect("law: an instruction of the region is in a block");
        for (value, from) in phi.incoming() {
            if self.first_name(value) == first {
                continue;
            }
            let subscripts = iterators(loops);
            let root = match is_replaced {
                true => Root::Pick {
                    pick: Pick::replaces(Member { old: first, result: value }),
                    outputs: vec![Output { value, array, subscripts }],
                },
                false => Root::Write { value, array, subscripts },
            };
            let location = value.as_instruction().and_then(|i| i.place()).or_else(|| phi.place());
            let position = self.made.at_end(from, Turn::Leaving);
            let scope = self.domains.edge(self.affine, self.assumptions, from, home)?;
            self.add_statement(root, &[value], scope, from, position, location, None)?;
        }
        Ok(())
    }

    /// The name of the accumulator behind an opaque part of the loop that updates it and is the only one to use it.
    fn turn_in_part(&self, here: Value<'ir>, outer: LoopId) -> Option<Vec<Value<'ir>>> {
        let of_loop = |part: &&Opaque<'ir>| self.affine.analyses.loop_of(part.start) == Some(outer);
        self.domains.opaque.iter().filter(of_loop).find_map(|part| {
            // Ways past the part bring it along as it was, or there is more to write than what the part does.
            let is_of_part = |value: &Value<'ir>| {
                let incoming = value.as_instruction().map(Instruction::incoming).unwrap_or_default();
                incoming.iter().all(|(value, from)| part.leads_on(*from) || *value == here)
            };
            let results = part.exit.phis().into_iter().map(Instruction::value);
            let updated = |result: &Value<'ir>| accumulated(part, here, *result).is_some();
            let mut updated = results.filter(|result| *result != here && is_of_part(result) && updated(result));
            let picked = || {
                let picks = pick::picks_of_part(part);
                picks.iter().flat_map(|pick| &pick.members).find(|m| m.old == here).map(|m| m.result)
            };
            let counts = || packing::counted(part, here).map(|packing| packing.counter.result);
            let ranked = || self.ranked_in_part(here, part);
            let found = updated.next().or_else(picked).or_else(counts).or_else(ranked);
            found.filter(is_of_part).map(|result| vec![result])
        })
    }

    /// What a phi of a loop's header is behind an opaque part in which its place is taken, and it takes others' places, if nobody else looks at them.
    fn ranked_in_part(&self, here: Value<'ir>, part: &Opaque<'ir>) -> Option<Value<'ir>> {
        let home = here.as_instruction()?.block()?;
        let this = self.affine.analyses.loop_(self.affine.analyses.loop_of(part.start)?);
        let latch = this.latch.filter(|_| this.header == home)?;
        let member = |phi: Instruction<'ir>| {
            let result = phi.incoming_from(latch)?.as_instruction()?;
            let is_handed_on = result.is_phi() && result.block() == Some(part.exit);
            is_handed_on.then_some(Member { old: phi.value(), result: result.value() })
        };
        let members: Vec<Member<'ir>> = home.phis().into_iter().filter_map(member).collect();
        let rankings = ranking::rankings(&members, Some(part));
        let own = rankings.iter().find(|ranking| ranking.iter().any(|member| member.old == here))?;
        let is_private = own.iter().all(|member| is_used_in(part, member.old));
        own.iter().find(|member| member.old == here && is_private).map(|member| member.result)
    }

    /// Whether a value that goes round a loop updates the phi `own` that it becomes, and none of its steps from that phi on takes another
    /// phi of the loop's header as it is. Then these steps can be taken at the latch, where other phis may have gone on, while what
    /// they take is computed before: `s = s * 3 + 1; hits += s % 5;`.
    pub(in crate::extract) fn is_update_of(&self, value: Value<'ir>, own: Value<'ir>) -> bool {
        let is_own = |value: Value<'ir>| {
            value.as_instruction().is_some_and(|i| !i.is_phi() && self.affine.region.contains_instruction(i))
        };
        old_value(value, None, &|old| old == own, &is_own, &|_| false, LONGEST_CHAIN).is_some()
            && self.takes_apart(value, own)
    }

    fn takes_apart(&self, value: Value<'ir>, own: Value<'ir>) -> bool {
        let steps = value.as_instruction().map(operands).unwrap_or_default();
        steps.into_iter().filter(|operand| *operand != own).all(|operand| {
            let is_phi = operand.as_instruction().is_some_and(|i| i.is_phi());
            match is_phi {
                true => !self.reads_other_carried(operand, Some(own), &mut HashSet::new()),
                false => !self.reaches(operand, own, &mut HashSet::new()) || self.takes_apart(operand, own),
            }
        })
    }

    /// Whether computing the value takes the phi.
    fn reaches(&self, value: Value<'ir>, phi: Value<'ir>, seen: &mut HashSet<Value<'ir>>) -> bool {
        let inside = value.as_instruction().filter(|i| !i.is_phi() && self.affine.region.contains_instruction(*i));
        let steps = inside.filter(|_| seen.insert(value)).map(operands).unwrap_or_default();
        value == phi || steps.into_iter().any(|operand| self.reaches(operand, phi, seen))
    }

    /// Finds the phis that are written together at the latch of their loop.
    pub(in crate::extract) fn find_groups(&mut self) {
        for header in self.affine.region.blocks.clone() {
            let this = self.affine.analyses.loop_of(header).map(|id| self.affine.analyses.loop_(id));
            let Some(latch) = this.filter(|this| this.header == header).and_then(|this| this.latch) else { continue };
            if self.domains.opaque_of(header).is_some() {
                continue;
            }
            let member = |phi: Instruction<'ir>| {
                let result = phi.incoming_from(latch).filter(|result| *result != phi.value())?;
                let is_value = !self.is_integer_expression(phi.value(), header);
                is_value.then_some(Member { old: phi.value(), result })
            };
            let members: Vec<Member<'ir>> = header.phis().into_iter().filter_map(member).collect();
            let picks = pick::picks(&members, None).into_iter().filter(|pick| pick.members.len() > 1);
            let mut found: Vec<AtLatch<'ir>> = picks.map(AtLatch::Pick).collect();
            let is_free = |member: &Member<'ir>| !found.iter().any(|group| group.has(member.old));
            let others: Vec<Member<'ir>> = members.into_iter().filter(is_free).collect();
            found.extend(ranking::rankings(&others, None).into_iter().map(AtLatch::Ranking));
            self.at_latches.extend(found.into_iter().map(|group| (group, false)));
        }
    }

    /// Whether two phis are one or are written together.
    pub(in crate::extract) fn goes_with(&self, a: Value<'ir>, b: Value<'ir>) -> bool {
        a == b || self.at_latches.iter().any(|(group, _)| group.has(a) && group.has(b))
    }

    /// Writes the phi at the latch of its loop with those that go with it, if there are any; whether there are.
    pub(in crate::extract) fn write_group(
        &mut self,
        phi: Instruction<'ir>,
        latch: Block<'ir>,
    ) -> Result<bool, Refusal<'ir>> {
        let Some(at) = self.at_latches.iter().position(|(group, _)| group.has(phi.value())) else { return Ok(false) };
        if std::mem::replace(&mut self.at_latches[at].1, true) {
            return Ok(true);
        }
        let members = self.at_latches[at].0.members().to_vec();
        let mut outputs = Vec::new();
        for Member { old, result } in &members {
            let Leaf::Scalar { array, subscripts } = self.phi_leaf(*old) else {
                unreachable!("law: a phi's array is a scalar");
            };
            outputs.push(Output { value: *result, array, subscripts });
        }
        let values: Vec<Value<'ir>> = members.iter().map(|member| member.result).collect();
        let own = |value: &Value<'ir>| value.as_instruction().and_then(|i| i.place());
        let location = values.iter().find_map(own).or_else(|| phi.place());
        let position = self.made.at_end(latch, self.next_turn(phi, latch));
        let scope = self.domains.of_block(latch).clone();
        let root = match &self.at_latches[at].0 {
            AtLatch::Pick(pick) => Root::Pick { pick: pick.clone(), outputs },
            AtLatch::Ranking(_) => Root::Together { outputs },
        };
        self.add_statement(root, &values, scope, latch, position, location, Some(phi.value()))?;
        Ok(true)
    }

    /// Has the opaque parts that update an accumulator write it.
    fn write_parts(&mut self, first: Value<'ir>, array: ArrayId, loops: &[LoopId]) {
        for part in self.domains.opaque.clone() {
            for phi in part.exit.phis() {
                if phi.value() != first && self.first_name(phi.value()) == first {
                    self.hand_on(&part, phi.value(), array, loops);
                }
            }
        }
    }

    /// Writes what inner loops do with an accumulator that they share with the loop around them.
    pub(in crate::extract) fn write_inner_names(
        &mut self,
        first: Value<'ir>,
        array: ArrayId,
    ) -> Result<(), Refusal<'ir>> {
        let Storage::Scalar { loops, .. } = self.made.arrays[array].storage.clone() else {
            unreachable!("law: a phi's array is a scalar");
        };
        self.write_parts(first, array, &loops);
        self.write_joins(first, array, &loops)?;
        for header in self.affine.region.blocks.clone() {
            let Some(latch) = self.affine.analyses.loop_of(header).map(|id| self.affine.analyses.loop_(id)) else {
                continue;
            };
            let Some(latch) = latch.latch.filter(|_| latch.header == header) else { continue };
            for phi in header.phis().into_iter().filter(|phi| phi.value() != first) {
                if self.first_name(phi.value()) == first {
                    self.write_turn(phi, latch, array)?;
                }
            }
        }
        Ok(())
    }
}
