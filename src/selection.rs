//! Which regions are rewritten, where the user wants to find the one that matters.
//!
//! A region has a name that does not depend on which others are rewritten: source file, function, and its number among the regions of the
//! function that can be. `loopwright bisect` lets a build write down all of them (`list-regions=FILE`), then allows some
//! (`regions=FILE`), until one is left:
//!
//!     gemm.c kernel_gemm 1
//!
//! How some of them are rewritten is said by schedules that the user gives (`schedules=FILE`).
//!
//! By hand, `first=N` takes the first N regions of each module. What is left out is planned all the same, so that numbers stay.

use std::cell::{Cell, RefCell};
use std::collections::BTreeSet;
use std::fs::{File, OpenOptions};
use std::io::{self, Read, Write};
use std::path::{Path, PathBuf};

use crate::options::Options;
use crate::schedule::given::Given;

/// A limit of a module's regions and where to note them.
#[derive(Debug, Default)]
pub struct Selection {
    source: String,
    /// So many more regions of the module are taken, of this function and those behind it.
    left: Option<Cell<u64>>,
    /// Only these names.
    wanted: Option<BTreeSet<String>>,
    /// Where to note what is taken, until that fails.
    list: RefCell<Option<PathBuf>>,
    /// What is to be noted of this function.
    taken: RefCell<Vec<String>>,
    /// The schedules that the user gives, with the name of their file.
    pub given: Option<(String, Given)>,
}

impl Selection {
    /// What the options want of a module with this source file.
    ///
    /// # Errors
    /// The file that names regions cannot be read.
    pub fn of(options: &Options, source: &str) -> Result<Selection, String> {
        let wanted = options.regions.as_deref().map(names_in).transpose()?;
        Ok(Selection {
            source: source.to_string(),
            left: options.first.map(Cell::new),
            wanted,
            list: RefCell::new(options.list_regions.as_ref().map(PathBuf::from)),
            taken: RefCell::default(),
            given: options.schedules.as_deref().map(schedules_in).transpose()?,
        })
    }

    /// Nothing is wanted.
    pub fn none() -> Selection {
        Selection { wanted: Some(BTreeSet::new()), ..Selection::default() }
    }

    /// Nothing of a function is taken yet. It may be planned several times, of which the last one counts.
    pub fn begin(&self) {
        self.taken.borrow_mut().clear();
    }

    /// The function stays as it was planned last: what is taken of it is noted.
    pub fn end(&self) {
        let taken = self.taken.take();
        if let Some(left) = &self.left {
            left.set(left.get() - taken.len() as u64);
        }
        if let Some(complaint) = taken.iter().find_map(|name| self.noted(name).err()) {
            eprintln!("{complaint}");
        }
    }

    /// Whether to rewrite the region of this number, from 1, of a function. It counts towards the limit then, and is to be noted.
    pub fn takes(&self, function: &str, number: usize) -> bool {
        let name = format!("{} {function} {number}", self.source);
        if self.wanted.as_ref().is_some_and(|wanted| !wanted.contains(&name)) {
            return false;
        }
        if self.left.as_ref().is_some_and(|left| self.taken.borrow().len() as u64 >= left.get()) {
            return false;
        }
        self.taken.borrow_mut().push(name);
        true
    }

    /// Notes a name in the list, if one is wanted. Where that fails it is said once; the program compiles all the same.
    fn noted(&self, name: &str) -> Result<(), String> {
        let Some(list) = self.list.take() else { return Ok(()) };
        append(&list, name)
            .map_err(|why| format!("loopwright: the list of regions '{}' cannot be written: {why}", list.display()))?;
        self.list.replace(Some(list));
        Ok(())
    }
}

/// One write for each line, so that compilers that run side by side do not mix theirs.
fn append(list: &Path, name: &str) -> io::Result<()> {
    OpenOptions::new().append(true).create(true).open(list)?.write_all(format!("{name}\n").as_bytes())
}

fn schedules_in(path: &str) -> Result<(String, Given), String> {
    let text = std::fs::read_to_string(path)
        .map_err(|error| format!("loopwright: the schedules '{path}' cannot be read: {error}"))?;
    let given = Given::parse(&text).map_err(|error| format!("loopwright: {path}: {error}"))?;
    Ok((path.to_string(), given))
}

fn names_in(path: &str) -> Result<BTreeSet<String>, String> {
    let mut text = String::new();
    let read = File::open(path).and_then(|mut file| file.read_to_string(&mut text));
    read.map_err(|error| format!("loopwright: the list of regions '{path}' cannot be read: {error}"))?;
    let is_name = |line: &str| {
        line.split(' ').count() > 2 && line.rsplit(' ').next().is_some_and(|last| last.parse::<usize>().is_ok())
    };
    if let Some((at, line)) = text.lines().enumerate().find(|(_, line)| !is_name(line)) {
        return Err(format!(
            "loopwright: {path}: line {} is no loop nest: '{line}'; a line is SOURCE FUNCTION NUMBER, as list-regions=FILE writes them",
            at + 1
        ));
    }
    Ok(text.lines().map(str::to_string).collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_first_regions_of_a_module_are_taken() {
        let options = Options::default().with(["first=2"]).expect("an option");
        let selection = Selection::of(&options, "a.c").expect("no file");
        for _ in 0..3 {
            selection.begin();
            assert!(selection.takes("f", 1), "planned again");
        }
        selection.end();
        selection.begin();
        assert_eq!([("g", 1), ("g", 2)].map(|(name, at)| selection.takes(name, at)), [true, false]);
    }

    #[test]
    fn names_are_noted_and_wanted() {
        let folder = std::env::temp_dir().join(format!("loopwright-selection-{}", std::process::id()));
        std::fs::create_dir_all(&folder).expect("a folder");
        let list = folder.join("list");
        let options =
            Options::default().with([format!("list-regions={}", list.display()).as_str()]).expect("an option");
        let all = Selection::of(&options, "a.c").expect("no file");
        all.begin();
        assert!(all.takes("f", 1) && all.takes("f", 2));
        all.begin();
        assert!(all.takes("f", 1));
        all.end();
        assert!(all.takes("g", 2));
        all.end();
        assert_eq!(std::fs::read_to_string(&list).expect("a list"), "a.c f 1\na.c g 2\n");
        let options = Options::default().with([format!("regions={}", list.display()).as_str()]).expect("an option");
        let some = Selection::of(&options, "a.c").expect("the list");
        assert!(some.takes("g", 2) && !some.takes("g", 1));
        std::fs::write(&list, "a.c f 1\nsome thing\n").expect("a list");
        let complaint = Selection::of(&options, "a.c").expect_err("its second line is no name");
        assert!(complaint.contains("list: line 2 is no loop nest: 'some thing'"), "{complaint}");
        std::fs::remove_dir_all(&folder).expect("the folder is ours");
        assert!(Selection::of(&options, "a.c").is_err());
        let complaint = all.noted("a.c f 1").expect_err("its folder is gone");
        assert!(complaint.contains("list' cannot be written: "), "{complaint}");
        assert!(all.noted("a.c f 1") == Ok(()), "said once");
    }
}
