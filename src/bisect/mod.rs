//! Which region makes a command fail: the search of `loopwright bisect -- COMMAND`.
//!
//! The command builds a program with the plugin and tests it. It must fail when all regions are rewritten and succeed when none is; the
//! first region with which the ones before it come to fail is found in a logarithm of runs, as LLVM's `-opt-bisect-limit` would:
//!
//!     all of 5: fails    first 2: succeeds    first 4: fails    first 3: fails    ->  the third
//!
//! One more run tells whether the region fails by itself, or only beside some that come before it.

pub mod command;

/// A region, and whether the command fails if no other is rewritten.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Culprit {
    pub region: String,
    pub is_alone: bool,
}

/// Why there is no culprit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Innocent<E> {
    /// The command fails with no region rewritten.
    FailsWithout,
    /// The command succeeds with all of them rewritten.
    Succeeds,
    /// The command cannot be run.
    CannotRun(E),
}

impl<E> From<E> for Innocent<E> {
    fn from(error: E) -> Innocent<E> {
        Innocent::CannotRun(error)
    }
}

/// The first of the regions with which those before it make the command fail; `fails` says of some regions whether it does.
///
/// # Errors
/// The command does not fail because of the regions, or cannot be run.
pub fn culprit<E>(
    regions: &[String],
    mut fails: impl FnMut(&[String]) -> Result<bool, E>,
) -> Result<Culprit, Innocent<E>> {
    if fails(&[])? {
        return Err(Innocent::FailsWithout);
    }
    if regions.is_empty() || !fails(regions)? {
        return Err(Innocent::Succeeds);
    }
    let (mut succeeding, mut failing) = (0, regions.len());
    while failing - succeeding > 1 {
        let middle = succeeding + (failing - succeeding) / 2;
        match fails(&regions[..middle])? {
            true => failing = middle,
            false => succeeding = middle,
        }
    }
    let region = regions[failing - 1].clone();
    let is_alone = failing == 1 || fails(std::slice::from_ref(&region))?;
    Ok(Culprit { region, is_alone })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn regions(count: usize) -> Vec<String> {
        (0..count).map(|at| format!("a.c f {at}")).collect()
    }

    fn found(count: usize, fails: impl Fn(&[String]) -> bool) -> Result<Culprit, Innocent<()>> {
        culprit(&regions(count), |some| Ok(fails(some)))
    }

    #[test]
    fn each_region_is_found() {
        for count in 1..20 {
            for region in regions(count) {
                let culprit = found(count, |some| some.contains(&region)).expect("a culprit");
                assert_eq!(culprit, Culprit { region, is_alone: true });
            }
        }
    }

    #[test]
    fn two_that_fail_only_together() {
        let all = regions(9);
        let culprit = found(9, |some| some.contains(&all[2]) && some.contains(&all[6])).expect("a culprit");
        assert_eq!(culprit, Culprit { region: all[6].clone(), is_alone: false });
    }

    #[test]
    fn commands_that_regions_do_not_break() {
        assert_eq!(found(3, |_| true), Err(Innocent::FailsWithout));
        assert_eq!(found(3, |_| false), Err(Innocent::Succeeds));
        assert_eq!(found(0, |_| false), Err(Innocent::Succeeds));
        assert_eq!(culprit(&regions(2), |_| Err("no such command")), Err(Innocent::CannotRun("no such command")));
    }
}
