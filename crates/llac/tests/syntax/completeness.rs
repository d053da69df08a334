//! Whether more lines are wanted, and where lines go on.

use cll_llac::syntax::Completeness::{Complete, Incomplete, Wrong};
use cll_llac::syntax::{is_complete, parse, statement_text};

#[test]
fn a_text_is_complete_or_wants_a_line_or_is_wrong() {
    for (text, expected) in [
        ("", Complete),
        ("\n", Complete),
        ("# only a comment", Complete),
        ("show", Complete),
        ("show;", Complete),
        ("x = 1", Complete),
        ("x =", Incomplete),
        ("x = # why", Incomplete),
        ("x = 1 +", Incomplete),
        ("x = 1 \\", Incomplete),
        ("x = 1 \\\n", Incomplete),
        ("x = 1 \\\n+ 2", Complete),
        ("x = (1", Incomplete),
        ("x = (1\n", Incomplete),
        ("x = (1\n\n", Wrong),
        ("x = 1 \\\n\n", Complete),
        ("f(N,", Incomplete),
        ("x = [1, 2", Incomplete),
        ("phi(N) =", Incomplete),
        ("phi(N) = if N == 1", Incomplete),
        ("phi(N) = if N == 1 then 2", Incomplete),
        ("phi(N) = if N == 1 then 2 else", Incomplete),
        ("phi(N) = if N == 1 then 2 else 3", Complete),
        ("if a\nthen b\nelse c", Complete),
        ("fit f,", Incomplete),
        ("fit f with", Incomplete),
        ("f where", Incomplete),
        ("f set", Incomplete),
        ("help where", Complete),
        ("help for", Complete),
        ("help fit, at", Complete),
        ("help fit,", Incomplete),
        ("show f where", Incomplete),
        ("m.by", Complete),
        ("x = )", Wrong),
        ("x = \"abc", Wrong),
        ("x = `abc", Wrong),
        ("x = 1 2", Wrong),
        ("x = 1 2 +", Wrong),
        ("x = 1; y = (", Incomplete),
        ("cll fit a.dat", Complete),
        ("cll fit a.dat \\", Incomplete),
        ("cll fit 'a.dat", Wrong),
        ("cll", Complete),
    ] {
        assert_eq!(is_complete(text), expected, "{text:?}");
    }
}

#[test]
fn lines_go_on_where_more_must_follow() {
    for (text, expected) in [
        ("x = 1\n+ 2", None),
        ("x = 1 +\n 2", Some("x = 1 + 2")),
        ("x = (1\n + 2\n)", Some("x = (1 + 2)")),
        ("x = [1,\n\n# two\n2]", Some("x = [1, 2]")),
        ("fit f with\n  no_join", Some("fit f with no_join")),
        ("f where N > 4 and # large\n P == 1", Some("f where N > 4 and P == 1")),
        ("x =\r\n 1", Some("x = 1")),
        ("cll fit \\\n a", Some("cll fit a")),
        ("help where\nshow", Some("help `where`; show")),
        ("help in; show", Some("help `in`; show")),
        ("x = m.where\nshow", Some("x = m.`where`; show")),
    ] {
        let parsed = parse(text);
        let texts: Vec<String> = parsed.statements.iter().map(statement_text).collect();
        let printed = parsed.diagnostics.is_empty().then(|| texts.join("; "));
        let expected = expected.map(|text| text.replace("(1 + 2)", "1 + 2"));
        assert_eq!(printed, expected, "{text:?}: {:?}", parsed.diagnostics);
    }
}
