//! Where C keeps `errno`: a number of each thread, at an address that a function of the C library knows.
//!
//!     let place = errno::place(&builder);          // %place = call ptr @__errno_location()
//!
//! The function has this name in glibc and musl. Other systems have other names, which are not known here.

use super::build::Builder;
use super::ir::Module;
use super::types::Type;
use super::value::Value;

const NAME: &str = "__errno_location";

/// C libraries, as a target names them, whose `errno` is behind that function.
const LIBRARIES: [&str; 2] = ["gnu", "musl"];

/// Whether the program runs on Linux with one of the C libraries that are known here.
pub fn has_known_library(module: Module<'_>) -> bool {
    let triple = module.target_triple();
    let mut parts = triple.split('-').skip_while(|part| *part != "linux").skip(1);
    parts.next().is_some_and(|part| LIBRARIES.iter().any(|library| part.starts_with(library)))
}

/// Whether [`place`] has an answer: on Linux with such a library, unless the program uses the name for something else.
pub fn is_known(module: Module<'_>) -> bool {
    let has_library = has_known_library(module);
    let ty = Type::function(Type::pointer(module.context()), &[]);
    let is_free = module.function(NAME).is_none_or(|there| there.ty() == ty && !there.has_body());
    has_library && module.global(NAME).is_none() && is_free
}

/// The address of the running thread's `errno`. Requires that it is known.
pub fn place<'ir>(builder: &Builder<'ir>) -> Value<'ir> {
    let module = builder.block().function().module();
    let is_new = module.function(NAME).is_none();
    let ty = Type::function(Type::pointer(module.context()), &[]);
    let function = module.declare(NAME, ty).expect("law: the name was found free");
    if is_new {
        ["nounwind", "willreturn"].iter().for_each(|attribute| function.add_attribute(attribute));
        function.touch_no_memory();
    }
    builder.call(function, &[]).value()
}

/// Whether a value is such an address.
pub fn is_place(value: Value<'_>) -> bool {
    let callee = value.as_instruction().and_then(|i| i.call()).and_then(|call| call.callee());
    callee.is_some_and(|function| function.name() == NAME)
}

/// Whether an object, which a pointer is based on, cannot be `errno`: one that the program has reserved itself, for all threads.
pub fn is_another(object: Value<'_>) -> bool {
    object.is_identified_object() && !object.is_thread_local() && !is_place(object)
}
