use super::*;
use proptest::prelude::*;

fn shown(source: &str) -> String {
    lex(source.as_bytes())
        .filter(|token| token.kind != TokenKind::Space)
        .map(|token| format!("{:?}({})", token.kind, &source[token.start..token.end]))
        .collect::<Vec<_>>()
        .join(" ")
        .replace('\n', "~")
}

#[test]
fn tokens() {
    let cases = [
        ("int x=1;", "Identifier(int) Identifier(x) Punctuator(=) Number(1) Punctuator(;)"),
        (
            "a->b++ <<= 0x1p-3",
            "Identifier(a) Punctuator(->) Identifier(b) Punctuator(++) Punctuator(<<=) Number(0x1p-3)",
        ),
        ("L\"a\\\"b\" u8'c'", "String(L\"a\\\"b\") Character(u8'c')"),
        ("in\\\nt y", "Identifier(in\\~t) Identifier(y)"),
        ("/\\\n* c *\\\n/ d", "BlockComment(/\\~* c *\\~/) Identifier(d)"),
        ("// a \\\n b\nc", "LineComment(// a \\~ b) Newline(~) Identifier(c)"),
        ("x # y", "Identifier(x) Punctuator(#) Identifier(y)"),
        ("  # define A 'x\nb", "Directive(# define A 'x) Newline(~) Identifier(b)"),
        (
            "/**/%: pragma q // r\nb",
            "BlockComment(/**/) Directive(%: pragma q // r) Newline(~) Identifier(b)",
        ),
        (
            "#define A /* x\n y */ 1\nb",
            "Directive(#define A /* x~ y */ 1) Newline(~) Identifier(b)",
        ),
        ("#include <a'b/*c>\nd", "Directive(#include <a'b/*c>) Newline(~) Identifier(d)"),
        ("\"open\nx", "String(\"open) Newline(~) Identifier(x)"),
        ("don't /* no\nx", "Identifier(don) Character('t /* no) Newline(~) Identifier(x)"),
        ("R\"x(a\"b)x\" c", "String(R\"x(a\"b)x\") Identifier(c)"),
        ("1'000 .5e+3 ...", "Number(1'000) Number(.5e+3) Punctuator(...)"),
        ("/* never", "BlockComment(/* never)"),
        ("@ `", "Other(@) Other(`)"),
    ];
    for (source, expected) in cases {
        assert_eq!(shown(source), expected, "{source:?}");
    }
}

#[test]
fn digraphs_and_trigraphs_are_the_brackets_they_stand_for() {
    let bytes: Vec<u8> =
        lex(b"<% %> <: :> ??< ??> ??( ??)").map(|t| t.byte).filter(|&b| b != 0).collect();
    assert_eq!(bytes, b"{}[]{}[]");
}

#[test]
fn carriage_returns_belong_to_the_line_end() {
    let source = b"#pragma a\r\nb\r\n\"c\r\n";
    let ends: Vec<_> =
        lex(source).filter(|t| t.kind == TokenKind::Newline).map(|t| t.end - t.start).collect();
    assert_eq!(ends, [2, 2, 2]);
    assert_eq!(lex(source).next().map(|token| token.end), Some(9));
}

#[test]
fn a_byte_order_mark_is_space() {
    let kinds: Vec<_> = lex(b"\xef\xbb\xbf#if 1").map(|token| token.kind).collect();
    assert_eq!(kinds, [TokenKind::Space, TokenKind::Directive]);
}

proptest! {
    #[test]
    fn every_byte_is_in_one_token(source in prop::collection::vec(
        prop_oneof![
            any::<u8>().prop_map(|byte| vec![byte]),
            prop::sample::select(vec![
                "/*", "*/", "//", "\\\n", "\\ \r\n", "\"", "'", "#", "\n", "pragma cll",
                "R\"(", ")\"", "??/", "<%", "#include <", "...", "u8",
            ]).prop_map(|text| text.as_bytes().to_vec()),
        ], 0..60).prop_map(|parts| parts.concat()))
    {
        let mut at = 0;
        for token in lex(&source) {
            prop_assert_eq!(token.start, at);
            prop_assert!(token.end > token.start);
            at = token.end;
        }
        prop_assert_eq!(at, source.len());
    }
}
