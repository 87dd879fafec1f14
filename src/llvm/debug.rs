//! What the debug information says: lines of the source and names of its variables.

use llvm_sys::debuginfo::*;
use llvm_sys::prelude::LLVMMetadataRef;

use super::ffi::*;
use super::instruction::Instruction;
use super::ir::Function;
use super::value::Value;
use super::{borrowed_text, owned_text, zero_terminated};

handle! {
    /// A place in the source, a `DILocation`.
    Location(llvm_sys::LLVMOpaqueMetadata)
}

impl<'ir> Location<'ir> {
    pub fn line(self) -> u32 {
        call!(LLVMDILocationGetLine(self.raw()))
    }
    pub fn column(self) -> u32 {
        call!(LLVMDILocationGetColumn(self.raw()))
    }
    /// The file as it was named to the compiler.
    pub fn file(self) -> String {
        let file = call!(LLVMDIScopeGetFile(self.scope()));
        if file.is_null() {
            return String::new();
        }
        let mut length = 0;
        let raw = call!(LLVMDIFileGetFilename(file, &mut length));
        borrowed_text(raw, length as usize)
    }
    /// The folder where names of files that are relative start.
    pub fn directory(self) -> String {
        let file = call!(LLVMDIScopeGetFile(self.scope()));
        if file.is_null() {
            return String::new();
        }
        let mut length = 0;
        let raw = call!(LLVMDIFileGetDirectory(file, &mut length));
        borrowed_text(raw, length as usize)
    }
    /// The call this place was inlined through, outermost last.
    pub fn inlined_at(self) -> Option<Location<'ir>> {
        Location::from_raw(call!(LLVMDILocationGetInlinedAt(self.raw())))
    }
    /// The place in the function itself, however deep the inlining.
    pub fn outermost(self) -> Location<'ir> {
        std::iter::successors(Some(self), |at| at.inlined_at()).last().expect("law: a chain has an end")
    }
    /// The place for users: what was inlined from a library is where the user's own code comes to it, as far as there is any.
    pub fn of_user(self) -> Location<'ir> {
        if self.inlined_at().is_none() {
            return self;
        }
        let mut frames = std::iter::successors(Some(self), |at| at.inlined_at());
        frames.find(|at| at.line() > 0 && !at.is_of_library()).unwrap_or(self)
    }
    /// Whether it is in the source of a library and not the user's own.
    pub fn is_of_library(self) -> bool {
        is_of_library(&self.directory(), &self.file())
    }
    fn scope(self) -> LLVMMetadataRef {
        call!(LLVMDILocationGetScope(self.raw()))
    }
}

impl std::fmt::Display for Location<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{}:{}:{}", self.file(), self.line(), self.column())
    }
}

impl std::fmt::Debug for Location<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        std::fmt::Display::fmt(self, f)
    }
}

/// Where sources of compilers' own libraries and of crates of others are.
const LIBRARIES: [&str; 3] = ["/usr/", "/rustc/", "/rust/deps/"];
const FOLDERS_OF_LIBRARIES: [&str; 3] = ["/lib/rustlib/src/", "/.cargo/registry/src/", "/.cargo/git/checkouts/"];

/// Folders of [`LIBRARIES`] in which people build programs of their own.
const NO_LIBRARIES: [&str; 2] = ["/usr/src/", "/usr/home/"];

/// Whether a file is of a library and not the user's own.
fn is_of_library(directory: &str, file: &str) -> bool {
    let path = if file.starts_with('/') { file.to_string() } else { format!("{directory}/{file}") };
    let begins = |all: &[&str]| all.iter().any(|start| path.starts_with(start));
    begins(&LIBRARIES) && !begins(&NO_LIBRARIES) || FOLDERS_OF_LIBRARIES.iter().any(|part| path.contains(part))
}

/// The source variable that some debug record says this value is, or lives in.
pub(super) fn variable_name(value: Value<'_>) -> Option<String> {
    owned_text(call!(loopwright_variable_name(value.raw()))).filter(|name| !name.is_empty())
}

impl<'ir> Instruction<'ir> {
    /// Where it is in the source, for users: what LLVM merged has line 0, and is where its nearest neighbour is; what is from a library is where it is used.
    pub fn place(self) -> Option<Location<'ir>> {
        let own = self.location()?;
        let is_known = |at: &Location<'ir>| at.line() > 0;
        if is_known(&own) {
            return Some(own.of_user());
        }
        let before = std::iter::successors(self.previous(), |i| i.previous());
        let behind = std::iter::successors(self.next(), |i| i.next());
        let ends = self.block().map_or_else(Vec::new, |block| block.predecessors());
        let ends = ends.into_iter().filter_map(|block| block.terminator());
        before.chain(behind).chain(ends).filter_map(|i| i.location()).find(is_known).map(Location::of_user)
    }
}

