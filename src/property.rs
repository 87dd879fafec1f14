//! Properties of random inputs, the same inputs every time.
//!
//! A property is checked on a fixed number of cases. Case 7 of `property(100, |u| ..)` draws its input from the bytes of a generator whose seed
//! says "case 7, so many bytes"; the first cases get few bytes, hence small inputs, the later ones more:
//!
//! ```text
//! property(100, |u| {
//!     let (a, b) = (arbitrary_set(u)?, arbitrary_set(u)?);
//!     assert!(a.intersect(&b).is_subset(&a));
//!     Ok(())
//! });
//! ```
//!
//! No clock is read: a case ends by its work units ([`within`]). A case that exceeds them decides nothing, and a property with too many such
//! cases fails, because it no longer tests what it says. A failing case prints its seed: `LOOPWRIGHT_SEED=0x4000000007` runs that
//! case alone, and `LOOPWRIGHT_CASES=50` runs fifty times as many cases as are stated.

use crate::presburger::budget::{TooHard, within};
use arbtest::arbitrary::{Result, Unstructured};

/// Work units of one case. A typical case takes ten thousand; this many are over in about a second.
const CASE_STEPS: u64 = 50_000_000;
/// One case in so many may stay undecided.
const UNDECIDED: u32 = 10;
/// Bytes of the first cases: enough for one small constraint.
const LEAST_BYTES: u64 = 16;
/// Bytes of the last cases: more than any generator of this crate takes for one input.
const MOST_BYTES: u64 = 1024;

/// Checks `check` on `cases` inputs.
pub(crate) fn property(cases: u32, mut check: impl FnMut(&mut Unstructured<'_>) -> Result<()>) {
    if let Some(seed) = seed_of_environment() {
        assert!(decides(seed, &mut check), "undecided within {CASE_STEPS} work units: seed {seed:#x}");
        return;
    }
    let cases = cases * number_of_environment("LOOPWRIGHT_CASES").map_or(1, |factor| factor as u32);
    let seeds = (0..cases).map(|case| bytes_of(case, cases) << 32 | u64::from(case));
    let undecided: Vec<u64> = seeds.filter(|&seed| !decides(seed, &mut check)).collect();
    assert!(
        undecided.len() as u32 * UNDECIDED <= cases,
        "{} of {cases} cases are undecided within {CASE_STEPS} work units: seeds {undecided:x?}",
        undecided.len()
    );
}

/// Sizes grow evenly over the first half of the cases and are full in the second.
fn bytes_of(case: u32, cases: u32) -> u64 {
    (LEAST_BYTES + MOST_BYTES * 2 * u64::from(case) / u64::from(cases)).min(MOST_BYTES)
}

/// Runs one case; whether it ended within its work units.
fn decides(seed: u64, check: &mut impl FnMut(&mut Unstructured<'_>) -> Result<()>) -> bool {
    let bytes = bytes(seed);
    let said = SaySeed(seed);
    // An error of the generator is a case without an input.
    let outcome = within(CASE_STEPS, || {
        let _ = check(&mut Unstructured::new(&bytes));
    });
    std::mem::forget(said);
    outcome != Err(TooHard)
}

/// Says which case failed while the failure unwinds.
struct SaySeed(u64);

impl Drop for SaySeed {
    fn drop(&mut self) {
        eprintln!("the failing case is LOOPWRIGHT_SEED={:#x}", self.0);
    }
}

/// The input of a seed: the numbers of the generator "splitmix64" (Steele, Lea, Flood, OOPSLA 2014), as bytes.
fn bytes(seed: u64) -> Vec<u8> {
    let mut state = seed;
    let mut next = || {
        state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let z = (state ^ (state >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        let z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    };
    let mut bytes: Vec<u8> = (0..(seed >> 32).div_ceil(8)).flat_map(|_| next().to_le_bytes()).collect();
    bytes.truncate((seed >> 32) as usize);
    bytes
}

/// One of the texts with some damage: parts are left out, doubled, replaced by a scrap, or the end is that of another text.
pub(crate) fn damaged(u: &mut Unstructured<'_>, texts: &[&str], scraps: &[&str]) -> Result<String> {
    let mut text: Vec<char> = u.choose(texts)?.chars().collect();
    for _ in 0..u.int_in_range(1..=4)? {
        let place = |u: &mut Unstructured<'_>, text: &[char]| u.int_in_range(0..=text.len());
        let (from, to) = (place(u, &text)?, place(u, &text)?);
        let (from, to) = (from.min(to), from.max(to).min(from.min(to) + 12));
        match u.int_in_range(0..=4)? {
            0 => drop(text.drain(from..to)),
            1 => {
                let again: Vec<char> = text[from..to].to_vec();
                text.splice(from..from, again);
            }
            2 | 3 => {
                let scrap = u.choose(scraps)?.chars();
                text.splice(from..to, scrap);
            }
            _ => {
                let other: Vec<char> = u.choose(texts)?.chars().collect();
                let start = place(u, &other)?;
                text.truncate(from);
                text.extend(&other[start..]);
            }
        }
    }
    Ok(text.into_iter().collect())
}

fn number_of_environment(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn seed_of_environment() -> Option<u64> {
    u64::from_str_radix(std::env::var("LOOPWRIGHT_SEED").ok()?.trim_start_matches("0x"), 16).ok()
}

#[test]
fn a_property_sees_the_same_inputs_every_time() {
    let seen = || {
        let mut seen: Vec<(usize, u64)> = Vec::new();
        property(40, |u| {
            seen.push((u.len(), u.arbitrary()?));
            Ok(())
        });
        seen
    };
    let inputs = seen();
    assert_eq!(inputs, seen());
    assert!(inputs.is_sorted_by_key(|(size, _)| *size));
}

#[test]
#[should_panic(expected = "undecided")]
fn a_property_without_answers_fails() {
    property(3, |_| {
        loop {
            crate::presburger::budget::spend(1_000);
        }
    });
}
