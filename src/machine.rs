//! What the loops will run on: one model of the machine for every decision that asks what time something takes.
//!
//! For `C[i][j] += A[i][k] * B[k][j]` on doubles it answers: a vector holds `vector_bits / 64` of them, so a vectorised instance takes that part of
//! a scalar one's time; a tile may touch half of `level2` bytes, in lines of `line` bytes that take [`Machine::line_time`] each; threads pay if the
//! loop holds more operations than [`Machine::fork_operations`].
//!
//! Where the numbers come from, the first that knows one:
//! 1. the options `vector-bits=`, `cache=`, `cores=` and `min-work=`;
//! 2. the target: widths of vectors and registers are those that LLVM's own vectorizer goes by for the function at hand;
//! 3. the host, if the function is compiled for its processor (`-march=native`): caches and cores as the system tells them, which is the same in
//!    each run on one machine;
//! 4. constants ([`Machine::default`]): a processor that nobody knows gets the same code wherever it is compiled.
//!
//! Times are in sixteenths of a scalar operation's; only their ratios matter.

use std::fs;
use std::path::Path;

/// The machine as far as decisions depend on it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Machine {
    /// Threads that share a parallel loop.
    pub cores: i64,
    /// Bytes of a line of the caches.
    pub line: i64,
    /// Bytes of the first-level data cache of a core.
    pub level1: i64,
    /// Bytes of the second-level cache of a core.
    pub level2: i64,
    /// Bits of the vectors that LLVM makes of loops.
    pub vector_bits: i64,
    /// Vectors that registers hold.
    pub vector_registers: i64,
    /// Operations in the time that it takes to start and end a parallel loop (some ten microseconds), with a margin.
    pub fork_operations: u64,
}

/// What LLVM knows of a target, 0 where it does not.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Target {
    /// Bits of the vectors that LLVM makes of loops.
    pub vector_bits: u32,
    /// Vectors that registers hold.
    pub vector_registers: u32,
    /// Bytes of a line of the cache.
    pub line: u32,
    /// Whether it is the processor on which the compiler runs.
    pub is_host: bool,
}

impl Default for Machine {
    /// The smallest of the processors in wide use that the loops were tuned on: what suits it loses little on others.
    fn default() -> Machine {
        Machine {
            cores: 4,
            line: 64,
            level1: 32 << 10,
            level2: 512 << 10,
            vector_bits: 256,
            vector_registers: 16,
            fork_operations: 100_000,
        }
    }
}

impl Machine {
    /// Time of a scalar operation.
    pub const OPERATION: i128 = 16;

    /// The machine behind a target.
    pub fn of(target: Target) -> Machine {
        let known = |said: u32, else_: i64| if said == 0 { else_ } else { i64::from(said) };
        let base = if target.is_host { Machine::host() } else { Machine::default() };
        Machine {
            line: known(target.line, base.line),
            vector_bits: known(target.vector_bits, base.vector_bits),
            vector_registers: known(target.vector_registers, base.vector_registers),
            ..base
        }
    }

    /// The default with the caches and the cores of the processor on which this runs, as far as its system tells them.
    fn host() -> Machine {
        Machine::told_by(Path::new("/sys/devices/system/cpu"))
    }

    /// What a folder in the form of Linux' `/sys/devices/system/cpu` tells of its first processor.
    fn told_by(folder: &Path) -> Machine {
        let mut machine = Machine::default();
        let text = |path: &Path| fs::read_to_string(path).map(|text| text.trim().to_string()).unwrap_or_default();
        machine.cores = cores(&text(&folder.join("present"))).unwrap_or(machine.cores);
        for index in 0..MOST_CACHES {
            let cache = folder.join(format!("cpu0/cache/index{index}"));
            let said = |what: &str| text(&cache.join(what));
            let Some(size) = bytes(&said("size")).filter(|_| said("type") != "Instruction") else { continue };
            match said("level").as_str() {
                "1" => machine.level1 = size,
                "2" => machine.level2 = size,
                _ => {}
            }
        }
        machine
    }

    /// How many elements of so many bytes a vector holds; 1 if there is none for them.
    pub fn lanes(&self, bytes: i64) -> i64 {
        (self.vector_bits / (8 * bytes.max(1))).max(1)
    }

