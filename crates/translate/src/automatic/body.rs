//! Finds what a function's text contains that decides whether it can be measured.

use std::collections::BTreeSet;

use cll_csource::TokenKind;
use cll_csource::file::{Function, Variant};

use super::parameters::{head, text};

/// Calls after which the code is run by another process too, or by several.
const DIVIDE: [&str; 8] =
    ["fork", "vfork", "bsp_begin", "bsp_init", "bsplib_init", "BSP_BEGIN", "clone", "daemon"];
/// Calls that return a second time.
const RETURN_TWICE: [&str; 5] = ["setjmp", "_setjmp", "sigsetjmp", "__sigsetjmp", "getcontext"];
/// Words of attributes with which a function must not get code of ours.
const UNTOUCHED: [&str; 8] = [
    "naked",
    "__naked__",
    "interrupt",
    "__interrupt__",
    "noreturn",
    "__noreturn__",
    "_Noreturn",
    "no_instrument_function",
];

/// The names that are called in the tokens.
pub(super) fn calls(variant: &Variant<'_>, from: usize, to: usize) -> BTreeSet<String> {
    let tokens = &variant.tokens[from..to.min(variant.tokens.len())];
    let pairs = tokens.windows(2);
    let called = pairs.filter(|pair| pair[0].kind == TokenKind::Identifier && pair[1].is(b'('));
    called.map(|pair| text(variant, &pair[0])).collect()
}

/// Why neither this function nor its loops can be measured.
pub(super) fn hindrance(
    variant: &Variant<'_>,
    function: &Function,
    calls: &BTreeSet<String>,
    handlers: &BTreeSet<String>,
) -> Option<String> {
    if function.name.is_empty() || function.close >= variant.tokens.len() {
        return Some("its text is not understood without the preprocessor".to_owned());
    }
    let before = head(variant, function);
    if before.is_empty() {
        return Some("its parameters are not found without the preprocessor".to_owned());
    }
    if function.name.chars().all(|letter| !letter.is_lowercase()) && !function.name.is_empty() {
        return Some(format!("{} looks like a macro that makes a function", function.name));
    }
    // The words before the name, too.
    let start = function.open.saturating_sub(before.len() + 12);
    let words = variant.tokens[start..function.open].iter().rev().take_while(|token| {
        !token.is(b'}') && token.kind != TokenKind::Directive && token.kind != TokenKind::Marker
    });
    let words: Vec<String> = words.map(|token| text(variant, token)).collect();
    if let Some(word) = words.iter().find(|word| UNTOUCHED.contains(&word.as_str())) {
        return Some(format!("it is declared `{word}`"));
    }
    if handlers.contains(&function.name) {
        return Some("it is a signal handler".to_owned());
    }
    let twice = RETURN_TWICE.iter().find(|name| calls.contains(**name))?;
    Some(format!("it calls {twice}, to which other functions jump back"))
}

/// Why these tokens as a whole cannot be measured, although parts of them may be.
pub(super) fn divides(calls: &BTreeSet<String>) -> Option<String> {
    let name = DIVIDE.iter().find(|name| calls.contains(**name))?;
    Some(format!("it calls {name}, after which other processes run the same code"))
}

/// The functions that become signal handlers.
pub(super) fn handlers(variant: &Variant<'_>) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    let tokens = &variant.tokens;
    for (index, token) in tokens.iter().enumerate() {
        if token.kind != TokenKind::Identifier {
            continue;
        }
        match text(variant, token).as_str() {
            "signal" | "sigset" | "bsd_signal" => {
                let arguments = tokens[index + 1..].iter().take_while(|token| !token.is(b';'));
                texts.extend(
                    arguments
                        .filter(|token| token.kind == TokenKind::Identifier)
                        .map(|token| text(variant, token)),
                );
            }
            "sa_handler" | "sa_sigaction" => {
                let value = tokens[index + 1..].iter().take(4);
                texts.extend(
                    value
                        .filter(|token| token.kind == TokenKind::Identifier)
                        .map(|token| text(variant, token)),
                );
            }
            _ => {}
        }
    }
    texts
}
