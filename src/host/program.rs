//! Programs of the fuzzer, as data: loops over arrays, scalars and pointers that change places, conditions, calls.
//!
//! A program cannot have undefined behaviour, whatever its numbers are: arithmetic wraps, every subscript's interval is known and arrays are just as
//! long ([`super::extents`]), and floats stay small. Array 0 of
//!
//! ```text
//! for (c0 = 0; c0 < n; c0++) a0[2 * c0 + 1] = a0[c0] + s0;
//! ```
//!
//! has the elements 0 to `2 * n - 1`, between pages without access. So a program never faults, and one that does has been changed.

use crate::llvm::Promise;
use serde::{Deserialize, Serialize};

/// The greatest value of the parameters `n` and `m`: three nested loops are then some thousand iterations.
pub const MOST: i64 = 12;

/// Values of index arrays, and bins of what they select, are below this.
pub const BINS: i64 = 9;

/// Pointers of the table that an array with [`Base::Rows`] is read through.
pub const ROWS: i64 = 4;

/// The type of an element or a scalar.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Kind {
    I1,
    I8,
    I16,
    I32,
    I64,
    I128,
    F16,
    F32,
    F64,
    F128,
}

impl Kind {
    pub const ALL: [Kind; 10] =
        [Kind::I1, Kind::I8, Kind::I16, Kind::I32, Kind::I64, Kind::I128, Kind::F16, Kind::F32, Kind::F64, Kind::F128];

    pub fn is_float(self) -> bool {
        matches!(self, Kind::F16 | Kind::F32 | Kind::F64 | Kind::F128)
    }

    pub fn bytes(self) -> usize {
        match self {
            Kind::I1 | Kind::I8 => 1,
            Kind::I16 | Kind::F16 => 2,
            Kind::I32 | Kind::F32 => 4,
            Kind::I64 | Kind::F64 => 8,
            Kind::I128 | Kind::F128 => 16,
        }
    }
}

/// Where an array's memory comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Base {
    /// A pointer argument; `alone` if `noalias` says that nobody else has it.
    Argument {
        alone: bool,
    },
    Global,
    /// A variable that each thread has one of.
    ThreadLocal,
    /// Behind a pointer that is read from a table at each access.
    Held,
    /// Behind the pointer of a table that the element's number chooses: `table[e & 3][e]`.
    Rows,
    /// The memory of an earlier array, some elements further, read as another type.
    View {
        of: usize,
        shift: i64,
    },
    /// Where a pointer points to, at first to element 0 of another array; such pointers take each other's place.
    Variable {
        of: usize,
    },
    /// On the stack, alive inside of one [`Statement::Scratch`] only.
    Local,
}

/// How the address of an element is computed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Form {
    Element,
    /// An offset in bytes.
    Bytes,
    /// Pointers as integers and back.
    Integers,
    /// Member `at` of a structure of `of` members of this kind.
    Member {
        of: i64,
        at: i64,
    },
}

