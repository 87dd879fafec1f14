//! What a loop keeps: of the best so far, put so that threads can share the search, a pointer to it as a number of an element ([`pointers`]), what is
//! read when something is taken read once behind the loop ([`values`]); of all that is good enough, the place of the next one as a number ([`moved`]). Such numbers become pointers again in the end ([`places`]).

mod choices;
pub(super) mod moved;
pub(super) mod places;
pub(super) mod pointers;
pub(super) mod values;
