//! Where the sections of the documents are that this compiler is built after: `src/SECTIONS.md`, made of what headers say.
//!
//! A file that implements sections says so in its header, `Implements: 002 5.4, 6.1; 004 2`, with the number of the document and its sections; a test that
//! is about some says `Tests: ..`. A section without a module, or without a test, is an error here. `UPDATE_EXPECT=1 cargo test sections` writes the table.

use super::{rooms, without_tests};
use expect_test::expect_file;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

/// A document: its number, what it is, and its sections with their titles.
type Document = (&'static str, &'static str, &'static [(&'static str, &'static str)]);

/// The documents. Introductions, related work, conclusions and references are left out, as there is nothing to implement in them.
const DOCUMENTS: &[Document] = &[
    (
        "000",
        "PolyOpt/C: specifics of polyhedral programs",
        &[
            ("2.1", "Static control parts"),
            ("2.2", "Additional restrictions"),
            ("2.3.1", "In `for` initialization statement"),
            ("2.3.2", "In `for` test statement"),
            ("2.3.3", "In `for` increment statement"),
            ("2.3.4", "In `if` conditional statement"),
            ("2.3.5", "Examples"),
        ],
    ),
    (
        "001",
        "Graphite: extending the polyhedral model",
        &[
            ("basis", "The basis"),
            ("representation", "Representation of non-manifest or non-affine expressions"),
            ("indices", "Data-dependent index expressions"),
            ("conditions", "Data-dependent conditions"),
            ("bounds", "Data-dependent loop bounds"),
            ("while", "While loops"),
            ("control-flow", "Irregular control flow"),
            ("non-array", "Non-array data"),
            ("reductions", "Reductions"),
            ("efficient", "Efficient polyhedral representation"),
        ],
    ),
    (
        "002",
        "Verdoolaege, Presburger formulas and polyhedral compilation",
        &[
            ("2.3.3", "Conversions"),
            ("2.3.4", "Mixed operations"),
            ("2.3.5", "Properties"),
            ("2.4.1", "Structured named integer tuples"),
            ("2.4.2", "Wrapping and unwrapping"),
            ("2.4.3", "Products"),
            ("2.4.4", "Domain and range projection"),
            ("2.4.5", "Difference set projection"),
            ("3.1", "Intensional descriptions"),
            ("3.2", "Presburger formulas"),
            ("3.3", "Presburger sets and relations"),
            ("3.4", "Syntactic sugar"),
            ("3.5", "Lexicographic order"),
            ("3.6", "Space-local operations"),
            ("3.7", "Simplification and quantifier elimination"),
            ("3.8", "Sampling and scanning"),
            ("3.9", "Beyond Presburger formulas"),
            ("4.1", "Quasi-affine expressions"),
            ("4.2", "Creation"),
            ("4.3.1", "Sum"),
            ("4.3.2", "Union"),
            ("4.3.3", "Product"),
            ("4.3.4", "Pullback"),
            ("4.4", "Conversions"),
            ("5.1", "Main concepts"),
            ("5.2.1", "Instance set: definition and representation"),
            ("5.2.2", "Instance set: input requirements and approximations"),
            ("5.2.3", "Instance set: representation in pet"),
            ("5.3.1", "Access relations: definition and representation"),
            ("5.3.2", "Aliasing"),
            ("5.3.3", "Structures"),
            ("5.3.4", "Tagged access relations"),
            ("5.4", "Dependence relations"),
            ("5.5", "Data-layout transformation"),
            ("5.6.1", "Schedule: definition and representation"),
            ("5.6.2", "Schedule: representation in isl"),
            ("5.6.3", "Encoding parallelism"),
            ("5.7", "Context"),
            ("5.8", "Polyhedral statements"),
            ("5.9", "Operations"),
            ("6.1", "Dependence analysis"),
            ("6.2", "Dataflow analysis"),
            ("6.3", "Approximate dataflow analysis"),
            ("6.4", "Applications of approximate dataflow analysis"),
            ("6.5", "Kills"),
            ("6.6", "Live-out accesses"),
        ],
    ),
    (
        "003",
        "Quilleré, Rajopadhye, Wilde, Generation of efficient nested loops from polyhedra",
        &[
            ("2.1", "Basic notation"),
            ("2.2", "Projection of polyhedra"),
            ("2.3", "Simplification of polyhedra in context"),
            ("3.1", "Scanning a single polyhedron: basis of the method"),
            ("3.2", "Loop nest synthesis"),
            ("4", "The multiple polyhedra scanning problem"),
            ("5.1", "Outline of the algorithm and illustration"),
            ("5.2", "Formal presentation of the algorithm"),
            ("5.3", "Sorting parameterized disjoint polyhedra"),
            ("6.1", "Trade-off between code size and efficiency"),
            ("6.2", "Non-unimodular mappings"),
            ("6.3", "Data-parallel code"),
        ],
    ),
    (
        "004",
        "Klimov, Exact polyhedral model for weakly dynamic affine programs",
        &[
            ("2", "Some formalism"),
            ("3.1", "Statement effect and its evaluation"),
            ("3.2", "Graph node structure"),
            ("3.3", "Processing non-affine conditionals"),
            ("4.1", "Computing states"),
            ("4.2", "Resolving array accesses"),
            ("5.1", "Inverting the S-graph: affine case"),
            ("5.2", "Inverting the S-graph for programs with non-affine conditionals"),
            ("6", "Examples"),
            ("7.1", "General form of the dataflow graph"),
            ("7.2", "Using the S-graph as a program"),
            ("7.3", "Computing the U-graph in the dataflow computation model"),
            ("7.4", "Extracting the source function from the S-graph"),
        ],
    ),
];

/// A section: document and number.
type Section = (String, String);

/// The sections that a header names after a word; for `002 5.4, 6.1; 004 2` three. What does not begin with a document's number is about something else.
fn named(header: &str, word: &str) -> Vec<Section> {
    let mut found = Vec::new();
    for (at, _) in header.match_indices(word) {
        let line = header[at + word.len()..].lines().next().unwrap_or_default().trim_end_matches("*/");
        for part in line.split(';') {
            let (document, sections) = part.trim().split_once(' ').unwrap_or((part.trim(), ""));
            if !document.starts_with("00") {
                continue;
            }
            found.extend(sections.split(',').map(|section| (document.to_string(), section.trim().to_string())));
        }
    }
    found
}

/// The comment that a file begins with.
fn header(text: &str) -> String {
    let mut is_block = false;
    let is_comment = |line: &&str| {
        is_block = line.starts_with("/*") || (is_block && line.starts_with(' '));
        is_block || line.starts_with("//")
    };
    text.lines().take_while(is_comment).collect::<Vec<_>>().join("\n")
}

/// The files of `llvm-tests`.
fn filetests(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder).expect("the tests are readable") {
        let path = entry.expect("the tests are readable").path();
        match path.is_dir() {
            true => found.extend(filetests(&path)),
            false => found.push(path),
        }
    }
    found.sort();
    found
}