/// What is in an array before.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Content {
    Data,
    /// Never written, with values from 0 to [`BINS`] in it.
    Index,
    /// The same, and each at least as large as the one before.
    Sorted,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Array {
    pub kind: Kind,
    pub base: Base,
    pub form: Form,
    pub content: Content,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Variable {
    /// The counter of the loop at this depth.
    Counter(usize),
    N,
    M,
}

/// A sum of variables with factors, and a constant.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Affine {
    pub terms: Vec<(Variable, i64)>,
    pub constant: i64,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Subscript {
    Affine(Affine),
    /// Remainder of a sum that is not negative.
    Modulo(Affine, i64),
    /// The remainder of a sum and some of these by `N` and a number above 0: on a ring.
    Ring(Affine, i64),
    /// The sum, but 0 at least, and `N` and a number at most.
    Clamped {
        sum: Affine,
        plus: i64,
        least_first: bool,
    },
    /// The sum with its last bit turned round.
    Flipped(Affine),
    /// The quotient by a power of two, rounded down.
    Shifted(Affine, u32),
    /// The quotient, rounded towards zero.
    Divided(Affine, i64),
    /// The bits of the sum that are in the mask, which is one less than a power of two.
    Masked(Affine, i64),
    /// The sum in so many bits, which wraps around.
    Narrow {
        sum: Affine,
        bits: u32,
        signed: bool,
    },
    /// What an index array holds there, and a constant.
    Through {
        index: usize,
        at: Affine,
        plus: i64,
    },
    /// Bits of a scalar that is an integer, of at least 8 bits.
    Scalar {
        scalar: usize,
        mask: i64,
    },
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Operator {
    Add,
    Subtract,
    Multiply,
    /// By a divisor that cannot be zero.
    Divide,
    Least,
    Greatest,
    /// Unsigned; of floats that NaN is promised not to be among.
    LeastFlagged,
    GreatestFlagged,
    /// By an intrinsic.
    LeastCalled,
    GreatestCalled,
    And,
    Or,
    Xor,
}

/// What is called with one number, for its result.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Call {
    /// May set `errno`.
    SquareRoot,
    /// May set `errno`.
    Logarithm,
    Exponential,
    Floor,
    /// A function with a body.
    Mixed,
    /// One that is declared to touch no memory.
    Constant,
    /// One that is declared to read memory only, which is never written.
    Reading,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Value {
    Constant(i64),
    Load { array: usize, at: Subscript },
    Scalar(usize),
    Counter(Affine),
    Binary(Operator, Box<Value>, Box<Value>),
    Choice(Box<Condition>, Box<Value>, Box<Value>),
    Call(Call, Box<Value>),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Condition {
    /// Less than, or equal.
    Affine {
        equal: bool,
        a: Affine,
        b: Affine,
    },
    Data {
        kind: Kind,
        a: Value,
        b: Value,
    },
    Not(Box<Condition>),
    Both(Box<Condition>, Box<Condition>),
}

/// What a loop counts in.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Width {
    Bits8,
    Bits16,
    Bits32,
    Bits64,
    /// A pointer to the element of this array that has the counter's number.
    Pointer(usize),
}

/// Where a loop is left to in the middle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum LeaveTo {
    #[default]
    Behind,
    /// Behind all loops around it.
    BehindAll,
    /// The end of the function.
    End,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Loop {
    pub from: Affine,
    pub to: Affine,
    /// Runs from the value of an index array there to the next value instead.
    pub row: Option<(usize, Affine)>,
    /// Not zero; a loop with a negative one runs from the last value below `to` down to `from`.
    pub step: i64,
    pub width: Width,
    /// Left in an iteration in which this holds.
    pub leave: Option<Condition>,
    /// Whether it is left before that iteration's body, not after.
    pub leave_first: bool,
    /// Where the program goes then.
    #[serde(default)]
    pub leave_to: LeaveTo,
    pub body: Vec<Statement>,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Statement {
    Loop(Loop),
    Assign {
        array: usize,
        at: Subscript,
        value: Value,
    },
    Set {
        scalar: usize,
        value: Value,
    },
    /// Adds a number of eight bits to a sum in floating point that may be in any order, and is exact in each.
    Sum {
        sum: usize,
        value: Value,
    },
    /// Each takes the value of the next, the last that of the first.
    Rotate(Vec<usize>),
    /// The same with the pointers of arrays that are variables.
    Turn(Vec<usize>),
    /// A pointer takes the value of another one, if the condition holds.
    Point {
        array: usize,
        to: usize,
        when: Condition,
    },
    If {
        when: Condition,
        then: Vec<Statement>,
        otherwise: Vec<Statement>,
    },
    /// A local array begins to live, all its elements are set, the body runs, it ends.
    Scratch {
        array: usize,
        value: i64,
        body: Vec<Statement>,
    },
    /// A call that nobody knows.
    Tick(Value),
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Function {
    pub scalars: Vec<Kind>,
    /// How many sums there are for [`Statement::Sum`].
    pub sums: usize,
    pub body: Vec<Statement>,
}

/// Functions that run one after the other on the same memory, and what they are called with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Program {
    pub arrays: Vec<Array>,
    pub functions: Vec<Function>,
    pub n: i64,
    pub m: i64,
    /// Arithmetic of counters and addresses says that it does not wrap.
    pub flags: bool,
    /// Pointers that change places are in memory of the program, not in variables of the function.
    #[serde(default)]
    pub in_table: bool,
    /// Arrays end at the page without access, else they begin after one.
    pub at_end: bool,
    /// Where the initial contents of memory come from.
    pub contents: u64,
    pub way: Way,
}

/// How the plugin is used on a program, and how the result runs.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Way {
    /// The plugin's options.
    pub words: String,
    /// Which pipelines run before and after it, of those of `compare`.
    pub before: usize,
    pub after: usize,
    /// Runs with so many threads, one after the other.
    pub threads: Vec<i32>,
    pub runtime: Runtime,
}

/// Who runs threads.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum Runtime {
    /// LLVM's OpenMP library; called from a new thread, for which the library has made no others yet.
    Library { new_thread: bool },
    /// One thread at a time, in an order that comes from this number: the first may be the last to begin.
    Turns { order: u64 },
}

impl Affine {
    pub fn constant(constant: i64) -> Affine {
        Affine { terms: Vec::new(), constant }
    }

    pub fn counter(depth: usize) -> Affine {
        Affine { terms: vec![(Variable::Counter(depth), 1)], constant: 0 }
    }
}

impl Array {
    /// Elements from one number to the next, in elements of the kind.
    pub fn stride(&self) -> i64 {
        match self.form {
            Form::Member { of, .. } => of,
            _ => 1,
        }
    }

    /// The first byte of an element, from element 0 of the memory on.
    pub fn offset(&self, element: i64) -> i64 {
        let at = match self.form {
            Form::Member { at, .. } => at,
            _ => 0,
        };
        (element * self.stride() + at) * self.kind.bytes() as i64
    }
}

impl Program {
    /// What addresses of elements promise.
    pub fn promise(&self) -> Promise {
        if self.flags { Promise::Inbounds } else { Promise::Nothing }
    }

    /// For each array the least one that it may share memory with.
    pub fn families(&self) -> Vec<usize> {
        let mut family: Vec<usize> = (0..self.arrays.len()).collect();
        let mut pointers = Vec::new();
        for (at, array) in self.arrays.iter().enumerate() {
            if let Base::View { of, .. } | Base::Variable { of } = array.base {
                family[at] = family[of];
            }
            if matches!(array.base, Base::Variable { .. }) {
                pointers.push(family[at]);
            }
        }
        let least = pointers.iter().copied().min();
        family.into_iter().map(|own| if pointers.contains(&own) { least.unwrap_or(own) } else { own }).collect()
    }

    /// Whether some array with the same memory has floats.
    pub fn is_seen_as_float(&self, array: usize) -> bool {
        let families = self.families();
        (0..self.arrays.len()).any(|at| families[at] == families[array] && self.arrays[at].kind.is_float())
    }
}
