"""Copies of the project with faults in them: one build has them all, and an environment variable says which is wanted.

`scripts/check-fuzz` puts in a few faults by hand, by name; `scripts/mutate` thousands of small ones by rule, by number. Both put theirs into the text of
files on the way to a copy under target/, so nothing of them is in the project itself.
"""

from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

# Which fault is wanted.
WANTED = "LOOPWRIGHT_FAULT"

# What cargo reads of the project.
BUILT = ["Cargo.toml", "Cargo.lock", "build.rs", "src", "llvm-tests/binary", "scripts/engine"]

FAULTY = f"""
/// Whether the fault of this name is wanted.
pub fn faulty(name: &str) -> bool {{
    static WANTED: std::sync::OnceLock<Option<String>> = std::sync::OnceLock::new();
    WANTED.get_or_init(|| std::env::var("{WANTED}").ok()).as_deref() == Some(name)
}}
"""


def project(*more):
    """All files that cargo reads, and more, as text by name."""
    files = {}
    for name in [*BUILT, *more]:
        path = ROOT / name
        for file in [path] if path.is_file() else path.rglob("*"):
            if file.is_file():
                files[file.relative_to(ROOT)] = file.read_text()
    return files


def write(tree, files):
    """Makes the folder hold these files; those that hold it already are not touched, so that cargo builds only what differs."""
    for file, text in files.items():
        path = tree / file
        if not path.exists() or path.read_text() != text:
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)
            path.chmod((ROOT / file).stat().st_mode if (ROOT / file).exists() else 0o644)
    for file in [file for file in tree.rglob("*") if file.is_file()]:
        if file.relative_to(tree) not in files:
            file.unlink()
