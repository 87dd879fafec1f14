//! Metadata for what we write: what the vectorizer may assume, what a debugger may show.
//!
//! A loop whose accesses carry an access group, and whose hints name that group, has no dependence between iterations:
//!
//!     br i1 %again, label %loop, label %exit, !llvm.loop !0
//!     !0 = distinct !{!0, !1, !{!"llvm.loop.mustprogress"}}
//!     !1 = !{!"llvm.loop.parallel_accesses", !2}
//!     !2 = distinct !{}
//!
//! Accesses of distinct arrays get alias scopes: each is in its own (`alias.scope`) and none of the others (`noalias`).

use llvm_sys::core::*;

use super::debug::Location;
use super::ffi::*;
use super::instruction::{Instruction, metadata_kind};
use super::ir::{Block, Context, Function};
use super::types::Type;
use super::value::Value;
use super::zero_terminated;

handle! {
    /// A node of metadata.
    Metadata(llvm_sys::LLVMOpaqueMetadata)
}

/// What a loop's latch says about the loop.
#[derive(Clone, Copy)]
pub enum LoopHint<'ir> {
    MustProgress,
    /// No dependence between iterations through accesses of this group.
    ParallelAccesses(Metadata<'ir>),
    VectorizeWidth(u32),
    InterleaveCount(u32),
    DisableVectorization,
    DisableUnrolling,
    UnrollCount(u32),
    /// Not to be taken for a loop of the program by passes that would distribute or fuse again.
    DisableDistribution,
    IsVectorized,
    /// That its code begins at a multiple of so many bytes.
    Align(u32),
}

impl<'ir> Metadata<'ir> {
    pub fn text(context: Context<'ir>, text: &str) -> Metadata<'ir> {
        Metadata::known(call!(LLVMMDStringInContext2(context.raw(), text.as_ptr().cast(), text.len())))
    }
    pub fn value(value: Value<'ir>) -> Metadata<'ir> {
        assert!(value.is_constant(), "law: metadata holds constants");
        Metadata::known(call!(LLVMValueAsMetadata(value.raw())))
    }
    /// A node equal to every other with these operands.
    pub fn node(context: Context<'ir>, operands: &[Metadata<'ir>]) -> Metadata<'ir> {
        let mut raw: Vec<_> = operands.iter().map(|operand| operand.raw()).collect();
        Metadata::known(call!(LLVMMDNodeInContext2(context.raw(), raw.as_mut_ptr(), raw.len())))
    }
    /// A node equal to itself only.
    pub fn distinct(context: Context<'ir>, operands: &[Metadata<'ir>]) -> Metadata<'ir> {
        let mut raw: Vec<_> = operands.iter().map(|operand| operand.raw()).collect();
        Metadata::known(call!(loopwright_distinct_node(context.raw(), raw.as_mut_ptr(), raw.len())))
    }

    /// The operands of a node.
    fn operands(self, context: Context<'ir>) -> Vec<Metadata<'ir>> {
        let node = call!(LLVMMetadataAsValue(context.raw(), self.raw()));
        let mut all = vec![std::ptr::null_mut(); call!(LLVMGetMDNodeNumOperands(node)) as usize];
        call!(LLVMGetMDNodeOperands(node, all.as_mut_ptr()));
        all.into_iter().map(|operand| Metadata::known(call!(LLVMValueAsMetadata(operand)))).collect()
    }

    /// A new group of accesses, for `Instruction::set_metadata("llvm.access.group", ..)`.
    pub fn access_group(context: Context<'ir>) -> Metadata<'ir> {
        Metadata::distinct(context, &[])
    }
    pub fn alias_domain(context: Context<'ir>, name: &str) -> Metadata<'ir> {
        Metadata::known(call!(loopwright_alias_domain(context.raw(), zero_terminated(name).as_ptr())))
    }
    pub fn alias_scope(context: Context<'ir>, domain: Metadata<'ir>, name: &str) -> Metadata<'ir> {
        let name = zero_terminated(name);
        Metadata::known(call!(loopwright_alias_scope(context.raw(), domain.raw(), name.as_ptr())))
    }
    /// A loop's identity with its hints, for `set_metadata("llvm.loop", ..)` on the latch's branch.
    pub fn loop_hints(context: Context<'ir>, hints: &[LoopHint<'ir>]) -> Metadata<'ir> {
        let mut raw: Vec<_> = hints.iter().map(|hint| hint.metadata(context).raw()).collect();
        Metadata::known(call!(loopwright_loop_node(context.raw(), raw.as_mut_ptr(), raw.len())))
    }
}