/// For each section the files that name it.
#[derive(Default)]
struct Places {
    modules: BTreeMap<Section, Vec<String>>,
    tests: BTreeMap<Section, Vec<String>>,
}

impl Places {
    fn of_headers() -> Places {
        let mut places = Places::default();
        for (_, path, text) in rooms().into_iter().filter(|(room, ..)| room != "tidy") {
            let (path, header) = (format!("src/{}", path.display()), header(&text));
            let has_tests = without_tests(&text).len() < text.len();
            for section in named(&header, "Implements: ") {
                if has_tests {
                    places.tests.entry(section.clone()).or_default().push(path.clone());
                }
                places.modules.entry(section).or_default().push(path.clone());
            }
            for section in named(&header, "Tests: ") {
                places.tests.entry(section).or_default().push(path.clone());
            }
        }
        let root = Path::new(env!("CARGO_MANIFEST_DIR"));
        for path in filetests(&root.join("llvm-tests")) {
            let Ok(text) = fs::read_to_string(&path) else { continue };
            let name = path.strip_prefix(root).expect("tests are in the project").display().to_string();
            for section in named(&header(&text), "Tests: ") {
                places.tests.entry(section).or_default().push(name.clone());
            }
        }
        places
    }
}

fn table(places: &Places) -> String {
    let mut text = String::from(
        "# Sections of the documents, and where they are\n\nMade by a test (`src/tidy/sections.rs`) from what headers of files say.\n",
    );
    let list = |files: Option<&Vec<String>>| {
        let names: Vec<String> = files.into_iter().flatten().map(|file| format!("`{file}`")).collect();
        names.join(", ")
    };
    for (document, title, sections) in DOCUMENTS {
        let _ = writeln!(text, "\n## {document}: {title}\n\n| section | modules | tests |\n|---|---|---|");
        for (number, title) in *sections {
            let section = (document.to_string(), number.to_string());
            let (modules, tests) = (list(places.modules.get(&section)), list(places.tests.get(&section)));
            let _ = writeln!(text, "| {number} {title} | {modules} | {tests} |");
        }
    }
    text
}

#[test]
fn each_section_of_the_documents_has_a_module_and_a_test() {
    let places = Places::of_headers();
    let mut wrong = Vec::new();
    let all: Vec<Section> = DOCUMENTS
        .iter()
        .flat_map(|(document, _, sections)| {
            sections.iter().map(|(number, _)| (document.to_string(), number.to_string()))
        })
        .collect();
    for (document, number) in &all {
        let section = (document.clone(), number.clone());
        if !places.modules.contains_key(&section) {
            wrong.push(format!("{document} {number}: no module"));
        }
        if !places.tests.contains_key(&section) {
            wrong.push(format!("{document} {number}: no test"));
        }
    }
    for (section, files) in places.modules.iter().chain(&places.tests) {
        if !all.contains(section) {
            wrong.push(format!("{}: there is no section {} {}", files.join(", "), section.0, section.1));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_table_of_sections_is_what_headers_say() {
    expect_file!["../SECTIONS.md"].assert_eq(&table(&Places::of_headers()));
}
