//! A thread that is to be cancelled is cancelled where the program says, and not in the middle of its loops.
//!
//! `pthread_cancel` takes effect at the next cancellation point of its thread: a call that may wait, or `pthread_testcancel`. Loops have none, but a fork
//! waits. So until the threads have met again cancellation is held off:
//!
//!     pthread_setcancelstate(PTHREAD_CANCEL_DISABLE, &state);  __kmpc_fork_call(...);  pthread_setcancelstate(state, &state);

use crate::emit::write::writer::Writer;
use crate::llvm::{Type, Value, errno};

const NAME: &str = "pthread_setcancelstate";

/// `PTHREAD_CANCEL_DISABLE` of glibc and musl.
const DISABLE: i128 = 1;

/// Bytes of an `int`.
const BYTES: u32 = 4;

impl<'ir> Writer<'_, 'ir> {
    /// Holds cancellation off, where it is known how; where the state before is kept, in memory that `reserve` gives.
    pub(in crate::emit) fn hold_cancellation(
        &self,
        reserve: &dyn Fn(Type<'ir>, &str) -> Value<'ir>,
    ) -> Option<Value<'ir>> {
        let state = self.can_hold().then(|| reserve(Type::integer(self.builder.context(), 32), "cancel"))?;
        self.set_cancellation(self.builder.integer(32, DISABLE), state);
        Some(state)
    }

    /// Has cancellation be as it was.
    pub(in crate::emit) fn release_cancellation(&self, state: Option<Value<'ir>>) {
        let Some(state) = state else { return };
        let before = self.builder.load(Type::integer(self.builder.context(), 32), state, Some(BYTES)).value();
        self.set_cancellation(before, state);
    }

    /// Whether the C library is one that has the function, and the program does not use its name for something else.
    fn can_hold(&self) -> bool {
        let module = self.main.module();
        let is_free = module.function(NAME).is_none_or(|there| there.ty() == self.setter() && !there.has_body());
        errno::has_known_library(module) && module.global(NAME).is_none() && is_free
    }

    /// `int (int, int *)`
    fn setter(&self) -> Type<'ir> {
        let (int, pointer) = (Type::integer(self.builder.context(), 32), Type::pointer(self.builder.context()));
        Type::function(int, &[int, pointer])
    }

    fn set_cancellation(&self, to: Value<'ir>, state: Value<'ir>) {
        let function = self.main.module().declare(NAME, self.setter()).expect("law: the name was found free");
        self.builder.call(function, &[to, state]).set_location(self.location);
    }
}
