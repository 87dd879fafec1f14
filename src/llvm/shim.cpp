// What LLVM's C API lacks, one to five lines per function, under the prefix `loopwright_`. No policy: every decision is
// made in Rust. `ffi.rs` declares these functions and must match them.
//
// Conventions: a returned `char *` is owned by the caller (LLVMDisposeMessage). A list is written into `out` up to
// `room` entries and its whole length is returned. A null pointer means "none".

#include "llvm-c/Target.h"
#include "llvm-c/Core.h"
#include "llvm/Analysis/AliasAnalysis.h"
#include "llvm/Analysis/AssumptionCache.h"
#include "llvm/Analysis/BlockFrequencyInfo.h"
#include "llvm/Analysis/InlineCost.h"
#include "llvm/Analysis/Loads.h"
#include "llvm/Analysis/LoopInfo.h"
#include "llvm/Analysis/OptimizationRemarkEmitter.h"
#include "llvm/Analysis/ScalarEvolution.h"
#include "llvm/Analysis/ScalarEvolutionExpressions.h"
#include "llvm/Analysis/TargetLibraryInfo.h"
#include "llvm/Analysis/TargetTransformInfo.h"
#include "llvm/Analysis/ValueTracking.h"
#include "llvm/Analysis/VectorUtils.h"
#include "llvm/BinaryFormat/Dwarf.h"
#include "llvm/Demangle/Demangle.h"
#include "llvm/IR/DebugInfo.h"
#include "llvm/IR/DiagnosticInfo.h"
#include "llvm/IR/Dominators.h"
#include "llvm/IR/IRBuilder.h"
#include "llvm/IR/InlineAsm.h"
#include "llvm/IR/Instructions.h"
#include "llvm/IR/IntrinsicInst.h"
#include "llvm/IR/MDBuilder.h"
#include "llvm/IR/Module.h"
#include "llvm/IR/PassManager.h"
#include "llvm/IR/PatternMatch.h"
#include "llvm/IR/Verifier.h"
#include "llvm/Passes/PassBuilder.h"
#include "llvm/Plugins/PassPlugin.h"
#include "llvm/Support/CommandLine.h"
#include "llvm/Support/ErrorHandling.h"
#include "llvm/Transforms/Utils/BasicBlockUtils.h"
#include "llvm/Transforms/Utils/Cloning.h"
#include "llvm/Transforms/Utils/Local.h"
#include "llvm/Transforms/Utils/ScalarEvolutionExpander.h"
#include "llvm/Transforms/Utils/UnrollLoop.h"
#include "llvm/Transforms/Utils/ValueMapper.h"
#include <cstring>

using namespace llvm;

template <typename Range, typename Out> static size_t fill(const Range &range, Out *out, size_t room) {
  size_t count = 0;
  for (const auto &item : range)
    if (count++ < room) out[count - 1] = (Out)item;
  return count;
}
static char *owned(StringRef text) { return LLVMCreateMessage(text.str().c_str()); }
static void put(const APInt &value, uint64_t *out) { memcpy(out, value.getRawData(), 16); }

// ---- pass registration -------------------------------------------------------------------------------------------

extern "C" {
struct LoopwrightCallbacks {
  bool (*run)(const void *pass, LLVMModuleRef module, void *managers);
  char *(*text)(const void *pass);
  const void *(*named)(const char *name, size_t length);
  const void *(*placed)(unsigned point, unsigned speed, unsigned size, unsigned phase);
};
}

namespace loopwright {
struct LoopwrightPass : PassInfoMixin<LoopwrightPass> {
  const void *pass;
  const LoopwrightCallbacks *callbacks;
  LoopwrightPass(const void *pass, const LoopwrightCallbacks *callbacks) : pass(pass), callbacks(callbacks) {}
  PreservedAnalyses run(Module &module, ModuleAnalysisManager &managers) {
    return callbacks->run(pass, wrap(&module), &managers) ? PreservedAnalyses::none() : PreservedAnalyses::all();
  }
  void printPipeline(raw_ostream &stream, function_ref<StringRef(StringRef)>) {
    char *text = callbacks->text(pass);
    stream << text;
    LLVMDisposeMessage(text);
  }
};
static void place(ModulePassManager &passes, const LoopwrightCallbacks *callbacks, unsigned point,
                  OptimizationLevel level, ThinOrFullLTOPhase phase) {
  auto *pass = callbacks->placed(point, level.getSpeedupLevel(), level.getSizeLevel(), unsigned(phase));
  if (pass) passes.addPass(LoopwrightPass(pass, callbacks));
}
} // namespace loopwright

