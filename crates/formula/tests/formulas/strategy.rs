//! Random expressions as text.

use proptest::prelude::*;

/// The operators of random expressions.
#[derive(Clone, Copy, PartialEq)]
pub enum Language {
    /// Everything that formulas allow.
    Formula,
    /// The operators that C and formulas evaluate equally, for doubles `N`, `M`, `P`.
    C,
}

/// An expression as text, with typical spaces and parentheses.
pub fn expression(language: Language) -> BoxedStrategy<String> {
    let formula = language == Language::Formula;
    let variables: &[&str] = if formula {
        &["N", "M", "P", "a->n", "m.rows", "len[i+1]", "sizeof(int)", "log"]
    } else {
        &["N", "M", "P"]
    };
    let numbers: &[&str] = if formula {
        &["1", "2", "0.5", "3u", "1e3", "0x10", "007", "2.5f"]
    } else {
        &["1.0", "2.", "0.5", "3e0", "1e3", "0x1p4", "7.25"]
    };
    let functions: &[&str] = if formula {
        &["log", "log2", "log10", "exp", "sqrt", "cbrt", "abs", "floor", "ceil", "factorial"]
    } else {
        &["log", "log2", "log10", "exp", "sqrt", "fabs", "floor", "ceil"]
    };
    let pairs: &[&str] = if formula { &["min", "max", "pow"] } else { &["fmin", "fmax", "pow"] };
    let operators: &[&str] = if formula {
        &["+", " + ", " - ", "*", " * ", "/", "%", "^", "^"]
    } else {
        &["+", " + ", " - ", "-", "*", " * ", "/"]
    };
    let pick = |words: &[&str]| {
        prop::sample::select(words.iter().map(|word| (*word).to_owned()).collect::<Vec<_>>())
    };
    let leaf = prop_oneof![3 => pick(variables), 1 => pick(numbers)];
    let (functions, pairs, operators) = (pick(functions), pick(pairs), pick(operators));
    leaf.prop_recursive(5, 24, 3, move |inner| {
        prop_oneof![
            6 => (inner.clone(), operators.clone(), inner.clone()).prop_map(|(a, o, b)| {
                // `a--b` and `a- -b` are not the same.
                let gap = if b.starts_with('-') { " " } else { "" };
                format!("{a}{o}{gap}{b}")
            }),
            2 => inner.clone().prop_map(|a| format!("({a})")),
            1 => inner.clone().prop_map(|a| if a.starts_with('-') { format!("- {a}") } else { format!("-{a}") }),
            1 => inner.clone().prop_map(|a| format!("(double)({a})")),
            2 => (functions.clone(), inner.clone()).prop_map(|(f, a)| format!("{f}({a})")),
            1 => (pairs.clone(), inner.clone(), inner).prop_map(|(f, a, b)| format!("{f}({a}, {b})")),
        ]
    })
    .boxed()
}

/// A formula of up to four terms, each a product or quotient with its constant.
pub fn formula() -> BoxedStrategy<String> {
    let term = (expression(Language::Formula), 0..4, prop::bool::ANY);
    prop::collection::vec(term, 1..5)
        .prop_map(|terms| {
            let terms: Vec<String> = terms
                .iter()
                .enumerate()
                .map(|(k, (expression, form, minus))| {
                    let term = match form {
                        0 => format!("f[{k}]*({expression})"),
                        1 => format!("({expression})*f[{k}]"),
                        2 => format!("f[{k}]/({expression})"),
                        _ => format!("f[{k}]*{expression}"),
                    };
                    if *minus && form % 2 == 0 { format!("-{term}") } else { term }
                })
                .collect();
            terms.join(" + ")
        })
        .boxed()
}