/// The member of a variable that an address is of, as the source writes it: `g->u`, `x.y`; the variable alone, where only
/// a library knows the members.
pub(super) fn member_name(address: Value<'_>) -> Option<String> {
    owned_text(call!(loopwright_member_name(address.raw()))).filter(|name| !name.is_empty())
}

/// A name as the source has it, of a function that a linker knows by another one.
pub fn demangled(name: &str) -> String {
    let text = owned_text(call!(loopwright_demangled(zero_terminated(name).as_ptr()))).unwrap_or_default();
    let is_hash =
        |tail: &str| tail.len() == 17 && tail.starts_with('h') && tail[1..].bytes().all(|b| b.is_ascii_hexdigit());
    match text.rsplit_once("::") {
        Some((path, tail)) if is_hash(tail) => path.to_string(),
        _ => text,
    }
}

/// A name of C++ without what is given to templates and functions: `std::map<int, double>::at(int const&)` is `std::map::at`.
pub(super) fn brief(name: &str) -> String {
    let (mut depth, mut text) = (0usize, String::new());
    let start = name.strip_prefix("void ").unwrap_or(name);
    if name.contains("operator") || name.starts_with('<') || name.starts_with('(') {
        return name.to_string();
    }
    for letter in start.chars() {
        match letter {
            '<' => depth += 1,
            '>' => depth = depth.saturating_sub(1),
            '(' if depth == 0 => break,
            _ if depth == 0 => text.push(letter),
            _ => {}
        }
    }
    text.rsplit(' ').next().unwrap_or_default().to_string()
}

/// The language that a function is written in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Language {
    #[default]
    C,
    Cxx,
    Fortran,
    Rust,
}

impl Language {
    /// By the debug information; without any by how the compilers call functions and modules.
    pub(super) fn of(function: Function<'_>) -> Language {
        match call!(loopwright_language(function.raw())) {
            1 => Language::C,
            2 => Language::Cxx,
            3 => Language::Fortran,
            4 => Language::Rust,
            _ => by_name(&function.name(), &function.module().source_file()),
        }
    }
}

fn by_name(function: &str, module: &str) -> Language {
    let ending = module.rsplit_once('.').map_or("", |(_, ending)| ending);
    match ending {
        "c" => Language::C,
        "rs" => Language::Rust,
        "f90" | "F90" | "f" | "F" | "f03" | "f08" => Language::Fortran,
        _ if module == "FIRModule" => Language::Fortran,
        _ if module.contains("-cgu.") || function.starts_with("_R") => Language::Rust,
        _ if function.starts_with("_Z") => Language::Cxx,
        _ => Language::C,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn libraries_are_known_by_where_they_are() {
        assert!(is_of_library("/home/me", "/usr/lib/gcc/x/12/../../../../include/c++/12/bits/stl_vector.h"));
        assert!(is_of_library("/rustc/abc", "library/core/src/iter/range.rs"));
        assert!(is_of_library("", "/home/me/.cargo/registry/src/index/ndarray-0.16/src/lib.rs"));
        assert!(!is_of_library("/home/me", "src/main.rs") && !is_of_library("/usr/src/app", "main.c"));
    }

    #[test]
    fn functions_have_the_names_of_the_source() {
        assert_eq!(demangled("_Z2tfIdEviPT_PKS0_"), "void tf<double>(int, double*, double const*)");
        assert_eq!(demangled("_ZN2cr2mm17h0123456789abcdefE"), "cr::mm");
        assert_eq!(demangled("kernel_gemm"), "kernel_gemm");
        assert_eq!(brief("void std::map<int, std::less<int>>::at<2>(int const&) const"), "std::map::at");
        assert_eq!([brief("cr::mm"), brief("operator new(unsigned long)")], ["cr::mm", "operator new(unsigned long)"]);
    }

    #[test]
    fn a_language_is_known_without_debug_information() {
        assert_eq!(by_name("mm_", "FIRModule"), Language::Fortran);
        assert_eq!(by_name("_ZN2cr2mm17hE", "cr.6f3c-cgu.0"), Language::Rust);
        assert_eq!([by_name("_Z1fv", "a.cpp"), by_name("f", "a.c")], [Language::Cxx, Language::C]);
    }
}
