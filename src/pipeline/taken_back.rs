//! Why nothing came of nests whose turns of buffers were written out, told of them as they are again.
//!
//! ```c
//! for (i...) { for (j...) q[j] = a[i] == b[j] ? p[j - 1] + 1 : max(p[j], q[j - 1]);  swap(p, q); }
//! ```
//!
//! Written out, the nest has a model, and it may be that no order of it pays. As it stands it has none, as a pointer says now one buffer and now another one: true, and not what
//! is in the way.

use crate::extract::{Reason, Refusal};
use crate::llvm::{Analyses, Block, Loop, LoopId};
use std::collections::BTreeMap;

/// A nest around one of several loops: the number of this loop, and how many loops the nest is inside of.
type Place = (usize, usize);

/// Loops in which buffers take turns, and why the nests around them were left with the turns written out.
#[derive(Default)]
pub(super) struct TakenBack<'ir> {
    /// The headers of these loops, always in the same order.
    headers: Vec<Option<Block<'ir>>>,
    refusals: BTreeMap<Place, Refusal<'ir>>,
}

impl<'ir> TakenBack<'ir> {
    /// Loops with turns that are written out.
    pub fn written_out(headers: &[Option<Block<'ir>>]) -> Self {
        TakenBack { headers: headers.to_vec(), refusals: BTreeMap::new() }
    }

    /// What is known of loops that have these headers now, and their turns as they were.
    pub fn again(self, headers: Vec<Option<Block<'ir>>>) -> Self {
        TakenBack { headers, ..self }
    }

    /// Notes why nests are left, if it is one that is.
    pub fn note(&mut self, analyses: &Analyses<'_, 'ir>, nests: &[LoopId], refusal: &Refusal<'ir>) {
        for place in self.places(analyses, nests) {
            self.refusals.entry(place).or_insert_with(|| refusal.clone());
        }
    }

    /// Why nests are left: if that is that pointers are unknown, what was in the way where they were known.
    pub fn reason(&self, analyses: &Analyses<'_, 'ir>, nests: &[LoopId], refusal: &Refusal<'ir>) -> Refusal<'ir> {
        let is_about_pointers = matches!(refusal.reason, Reason::UnknownPointer { .. });
        let places = if is_about_pointers { self.places(analyses, nests) } else { Vec::new() };
        places.iter().find_map(|place| self.refusals.get(place)).unwrap_or(refusal).clone()
    }

    /// The places that a nest by itself has.
    fn places(&self, analyses: &Analyses<'_, 'ir>, nests: &[LoopId]) -> Vec<Place> {
        let [nest] = *nests else { return Vec::new() };
        let around = analyses.loops().iter().filter(|l| l.id != nest && analyses.is_within(nest, l.id)).count();
        let inside = analyses.loops().iter().filter(|l| analyses.is_within(l.id, nest));
        let number = |l: &Loop<'ir>| self.headers.iter().position(|header| *header == Some(l.header));
        inside.filter_map(number).map(|number| (number, around)).collect()
    }
}
