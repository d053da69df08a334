//! The trees that texts are read as, shown by their canonical text with brackets.

use cll_llac::syntax::ast::{ExprKind, StatementKind};
use cll_llac::syntax::{Class, classes, name_text, parse, statement_text};

#[track_caller]
fn read(text: &str) -> String {
    let parsed = parse(text);
    assert!(parsed.diagnostics.is_empty(), "{text:?}: {:#?}", parsed.diagnostics);
    parsed.statements.iter().map(statement_text).collect::<Vec<_>>().join("; ")
}

/// Texts that are read as the same.
#[test]
fn brackets_show_what_belongs_together() {
    for (text, same) in [
        ("-2^2", "-(2^2)"),
        ("2^-2^2", "2^(-(2^2))"),
        ("2^3^4", "2^(3^4)"),
        ("-a*b", "(-a)*b"),
        ("a - b - c", "(a - b) - c"),
        ("a/b*c", "(a/b)*c"),
        ("a + b mod c", "a + (b mod c)"),
        ("not a == b and c or d", "((not (a == b)) and c) or d"),
        ("not not a", "not (not a)"),
        ("a + 1:b*2:*c", "(a + 1):(b*2):*c"),
        ("N in 1:9", "N in (1:9)"),
        ("f where N > 4 set x = 2*N", "(f where N > 4) set x = 2*N"),
        ("f set x = 2 where a or b", "(f set x = 2) where (a or b)"),
        ("if a then b else if c then d else e", "if a then b else (if c then d else e)"),
        ("if a then b else c where d", "if a then b else (c where d)"),
        ("f where if a then b else c where d", "(f where (if a then b else c)) where d"),
        ("-f.x[1](2)", "-(((f.x)[1])(2))"),
        ("m.f[2]^2", "((m.f)[2])^2"),
        ("fit f where N > 4 with x", "fit (f where N > 4) with x"),
        ("x = fit f, g", "x = (fit f, g)"),
        ("x = if a then fit f, g else plot h", "x = if a then (fit f, g) else (plot h)"),
        ("5 s*2", "(5 s)*2"),
        ("[1:2, 3]", "[(1:2), 3]"),
        ("show [1]", "show ([1])"),
        ("show (x).y", "show x.y"),
        ("f(-1)", "f((-1))"),
    ] {
        assert_eq!(read(text), read(same), "{text:?}");
    }
}

/// Each is written as it is.
#[test]
fn what_is_written_canonically_stays() {
    for text in [
        "x = 1 + 2*3^4",
        "a - (b - c)",
        "(a + b)*c",
        "(-a)^b",
        "(a < b) == c",
        "(1:2):3",
        "not (a and b)",
        "f(1, N = 2)[0].x",
        "(2)(3)",
        "(fit f).f[2]",
        "phi(N, P) = if P == 1 then G(N = N) else phi(N/2, P/2)",
        "[(f set x = 1), (fit g)]",
        "[f where a, (f set x = 1)]",
        "x = f set a = if b then c else (d where e), g = 1",
        "predict m at N = 2^21, P = 1, 2, 4 with no_join",
        "mark f where time > 5 ms",
        "cll run 'a b' -- '{N}'",
        "`fit` = `a b` + `cll`",
        "x = 0.00001 + 1e-6 + 1e16 + 100 + 0.1",
        "print f as csv into \"a\\\"b\\\\c\\n\\t.csv\"",
        "1:9:+2",
        "1:9:*2",
    ] {
        assert_eq!(read(text), text);
    }
}

#[test]
fn words_are_names_where_they_stand_alone() {
    for (text, same) in [
        ("help where", "help `where`"),
        ("help fit, at", "help `fit`, `at`"),
        ("show fit", "show `fit`"),
        ("forget at", "forget `at`"),
        ("m.by", "m.`by`"),
        ("fit f with join", "fit f with `join`"),
        ("fit f with search = join, x", "fit f with `search` = `join`, x"),
        ("print f as report into \"x\"", "print f as `report` into \"x\""),
    ] {
        assert_eq!(read(text), read(same), "{text:?}");
    }
    // These keep their meaning.
    assert_eq!(read("show aleph m"), read("show (aleph m)"));
    assert_eq!(read("show upsilon f"), read("show (upsilon f)"));
    assert_eq!(read("show aleph"), read("show `aleph`"));
    assert_eq!(read("show as csv"), "show as csv");
    assert_eq!(read("show f where x"), "show f where x");
}