impl<'ir> LoopHint<'ir> {
    fn metadata(self, context: Context<'ir>) -> Metadata<'ir> {
        let number = |width, n: u32| Metadata::value(Value::integer(Type::integer(context, width), i128::from(n)));
        let (name, value) = match self {
            LoopHint::MustProgress => ("llvm.loop.mustprogress", None),
            LoopHint::ParallelAccesses(group) => ("llvm.loop.parallel_accesses", Some(group)),
            LoopHint::VectorizeWidth(n) => ("llvm.loop.vectorize.width", Some(number(32, n))),
            LoopHint::InterleaveCount(n) => ("llvm.loop.interleave.count", Some(number(32, n))),
            LoopHint::DisableVectorization => ("llvm.loop.vectorize.width", Some(number(32, 1))),
            LoopHint::DisableUnrolling => ("llvm.loop.unroll.disable", None),
            LoopHint::UnrollCount(n) => ("llvm.loop.unroll.count", Some(number(32, n))),
            LoopHint::DisableDistribution => ("llvm.loop.distribute.enable", Some(number(1, 0))),
            LoopHint::IsVectorized => ("llvm.loop.isvectorized", Some(number(32, 1))),
            LoopHint::Align(n) => ("llvm.loop.align", Some(number(32, n))),
        };
        let operands: Vec<_> = [Some(Metadata::text(context, name)), value].into_iter().flatten().collect();
        Metadata::node(context, &operands)
    }
}

impl<'ir> Instruction<'ir> {
    pub fn metadata(self, kind: &str) -> Option<Metadata<'ir>> {
        Metadata::from_raw(call!(loopwright_metadata(self.raw(), metadata_kind(self.context(), kind))))
    }
    /// Has a load or store say of its type and scopes what a copy of a structure says of the member that is so many bytes from its begin.
    pub fn is_part_of(self, copy: Instruction<'ir>, at: u64) {
        call!(loopwright_set_part(self.raw(), copy.raw(), at));
    }
    /// Attaches a node under a kind such as `tbaa`, `alias.scope`, `noalias`, `llvm.loop`; `None` takes it off.
    pub fn set_metadata(self, kind: &str, node: Option<Metadata<'ir>>) {
        let raw = node.map_or(std::ptr::null_mut(), Metadata::raw);
        call!(loopwright_set_metadata(self.raw(), metadata_kind(self.context(), kind), raw));
    }
}

const LOOP: &str = "llvm.loop";

/// On a phi that is the number of an element, where the program has a pointer to it.
const POINTER: &str = "loopwright.pointer";

/// On a phi that says where what a variable holds is to be found.
const VARIABLE: &str = "loopwright.variable";

impl<'ir> Instruction<'ir> {
    /// Has it called what the source calls another value, which it takes the place of in a loop.
    pub fn be_named_after(self, value: Value<'ir>) {
        let name = value.source_name().map(|name| Metadata::text(self.context(), &name));
        self.set_metadata(VARIABLE, name.map(|name| Metadata::node(self.context(), &[name])));
    }
    /// The variable that it was so called after.
    pub fn named_after(self) -> Option<String> {
        self.marked(VARIABLE)
    }
    /// Notes that it stands for a pointer.
    pub fn note_pointer(self) {
        self.set_metadata(POINTER, Some(Metadata::node(self.context(), &[])));
    }
    /// Whether that was noted.
    pub fn was_pointer(self) -> bool {
        self.metadata(POINTER).is_some()
    }
    /// Takes the note off.
    pub fn forget_pointer(self) {
        self.set_metadata(POINTER, None);
    }
    /// Has the loop with this latch, which may be a copy of another one's, be one of its own about which something more is said.
    pub fn hint_loop(self, hint: LoopHint<'ir>) {
        let said = self.metadata(LOOP).map(|node| node.operands(self.context())).unwrap_or_default();
        let said = said.into_iter().skip(1).chain([hint.metadata(self.context())]);
        let mut raw: Vec<_> = said.map(Metadata::raw).collect();
        let node = call!(loopwright_loop_node(self.context().raw(), raw.as_mut_ptr(), raw.len()));
        self.set_metadata(LOOP, Some(Metadata::known(node)));
    }
    /// The one text of a node of metadata.
    fn marked(self, kind: &str) -> Option<String> {
        let node = self.metadata(kind)?;
        let node = call!(LLVMMetadataAsValue(self.context().raw(), node.raw()));
        let (mut name, mut length) = (std::ptr::null_mut(), 0);
        call!(LLVMGetMDNodeOperands(node, &mut name));
        let text = call!(LLVMGetMDString(name, &mut length));
        Some(super::borrowed_text(text, length as usize))
    }
}

/// On the end of a block that is to stay one thing.
const WHOLE: &str = "loopwright.whole";

impl<'ir> Block<'ir> {
    /// Says that the model should not look inside.
    pub fn mark_whole(self) {
        self.mark(WHOLE, &[]);
    }
    /// Whether that was said.
    pub fn is_whole(self) -> bool {
        self.has_mark(WHOLE)
    }
}

