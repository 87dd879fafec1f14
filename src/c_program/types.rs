//! The types of C, as far as they say what is touched: numbers, arrays with their extents, structures with their fields.
//!
//! `struct s c[static 10][10]` is an array of 10 arrays of 10 structures.

use crate::scop::ElementType;
use lang_c::ast::{
    ArraySize, DeclarationSpecifier, Declarator, DeclaratorKind, DerivedDeclarator, Expression, SpecifierQualifier,
    StructDeclaration, StructKind, StructType, TypeSpecifier,
};
use lang_c::span::Node;
use std::collections::BTreeMap;
use std::rc::Rc;

/// A type.
#[derive(Clone, Debug)]
pub enum Type {
    Void,
    /// An integer of so many bits; `_Bool` has one.
    Int {
        bits: u32,
        signed: bool,
    },
    /// A floating-point number of so many bits.
    Float(u32),
    /// An array of unknown length behind an address.
    Pointer(Rc<Type>),
    /// An array; its length is a text over parameters, if it is known.
    Array {
        of: Rc<Type>,
        extent: Option<String>,
    },
    /// Fields with their names.
    Struct(Rc<Vec<(String, Type)>>),
    /// What is not looked into: unions, functions, `long double`, structures without a name in others.
    Other,
}

/// C's `int`.
pub const INT: Type = Type::Int { bits: 32, signed: true };

impl Type {
    /// What an element is for a model.
    pub fn element(&self) -> ElementType {
        match self {
            Type::Int { bits, .. } => ElementType::Int((*bits).max(8)),
            Type::Float(bits) => ElementType::Float(*bits),
            Type::Pointer(_) => ElementType::Pointer,
            _ => ElementType::Opaque(64),
        }
    }

    /// The bits of an integer, and whether it has a sign.
    pub fn integer(&self) -> Option<(u32, bool)> {
        match self {
            Type::Int { bits, signed } => Some((*bits, *signed)),
            _ => None,
        }
    }
}

/// What is known of names of types.
#[derive(Default)]
pub struct Types {
    structures: BTreeMap<String, Type>,
    names: BTreeMap<String, Type>,
}

/// The length of an array as a text, if it is known.
pub type Extents<'e> = dyn Fn(&Node<Expression>) -> Option<String> + 'e;

impl Types {
    /// A name that `typedef` gives.
    pub fn define(&mut self, name: &str, kind: Type) {
        self.names.insert(name.to_string(), kind);
    }