    /// Time of a line that comes from the memory behind the second-level cache: that of five operations, as measured.
    pub fn line_time(&self) -> i128 {
        5 * Machine::OPERATION * i128::from(self.line) / 64
    }

    /// Time to start an inner loop (of blocks: with what it keeps in registers): that of eighty operations, as measured.
    pub fn loop_time(&self) -> i128 {
        80 * Machine::OPERATION
    }

    /// Time of a line on its way from behind the second-level cache, one after the other: some twelve nanoseconds' worth for a single core.
    pub fn far_line_time(&self) -> i128 {
        24 * Machine::OPERATION * i128::from(self.line) / 64
    }

    /// Time of a line on its way from the second-level cache to the first.
    pub fn near_line_time(&self) -> i128 {
        4 * Machine::OPERATION * i128::from(self.line) / 64
    }

    /// Time to find the place of a page that was not in use: a walk through tables that are partly in the caches themselves.
    pub fn page_time(&self) -> i128 {
        60 * Machine::OPERATION
    }

    /// Time until a floating-point sum can be added to: four cycles, in which two and a half operations start each.
    pub fn latency(&self) -> i128 {
        10 * Machine::OPERATION
    }

    /// Time to compute the bounds of a loop: minima and maxima of some sums.
    pub fn bounds_time(&self) -> i128 {
        6 * Machine::OPERATION
    }

    /// Time to start a loop and to find out that it ended: mostly the wrong guess of that.
    pub fn start_time(&self) -> i128 {
        30 * Machine::OPERATION
    }

    /// Cores that are busy on average in a band whose tiles run as a wavefront: the first and the last tiles run alone.
    pub fn pipelined_cores(&self) -> i64 {
        (3 * self.cores / 4).max(1)
    }
}

/// Caches of a processor are at most so many.
const MOST_CACHES: usize = 8;

/// The number of processors in a list such as `0-3,8`.
fn cores(list: &str) -> Option<i64> {
    let range = |text: &str| -> Option<i64> {
        let (first, last) = text.split_once('-').unwrap_or((text, text));
        Some(last.parse::<i64>().ok()? - first.parse::<i64>().ok()? + 1)
    };
    list.split(',').map(range).sum::<Option<i64>>().filter(|n| *n > 0)
}

/// Bytes of a size such as `2048K`.
fn bytes(size: &str) -> Option<i64> {
    let (number, unit) = match size.strip_suffix(['K', 'M']) {
        Some(number) => (number, if size.ends_with('K') { 1 << 10 } else { 1 << 20 }),
        None => (size, 1),
    };
    number.parse::<i64>().ok().filter(|n| *n > 0).map(|n| n * unit)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_system_tells_caches_and_cores() {
        let folder = std::env::temp_dir().join(format!("loopwright-machine-{}", std::process::id()));
        let write = |name: &str, text: &str| {
            let path = folder.join(name);
            fs::create_dir_all(path.parent().expect("a file is in a folder")).expect("a temporary folder");
            fs::write(path, text).expect("a temporary file");
        };
        write("present", "0-1,4\n");
        for (index, level, kind, size) in [
            (0, "1", "Data", "48K"),
            (1, "1", "Instruction", "64K"),
            (2, "2", "Unified", "2M"),
            (3, "3", "Unified", "9M"),
        ] {
            [("level", level), ("type", kind), ("size", size)]
                .iter()
                .for_each(|(what, text)| write(&format!("cpu0/cache/index{index}/{what}"), &format!("{text}\n")));
        }
        let machine = Machine::told_by(&folder);
        fs::remove_dir_all(&folder).expect("the folder is ours");
        assert_eq!((machine.cores, machine.level1, machine.level2), (3, 48 << 10, 2 << 20));
        assert_eq!(Machine::told_by(&folder), Machine::default());
    }

    #[test]
    fn what_llvm_does_not_know_is_assumed() {
        assert_eq!(Machine::of(Target::default()), Machine::default());
        let narrow = Machine::of(Target { vector_bits: 128, ..Target::default() });
        assert_eq!((narrow.lanes(8), narrow.lanes(4), narrow.lanes(32)), (2, 4, 1));
    }
}
