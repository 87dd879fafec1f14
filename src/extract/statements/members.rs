//! Members of different types, side by side in the elements of one array.
//!
//!     struct point { double x, y; int label; } p[];         p[i].x: bytes 24 i .. 24 i + 8        p[i].label: bytes 24 i + 16 .. 24 i + 20
//!
//! The array of the model has elements of one size. But every address here is a multiple of 24 bytes from `p`, plus a constant, so that
//! modulo 24 the doubles are at 0 to 15 and the integers at 16 to 19, wherever `i` comes from: they never meet, and are two arrays.
//!
//! That is so behind one value of `p`. Behind a pointer that data holds, other iterations have other values, which may be any number
//! of bytes apart: the arrays are entangled then (see [`crate::extract::memory::entangled`]).
//!
//! Implements: 001 non-array; 002 5.3.3

use super::builder::StatementBuilder;
use super::sites::Site;
use crate::extract::numbers::offset::WHOLE;

use crate::llvm::instruction::Address;
use crate::llvm::{Layout, Value};
use std::collections::BTreeMap;

/// Bytes that accesses of one size touch: from so many to so many, modulo the greatest common divisor of all factors.
struct Touched<'ir> {
    base: Value<'ir>,
    size: i128,
    /// Constant part and divisor; none if the address is no sum of multiples.
    place: Option<(i128, i128)>,
}

impl<'ir> StatementBuilder<'_, '_, '_, 'ir> {
    /// Finds the bases behind which accesses of different sizes never touch one byte.
    pub(in crate::extract) fn find_members(&mut self) {
        let mut all: Vec<Touched<'ir>> = Vec::new();
        for block in self.affine.region.blocks.clone() {
            let layout = block.function().layout();
            let sites: Vec<Site<'ir>> = block.instructions().into_iter().flat_map(|i| self.sites(i)).collect();
            for site in sites {
                let Some(base) = self.made.base(site.pointer, block) else { continue };
                let size = i128::from(layout.store_size(site.ty));
                let place = place(site.pointer, base, layout).map(|(constant, own)| (constant + site.further, own));
                all.push(Touched { base, size, place });
            }
        }
        let mut bases: Vec<Value<'ir>> = Vec::new();
        all.iter().for_each(|touched| {
            if !bases.contains(&touched.base) {
                bases.push(touched.base);
            }
        });
        for base in bases {
            let own: Vec<&Touched<'ir>> = all.iter().filter(|touched| touched.base == base).collect();
            if own.iter().any(|touched| touched.size != own[0].size) && are_apart(&own) {
                self.made.members.push(base);
            }
        }
    }
}

/// Whether accesses of different sizes have no byte in common.
fn are_apart(all: &[&Touched<'_>]) -> bool {
    let Some(places) = all.iter().map(|touched| touched.place).collect::<Option<Vec<_>>>() else { return false };
    let divisor = places.iter().fold(0, |divisor, (_, own)| gcd(divisor, *own));
    let mut of_size: BTreeMap<i128, Vec<i128>> = BTreeMap::new();
    for (touched, (constant, _)) in all.iter().zip(&places) {
        let first = if divisor == 0 { *constant } else { constant.rem_euclid(divisor) };
        if divisor != 0 && first + touched.size > divisor {
            return false;
        }
        of_size.entry(touched.size).or_default().push(first);
    }
    let meet = |(a, at): (i128, i128), (b, bt): (i128, i128)| at < bt + b && bt < at + a;
    of_size.iter().all(|(size, own)| {
        let others = || of_size.iter().filter(|(other, _)| *other != size);
        own.iter().all(|at| others().all(|(other, places)| places.iter().all(|bt| !meet((*size, *at), (*other, *bt)))))
    })
}

/// The constant part of the bytes from `base` to `pointer`, and what the rest is a multiple of.
fn place<'ir>(pointer: Value<'ir>, base: Value<'ir>, layout: Layout<'ir>) -> Option<(i128, i128)> {
    let (mut here, mut constant, mut divisor) = (pointer, 0i128, 0i128);
    while here != base {
        let address = Address::of_value(here)?;
        let (bytes, terms) = address.offset(layout)?;
        constant = constant.checked_add(bytes)?;
        // Of a step of 24 bytes that wraps around is left that it is a multiple of 8.
        let step = if address.inbounds || address.nusw { 0 } else { WHOLE };
        divisor = terms.into_iter().fold(divisor, |divisor, (_, bytes)| gcd(divisor, gcd(bytes, step)));
        here = address.base;
    }
    Some((constant, divisor))
}

fn gcd(a: i128, b: i128) -> i128 {
    if b == 0 { a } else { gcd(b, a % b) }
}