extern "C" {

void loopwright_register_passes(PassBuilder *builder, const LoopwrightCallbacks *callbacks) {
  builder->registerPipelineParsingCallback(
      [=](StringRef name, ModulePassManager &passes, ArrayRef<PassBuilder::PipelineElement>) {
        auto *pass = callbacks->named(name.data(), name.size());
        if (pass) passes.addPass(loopwright::LoopwrightPass(pass, callbacks));
        return pass != nullptr;
      });
  builder->registerPipelineEarlySimplificationEPCallback(
      [=](ModulePassManager &passes, OptimizationLevel level, ThinOrFullLTOPhase phase) {
        loopwright::place(passes, callbacks, 0, level, phase);
      });
  builder->registerOptimizerEarlyEPCallback(
      [=](ModulePassManager &passes, OptimizationLevel level, ThinOrFullLTOPhase phase) {
        loopwright::place(passes, callbacks, 1, level, phase);
      });
}
void loopwright_register_option(const char *name, const char *value, const char *help, bool hidden, bool prefix,
                                void (*given)(const char *name, const char *value, size_t length)) {
  auto *option = new cl::list<std::string>(StringRef(name), cl::desc(help), cl::value_desc(value));
  option->setNumOccurrencesFlag(cl::ZeroOrMore);
  option->setHiddenFlag(hidden ? cl::ReallyHidden : cl::NotHidden);
  prefix ? option->setFormattingFlag(cl::Prefix) : option->setValueExpectedFlag(cl::ValueOptional);
  option->setCallback([=](const std::string &text) { given(name, text.data(), text.size()); });
}

// ---- passes and analyses of a function ---------------------------------------------------------------------------

void *loopwright_function_managers(void *managers, LLVMModuleRef module) {
  auto *modules = static_cast<ModuleAnalysisManager *>(managers);
  return &modules->getResult<FunctionAnalysisManagerModuleProxy>(*unwrap(module)).getManager();
}
struct LoopwrightManagers {
  LoopAnalysisManager loops;
  FunctionAnalysisManager functions;
  CGSCCAnalysisManager components;
  ModuleAnalysisManager modules;
};
LoopwrightManagers *loopwright_managers_new() {
  auto *m = new LoopwrightManagers;
  PassBuilder builder;
  builder.registerModuleAnalyses(m->modules), builder.registerCGSCCAnalyses(m->components);
  builder.registerFunctionAnalyses(m->functions), builder.registerLoopAnalyses(m->loops);
  builder.crossRegisterProxies(m->loops, m->functions, m->components, m->modules);
  return m;
}
void *loopwright_managers_modules(LoopwrightManagers *managers) { return &managers->modules; }
void loopwright_managers_free(LoopwrightManagers *managers) { delete managers; }

char *loopwright_run_function_passes(FunctionAnalysisManager *managers, LLVMValueRef function, const char *text) {
  PassBuilder builder;
  FunctionPassManager passes;
  if (Error error = builder.parsePassPipeline(passes, text)) return owned(toString(std::move(error)));
  managers->invalidate(*unwrap<Function>(function), passes.run(*unwrap<Function>(function), *managers));
  return nullptr;
}
char *loopwright_run_module_passes(ModuleAnalysisManager *managers, LLVMModuleRef module, const char *text) {
  PassBuilder builder;
  ModulePassManager passes;
  if (Error error = builder.parsePassPipeline(passes, text)) return owned(toString(std::move(error)));
  managers->invalidate(*unwrap(module), passes.run(*unwrap(module), *managers));
  return nullptr;
}
void loopwright_invalidate(FunctionAnalysisManager *managers, LLVMValueRef function) {
  managers->invalidate(*unwrap<Function>(function), PreservedAnalyses::none());
}
ScalarEvolution *loopwright_scalar_evolution(FunctionAnalysisManager *managers, LLVMValueRef function) {
  return &managers->getResult<ScalarEvolutionAnalysis>(*unwrap<Function>(function));
}
LoopInfo *loopwright_loop_info(FunctionAnalysisManager *managers, LLVMValueRef function) {
  return &managers->getResult<LoopAnalysis>(*unwrap<Function>(function));
}
DominatorTree *loopwright_dominators(FunctionAnalysisManager *managers, LLVMValueRef function) {
  return &managers->getResult<DominatorTreeAnalysis>(*unwrap<Function>(function));
}
static LoopUnrollResult written_out(FunctionAnalysisManager &managers, Function &f, Loop *loop, UnrollLoopOptions options) {
  options.ForgetAllSCEV = true;
  return UnrollLoop(loop, options, &managers.getResult<LoopAnalysis>(f), &managers.getResult<ScalarEvolutionAnalysis>(f),
                    &managers.getResult<DominatorTreeAnalysis>(f), &managers.getResult<AssumptionAnalysis>(f),
                    &managers.getResult<TargetIRAnalysis>(f),
                    &managers.getResult<OptimizationRemarkEmitterAnalysis>(f), /*PreserveLCSSA=*/true);
}
bool loopwright_unroll(FunctionAnalysisManager *managers, LLVMValueRef function, LLVMBasicBlockRef header,
                       unsigned count) {
  auto &f = *unwrap<Function>(function);
  auto &loops = managers->getResult<LoopAnalysis>(f);
  auto *loop = loops.getLoopFor(unwrap(header));
  if (!loop || loop->getHeader() != unwrap(header)) return false;
  auto &evolution = managers->getResult<ScalarEvolutionAnalysis>(f);
  // The unroller lets the number of iterations wrap around to 0, as the `!=` that it writes allows.
  auto *most = dyn_cast<SCEVConstant>(evolution.getConstantMaxBackedgeTakenCount(loop));
  bool fits = most && !most->getAPInt().isMaxValue();
  UnrollLoopOptions options{};
  options.Count = count;
  options.Runtime = true;
  options.AllowExpensiveTripCount = true;
  options.SCEVExpansionBudget = 64; // operations before the loop for the number of its iterations
  auto result = written_out(*managers, f, loop, options);
  if (result != LoopUnrollResult::PartiallyUnrolled)
    return result == LoopUnrollResult::FullyUnrolled;
  // The rounds are counted from 0 up to a multiple of their step: below it is not equal to it, and says how many there are for every step.
  using namespace PatternMatch;
  auto *compare = loop->getLatchCmpInst();
  auto *branch = dyn_cast<BranchInst>(loop->getLoopLatch()->getTerminator());
  Value *counted = nullptr;
  auto is_counted = [&](Value *value) {
    auto *rounds = dyn_cast<PHINode>(value);
    return rounds && rounds->getParent() == loop->getHeader() &&
           match(rounds->getIncomingValueForBlock(loop->getLoopPreheader()), m_Zero());
  };
  if (fits && compare && branch && compare->getPredicate() == ICmpInst::ICMP_NE && branch->getSuccessor(0) == loop->getHeader() &&
      match(compare->getOperand(0), m_Add(m_Value(counted), m_SpecificInt(count))) && is_counted(counted) &&
      loop->isLoopInvariant(compare->getOperand(1))) {
    cast<BinaryOperator>(compare->getOperand(0))->setHasNoUnsignedWrap(true);
    compare->setPredicate(ICmpInst::ICMP_ULT);
  }
  return true;
}
void loopwright_write_out(FunctionAnalysisManager *managers, LLVMValueRef function, LLVMBasicBlockRef header,
                          unsigned count) {
  auto &f = *unwrap<Function>(function);
  auto *loop = managers->getResult<LoopAnalysis>(f).getLoopFor(unwrap(header));
  if (!loop || loop->getHeader() != unwrap(header)) return;
  UnrollLoopOptions options{};
  options.Count = count;
  written_out(*managers, f, loop, options);
}
bool loopwright_copy_loop(FunctionAnalysisManager *managers, LLVMValueRef function, LLVMBasicBlockRef header,
                          LLVMValueRef condition) {
  auto &f = *unwrap<Function>(function);
  auto &loops = managers->getResult<LoopAnalysis>(f);
  auto &tree = managers->getResult<DominatorTreeAnalysis>(f);
  auto *loop = loops.getLoopFor(unwrap(header));
  if (!loop || loop->getHeader() != unwrap(header) || !loop->isLoopSimplifyForm() || !loop->isSafeToClone() ||
      !loop->isRecursivelyLCSSAForm(tree, loops))
    return false;
  auto *exit = loop->getUniqueExitBlock();
  if (!exit) return false;
  auto *before = loop->getLoopPreheader();
  auto *entry = SplitBlock(before, before->getTerminator(), &tree, &loops, nullptr, "apart");
  ValueToValueMapTy copies;
  SmallVector<BasicBlock *, 16> blocks;
  auto *copy = cloneLoopWithPreheader(exit, before, loop, copies, ".met", &loops, &tree, blocks);
  remapInstructionsInBlocks(blocks, copies);
  for (auto &phi : exit->phis())
    for (unsigned at = 0, n = phi.getNumIncomingValues(); at < n; ++at) {
      auto *value = phi.getIncomingValue(at);
      Value *other = copies.lookup(value);
      phi.addIncoming(other ? other : value, cast<BasicBlock>(copies[phi.getIncomingBlock(at)]));
    }
  auto *end = before->getTerminator();
  auto *asks = BranchInst::Create(entry, copy->getLoopPreheader(), unwrap(condition), end->getIterator());
  asks->setDebugLoc(end->getDebugLoc());
  end->eraseFromParent();
  return true;
}
AAResults *loopwright_aliases(FunctionAnalysisManager *managers, LLVMValueRef function) {
  return &managers->getResult<AAManager>(*unwrap<Function>(function));
}
TargetTransformInfo *loopwright_target(FunctionAnalysisManager *managers, LLVMValueRef function) {
  return &managers->getResult<TargetIRAnalysis>(*unwrap<Function>(function));
}
TargetLibraryInfo *loopwright_library(FunctionAnalysisManager *managers, LLVMValueRef function) {
  return &managers->getResult<TargetLibraryAnalysis>(*unwrap<Function>(function));
}
AssumptionCache *loopwright_assumptions(FunctionAnalysisManager *managers, LLVMValueRef function) {
  return &managers->getResult<AssumptionAnalysis>(*unwrap<Function>(function));
}
OptimizationRemarkEmitter *loopwright_remark_emitter(FunctionAnalysisManager *managers, LLVMValueRef function) {
  return &managers->getResult<OptimizationRemarkEmitterAnalysis>(*unwrap<Function>(function));
}

// ---- dominance, aliases, target ----------------------------------------------------------------------------------

bool loopwright_block_dominates(DominatorTree *tree, LLVMBasicBlockRef a, LLVMBasicBlockRef b) {
  return tree->dominates(unwrap(a), unwrap(b));
}
bool loopwright_value_dominates(DominatorTree *tree, LLVMValueRef value, LLVMValueRef user) {
  return tree->dominates(unwrap(value), unwrap<Instruction>(user));
}
LLVMBasicBlockRef loopwright_immediate_dominator(DominatorTree *tree, LLVMBasicBlockRef block) {
  auto *node = tree->getNode(unwrap(block));
  return node && node->getIDom() ? wrap(node->getIDom()->getBlock()) : nullptr;
}
// Values are compared as those of different iterations.
static unsigned alias_across_iterations(AAResults *aliases, const MemoryLocation &a, const MemoryLocation &b) {
  BatchAAResults batch(*aliases);
  batch.enableCrossIterationMode();
  return batch.alias(a, b);
}
unsigned loopwright_alias(AAResults *aliases, LLVMValueRef a, LLVMValueRef b) {
  return alias_across_iterations(aliases, MemoryLocation::getBeforeOrAfter(unwrap(a)),
                                 MemoryLocation::getBeforeOrAfter(unwrap(b)));
}
// Where an access goes; without its scopes if `forgets_scopes`, without its types if `forgets_types`.
static MemoryLocation location(LLVMValueRef access, bool forgets_scopes, bool forgets_types) {
  MemoryLocation place = MemoryLocation::get(unwrap<Instruction>(access));
  if (forgets_scopes)
    place.AATags.Scope = place.AATags.NoAlias = nullptr;
  if (forgets_types)
    place.AATags.TBAA = place.AATags.TBAAStruct = nullptr;
  return place;
}
unsigned loopwright_alias_instructions(AAResults *aliases, LLVMValueRef a, LLVMValueRef b, bool forgets_scopes,
                                       bool forgets_types) {
  auto place = [&](LLVMValueRef access) {
    return location(access, forgets_scopes, forgets_types).getWithNewSize(LocationSize::beforeOrAfterPointer());
  };
  return alias_across_iterations(aliases, place(a), place(b));
}
unsigned loopwright_alias_bytes(AAResults *aliases, LLVMValueRef a, LLVMValueRef b, bool forgets_scopes) {
  return alias_across_iterations(aliases, location(a, forgets_scopes, true), location(b, forgets_scopes, false));
}
bool loopwright_writes(AAResults *aliases, LLVMValueRef instruction, LLVMValueRef access, bool forgets_scopes) {
  return isModSet(aliases->getModRefInfo(unwrap<Instruction>(instruction), location(access, forgets_scopes, false)));
}
LLVMValueRef loopwright_underlying_object(LLVMValueRef pointer) {
  return wrap(getUnderlyingObject(unwrap(pointer), 0));
}
bool loopwright_is_identified_object(LLVMValueRef value) { return isIdentifiedObject(unwrap(value)); }
bool loopwright_is_dereferenceable(LLVMValueRef pointer, uint64_t bytes, uint64_t align, LLVMValueRef at,
                                   DominatorTree *tree, AssumptionCache *assumptions) {
  auto *context = unwrap<Instruction>(at);
  return isDereferenceableAndAlignedPointer(unwrap(pointer), Align(align), APInt(64, bytes),
                                            context->getDataLayout(), context, assumptions, tree);
}
unsigned loopwright_vector_bits(TargetTransformInfo *target) {
  return target->getRegisterBitWidth(TargetTransformInfo::RGK_FixedWidthVector).getFixedValue();
}
bool loopwright_loads_from_any_place(TargetTransformInfo *target, LLVMValueRef function) {
  unsigned bits = loopwright_vector_bits(target), fast = 0;
  return target->allowsMisalignedMemoryAccesses(unwrap<Function>(function)->getContext(), bits, 0, Align(1), &fast) && fast;
}
bool loopwright_can_compress(TargetTransformInfo *target, LLVMTypeRef vector) {
  return target->isLegalMaskedCompressStore(unwrap(vector), Align(1));
}
unsigned loopwright_vector_registers(TargetTransformInfo *target) {
  return target->getNumberOfRegisters(target->getRegisterClassForType(true));
}
// What the processor takes to start one instruction after the other, of vectors of so many lanes if there are several; 0 if LLVM does not know.
unsigned loopwright_throughput(TargetTransformInfo *target, LLVMValueRef value, unsigned lanes) {
  auto *instruction = unwrap<Instruction>(value);
  auto kind = TargetTransformInfo::TCK_RecipThroughput;
  auto known = [](InstructionCost cost) -> unsigned {
    return cost.isValid() ? unsigned(std::clamp<int64_t>(cost.getValue(), 1, 1 << 16)) : 0;
  };
  if (lanes == 1)
    return known(target->getInstructionCost(instruction, kind));
  auto wide = [&](Type *type) -> Type * {
    return VectorType::isValidElementType(type) ? FixedVectorType::get(type, lanes) : nullptr;
  };
  Type *result = wide(instruction->getType());
  Type *first = instruction->getNumOperands() ? wide(instruction->getOperand(0)->getType()) : nullptr;
  if (!result || !first)
    return 0;
  unsigned opcode = instruction->getOpcode();
  if (isa<BinaryOperator, UnaryOperator>(instruction))
    return known(target->getArithmeticInstrCost(opcode, result, kind));
  if (isa<CastInst>(instruction))
    return known(target->getCastInstrCost(opcode, result, first, TargetTransformInfo::CastContextHint::None, kind));
  if (auto *compare = dyn_cast<CmpInst>(instruction))
    return known(target->getCmpSelInstrCost(opcode, first, result, compare->getPredicate(), kind));
  if (isa<SelectInst>(instruction))
    return known(target->getCmpSelInstrCost(opcode, result, first, CmpInst::BAD_ICMP_PREDICATE, kind));
  auto *call = dyn_cast<IntrinsicInst>(instruction);
  if (!call)
    return 0;
  SmallVector<Type *, 4> types;
  for (const Use &argument : call->args()) {
    bool is_scalar = isVectorIntrinsicWithScalarOpAtArg(call->getIntrinsicID(), types.size(), target);
    types.push_back(is_scalar ? argument->getType() : wide(argument->getType()));
    if (!types.back())
      return 0;
  }
  return known(target->getIntrinsicInstrCost(IntrinsicCostAttributes(call->getIntrinsicID(), result, types), kind));
}
unsigned loopwright_cache_line(TargetTransformInfo *target) { return target->getCacheLineSize(); }
char *loopwright_library_function(TargetLibraryInfo *library, LLVMValueRef call) {
  LibFunc function;
  bool known = library->getLibFunc(*unwrap<CallBase>(call), function) && library->has(function);
  return known ? owned(library->getName(function)) : nullptr;
}

// ---- loops -------------------------------------------------------------------------------------------------------

size_t loopwright_loops(LoopInfo *loops, Loop **out, size_t room) {
  return fill(loops->getLoopsInPreorder(), out, room);
}
Loop *loopwright_loop_of(LoopInfo *loops, LLVMBasicBlockRef block) { return loops->getLoopFor(unwrap(block)); }
Loop *loopwright_loop_parent(Loop *loop) { return loop->getParentLoop(); }
LLVMBasicBlockRef loopwright_loop_header(Loop *loop) { return wrap(loop->getHeader()); }
LLVMBasicBlockRef loopwright_loop_latch(Loop *loop) { return wrap(loop->getLoopLatch()); }
LLVMBasicBlockRef loopwright_loop_preheader(Loop *loop) { return wrap(loop->getLoopPreheader()); }
size_t loopwright_loop_blocks(Loop *loop, LLVMBasicBlockRef *out, size_t room) {
  return fill(loop->blocks(), out, room);
}
size_t loopwright_loop_exits(Loop *loop, LLVMBasicBlockRef *out, size_t room) {
  SmallVector<BasicBlock *, 4> blocks;
  loop->getUniqueExitBlocks(blocks);
  return fill(blocks, out, room);
}
size_t loopwright_loop_exiting(Loop *loop, LLVMBasicBlockRef *out, size_t room) {
  SmallVector<BasicBlock *, 4> blocks;
  loop->getExitingBlocks(blocks);
  return fill(blocks, out, room);
}
bool loopwright_loop_is_simplified(Loop *loop) { return loop->isLoopSimplifyForm(); }
bool loopwright_loop_is_rotated(Loop *loop) { return loop->isRotatedForm(); }
LLVMValueRef loopwright_loop_counter(Loop *loop, ScalarEvolution *scev) {
  return wrap(loop->getInductionVariable(*scev));
}
int64_t loopwright_loop_attribute(Loop *loop, const char *name) {
  auto found = findStringMetadataForLoop(loop, name);
  auto *number = found && *found ? mdconst::extract_or_null<ConstantInt>((*found)->get()) : nullptr;
  return !found ? -1 : number ? (int64_t)number->getLimitedValue(INT64_MAX) : 1;
}
// Where the loop says nothing itself, what leads to it may be of a loop inside, and what leads back is its own.
LLVMMetadataRef loopwright_loop_location(Loop *loop) {
  DebugLoc start = loop->getStartLoc();
  auto *latch = loop->getLoopLatch();
  DebugLoc back = latch ? latch->getTerminator()->getDebugLoc() : DebugLoc();
  bool is_told = loop->getLoopID() && loop->getLoopID()->getNumOperands() > 1 && isa<DILocation>(loop->getLoopID()->getOperand(1));
  if (!is_told && start && back && back.getLine() && back.getLine() < start.getLine() && back->getInlinedAt() == start->getInlinedAt() &&
      back->getScope()->getSubprogram() == start->getScope()->getSubprogram())
    start = back;
  return wrap((Metadata *)start.getAsMDNode());
}

// ---- scalar evolution --------------------------------------------------------------------------------------------

static_assert(scConstant == 0 && scAddRecExpr == 8 && scCouldNotCompute == 16, "SCEV kinds as scev.rs numbers them");

const SCEV *loopwright_scev(ScalarEvolution *se, LLVMValueRef value) { return se->getSCEV(unwrap(value)); }
bool loopwright_is_scevable(ScalarEvolution *se, LLVMValueRef value) {
  return se->isSCEVable(unwrap(value)->getType());
}
const SCEV *loopwright_scev_at(ScalarEvolution *se, const SCEV *scev, Loop *loop) {
  return se->getSCEVAtScope(scev, loop);
}
unsigned loopwright_scev_kind(const SCEV *scev) { return scev->getSCEVType(); }
unsigned loopwright_scev_width(ScalarEvolution *se, const SCEV *scev) {
  return isa<SCEVCouldNotCompute>(scev) ? 0 : unsigned(se->getTypeSizeInBits(scev->getType()));
}
LLVMTypeRef loopwright_scev_type(const SCEV *scev) {
  return isa<SCEVCouldNotCompute>(scev) ? nullptr : wrap(scev->getType());
}
unsigned loopwright_scev_flags(const SCEV *scev) {
  auto *nary = dyn_cast<SCEVNAryExpr>(scev);
  return nary ? unsigned(nary->getNoWrapFlags()) : 0;
}
size_t loopwright_scev_operands(const SCEV *scev, const SCEV **out, size_t room) {
  return isa<SCEVCouldNotCompute>(scev) ? 0 : fill(scev->operands(), out, room);
}
const Loop *loopwright_scev_loop(const SCEV *scev) {
  auto *recurrence = dyn_cast<SCEVAddRecExpr>(scev);
  return recurrence ? recurrence->getLoop() : nullptr;
}
LLVMValueRef loopwright_scev_value(const SCEV *scev) {
  if (auto *constant = dyn_cast<SCEVConstant>(scev)) return wrap(constant->getValue());
  auto *unknown = dyn_cast<SCEVUnknown>(scev);
  return unknown ? wrap(unknown->getValue()) : nullptr;
}
bool loopwright_constant(LLVMValueRef value, uint64_t *out) {
  auto *constant = dyn_cast<ConstantInt>(unwrap(value));
  bool fits = constant && constant->getValue().getSignificantBits() <= 128;
  if (fits) put(constant->getValue().sextOrTrunc(128), out);
  return fits;
}
char *loopwright_scev_text(const SCEV *scev) {
  std::string text;
  raw_string_ostream stream(text);
  scev->print(stream);
  return owned(text);
}
void loopwright_scev_range(ScalarEvolution *se, const SCEV *scev, bool is_signed, uint64_t *low, uint64_t *high) {
  put(is_signed ? se->getSignedRangeMin(scev).sextOrTrunc(128) : se->getUnsignedRangeMin(scev).zextOrTrunc(128), low);
  put(is_signed ? se->getSignedRangeMax(scev).sextOrTrunc(128) : se->getUnsignedRangeMax(scev).zextOrTrunc(128), high);
}
bool loopwright_scev_is_invariant(ScalarEvolution *se, const SCEV *scev, Loop *loop) {
  return se->isLoopInvariant(scev, loop);
}
const SCEV *loopwright_exit_count(ScalarEvolution *se, Loop *loop, LLVMBasicBlockRef block) {
  return se->getExitCount(loop, unwrap(block));
}
// Of a loop with several ways out, those in the middle not taken.
const SCEV *loopwright_backedges(ScalarEvolution *se, Loop *loop, unsigned kind) {
  auto wanted = ScalarEvolution::ExitCountKind(kind);
  BasicBlock *latch = loop->getLoopLatch();
  if (latch && loop->isLoopExiting(latch) && !loop->getExitingBlock())
    return se->getExitCount(loop, latch, wanted);
  return se->getBackedgeTakenCount(loop, wanted);
}
bool loopwright_is_known(ScalarEvolution *se, unsigned predicate, const SCEV *left, const SCEV *right) {
  return se->isKnownPredicate(CmpInst::Predicate(predicate), left, right);
}
bool loopwright_is_known_in(ScalarEvolution *se, unsigned predicate, const SCEV *left, const SCEV *right,
                            LLVMBasicBlockRef block) {
  auto asked = CmpInst::Predicate(predicate);
  return se->isKnownPredicate(asked, left, right) ||
         se->isBasicBlockEntryGuardedByCond(unwrap(block), asked, left, right);
}
const SCEV *loopwright_scev_constant(ScalarEvolution *se, LLVMTypeRef ty, int64_t value) {
  return se->getConstant(unwrap(ty), uint64_t(value), true);
}
const SCEV *loopwright_scev_sum(ScalarEvolution *se, const SCEV *a, const SCEV *b) { return se->getAddExpr(a, b); }
const SCEV *loopwright_scev_product(ScalarEvolution *se, const SCEV *a, const SCEV *b) { return se->getMulExpr(a, b); }
const SCEV *loopwright_scev_difference(ScalarEvolution *se, const SCEV *a, const SCEV *b) {
  return se->getMinusSCEV(a, b);
}
const SCEV *loopwright_scev_extended(ScalarEvolution *se, const SCEV *scev, LLVMTypeRef ty, bool is_signed) {
  return is_signed ? se->getTruncateOrSignExtend(scev, unwrap(ty)) : se->getTruncateOrZeroExtend(scev, unwrap(ty));
}
const SCEV *loopwright_pointer_base(ScalarEvolution *se, const SCEV *scev) { return se->getPointerBase(scev); }
const SCEV *loopwright_pointer_offset(ScalarEvolution *se, const SCEV *scev) { return se->removePointerBase(scev); }
bool loopwright_can_expand(ScalarEvolution *se, const SCEV *scev, LLVMValueRef before) {
  return SCEVExpander(*se, "lw").isSafeToExpandAt(scev, unwrap<Instruction>(before));
}
void loopwright_forget_value(ScalarEvolution *se, LLVMValueRef value) { se->forgetValue(unwrap(value)); }
LLVMValueRef loopwright_expand(ScalarEvolution *se, const SCEV *scev, LLVMTypeRef ty, LLVMValueRef before) {
  SCEVExpander expander(*se, "lw");
  return wrap(expander.expandCodeFor(scev, unwrap(ty), unwrap<Instruction>(before)->getIterator()));
}

// ---- instructions ------------------------------------------------------------------------------------------------

bool loopwright_has_side_effects(LLVMValueRef value) { return unwrap<Instruction>(value)->mayHaveSideEffects(); }
bool loopwright_may_read(LLVMValueRef value) { return unwrap<Instruction>(value)->mayReadFromMemory(); }
bool loopwright_may_write(LLVMValueRef value) { return unwrap<Instruction>(value)->mayWriteToMemory(); }
bool loopwright_may_throw(LLVMValueRef value) { return unwrap<Instruction>(value)->mayThrow(); }
bool loopwright_will_return(LLVMValueRef value) { return unwrap<Instruction>(value)->willReturn(); }
bool loopwright_is_speculatable(LLVMValueRef value) { return isSafeToSpeculativelyExecute(unwrap<Instruction>(value)); }
uint32_t loopwright_memory_effects(LLVMValueRef call) {
  auto effects = unwrap<CallBase>(call)->getMemoryEffects();
  uint32_t found[4] = {};
  for (auto place : MemoryEffects::locations())
    found[std::min(unsigned(place), unsigned(IRMemLocation::Other))] |= unsigned(effects.getModRef(place));
  return found[0] | found[1] << 2 | found[2] << 4 | found[3] << 6;
}
void loopwright_set_part(LLVMValueRef access, LLVMValueRef copy, uint64_t at) {
  auto *part = unwrap<Instruction>(access);
  auto whole = unwrap<Instruction>(copy)->getAAMetadata();
  part->setAAMetadata(whole.adjustForAccess(at, getLoadStoreType(part), part->getDataLayout()));
}
bool loopwright_is_strict(LLVMValueRef call) { return unwrap<CallBase>(call)->isStrictFP(); }
bool loopwright_is_convergent(LLVMValueRef call) { return unwrap<CallBase>(call)->isConvergent(); }
bool loopwright_call_has_attribute(LLVMValueRef call, const char *name) {
  auto kind = Attribute::getAttrKindFromName(name);
  return kind == Attribute::NoBuiltin ? unwrap<CallBase>(call)->isNoBuiltin() : unwrap<CallBase>(call)->hasFnAttr(kind);
}
bool loopwright_is_thread_dependent(LLVMValueRef value) {
  auto *constant = dyn_cast<Constant>(unwrap(value));
  return constant && constant->isThreadDependent();
}
bool loopwright_is_exact(LLVMValueRef function) { return unwrap<Function>(function)->hasExactDefinition(); }
bool loopwright_passes_copies(LLVMValueRef call) {
  auto *c = unwrap<CallBase>(call);
  for (unsigned at = 0; at < c->arg_size(); at++)
    if (c->isPassPointeeByValueArgument(at) || c->paramHasAttr(at, Attribute::SwiftError)) return true;
  return c->isMustTailCall();
}
void loopwright_forget_tail(LLVMValueRef call) {
  if (auto *c = dyn_cast<CallInst>(unwrap(call))) c->setTailCallKind(CallInst::TCK_None);
}
bool loopwright_is_interposable(LLVMValueRef function) { return unwrap<Function>(function)->isInterposable(); }
unsigned loopwright_address_space(LLVMValueRef pointer) { return unwrap(pointer)->getType()->getPointerAddressSpace(); }
bool loopwright_has_address_taken(LLVMValueRef function) { return unwrap<Function>(function)->hasAddressTaken(); }
bool loopwright_is_static_alloca(LLVMValueRef alloca) { return unwrap<AllocaInst>(alloca)->isStaticAlloca(); }
bool loopwright_has_bundles(LLVMValueRef call) { return unwrap<CallBase>(call)->hasOperandBundles(); }
bool loopwright_has_addressed_block(LLVMValueRef function) {
  return any_of(*unwrap<Function>(function), [](const BasicBlock &block) { return block.hasAddressTaken(); });
}
bool loopwright_has_function_attribute(LLVMValueRef function, const char *name) {
  auto kind = Attribute::getAttrKindFromName(name);
  return kind == Attribute::None ? unwrap<Function>(function)->hasFnAttribute(name)
                                 : unwrap<Function>(function)->hasFnAttribute(kind);
}
void loopwright_add_function_attribute(LLVMValueRef function, const char *name, const char *value) {
  auto kind = Attribute::getAttrKindFromName(name);
  auto *f = unwrap<Function>(function);
  kind == Attribute::None ? f->addFnAttr(name, value) : f->addFnAttr(kind);
}
void loopwright_remove_function_attribute(LLVMValueRef function, const char *name) {
  auto kind = Attribute::getAttrKindFromName(name);
  auto *f = unwrap<Function>(function);
  kind == Attribute::None ? f->removeFnAttr(name) : f->removeFnAttr(kind);
}
void loopwright_copy_function_attribute(LLVMValueRef from, LLVMValueRef to, const char *name) {
  auto kind = Attribute::getAttrKindFromName(name);
  auto *f = unwrap<Function>(from);
  auto attribute = kind == Attribute::None ? f->getFnAttribute(name) : f->getFnAttribute(kind);
  if (attribute.isValid()) unwrap<Function>(to)->addFnAttr(attribute);
}
size_t loopwright_text_attributes(LLVMValueRef function, const char **out, size_t room) {
  SmallVector<const char *, 16> names;
  for (auto attribute : unwrap<Function>(function)->getAttributes().getFnAttrs())
    if (attribute.isStringAttribute()) names.push_back(attribute.getKindAsString().data());
  return fill(names, out, room);
}
// Of several variables one of the function itself comes before those of what was inlined into it.
static DILocalVariable *variable_of(Value *value) {
  SmallVector<DbgVariableRecord *, 4> records;
  findDbgUsers(value, records);
  DILocalVariable *inlined = nullptr;
  for (auto *record : records) {
    if (record->getNumVariableLocationOps() != 1) continue;
    if (!record->getDebugLoc().getInlinedAt()) return record->getVariable();
    if (!inlined) inlined = record->getVariable();
  }
  return inlined;
}
char *loopwright_variable_name(LLVMValueRef value) {
  auto *variable = variable_of(unwrap(value));
  return variable ? owned(variable->getName()) : nullptr;
}
static const DIType *without_names(const DIType *type) {
  while (auto *derived = dyn_cast_or_null<DIDerivedType>(type)) {
    auto tag = derived->getTag();
    if (tag != dwarf::DW_TAG_typedef && tag != dwarf::DW_TAG_const_type && tag != dwarf::DW_TAG_volatile_type &&
        tag != dwarf::DW_TAG_restrict_type && tag != dwarf::DW_TAG_member && tag != dwarf::DW_TAG_inheritance)
      break;
    type = derived->getBaseType();
  }
  return type;
}
char *loopwright_member_name(LLVMValueRef address) {
  auto *pointer = unwrap(address);
  auto *place = dyn_cast<Instruction>(pointer);
  auto *argument = dyn_cast<Argument>(pointer);
  auto *function = place ? place->getFunction() : argument ? argument->getParent() : nullptr;
  if (!function) return nullptr;
  auto &layout = function->getDataLayout();
  APInt distance(layout.getIndexTypeSizeInBits(pointer->getType()), 0);
  auto *base = pointer->stripAndAccumulateConstantOffsets(layout, distance, true);
  auto *variable = variable_of(base);
  if (!variable || distance.isNegative()) return nullptr;
  std::string name = variable->getName().str();
  auto *type = without_names(variable->getType());
  StringRef separator = ".";
  if (auto *derived = dyn_cast_or_null<DIDerivedType>(type); derived && !isa<AllocaInst>(base)) {
    if (derived->getTag() == dwarf::DW_TAG_pointer_type) separator = "->";
    type = without_names(derived->getBaseType());
  }
  uint64_t bits = distance.getZExtValue() * 8;
  auto *composite = dyn_cast_or_null<DICompositeType>(type);
  if (!composite) return nullptr;
  if (composite->getTag() == dwarf::DW_TAG_array_type) return owned(name);
  // Names that begin with an underscore are a library's own.
  for (bool is_inside = true; is_inside && composite;) {
    is_inside = false;
    for (auto *element : composite->getElements()) {
      auto *member = dyn_cast<DIDerivedType>(element);
      if (!member || member->isStaticMember()) continue;
      if (member->getTag() != dwarf::DW_TAG_member && member->getTag() != dwarf::DW_TAG_inheritance) continue;
      auto *inner = without_names(member->getBaseType());
      uint64_t begin = member->getOffsetInBits(), size = inner ? inner->getSizeInBits() : 0;
      if (bits < begin || bits >= begin + size) continue;
      if (member->getTag() == dwarf::DW_TAG_member) {
        if (member->getName().empty() || member->getName().starts_with("_")) return owned(name);
        name += separator.str() + member->getName().str();
        separator = ".";
      }
      bits -= begin;
      composite = dyn_cast_or_null<DICompositeType>(inner);
      is_inside = true;
      break;
    }
  }
  return owned(name);
}
char *loopwright_demangled(const char *name) { return owned(demangle(name)); }
// As `Language::of` in debug.rs; 0 where it is not known.
unsigned loopwright_language(LLVMValueRef function) {
  auto *subprogram = unwrap<Function>(function)->getSubprogram();
  if (!subprogram || !subprogram->getUnit()) return 0;
  auto language = subprogram->getUnit()->getSourceLanguage();
  if (language.hasVersionedName()) {
    switch (static_cast<dwarf::SourceLanguageName>(language.getName())) {
      case dwarf::DW_LNAME_C: return 1;
      case dwarf::DW_LNAME_C_plus_plus: return 2;
      case dwarf::DW_LNAME_Fortran: return 3;
      case dwarf::DW_LNAME_Rust: return 4;
      default: return 0;
    }
  }
  auto name = static_cast<dwarf::SourceLanguage>(language.getName());
  if (name == dwarf::DW_LANG_Rust) return 4;
  if (dwarf::isCPlusPlus(name)) return 2;
  if (dwarf::isFortran(name)) return 3;
  return dwarf::isC(name) ? 1 : 0;
}

// ---- remarks -----------------------------------------------------------------------------------------------------

// As `RemarkWords` in ffi.rs.
struct RemarkWords {
  const char *const *names;
  const char *const *texts;
  size_t shown;
  size_t all;
};
void loopwright_remark(OptimizationRemarkEmitter *emitter, unsigned kind, const char *name, LLVMMetadataRef location,
                       LLVMBasicBlockRef block, const RemarkWords *words) {
  DebugLoc at(cast_or_null<DILocation>(unwrap(location)));
  auto emit = [&](auto remark) {
    for (size_t word = 0; word != words->all; ++word) {
      if (word == words->shown) remark << ore::setExtraArgs();
      if (StringRef(words->names[word]) == "String")
        remark << StringRef(words->texts[word]);
      else
        remark << ore::NV(words->names[word], StringRef(words->texts[word]));
    }
    emitter->emit(remark);
  };
  if (kind == 0) emit(OptimizationRemark("loopwright", name, at, unwrap(block)));
  if (kind == 1) emit(OptimizationRemarkMissed("loopwright", name, at, unwrap(block)));
  if (kind == 2) emit(OptimizationRemarkAnalysis("loopwright", name, at, unwrap(block)));
}
bool loopwright_is_heard(OptimizationRemarkEmitter *emitter) { return emitter->allowExtraAnalysis("loopwright"); }
static void complain(LLVMContextRef context, DiagnosticSeverity severity, const char *text) {
  Twine message(text);
  unwrap(context)->diagnose(DiagnosticInfoGeneric(message, severity));
}
void loopwright_error(LLVMContextRef context, const char *text) { complain(context, DS_Error, text); }
void loopwright_warning(LLVMContextRef context, const char *text) { complain(context, DS_Warning, text); }

// ---- building ----------------------------------------------------------------------------------------------------

LLVMBasicBlockRef loopwright_split_block(LLVMValueRef before, const char *name) {
  auto *instruction = unwrap<Instruction>(before);
  return wrap(instruction->getParent()->splitBasicBlock(instruction->getIterator(), name));
}
bool loopwright_join_predecessor(LLVMBasicBlockRef block) { return MergeBlockIntoPredecessor(unwrap(block)); }
void loopwright_replace_successor(LLVMValueRef terminator, LLVMBasicBlockRef from, LLVMBasicBlockRef to) {
  unwrap<Instruction>(terminator)->replaceSuccessorWith(unwrap(from), unwrap(to));
}
void loopwright_forget_predecessor(LLVMBasicBlockRef block, LLVMBasicBlockRef predecessor) {
  unwrap(block)->removePredecessor(unwrap(predecessor), true);
}
bool loopwright_remove_unreachable_blocks(LLVMValueRef function) {
  return removeUnreachableBlocks(*unwrap<Function>(function));
}
bool loopwright_can_inline(FunctionAnalysisManager *managers, LLVMValueRef call) {
  auto *c = unwrap<CallBase>(call);
  auto *callee = c->getCalledFunction();
  if (!callee || callee->isDeclaration()) return false;
  auto library = [&](Function &f) -> const TargetLibraryInfo & { return managers->getResult<TargetLibraryAnalysis>(f); };
  auto &target = managers->getResult<TargetIRAnalysis>(*callee);
  auto decision = getAttributeBasedInliningDecision(*c, callee, target, library);
  return decision ? decision->isSuccess() : isInlineViable(*callee).isSuccess();
}
// Whether the inliner of -O3 would inline a call, by what it costs and not by an attribute.
bool loopwright_would_inline(FunctionAnalysisManager *managers, LLVMValueRef call) {
  auto *c = unwrap<CallBase>(call);
  auto library = [&](Function &f) -> const TargetLibraryInfo & { return managers->getResult<TargetLibraryAnalysis>(f); };
  auto assumptions = [&](Function &f) -> AssumptionCache & { return managers->getResult<AssumptionAnalysis>(f); };
  auto frequencies = [&](Function &f) -> BlockFrequencyInfo & { return managers->getResult<BlockFrequencyAnalysis>(f); };
  auto &target = managers->getResult<TargetIRAnalysis>(*c->getCalledFunction());
  auto found = getInlineCost(*c, getInlineParams(3, 0), target, assumptions, library, frequencies);
  // Until the inliner comes to the call, loops of the function that is called are unswitched, and it has become larger: what is near the limit is not inlined.
  return found.isVariable() && found.getCost() + found.getCost() / 4 < found.getThreshold();
}
void loopwright_always_inline(LLVMValueRef call) { unwrap<CallBase>(call)->addFnAttr(Attribute::AlwaysInline); }
bool loopwright_inline(LLVMValueRef call) {
  InlineFunctionInfo info;
  return InlineFunction(*unwrap<CallBase>(call), info, /*MergeAttributes=*/true).isSuccess();
}
void loopwright_move_before(LLVMValueRef instruction, LLVMValueRef other) {
  unwrap<Instruction>(instruction)->moveBefore(unwrap<Instruction>(other)->getIterator());
}
void loopwright_drop_poison_flags(LLVMValueRef instruction) { unwrap<Instruction>(instruction)->dropPoisonGeneratingFlags(); }
LLVMMetadataRef loopwright_distinct_node(LLVMContextRef context, LLVMMetadataRef *operands, size_t count) {
  SmallVector<Metadata *, 4> list;
  for (size_t i = 0; i < count; i++) list.push_back(unwrap(operands[i]));
  return wrap((Metadata *)MDNode::getDistinct(*unwrap(context), list));
}
LLVMMetadataRef loopwright_loop_node(LLVMContextRef context, LLVMMetadataRef *properties, size_t count) {
  SmallVector<Metadata *, 4> list{nullptr};
  for (size_t i = 0; i < count; i++) list.push_back(unwrap(properties[i]));
  auto *node = MDNode::getDistinct(*unwrap(context), list);
  node->replaceOperandWith(0, node);
  return wrap((Metadata *)node);
}
LLVMMetadataRef loopwright_alias_domain(LLVMContextRef context, const char *name) {
  return wrap((Metadata *)MDBuilder(*unwrap(context)).createAnonymousAliasScopeDomain(name));
}
LLVMMetadataRef loopwright_alias_scope(LLVMContextRef context, LLVMMetadataRef domain, const char *name) {
  return wrap((Metadata *)MDBuilder(*unwrap(context)).createAnonymousAliasScope(unwrap<MDNode>(domain), name));
}
LLVMValueRef loopwright_of_unknown_object(LLVMBuilderRef builder, LLVMValueRef pointer) {
  Type *type = unwrap(pointer)->getType();
  auto *nothing = InlineAsm::get(FunctionType::get(type, {type}, false), "", "=r,0", false);
  CallInst *same = unwrap(builder)->CreateCall(nothing, {unwrap(pointer)});
  same->setDoesNotAccessMemory();
  same->setDoesNotThrow();
  for (auto known : {Attribute::WillReturn, Attribute::NoSync, Attribute::NoFree, Attribute::NoCallback, Attribute::NoRecurse})
    same->addFnAttr(known);
  return wrap(same);
}
LLVMValueRef loopwright_declare_scopes(LLVMBuilderRef builder, LLVMMetadataRef scopes) {
  return wrap((Value *)unwrap(builder)->CreateNoAliasScopeDeclaration(unwrap<MDNode>(scopes)));
}
LLVMMetadataRef loopwright_metadata(LLVMValueRef instruction, unsigned kind) {
  return wrap((Metadata *)unwrap<Instruction>(instruction)->getMetadata(kind));
}
void loopwright_set_metadata(LLVMValueRef instruction, unsigned kind, LLVMMetadataRef node) {
  unwrap<Instruction>(instruction)->setMetadata(kind, node ? unwrap<MDNode>(node) : nullptr);
}
void loopwright_keep_metadata(LLVMValueRef instruction, const unsigned *kinds, size_t count) {
  auto *i = unwrap<Instruction>(instruction);
  i->dropUnknownNonDebugMetadata(ArrayRef<unsigned>(kinds, count));
  i->setMetadata(LLVMContext::MD_DIAssignID, nullptr);
}
void loopwright_combine_promises(LLVMValueRef kept, LLVMValueRef gone) {
  combineMetadataForCSE(unwrap<Instruction>(kept), unwrap<Instruction>(gone), /*DoesKMove=*/false);
}
void loopwright_drop_immediate_promises(LLVMValueRef instruction) {
  unwrap<Instruction>(instruction)->dropUBImplyingAttrsAndUnknownMetadata();
}
LLVMMetadataRef loopwright_location_of(LLVMValueRef function) {
  auto *scope = unwrap<Function>(function)->getSubprogram();
  return scope ? wrap((Metadata *)DILocation::get(scope->getContext(), 0, 0, scope)) : nullptr;
}
void loopwright_set_location(LLVMValueRef instruction, LLVMMetadataRef location) {
  unwrap<Instruction>(instruction)->setDebugLoc(DebugLoc(cast_or_null<DILocation>(unwrap(location))));
}
LLVMMetadataRef loopwright_outlined_subprogram(LLVMValueRef from, LLVMValueRef to) {
  auto *original = unwrap<Function>(from)->getSubprogram();
  if (!original) return nullptr;
  auto *copy = DISubprogram::getDistinct(
      original->getContext(), original->getFile(), unwrap<Function>(to)->getName(), unwrap<Function>(to)->getName(),
      original->getFile(), original->getLine(), DISubroutineType::get(original->getContext(), DINode::FlagZero, 0, nullptr),
      original->getScopeLine(), nullptr, 0, 0, DINode::FlagArtificial,
      DISubprogram::toSPFlags(true, true, original->isOptimized()), original->getUnit());
  unwrap<Function>(to)->setSubprogram(copy);
  return wrap((Metadata *)copy);
}
LLVMMetadataRef loopwright_location_in(LLVMContextRef context, unsigned line, unsigned column, LLVMMetadataRef scope) {
  return wrap((Metadata *)DILocation::get(*unwrap(context), line, column, unwrap<DIScope>(scope)));
}

// ---- a function as it was ----------------------------------------------------------------------------------------

} // extern "C"

