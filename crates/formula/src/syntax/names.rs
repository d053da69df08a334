//! Reserved words: keywords and type names of C, and functions.

use super::distance::distance;
use crate::Function;

/// Functions by all their names; the first is canonical.
const FUNCTIONS: &[(&str, Function)] = &[
    ("log", Function::Log),
    ("log2", Function::Log2),
    ("log10", Function::Log10),
    ("exp", Function::Exp),
    ("sqrt", Function::Sqrt),
    ("cbrt", Function::Cbrt),
    ("abs", Function::Abs),
    ("fabs", Function::Abs),
    ("min", Function::Min),
    ("fmin", Function::Min),
    ("max", Function::Max),
    ("fmax", Function::Max),
    ("floor", Function::Floor),
    ("ceil", Function::Ceil),
    ("factorial", Function::Factorial),
];

/// The functions that formulas do not have, each with what to write instead.
const ELSEWHERE: &[(&str, &str)] = &[
    ("ln", "the natural logarithm is `log`"),
    ("lg", "write `log2` or `log10`"),
    ("ld", "the logarithm to base 2 is `log2`"),
    ("lb", "the logarithm to base 2 is `log2`"),
    ("loge", "the natural logarithm is `log`"),
    ("log1p", "write `log(1 + x)`"),
    ("exp2", "write `2^x`"),
    ("exp10", "write `10^x`"),
    ("expm1", "write `exp(x) - 1`"),
    ("square", "write `x^2`"),
    ("sqr", "write `x^2`, or `sqrt(x)` for the square root"),
    ("fac", "write `factorial(x)`"),
    ("fact", "write `factorial(x)`"),
    ("tgamma", "write `factorial(x - 1)`"),
    ("fmod", "write `a % b`"),
    ("mod", "write `a % b`"),
    ("round", "write `floor(x + 0.5)`"),
    ("trunc", "write `floor(x)`"),
    ("int", "write `floor(x)`"),
    ("labs", "write `abs(x)`"),
    ("llabs", "write `abs(x)`"),
    ("hypot", "write `sqrt(a*a + b*b)`"),
];

const KEYWORDS: &[&str] = &[
    "auto",
    "break",
    "case",
    "char",
    "const",
    "continue",
    "default",
    "do",
    "double",
    "else",
    "enum",
    "extern",
    "float",
    "for",
    "goto",
    "if",
    "inline",
    "int",
    "long",
    "register",
    "restrict",
    "return",
    "short",
    "signed",
    "sizeof",
    "static",
    "struct",
    "switch",
    "typedef",
    "union",
    "unsigned",
    "void",
    "volatile",
    "while",
    "_Alignas",
    "_Alignof",
    "_Atomic",
    "_Bool",
    "_Complex",
    "_Generic",
    "_Imaginary",
    "_Noreturn",
    "_Static_assert",
    "_Thread_local",
];

const TYPE_WORDS: &[&str] = &[
    "char", "short", "int", "long", "signed", "unsigned", "float", "double", "void", "_Bool",
    "bool", "_Complex", "const", "volatile", "struct", "union", "enum",
];

/// The function of this name.
pub(crate) fn function(name: &str) -> Option<Function> {
    FUNCTIONS.iter().find(|(known, _)| *known == name).map(|(_, function)| *function)
}

/// The help for a function that formulas do not have.
pub(crate) fn advice(name: &str) -> String {
    if let Some((_, advice)) = ELSEWHERE.iter().find(|(known, _)| *known == name) {
        return (*advice).to_owned();
    }
    let names = FUNCTIONS.iter().map(|(known, _)| *known).chain(["pow"]);
    let nearest = names
        .filter(|known| known.len().abs_diff(name.len()) <= 2)
        .map(|known| (distance(name, known), known))
        .min_by_key(|(edits, _)| *edits);
    match nearest {
        Some((edits, known))
            if edits <= 1 + usize::from(known.len() > 4) && edits < known.len() =>
        {
            format!("did you mean `{known}`?")
        }
        _ => "the functions are log, log2, log10, exp, sqrt, cbrt, abs, min, max, floor, ceil, \
              factorial and pow; save the value of another in a variable of the program"
            .to_owned(),
    }
}

/// Whether it is a keyword of C.
pub(crate) fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// Whether a type in a cast may begin with, or consist of, this word.
pub(crate) fn is_type_word(word: &str) -> bool {
    TYPE_WORDS.contains(&word)
}

/// Whether it looks like a type's name by the convention of POSIX.
pub(crate) fn is_type_name(word: &str) -> bool {
    word.ends_with("_t") && word.len() > 2
}

/// Whether C's `<math.h>` defines this word as a value that is not finite.
pub(crate) fn is_not_finite(word: &str) -> bool {
    matches!(word, "NAN" | "INFINITY" | "HUGE_VAL" | "HUGE_VALF" | "HUGE_VALL")
}
