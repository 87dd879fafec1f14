//! `errno` behind the new loops is set if it would be behind the original ones.
//!
//! Each thread has an `errno` of its own, so that what calls of a parallel loop set it to is handed to the thread that the loop belongs to:
//!
//!     void f.threads(thread, _, frame)    own = errno; errno = 0; f.part(frame, first, last);
//!                                         if (errno && first >= handed.number) handed = (first, errno);      (one thread at a time)
//!                                         errno = own
//!
//!     f:  own = errno; handed = (-1, 0); __kmpc_fork_call(f.threads, frame); errno = handed.errno ? handed.errno : own
//!
//! So after the loop `errno` is set if and only if the program would have set it, and to a value that some call gave: of the last
//! share that set it, the last one in the new order. Where calls give different values, another one may be the last than in the program.
//! (C lets a library function set it at will; here nothing is set that the program would not have.)
//! What the runtime itself does to `errno`, such as looking for files when it starts, is not seen by the program, with or without such calls.
//! Nor is that there was no memory for what a test notes, or for what is set aside: the original loops run then.

use crate::emit::write::frame::{CAPTURE_ALIGNMENT, Captured, captured, frame_cell};
use crate::emit::write::writer::Writer;
use crate::llvm::openmp::Entry;
use crate::llvm::{Builder, Function, IntPredicate, Module, Type, Value, errno};

/// Bytes of an `int`.
const BYTES: u64 = 4;

/// What threads hand to the caller: the number of the first iteration of a share and, behind it, the `errno` of that share.
#[derive(Clone, Copy)]
pub struct Handed<'ir> {
    /// In the function that forks.
    memory: Value<'ir>,
    /// Where the frame has its address.
    place: u64,
}

/// In the function that threads run: the address of the thread's `errno`, and the memory that it is handed to.
#[derive(Clone, Copy)]
pub struct Own<'ir> {
    place: Value<'ir>,
    handed: Value<'ir>,
}

/// What `errno` was before a fork.
#[derive(Clone, Copy)]
pub(in crate::emit) struct Kept<'ir> {
    place: Value<'ir>,
    value: Value<'ir>,
    handed: Option<Handed<'ir>>,
}

impl<'ir> Own<'ir> {
    pub fn of(builder: &Builder<'ir>, frame: Value<'ir>, handed: Handed<'ir>) -> Self {
        let memory = captured(builder, frame, handed.place, Type::pointer(builder.context()));
        Own { place: errno::place(builder), handed: memory }
    }
}

impl<'ir> Writer<'_, 'ir> {
    /// Memory for what threads hand over, if they may have to.
    pub(in crate::emit) fn reserve_errno(&self, captured: &mut Captured<'ir>) -> Option<Handed<'ir>> {
        self.plan.binding.errno.is_set.then_some(())?;
        let memory = self.reserve_apart(Type::array(Type::integer(self.builder.context(), 128), 1), "handed");
        Some(Handed { memory, place: captured.add(memory, &self.builder) })
    }

    /// Remembers `errno` before a fork, where it is known; nothing has been handed over yet.
    pub(in crate::emit) fn keep_errno(&self, handed: Option<Handed<'ir>>) -> Option<Kept<'ir>> {
        if !errno::is_known(self.main.module()) {
            return None;
        }
        let builder = &self.builder;
        let place = errno::place(builder);
        let value = builder.load(number(builder), place, Some(BYTES as u32)).value();
        if let Some(Handed { memory, .. }) = handed {
            builder.store(builder.integer(64, -1), memory, Some(CAPTURE_ALIGNMENT as u32));
            builder.store(builder.integer(32, 0), errno_of(builder, memory), Some(BYTES as u32));
        }
        Some(Kept { place, value, handed })
    }

    /// Has `errno` be what was handed over since, or else what it was.
    pub(in crate::emit) fn restore_errno(&self, kept: Option<Kept<'ir>>) {
        let Some(Kept { place, value, handed }) = kept else { return };
        let builder = &self.builder;
        let value = handed.map_or(value, |handed| {
            let set = builder.load(number(builder), errno_of(builder, handed.memory), Some(BYTES as u32)).value();
            builder.select(builder.icmp(IntPredicate::Ne, set, builder.integer(32, 0)), set, value)
        });
        // Allocators set it, of which LLVM believes that they do not.
        builder.store_volatile(value, place, BYTES as u32);
    }
}

/// A thread, in the function that threads run.
#[derive(Clone, Copy)]
pub(in crate::emit) struct Thread<'b, 'ir> {
    pub(in crate::emit) builder: &'b Builder<'ir>,
    pub(in crate::emit) function: Function<'ir>,
    /// Where the program is, for the runtime.
    pub(in crate::emit) ident: Value<'ir>,
    /// Its number.
    pub(in crate::emit) number: Value<'ir>,
}

impl<'ir> Own<'ir> {
    /// Runs a share, the one that has this number among the others, and hands on what it sets `errno` to.
    pub(in crate::emit) fn handing(&self, thread: Thread<'_, 'ir>, share: Value<'ir>, run: &dyn Fn()) {
        let Own { place, handed } = *self;
        let Thread { builder, function, ident, number: thread } = thread;
        let alignment = Some(BYTES as u32);
        let own = builder.load(number(builder), place, alignment).value();
        builder.store(builder.integer(32, 0), place, alignment);
        run();
        let set = builder.load(number(builder), place, alignment).value();
        let [hand, replace, done, end] = ["hand", "replace", "done", "errno.end"].map(|n| function.new_block(n));
        builder.branch(builder.icmp(IntPredicate::Ne, set, builder.integer(32, 0)), hand, end);
        builder.at_end(hand);
        let lock = lock(function.module());
        Entry::Critical.call(builder, &[ident, thread, lock]);
        let word = Type::integer(builder.context(), 64);
        let other = builder.load(word, handed, Some(CAPTURE_ALIGNMENT as u32)).value();
        builder.branch(builder.icmp(IntPredicate::Sge, share, other), replace, done);
        builder.at_end(replace);
        builder.store(share, handed, Some(CAPTURE_ALIGNMENT as u32));
        builder.store(set, errno_of(builder, handed), alignment);
        builder.jump(done);
        builder.at_end(done);
        Entry::EndCritical.call(builder, &[ident, thread, lock]);
        builder.jump(end);
        builder.at_end(end);
        builder.store(own, place, alignment);
    }
}

fn number<'ir>(builder: &Builder<'ir>) -> Type<'ir> {
    Type::integer(builder.context(), 32)
}

fn errno_of<'ir>(builder: &Builder<'ir>, handed: Value<'ir>) -> Value<'ir> {
    frame_cell(builder, handed, 8)
}

/// The lock under which threads hand over, one per module.
fn lock(module: Module<'_>) -> Value<'_> {
    const NAME: &str = "loopwright.errno.lock";
    /// Words of a lock, by the runtime's `kmp_critical_name`.
    const WORDS: u64 = 8;
    let ty = Type::array(Type::integer(module.context(), 32), WORDS);
    module.global(NAME).unwrap_or_else(|| module.new_internal_variable(NAME, ty))
}
