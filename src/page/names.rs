//! Names as people write them: functions as the source has them, files no longer than needed to tell them apart.
//!
//! `_Z3sumIdEvi` becomes `void sum<double>(int)`, `_RNvCs1_4main4mean` becomes `main::mean`; of `/home/me/a/x.c` and `/home/me/b/x.c` remain `a/x.c` and `b/x.c`.

use crate::report::{Module, Nest, file};
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};

/// What the source calls a function.
pub fn readable(name: &str) -> String {
    if let Ok(rust) = rustc_demangle::try_demangle(name) {
        return format!("{rust:#}");
    }
    // A function of C may be called `f`, which among parts of mangled names is a type.
    let symbol = is_mangled(name).then(|| cpp_demangle::Symbol::new(name).ok()).flatten();
    symbol.and_then(|symbol| symbol.demangle().ok()).unwrap_or_else(|| name.to_string())
}

/// Whether a name begins as those of functions of C++ do, with one more underscore on systems of Apple, and two more for blocks.
fn is_mangled(name: &str) -> bool {
    name.trim_start_matches('_').starts_with('Z') && name.starts_with('_')
}

/// The place of a nest's file, in one spelling.
pub fn place_of(module: &Module, nest: &Nest) -> PathBuf {
    let directory = if nest.directory.is_empty() { &module.directory } else { &nest.directory };
    file::whole_path(directory, &nest.file)
}

/// For each file a name that no other one has, the shortest of them.
pub fn short_names(all: &BTreeSet<PathBuf>) -> BTreeMap<PathBuf, String> {
    let tail = |path: &Path, n: usize| -> String {
        let parts: Vec<String> =
            path.components().map(|part| part.as_os_str().to_string_lossy().into_owned()).collect();
        parts[parts.len().saturating_sub(n)..].join("/").replace("//", "/")
    };
    let name = |path: &PathBuf| {
        let longest = path.components().count();
        let is_own = |n: &usize| all.iter().filter(|other| tail(other, *n) == tail(path, *n)).count() == 1;
        let n = (1..=longest).find(is_own).unwrap_or(longest);
        (path.clone(), tail(path, n))
    };
    all.iter().map(name).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_have_the_names_of_their_source() {
        assert_eq!(readable("_Z2tfIdEviPT_PKS0_"), "void tf<double>(int, double*, double const*)");
        assert_eq!(readable("_ZN2cr2mm17h0123456789abcdefE"), "cr::mm");
        for plain in ["kernel_gemm", "f", "d", "i", "St", "Z1f", "_Zebra"] {
            assert_eq!(readable(plain), plain);
        }
        assert_eq!(readable("__Z4meani"), "mean(int)");
    }

    #[test]
    fn files_are_told_apart_by_their_folders() {
        let all: BTreeSet<PathBuf> = ["/m/a/x.c", "/m/b/x.c", "/m/b/y.c"].into_iter().map(PathBuf::from).collect();
        let names: Vec<String> = short_names(&all).into_values().collect();
        assert_eq!(names, ["a/x.c", "b/x.c", "y.c"]);
    }
}
