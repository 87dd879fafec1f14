//! What an instruction does, and what a comparison asks.
//!
//! `icmp slt i64 %i, %n` has opcode `ICmp` and predicate `Slt`; negated it is `Sge`, with sides swapped `Sgt`.

use llvm_sys::{LLVMIntPredicate, LLVMOpcode, LLVMRealPredicate};

macro_rules! opcodes {
    ($($name:ident = $raw:ident),* $(,)?) => {
        /// What an instruction does.
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum Opcode { $($name,)* }

        impl Opcode {
            pub(super) fn from_raw(raw: LLVMOpcode) -> Opcode {
                match raw { $(LLVMOpcode::$raw => Opcode::$name,)* }
            }
            pub(super) fn raw(self) -> LLVMOpcode {
                match self { $(Opcode::$name => LLVMOpcode::$raw,)* }
            }
        }
    };
}

opcodes! {
    Return = LLVMRet, Branch = LLVMBr, Switch = LLVMSwitch, IndirectBranch = LLVMIndirectBr, Invoke = LLVMInvoke,
    Unreachable = LLVMUnreachable, CallBranch = LLVMCallBr, FNeg = LLVMFNeg, Add = LLVMAdd, FAdd = LLVMFAdd,
    Sub = LLVMSub, FSub = LLVMFSub, Mul = LLVMMul, FMul = LLVMFMul, UDiv = LLVMUDiv, SDiv = LLVMSDiv, FDiv = LLVMFDiv,
    URem = LLVMURem, SRem = LLVMSRem, FRem = LLVMFRem, Shl = LLVMShl, LShr = LLVMLShr, AShr = LLVMAShr, And = LLVMAnd,
    Or = LLVMOr, Xor = LLVMXor, Alloca = LLVMAlloca, Load = LLVMLoad, Store = LLVMStore,
    GetElementPtr = LLVMGetElementPtr, Trunc = LLVMTrunc, ZExt = LLVMZExt, SExt = LLVMSExt, FpToUi = LLVMFPToUI,
    FpToSi = LLVMFPToSI, UiToFp = LLVMUIToFP, SiToFp = LLVMSIToFP, FpTrunc = LLVMFPTrunc, FpExt = LLVMFPExt,
    PtrToInt = LLVMPtrToInt, PtrToAddr = LLVMPtrToAddr, IntToPtr = LLVMIntToPtr, BitCast = LLVMBitCast,
    AddrSpaceCast = LLVMAddrSpaceCast, ICmp = LLVMICmp, FCmp = LLVMFCmp, Phi = LLVMPHI, Call = LLVMCall,
    Select = LLVMSelect, UserOp1 = LLVMUserOp1, UserOp2 = LLVMUserOp2, VaArg = LLVMVAArg,
    ExtractElement = LLVMExtractElement, InsertElement = LLVMInsertElement, ShuffleVector = LLVMShuffleVector,
    ExtractValue = LLVMExtractValue, InsertValue = LLVMInsertValue, Freeze = LLVMFreeze, Fence = LLVMFence,
    AtomicCmpXchg = LLVMAtomicCmpXchg, AtomicRmw = LLVMAtomicRMW, Resume = LLVMResume, LandingPad = LLVMLandingPad,
    CleanupReturn = LLVMCleanupRet, CatchReturn = LLVMCatchRet, CatchPad = LLVMCatchPad, CleanupPad = LLVMCleanupPad,
    CatchSwitch = LLVMCatchSwitch,
}

macro_rules! predicates {
    ($(#[$doc:meta])* $enum:ident($raw_enum:ident) { $($name:ident = $raw:ident),* $(,)? }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
        pub enum $enum { $($name,)* }

        impl $enum {
            pub(super) fn from_raw(raw: $raw_enum) -> $enum {
                match raw { $($raw_enum::$raw => $enum::$name,)* }
            }
            pub(super) fn raw(self) -> $raw_enum {
                match self { $($enum::$name => $raw_enum::$raw,)* }
            }
            /// The predicate of LLVM's C++ number, which is the C API's.
            #[allow(dead_code)]
            pub(super) fn numbered(number: u32) -> Option<$enum> {
                [$($enum::$name,)*].into_iter().find(|p| p.raw() as u32 == number)
            }
        }
    };
}

predicates! {
    /// Integer and pointer comparisons: `U` unsigned, `S` signed.
    IntPredicate(LLVMIntPredicate) {
        Eq = LLVMIntEQ, Ne = LLVMIntNE, Ugt = LLVMIntUGT, Uge = LLVMIntUGE, Ult = LLVMIntULT, Ule = LLVMIntULE,
        Sgt = LLVMIntSGT, Sge = LLVMIntSGE, Slt = LLVMIntSLT, Sle = LLVMIntSLE,
    }
}
predicates! {
    /// Floating-point comparisons: `O` false on NaN, `U` true on NaN.
    FloatPredicate(LLVMRealPredicate) {
        False = LLVMRealPredicateFalse, Oeq = LLVMRealOEQ, Ogt = LLVMRealOGT, Oge = LLVMRealOGE, Olt = LLVMRealOLT,
        Ole = LLVMRealOLE, One = LLVMRealONE, Ord = LLVMRealORD, Uno = LLVMRealUNO, Ueq = LLVMRealUEQ,
        Ugt = LLVMRealUGT, Uge = LLVMRealUGE, Ult = LLVMRealULT, Ule = LLVMRealULE, Une = LLVMRealUNE,
        True = LLVMRealPredicateTrue,
    }
}

impl IntPredicate {
    /// `a p b` is `not (a p.negated() b)`.
    pub fn negated(self) -> IntPredicate {
        use IntPredicate::*;
        match self {
            Eq => Ne,
            Ne => Eq,
            Ugt => Ule,
            Uge => Ult,
            Ult => Uge,
            Ule => Ugt,
            Sgt => Sle,
            Sge => Slt,
            Slt => Sge,
            Sle => Sgt,
        }
    }
    /// `a p b` is `b p.swapped() a`.
    pub fn swapped(self) -> IntPredicate {
        use IntPredicate::*;
        match self {
            Eq => Eq,
            Ne => Ne,
            Ugt => Ult,
            Uge => Ule,
            Ult => Ugt,
            Ule => Uge,
            Sgt => Slt,
            Sge => Sle,
            Slt => Sgt,
            Sle => Sge,
        }
    }
    pub fn is_signed(self) -> bool {
        use IntPredicate::*;
        matches!(self, Sgt | Sge | Slt | Sle)
    }
    pub fn is_unsigned(self) -> bool {
        use IntPredicate::*;
        matches!(self, Ugt | Uge | Ult | Ule)
    }
}