    /// Remembers the structures that specifiers declare.
    pub fn learn<'a>(&mut self, specifiers: impl Iterator<Item = &'a TypeSpecifier>, extents: &Extents<'_>) {
        for specifier in specifiers {
            if let TypeSpecifier::Struct(structure) = specifier {
                self.learn_structure(&structure.node, extents);
            }
        }
    }

    fn learn_structure(&mut self, structure: &StructType, extents: &Extents<'_>) {
        for declaration in structure.declarations.iter().flatten() {
            if let StructDeclaration::Field(field) = &declaration.node {
                self.learn(type_specifiers(&field.node.specifiers), extents);
            }
        }
        let kind = self.structure(structure, extents);
        if let (Some(name), true) = (&structure.identifier, structure.declarations.is_some()) {
            self.structures.insert(name.node.name.clone(), kind);
        }
    }

    fn structure(&self, structure: &StructType, extents: &Extents<'_>) -> Type {
        if structure.kind.node != StructKind::Struct {
            return Type::Other;
        }
        let Some(declarations) = &structure.declarations else {
            let name = structure.identifier.as_ref().map(|name| name.node.name.as_str());
            return name.and_then(|name| self.structures.get(name)).cloned().unwrap_or(Type::Other);
        };
        let mut fields = Vec::new();
        for declaration in declarations {
            let StructDeclaration::Field(field) = &declaration.node else { continue };
            let base = self.base(type_specifiers(&field.node.specifiers), extents);
            if field.node.declarators.is_empty() {
                fields.push((String::new(), Type::Other));
            }
            for declarator in &field.node.declarators {
                let Some(declarator) = &declarator.node.declarator else { continue };
                let (name, kind) = declared(&declarator.node, base.clone(), extents);
                fields.push((name, kind));
            }
        }
        Type::Struct(Rc::new(fields))
    }

    /// The type that specifiers name.
    pub fn base<'a>(&self, specifiers: impl Iterator<Item = &'a TypeSpecifier>, extents: &Extents<'_>) -> Type {
        let (mut bits, mut longs, mut signed, mut found, mut is_known) = (32, 0, None, None, true);
        for specifier in specifiers {
            match specifier {
                TypeSpecifier::Void => found = Some(Type::Void),
                TypeSpecifier::Char => bits = 8,
                TypeSpecifier::Short => bits = 16,
                TypeSpecifier::Long => longs += 1,
                TypeSpecifier::Bool => (bits, signed) = (1, Some(Sign::Without)),
                TypeSpecifier::Float => found = Some(Type::Float(32)),
                TypeSpecifier::Double => found = Some(Type::Float(64)),
                TypeSpecifier::Signed => signed = Some(Sign::With),
                TypeSpecifier::Unsigned => signed = Some(Sign::Without),
                TypeSpecifier::Int => {}
                TypeSpecifier::Enum(_) => signed = Some(Sign::With),
                TypeSpecifier::Struct(structure) => found = Some(self.structure(&structure.node, extents)),
                TypeSpecifier::TypedefName(name) => {
                    found = Some(self.names.get(&name.node.name).cloned().unwrap_or(Type::Other));
                }
                _ => is_known = false,
            }
        }
        if !is_known || longs > 0 && found.is_some() {
            return Type::Other;
        }
        let bits = if longs > 0 { 64 } else { bits };
        found.unwrap_or(Type::Int { bits, signed: signed != Some(Sign::Without) })
    }
}

/// What a declaration says of the sign of an integer.
#[derive(PartialEq, Eq)]
enum Sign {
    With,
    Without,
}

/// The name and the type that a declarator gives.
pub fn declared(declarator: &Declarator, base: Type, extents: &Extents<'_>) -> (String, Type) {
    let (pointers, others): (Vec<_>, Vec<_>) =
        declarator.derived.iter().partition(|each| matches!(each.node, DerivedDeclarator::Pointer(_)));
    let mut kind = base;
    for pointer in pointers {
        kind = derived(&pointer.node, kind, extents);
    }
    for other in others.into_iter().rev() {
        kind = derived(&other.node, kind, extents);
    }
    match &declarator.kind.node {
        DeclaratorKind::Abstract => (String::new(), kind),
        DeclaratorKind::Identifier(name) => (name.node.name.clone(), kind),
        DeclaratorKind::Declarator(inner) => declared(&inner.node, kind, extents),
    }
}

fn derived(by: &DerivedDeclarator, of: Type, extents: &Extents<'_>) -> Type {
    match by {
        DerivedDeclarator::Pointer(_) => Type::Pointer(Rc::new(of)),
        DerivedDeclarator::Array(array) => {
            let extent = match &array.node.size {
                ArraySize::VariableExpression(size) | ArraySize::StaticExpression(size) => extents(size),
                ArraySize::Unknown | ArraySize::VariableUnknown => None,
            };
            Type::Array { of: Rc::new(of), extent }
        }
        _ => Type::Other,
    }
}

/// The specifiers of a declaration that name its type.
pub fn specifiers(all: &[Node<DeclarationSpecifier>]) -> impl Iterator<Item = &TypeSpecifier> {
    all.iter().filter_map(|specifier| match &specifier.node {
        DeclarationSpecifier::TypeSpecifier(named) => Some(&named.node),
        _ => None,
    })
}

/// The same in a structure or a cast.
pub fn type_specifiers(all: &[Node<SpecifierQualifier>]) -> impl Iterator<Item = &TypeSpecifier> {
    all.iter().filter_map(|specifier| match &specifier.node {
        SpecifierQualifier::TypeSpecifier(named) => Some(&named.node),
        _ => None,
    })
}