#[test]
fn numbers_units_and_texts_are_values() {
    let value = |text: &str| match &parse(text).statements[..] {
        [statement] => match &statement.kind {
            StatementKind::Value(value) => value.kind.clone(),
            other => panic!("{text:?}: {other:?}"),
        },
        other => panic!("{text:?}: {other:?}"),
    };
    for (text, expected, unit) in [
        ("1", 1.0, None),
        ("2.5", 2.5, None),
        ("1e-6", 1e-6, None),
        ("1E+3", 1e3, None),
        ("10%", 0.1, None),
        ("2.5e-6 s", 2.5e-6, Some("s")),
        ("16KiB", 16.0, Some("KiB")),
        ("3 \u{3bc}s", 3.0, Some("\u{b5}s")),
        ("5 min", 5.0, Some("min")),
        ("5e3h", 5000.0, Some("h")),
    ] {
        match value(text) {
            ExprKind::Number { value, unit: name } => {
                assert_eq!((value, name.as_ref().map(|n| &*n.text)), (expected, unit), "{text:?}");
            }
            other => panic!("{text:?}: {other:?}"),
        }
    }
    assert_eq!(value(r#""a\"b\\c\n\td'e`f #;""#), ExprKind::Text("a\"b\\c\n\td'e`f #;".into()));
    assert_eq!(value("`a b#;\"`"), ExprKind::Name("a b#;\"".into()));
    assert_eq!(value("ξ₁"), ExprKind::Name("ξ₁".into()));
}

#[test]
fn commands_are_split_as_by_a_shell() {
    for (text, expected) in [
        ("cll fit a.dat  b.dat", vec!["fit", "a.dat", "b.dat"]),
        ("  cll fit 'a b' \"c \\\" d\" e\\ f ''", vec!["fit", "a b", "c \" d", "e f", ""]),
        ("cll run ./a -- {N} $HOME * # why", vec!["run", "./a", "--", "{N}", "$HOME", "*"]),
        ("cll x#y", vec!["x#y"]),
        ("cll fit \\\n  a", vec!["fit", "a"]),
        ("cll", vec![]),
    ] {
        let parsed = parse(text);
        assert!(parsed.diagnostics.is_empty(), "{text:?}: {:?}", parsed.diagnostics);
        let [statement] = &parsed.statements[..] else { panic!("{text:?}: {parsed:?}") };
        let StatementKind::Command { arguments } = &statement.kind else { panic!("{statement:?}") };
        assert_eq!(*arguments, expected, "{text:?}");
    }
    // Only at the beginning of a statement, and only as a word.
    assert_eq!(read("x = cll + 1"), "x = `cll` + 1");
    assert_eq!(read("x = 1; cll fit"), "x = 1; cll fit");
    assert_eq!(read("clls + 1"), "clls + 1");
}

#[test]
fn names_stand_in_backquotes_where_they_must() {
    for (name, expected) in [
        ("f", "f"),
        ("_x1", "_x1"),
        ("ξ", "ξ"),
        ("fit", "`fit`"),
        ("at", "`at`"),
        ("mod", "`mod`"),
        ("cll", "`cll`"),
        ("a b", "`a b`"),
        ("1a", "`1a`"),
        ("N²", "`N²`"),
        ("", "`_`"),
        ("a`b\nc", "`a_b_c`"),
    ] {
        assert_eq!(name_text(name), expected);
    }
}

#[test]
fn every_part_has_its_class() {
    let text = "m = fit f where N > 4 s with \"x\" # why\ncll fit a";
    let found: Vec<(&str, Class)> =
        classes(text).into_iter().map(|(span, class)| (&text[span], class)).collect();
    assert_eq!(
        found,
        [
            ("m", Class::Name),
            ("=", Class::Operator),
            ("fit", Class::Verb),
            ("f", Class::Name),
            ("where", Class::Keyword),
            ("N", Class::Name),
            (">", Class::Operator),
            ("4", Class::Number),
            ("s", Class::Unit),
            ("with", Class::Clause),
            ("\"x\"", Class::Text),
            ("# why", Class::Comment),
            ("cll fit a", Class::Command),
        ]
    );
}