/// On the ends of blocks: of loops that stay as they are beside one whose exit they find or take; of one before which what it reads again was read; of one that LLVM
/// leaves as it is for that; of one that runs up to an exit that was found first; of one that was left in the middle then; of one that finds an exit; and of
/// such a one before which the first iterations have run.
const ASIDE: &str = "loopwright.aside";
const UNCHANGED: &str = "loopwright.unchanged";
const READS_AGAIN: &str = "loopwright.again";
const COUNTED: &str = "loopwright.counted";
const LEFT: &str = "loopwright.left";
const SEARCH: &str = "loopwright.search";
const BEGUN: &str = "loopwright.begun";

/// A loop for which something was done before.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Numbered {
    /// The number that it was given.
    pub number: usize,
    /// The lines of what that is about: ways out, or reads.
    pub lines: Vec<u32>,
}

impl<'ir> Block<'ir> {
    /// Says that nothing is to be made of a loop with this latch.
    pub fn mark_aside(self) {
        self.mark(ASIDE, &[]);
    }
    /// Whether that was said.
    pub fn is_aside(self) -> bool {
        self.has_mark(ASIDE)
    }
    /// Says of a latch that its loop runs up to an exit that was found first.
    pub fn mark_counted(self, number: usize, lines: &[u32]) {
        self.mark_numbered(COUNTED, number, lines);
    }
    /// What was said of that.
    pub fn counted(self) -> Option<Numbered> {
        self.numbered(COUNTED)
    }
    /// Says of a latch that what its loop reads again was read before it, as it stays the same.
    pub fn mark_unchanged(self, number: usize, lines: &[u32]) {
        self.mark_numbered(UNCHANGED, number, lines);
    }
    /// What was said of that.
    pub fn unchanged(self) -> Option<Numbered> {
        self.numbered(UNCHANGED)
    }
    /// Says of a latch that its loop read in each iteration what stays the same.
    pub fn mark_reading_again(self) {
        self.mark(READS_AGAIN, &[]);
    }
    /// Whether that was said.
    pub fn reads_again(self) -> bool {
        self.has_mark(READS_AGAIN)
    }
    fn mark_numbered(self, kind: &str, number: usize, lines: &[u32]) {
        let words: Vec<String> = std::iter::once(number.to_string()).chain(lines.iter().map(u32::to_string)).collect();
        self.mark(kind, &[Metadata::text(self.function().context(), &words.join(" "))]);
    }
    fn numbered(self, kind: &str) -> Option<Numbered> {
        let text = self.terminator()?.marked(kind)?;
        let mut words = text.split(' ');
        let number = words.next()?.parse().ok()?;
        Some(Numbered { number, lines: words.filter_map(|word| word.parse().ok()).collect() })
    }
    /// Says of a latch that its loop finds an exit.
    pub fn mark_search(self) {
        self.mark(SEARCH, &[]);
    }
    /// Whether that was said.
    pub fn is_search(self) -> bool {
        self.has_mark(SEARCH)
    }
    /// Says of a latch that the first iterations run before its loop.
    pub fn mark_begun(self) {
        self.mark(BEGUN, &[]);
    }
    /// Whether that was said.
    pub fn has_begun(self) -> bool {
        self.has_mark(BEGUN)
    }
    /// Says of a latch that its loop was left in the middle.
    pub fn mark_left(self) {
        self.mark(LEFT, &[]);
    }
    /// Whether that was said.
    pub fn was_left(self) -> bool {
        self.has_mark(LEFT)
    }
    fn has_mark(self, kind: &str) -> bool {
        self.terminator().is_some_and(|end| end.metadata(kind).is_some())
    }
    fn mark(self, kind: &str, words: &[Metadata<'ir>]) {
        let end = self.terminator().expect("law: a complete block has a terminator");
        end.set_metadata(kind, Some(Metadata::node(end.context(), words)));
    }
}

impl<'ir> Function<'ir> {
    /// The function itself as a place, without a line, where there is debug information.
    pub fn place(self) -> Option<Location<'ir>> {
        Location::from_raw(call!(loopwright_location_of(self.raw())))
    }

    /// Makes this new function a part of `from` in the debug information: each instruction keeps its line and column,
    /// now as a place in this function. Without debug information in `from`, places are taken off.
    pub fn adopt_locations(self, from: Function<'ir>) {
        let scope = Location::from_raw(call!(loopwright_outlined_subprogram(from.raw(), self.raw())));
        for instruction in self.instructions() {
            let place = instruction.location().map(Location::outermost);
            let (line, column) = place.map_or((0, 0), |place| (place.line(), place.column()));
            let is_placed = place.is_some() || instruction.call().is_some();
            instruction.set_location(scope.filter(|_| is_placed).map(|scope| {
                let context = self.context().raw();
                Location::known(call!(loopwright_location_in(context, line, column, scope.raw())))
            }));
        }
    }
}