namespace loopwright {
// A copy of a function's body in a module of its own, where stand-ins take the place of all globals: nothing in the module that is
// compiled has a user more for it. It remembers what else belongs to the function, and where the lists of the module ended.
struct Snapshot {
  Function *original, *copy = nullptr;
  Function *last_function;
  GlobalVariable *last_global;
  std::unique_ptr<Module> scratch;
  std::vector<std::pair<GlobalVariable *, WeakTrackingVH>> stand_ins;
  DenseMap<DIAssignID *, DIAssignID *> assignments;
  AttributeList attributes;
  WeakTrackingVH personality;
  std::string collector;
};
struct StandIns final : ValueMaterializer {
  Snapshot &snapshot;
  explicit StandIns(Snapshot &snapshot) : snapshot(snapshot) {}
  Value *materialize(Value *value) override {
    auto *global = dyn_cast<GlobalValue>(value);
    auto *function = dyn_cast<Function>(value);
    if (!global || (function && function->isIntrinsic())) return nullptr;
    auto *type = Type::getInt8Ty(global->getContext());
    auto *stand_in = new GlobalVariable(*snapshot.scratch, type, false, GlobalValue::ExternalLinkage, nullptr, "", nullptr,
                                        GlobalValue::NotThreadLocal, global->getAddressSpace());
    snapshot.stand_ins.push_back({stand_in, WeakTrackingVH(global)});
    return stand_in;
  }
};
// Passes walk uses, as the predecessors of a block: they are in the order of the original.
static void copy_order_of_uses(Value &from, Value &to, ValueToValueMapTy &map) {
  if (!from.hasNUsesOrMore(2)) return;
  DenseMap<const Use *, unsigned> places;
  unsigned place = 0;
  for (Use &use : from.uses())
    if (auto *user = dyn_cast<Instruction>(use.getUser()))
      if (Value *copied = map.lookup(user)) places[&cast<User>(copied)->getOperandUse(use.getOperandNo())] = place++;
  to.sortUseList([&](const Use &a, const Use &b) { return places.lookup(&a) < places.lookup(&b); });
}
static void copy_body(Function &from, Function &to, ValueToValueMapTy &map, ValueMaterializer *materializer,
                      DenseMap<DIAssignID *, DIAssignID *> &assignments) {
  auto flags = RF_NoModuleLevelChanges | RF_IgnoreMissingLocals;
  map[&from] = &to;
  for (unsigned at = 0; at < from.arg_size(); at++) map[from.getArg(at)] = to.getArg(at);
  SmallVector<BasicBlock *, 16> blocks;
  for (BasicBlock &block : from) {
    blocks.push_back(CloneBasicBlock(&block, map, "", &to, nullptr, /*MapAtoms=*/false));
    map[&block] = blocks.back();
  }
  for (BasicBlock *block : blocks) {
    for (Instruction &instruction : *block) {
      RemapDbgRecordRange(to.getParent(), instruction.getDbgRecordRange(), map, flags, nullptr, materializer);
      RemapInstruction(&instruction, map, flags, nullptr, materializer);
      at::remapAssignID(assignments, instruction);
    }
  }
  for (unsigned at = 0; at < from.arg_size(); at++) copy_order_of_uses(*from.getArg(at), *to.getArg(at), map);
  for (BasicBlock &block : from) {
    copy_order_of_uses(block, *map[&block], map);
    for (Instruction &instruction : block) copy_order_of_uses(instruction, *map[&instruction], map);
  }
}
template <typename Global, typename Range>
static SmallVector<Global *, 4> behind(Range range, Global *last) {
  SmallVector<Global *, 4> found;
  for (auto at = last ? std::next(last->getIterator()) : range.begin(); at != range.end(); ++at) found.push_back(&*at);
  return found;
}
static void erase_user_free(GlobalValue &global) {
  global.removeDeadConstantUsers();
  if (!global.use_empty()) global.replaceAllUsesWith(PoisonValue::get(global.getType()));
  global.eraseFromParent();
}
static void erase_body(ArrayRef<BasicBlock *> blocks) {
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block) instruction.dropDbgRecords();
  for (BasicBlock *block : blocks) block->dropAllReferences();
  for (BasicBlock *block : blocks)
    for (Instruction &instruction : *block)
      if (!instruction.use_empty()) instruction.replaceAllUsesWith(PoisonValue::get(instruction.getType()));
  for (BasicBlock *block : blocks) block->eraseFromParent();
}
} // namespace loopwright

