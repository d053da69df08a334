//! Words of clauses, and those inside expressions.

use super::Help;

const fn entry(
    word: &'static str,
    form: &'static str,
    summary: &'static str,
    more: &'static [&'static str],
    example: &'static str,
) -> Help {
    Help { word, form, summary, more, clauses: &[], options: &[], words: &[], example }
}

pub(super) const CLAUSES: &[Help] = &[
    entry(
        "at",
        "VERB … at VARIABLE = VALUES, …",
        "values of variables",
        &[
            "Values are numbers, lists and ranges; further values may follow after commas: at P = 1, 2, 4.",
        ],
        "predict m at N = 2^21, P = 1:32:*2",
    ),
    entry("by", "VERB … by COLUMN, …", "along what, or grouped by what", &[], "plot m by N"),
    entry("for", "plot … for VARIABLE", "one curve for each value", &[], "plot m by N for P"),
    entry(
        "with",
        "VERB … with OPTION, OPTION = VALUE, …",
        "options",
        &["`help` of the verb lists them."],
        "m = fit f with weights = absolute, no_join",
    ),
    entry(
        "into",
        "VERB … into \"FILE\"",
        "a file for what the verb gives",
        &[],
        "print f into \"f.csv\"",
    ),
    entry("as", "VERB … as WORD", "a format, a formula or a name", &[], "print f as json"),
    entry(
        "on",
        "cost … on MACHINE",
        "a machine, or the name of its file",
        &[],
        "cost p on \"mine.toml\"",
    ),
    entry(
        "to",
        "group … to STATISTIC",
        "the statistic of each group, or a value made of its columns",
        &["One of max, min, median, mean, sum, or such as q90 = quantile(time, 0.9)."],
        "group f by run to max",
    ),
    entry(
        "against",
        "compare … against SAMPLES",
        "measurements to compare with",
        &[],
        "compare phi at N = 64:1024:*2 against f",
    ),
];

pub(super) const KEYWORDS: &[Help] = &[
    entry(
        "where",
        "SAMPLES where CONDITION",
        "the samples, or rows, for which a condition is true",
        &["The columns of the samples are names in the condition."],
        "big = f where N > 4096 and P <= 16",
    ),
    entry(
        "set",
        "SAMPLES set COLUMN = VALUE, …",
        "new or changed columns",
        &["Before a comma that is not part of it, `set` stands in brackets."],
        "f = f set bytes = 8*N*N, time = time/N",
    ),
    entry(
        "if",
        "if CONDITION then VALUE else VALUE",
        "one of two values",
        &["Only the value that is needed is computed."],
        "phi(N, P) = if P == 1 then G(N) else phi(N/2, P/2) + A(N)",
    ),
    entry(
        "then",
        "if CONDITION then VALUE else VALUE",
        "the value of a true condition",
        &[],
        "x = if a then 1 else 2",
    ),
    entry(
        "else",
        "if CONDITION then VALUE else VALUE",
        "the value of a false condition",
        &[],
        "x = if a then 1 else 2",
    ),
    entry("and", "CONDITION and CONDITION", "true if both are", &[], "f where N > 64 and P == 1"),
    entry("or", "CONDITION or CONDITION", "true if one is", &[], "f where N > 64 or P == 1"),
    entry("not", "not CONDITION", "true if the condition is false", &[], "f where not P == 1"),
    entry(
        "in",
        "VALUE in LIST",
        "true if a value is in a list or a range",
        &["A range is FIRST:LAST, FIRST:LAST:+STEP or FIRST:LAST:*FACTOR."],
        "f where P in [1, 2, 4] and N in 1:9",
    ),
    entry("mod", "VALUE mod VALUE", "the remainder of a division", &[], "f where N mod 2 == 0"),
    entry("true", "true", "the truth value", &[], "x = true"),
    entry("false", "false", "the other truth value", &[], "x = false"),
    entry(
        "cll",
        "cll COMMAND …",
        "a command of the program, to the end of the line",
        &["Its words are split as by a shell, without variables, patterns and pipes."],
        "cll profile show run.log --by superstep",
    ),
];
