//! Operators that C has and formulas do not, with the message for each.

/// Why an operator cannot be between or after operands, and what to do.
pub(crate) fn refused(symbol: &str) -> Option<(String, &'static str)> {
    let (what, help) = match symbol {
        "=" => ("assigns", "a formula is only the right side: write no `=`"),
        "+=" | "-=" | "*=" | "/=" | "%=" | "<<=" | ">>=" | "&=" | "|=" | "^=" => {
            ("assigns", "a formula changes nothing: write the value itself")
        }
        "++" | "--" => (
            "changes its operand",
            "a formula changes nothing: write `N + 1`, or `- -N` for two signs",
        ),
        "==" | "!=" | "<" | ">" | "<=" | ">=" => (
            "compares",
            "a formula has no cases: use `min` or `max`, or an experiment for each case",
        ),
        "&&" | "||" => (
            "is logical",
            "a formula has no cases: use `min` or `max`, or an experiment for each case",
        ),
        "?" => (
            "chooses",
            "a formula has no cases: use `min` or `max`, or an experiment for each case",
        ),
        "<<" => ("shifts", "write `N*2^k`"),
        ">>" => ("shifts", "write `floor(N/2^k)`"),
        "&" => ("works on bits", "for the low bits write `N % 2^k`"),
        "|" => ("works on bits", "save its value in a variable of the program"),
        "," => (
            "makes a sequence",
            "a formula is one sum; a comma is allowed only between the arguments of a function",
        ),
        ";" => ("ends a statement", "the formula ends with its line: remove it"),
        "{" | "}" => ("belongs to statements", "group with parentheses"),
        ":" => (
            "belongs to `?`",
            "a formula has no cases: use `min` or `max`, or an experiment for each case",
        ),
        "!" => ("is logical", "for n! write `factorial(n)`"),
        "~" => ("works on bits", "save its value in a variable of the program"),
        "..." => ("has no meaning here", "write out every term"),
        _ => return None,
    };
    Some((format!("a formula has no `{symbol}`: it {what}"), help))
}

/// Why an operator cannot be before an operand, and what to do.
pub(crate) fn refused_before(symbol: &str) -> Option<(String, &'static str)> {
    let (what, help) = match symbol {
        "!" => (
            "is logical",
            "a formula has no cases: use `min` or `max`; for n! write `factorial(n)`",
        ),
        "~" => ("works on bits", "save its value in a variable of the program"),
        "&" | "&&" => ("takes an address", "a formula takes values: write the variable itself"),
        "*" => ("follows a pointer", "write `p[0]` for `*p`, `p->n` for `(*p).n`"),
        "++" | "--" => (
            "changes its operand",
            "a formula changes nothing: write `N + 1`, or `- -N` for two signs",
        ),
        _ => return None,
    };
    Some((format!("a formula has no `{symbol}` before an operand: it {what}"), help))
}
