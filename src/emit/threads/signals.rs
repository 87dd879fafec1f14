//! Signals of a process go to the threads that the program knows.
//!
//! A signal that is sent to a process may be taken by any of its threads that does not block it. A program that blocks one in all of its
//! threads and waits for it (`sigwait`) would be killed if one of the runtime's threads, begun when the signal was not blocked yet, took
//! it. So such a thread blocks signals before it does anything else, and leaves them blocked when it waits for more work:
//!
//!     void f.threads(thread, number, frame)   if (*number != 0) pthread_sigmask(SIG_BLOCK, &most, NULL);  ...
//!
//! Those stay that the thread itself causes, for the handlers that the program may have for them, and that of profilers.

use crate::llvm::{Builder, Function, IntPredicate, Module, Promise, Type, Value, errno};

const NAME: &str = "pthread_sigmask";

/// `SIG_BLOCK` of Linux where signals have the numbers below.
const BLOCK: i128 = 0;

/// `SIGILL`, `SIGTRAP`, `SIGABRT`, `SIGBUS`, `SIGFPE`, `SIGSEGV`, `SIGPROF`, `SIGSYS`; and three by which C libraries talk to their threads.
const LEFT_OPEN: [u32; 11] = [4, 5, 6, 7, 8, 11, 27, 31, 32, 33, 34];

/// Words of 64 bits in a `sigset_t` of glibc and musl.
const WORDS: u64 = 16;

/// Bytes of such a word.
const BYTES: u32 = 8;

/// Beginnings of the names of processors with words of 64 bits and these numbers; others have numbers of their own.
const PROCESSORS: [&str; 6] = ["x86_64", "aarch64", "riscv64", "powerpc64", "s390x", "loongarch64"];

/// Writes the test whether this thread belongs to the runtime, by its number in the team, and the call; goes on behind it.
pub(super) fn block<'ir>(builder: &Builder<'ir>, function: Function<'ir>, number: Value<'ir>) {
    let module = function.module();
    if !can_block(module) {
        return;
    }
    let context = builder.context();
    let (word, int) = (Type::integer(context, 64), Type::integer(context, 32));
    let set = builder.alloca(Type::array(word, WORDS), "signals").value();
    let [of_runtime, ready] = ["of.runtime", "ready"].map(|name| function.new_block(name));
    let number = builder.load(int, number, None).value();
    builder.branch(builder.icmp(IntPredicate::Ne, number, builder.integer(32, 0)), of_runtime, ready);
    builder.at_end(of_runtime);
    let open: u64 = LEFT_OPEN.iter().map(|signal| 1u64 << (signal - 1)).sum();
    for at in 0..WORDS {
        let bits =
            if at == 0 { builder.integer(64, i128::from((!open).cast_signed())) } else { builder.integer(64, 0) };
        let offset = builder.integer(64, i128::from(at * u64::from(BYTES)));
        builder.store(bits, builder.gep(Type::integer(context, 8), set, &[offset], Promise::Inbounds), Some(BYTES));
    }
    let setter = module.declare(NAME, setter(module)).expect("law: the name was found free");
    builder.call(setter, &[builder.integer(32, BLOCK), set, Value::zero(Type::pointer(context))]);
    builder.jump(ready);
    builder.at_end(ready);
}

/// Whether the C library is one that has the function, and the program does not use its name for something else.
fn can_block(module: Module<'_>) -> bool {
    let triple = module.target_triple();
    let is_known = PROCESSORS.iter().any(|processor| triple.starts_with(processor));
    let is_free = module.function(NAME).is_none_or(|there| there.ty() == setter(module) && !there.has_body());
    is_known && errno::has_known_library(module) && module.global(NAME).is_none() && is_free
}

/// `int (int, const sigset_t *, sigset_t *)`
fn setter(module: Module<'_>) -> Type<'_> {
    let (int, pointer) = (Type::integer(module.context(), 32), Type::pointer(module.context()));
    Type::function(int, &[int, pointer, pointer])
}
