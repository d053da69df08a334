//! Names of types.

/// Words of types and of what stands before them.
const TYPES: [&str; 22] = [
    "int",
    "long",
    "short",
    "unsigned",
    "signed",
    "char",
    "float",
    "double",
    "void",
    "size_t",
    "ssize_t",
    "ptrdiff_t",
    "bool",
    "_Bool",
    "const",
    "volatile",
    "static",
    "register",
    "struct",
    "union",
    "enum",
    "auto",
];

/// Whether the word is part of a type's name.
pub(super) fn is_type(word: &str) -> bool {
    TYPES.contains(&word) || word.ends_with("_t")
}

/// Whether the word makes the type a floating-point one.
pub(super) fn is_real(word: &str) -> bool {
    matches!(word, "float" | "double")
}
