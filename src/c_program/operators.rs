//! What operators and constants of C are.
//!
//! `i += 3` assigns, with `+` between the old value and 3; `--i` adds -1.

use lang_c::ast::{BinaryOperator, Integer, IntegerBase, UnaryOperator};

/// The value of an integer constant.
pub fn integer(constant: &Integer) -> Option<i64> {
    let radix = match constant.base {
        IntegerBase::Decimal => 10,
        IntegerBase::Octal => 8,
        IntegerBase::Hexadecimal => 16,
        IntegerBase::Binary => 2,
    };
    i64::from_str_radix(&constant.number, radix).ok()
}

/// What an operator adds to its operand, if it changes it.
pub fn steps(operator: &UnaryOperator) -> Option<i64> {
    match operator {
        UnaryOperator::PostIncrement | UnaryOperator::PreIncrement => Some(1),
        UnaryOperator::PostDecrement | UnaryOperator::PreDecrement => Some(-1),
        _ => None,
    }
}

/// For an assignment: what is done with the old value, if anything is.
pub fn assigns(operator: &BinaryOperator) -> Option<Option<BinaryOperator>> {
    Some(match operator {
        BinaryOperator::Assign => None,
        BinaryOperator::AssignMultiply => Some(BinaryOperator::Multiply),
        BinaryOperator::AssignDivide => Some(BinaryOperator::Divide),
        BinaryOperator::AssignModulo => Some(BinaryOperator::Modulo),
        BinaryOperator::AssignPlus => Some(BinaryOperator::Plus),
        BinaryOperator::AssignMinus => Some(BinaryOperator::Minus),
        BinaryOperator::AssignShiftLeft => Some(BinaryOperator::ShiftLeft),
        BinaryOperator::AssignShiftRight => Some(BinaryOperator::ShiftRight),
        BinaryOperator::AssignBitwiseAnd => Some(BinaryOperator::BitwiseAnd),
        BinaryOperator::AssignBitwiseXor => Some(BinaryOperator::BitwiseXor),
        BinaryOperator::AssignBitwiseOr => Some(BinaryOperator::BitwiseOr),
        _ => return None,
    })
}