extern "C" {

loopwright::Snapshot *loopwright_snapshot(LLVMValueRef function) {
  auto &f = *unwrap<Function>(function);
  auto &module = *f.getParent();
  auto *snapshot = new loopwright::Snapshot;
  snapshot->original = &f;
  snapshot->last_function = &module.getFunctionList().back();
  snapshot->last_global = module.global_empty() ? nullptr : &*std::prev(module.global_end());
  snapshot->attributes = f.getAttributes();
  if (f.hasPersonalityFn()) snapshot->personality = f.getPersonalityFn();
  if (f.hasGC()) snapshot->collector = f.getGC();
  snapshot->scratch = std::make_unique<Module>("snapshot", f.getContext());
  snapshot->copy = Function::Create(f.getFunctionType(), GlobalValue::ExternalLinkage, f.getAddressSpace(), "copy",
                                    snapshot->scratch.get());
  ValueToValueMapTy map;
  loopwright::StandIns stand_ins(*snapshot);
  loopwright::copy_body(f, *snapshot->copy, map, &stand_ins, snapshot->assignments);
  return snapshot;
}
void loopwright_snapshot_free(loopwright::Snapshot *snapshot) {
  snapshot->copy->eraseFromParent();
  for (auto &[stand_in, global] : snapshot->stand_ins) loopwright::erase_user_free(*stand_in);
  delete snapshot;
}
// Whether all that the copy needs was still there.
bool loopwright_restore(loopwright::Snapshot *snapshot, FunctionAnalysisManager *managers) {
  auto &f = *snapshot->original;
  auto &module = *f.getParent();
  managers->clear(f, f.getName());
  auto functions = loopwright::behind(module.functions(), snapshot->last_function);
  for (Function *function : functions) {
    managers->clear(*function, function->getName());
    function->dropAllReferences();
  }
  SmallVector<BasicBlock *, 16> old;
  for (BasicBlock &block : f) {
    old.push_back(&block), block.setName("");
    for (Instruction &instruction : block) instruction.setName("");
  }
  ValueToValueMapTy map;
  bool complete = true;
  for (auto &[stand_in, global] : snapshot->stand_ins) {
    complete &= global.pointsToAliveValue();
    map[stand_in] = global.pointsToAliveValue() ? (Value *)global : PoisonValue::get(stand_in->getType());
  }
  DenseMap<DIAssignID *, DIAssignID *> assignments;
  for (auto &[before, copied] : snapshot->assignments) assignments[copied] = before;
  loopwright::copy_body(*snapshot->copy, f, map, nullptr, assignments);
  loopwright::erase_body(old);
  f.setAttributes(snapshot->attributes);
  f.setPersonalityFn(cast_or_null<Constant>((Value *)snapshot->personality));
  snapshot->collector.empty() ? f.clearGC() : f.setGC(snapshot->collector);
  for (Function *function : reverse(functions)) loopwright::erase_user_free(*function);
  auto globals = loopwright::behind(module.globals(), snapshot->last_global);
  for (GlobalVariable *global : reverse(globals)) loopwright::erase_user_free(*global);
  return complete;
}

char *loopwright_verify_function(LLVMValueRef function) {
  std::string text;
  raw_string_ostream stream(text);
  return verifyFunction(*unwrap<Function>(function), &stream) ? owned(text) : nullptr;
}
char *loopwright_verify_module(LLVMModuleRef module) {
  std::string text;
  raw_string_ostream stream(text);
  return verifyModule(*unwrap(module), &stream) ? owned(text) : nullptr;
}

} // extern "C"

// LLVM has these as inline functions only; who runs what it compiles needs them as symbols.
extern "C" {
LLVMBool LLVM_InitializeNativeTarget() { return LLVMInitializeNativeTarget(); }
LLVMBool LLVM_InitializeNativeAsmPrinter() { return LLVMInitializeNativeAsmPrinter(); }
LLVMBool LLVM_InitializeNativeAsmParser() { return LLVMInitializeNativeAsmParser(); }
LLVMBool LLVM_InitializeNativeDisassembler() { return LLVMInitializeNativeDisassembler(); }
}
