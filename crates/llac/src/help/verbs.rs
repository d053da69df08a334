//! The verbs.

use super::{Help, options};
use crate::syntax::ClauseWord::{Against, As, At, By, For, Into, On, To, With};

/// Without clauses, options and further words.
const PLAIN: Help = Help {
    word: "",
    form: "",
    summary: "",
    more: &[],
    clauses: &[],
    options: &[],
    words: &[],
    example: "",
};

/// In the order of the list.
pub(super) const VERBS: &[Help] = &[
    Help {
        word: "show",
        form: "show [VALUE, …]",
        summary: "show a value, or without one all names",
        more: &[
            "A statement that is only a value shows it, too. A word of the language is explained.",
        ],
        example: "show",
        ..PLAIN
    },
    Help {
        word: "open",
        form: "open \"FILE\", … [by COLUMN] [as table] [with OPTIONS]",
        summary: "read traces, tables, models, machines, logs and campaigns",
        more: &[
            "The experiments of the files become names; other files get their file's name.",
            "Traces are read together. `day = open …` keeps the names apart: `day.f`.",
            "A table in CSV whose header does not say which column is measured stays a table.",
        ],
        clauses: &[
            (By, "the column of a table whose values tell experiments apart"),
            (As, "table: all columns of a CSV file, text as text"),
            (With, "options"),
        ],
        options: options::OPEN,
        words: &["table"],
        example: "open \"fft.cll.0.dat\", \"fft.cll.1.dat\"",
    },
    Help {
        word: "fit",
        form: "fit SAMPLES [as FORMULA] [with OPTIONS]",
        summary: "find the constants of a formula, and the intervals where they hold",
        clauses: &[
            (As, "another formula than that of the experiment"),
            (With, "options, as those of `cll fit`"),
        ],
        options: options::FIT,
        example: "m = fit f where N > 4096 with weights = absolute, no_join",
        ..PLAIN
    },
    Help {
        word: "search",
        form: "search SAMPLES [at VARIABLE = VALUES] [with OPTIONS]",
        summary: "find a formula for samples",
        clauses: &[
            (At, "where predictions must be good"),
            (With, "options, as those of `cll fit --search`"),
        ],
        options: options::SEARCH,
        example: "m = search f with max_terms = 3",
        ..PLAIN
    },
    Help {
        word: "suggest",
        form: "suggest SAMPLES [as FORMULA] [with OPTIONS]",
        summary: "repair a formula that does not follow the samples",
        clauses: &[
            (As, "the formula, if not that of the experiment"),
            (With, "options, as those of `fit`"),
        ],
        options: options::FIT,
        example: "suggest f",
        ..PLAIN
    },
    Help {
        word: "predict",
        form: "predict MODEL at VARIABLE = VALUES, …",
        summary: "predict by a model or a function, with intervals",
        clauses: &[(At, "values of all variables: numbers, lists, ranges")],
        example: "predict m at N = 2^21, P = 1:32:*2",
        ..PLAIN
    },
    Help {
        word: "plot",
        form: "plot VALUE, … [by VARIABLE] [for VARIABLE] [at VARIABLE = VALUES] [as KIND] [into \"FILE\"]",
        summary: "draw models, samples, tables, columns and functions",
        more: &["Without `into` the plot is drawn in the terminal."],
        clauses: &[
            (By, "the horizontal axis"),
            (For, "one curve for each value of it"),
            (At, "values of variables: where functions are drawn, and which series"),
            (As, "histogram, boxes, bars or scatter; else points and curves"),
            (With, "options"),
            (Into, "a file for the SVG"),
        ],
        options: options::PLOT,
        words: &["histogram", "boxes", "bars", "scatter"],
        example: "plot m by N for P into \"fft.svg\"",
    },
    Help {
        word: "compare",
        form: "compare MODEL, … [at VARIABLE = VALUES] [against SAMPLES] [with OPTIONS]",
        summary: "compare models with each other and with measurements",
        more: &[
            "An experiment stands for its measurements and for its own fitted model.",
            "There is a verdict on each model: confirmed, rejected, or it cannot be told.",
            "Constants that a function implies stand beside those that were fitted.",
        ],
        clauses: &[
            (At, "the values that are compared; else all that were measured"),
            (Against, "measurements, if no experiment is compared"),
            (With, "options"),
        ],
        options: options::COMPARE,
        example: "compare phi, m at N = 1024:131072:*2, P = 1:32:*2 against f",
        ..PLAIN
    },
    Help {
        word: "print",
        form: "print VALUE [as FORMAT] [into \"FILE\"]",
        summary: "print all of a value as text, CSV or JSON",
        clauses: &[(As, "text, csv or json; else by the file's name"), (Into, "a file")],
        words: &["text", "csv", "json"],
        example: "print f as csv into \"f.csv\"",
        ..PLAIN
    },
    Help {
        word: "group",
        form: "group SAMPLES [by COLUMN, …] [to STATISTIC | NAME = VALUE, …]",
        summary: "statistics of groups; with a statistic after `to` one sample for each",
        clauses: &[
            (By, "columns or expressions whose values make the groups"),
            (
                To,
                "the statistic of each group, or values made of its columns: q90 = quantile(time, 0.9)",
            ),
        ],
        words: &["max", "min", "median", "mean", "sum"],
        example: "group f by run to max",
        ..PLAIN
    },
    Help {
        word: "merge",
        form: "merge SAMPLES, SAMPLES, … [as NAME]",
        summary: "put samples of several files, campaigns or days together",
        clauses: &[(As, "the name of the experiment")],
        example: "all = merge f, g as fft",
        ..PLAIN
    },
    Help {
        word: "join",
        form: "join VALUE, TABLE by COLUMN, …",
        summary: "add columns of a table to samples or to a table, by equal values",
        clauses: &[(By, "the columns that must be equal")],
        example: "f = join f, notes by run",
        ..PLAIN
    },
    Help {
        word: "order",
        form: "order TABLE by COLUMN, …",
        summary: "the rows in ascending order; `by -COLUMN` descending",
        more: &["The first rows are `head(TABLE, 5)`, or `TABLE[0:4]`."],
        clauses: &[(By, "columns or expressions, the most important first")],
        example: "order (group f by N) by -median",
        ..PLAIN
    },
    Help {
        word: "pivot",
        form: "pivot VALUE by COLUMN, … for COLUMN [to STATISTIC | VALUE]",
        summary: "a wide table: rows by one column, columns by another",
        clauses: &[
            (By, "the columns whose values make the rows"),
            (For, "the column whose values make the columns"),
            (To, "the statistic in each cell (median), or a value made of its columns"),
        ],
        words: &["max", "min", "median", "mean", "sum"],
        example: "pivot f by N for P to max",
        ..PLAIN
    },
    Help {
        word: "mark",
        form: "mark SAMPLES where CONDITION",
        summary: "mark samples as outliers, which fits leave out",
        more: &[
            "They stay there and are seen (column `marked`); `unmark` takes the marks away.",
            "A statement `mark f where …` changes `f` itself; `g = mark …` does not.",
        ],
        example: "mark f where time > 5 ms",
        ..PLAIN
    },
    Help {
        word: "unmark",
        form: "unmark SAMPLES",
        summary: "take marks of outliers away",
        example: "unmark f",
        ..PLAIN
    },
    Help {
        word: "cost",
        form: "cost PROGRAM on MACHINE [at VARIABLE = VALUES]",
        summary: "the costs of a program or a log by BSP, OBSP and OBSP*",
        more: &["Without `at` the program becomes a function: `fft = cost p on \"mine.toml\"`."],
        clauses: &[
            (On, "a machine, or the name of its file"),
            (At, "values of the program's variables"),
        ],
        example: "cost sorting on \"mine.toml\" at N = 2^20, P = 1:32:*2",
        ..PLAIN
    },
    Help {
        word: "plan",
        form: "plan MODEL [at VARIABLE = VALUES] with budget = \"TIME\"",
        summary: "which points to measure next",
        clauses: &[
            (At, "where predictions are to become better"),
            (With, "options, as those of `cll plan`"),
        ],
        options: options::PLAN,
        example: "plan m at N = 2^21, P = 32 with budget = \"10m\"",
        ..PLAIN
    },
    Help {
        word: "upsilon",
        form: "upsilon EXPERIMENT | MODEL [into FILE]",
        summary: "which statements the constants of a formula stand for",
        more: &[
            "The sets are those of NAME.upsilon.toml beside the source, else proposed ones.",
            "Of a model the values of the constants stand beside them. `cll upsilon` has more.",
        ],
        clauses: &[(Into, "a file for the page with the source, where the sets can be corrected")],
        example: "upsilon f",
        ..PLAIN
    },
    Help {
        word: "aleph",
        form: "aleph MODEL, …",
        summary: "the values of each constant, with the intervals where they hold",
        more: &["An experiment stands for its own fitted model. `show aleph m` does the same."],
        example: "aleph m",
        ..PLAIN
    },
    Help {
        word: "report",
        form: "report VALUE [as FORMAT] [into \"FILE\"]",
        summary: "the report of a value, as commands of `cll` print it",
        clauses: &[(As, "the format"), (Into, "a file")],
        words: &["text", "csv", "json"],
        example: "report m into \"fft.txt\"",
        ..PLAIN
    },
    Help {
        word: "save",
        form: "save [VALUE into] \"FILE\"",
        summary: "write the statements so far to a script, or a value to a file",
        more: &[
            "A script gives the same again; statements that failed, and help, are left out.",
            "A model is written so that `open` and `cll predict` read it; other values as `print` does.",
        ],
        clauses: &[(Into, "the file of a value")],
        example: "save \"study.llac\"",
        ..PLAIN
    },
    Help {
        word: "source",
        form: "source \"FILE\"",
        summary: "run the statements of a script",
        example: "source \"study.llac\"",
        ..PLAIN
    },
    Help {
        word: "history",
        form: "history",
        summary: "the statements so far, as `save` writes them",
        example: "history",
        ..PLAIN
    },
    Help {
        word: "forget",
        form: "forget NAME, …",
        summary: "remove names",
        example: "forget m",
        ..PLAIN
    },
    Help {
        word: "help",
        form: "help [WORD, …]",
        summary: "explain words; without one, list all",
        example: "help where",
        ..PLAIN
    },
    Help {
        word: "quit",
        form: "quit",
        summary: "end the session; so do `exit` and Ctrl-D",
        example: "quit",
        ..PLAIN
    },
];
