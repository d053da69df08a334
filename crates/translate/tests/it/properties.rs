//! Tests what holds for any bytes: the translator ends, never panics, and the insertions can be removed again.

use cll_translate::{Automatic, Options, Source, Translation, translate};
use proptest::prelude::*;

fn run(text: &[u8]) -> Translation {
    let options = Options { unit: "x".into(), ..Options::default() };
    translate(&Source { name: "x.c", text }, &options)
}

/// The same with every function and loop measured.
fn run_automatic(text: &[u8]) -> Translation {
    let automatic = Some(Automatic::default());
    let options = Options { unit: "x".into(), automatic, ..Options::default() };
    translate(&Source { name: "x.c", text }, &options)
}

/// Removing the insertions gives the source, and no line has moved.
fn lossless(text: &[u8]) {
    for translation in [run(text), run_automatic(text)] {
        only_inserts(text, &translation);
    }
}

fn only_inserts(text: &[u8], translation: &Translation) {
    let Some(code) = &translation.code else { return };
    let mut back = Vec::new();
    let mut position = 0;
    let mut from = 0;
    for (offset, inserted) in &translation.insertions {
        let same = offset - from;
        back.extend_from_slice(&code[position..position + same]);
        assert_eq!(&code[position + same..position + same + inserted.len()], &inserted[..]);
        position += same + inserted.len();
        from = *offset;
    }
    back.extend_from_slice(&code[position..]);
    assert_eq!(back, text);
    let head = &translation.insertions[0].1;
    assert!(head.ends_with(b"\n#line 1 \"x.c\"\n"));
    for (_, inserted) in &translation.insertions[1..] {
        assert!(!inserted.contains(&b'\n'));
    }
}

/// Loops and blocks as they are written, with places for a letter too many.
const LOOPS: &str = "int f(int N, int *a) {\n int s = 0;\n for (int i = 0; i < N; i++) { s += a[i]; }\n \
                     while (s > N) s -= ({ int k = N; k; });\n do s++; while (s < 3);\n return s;\n}\n";

#[test]
fn a_bracket_too_many_or_too_few_at_any_place_is_no_panic() {
    for place in 0..LOOPS.len() {
        for bracket in ["{", "}", "(", ")", ";", "\"", "({"] {
            lossless([&LOOPS[..place], bracket, &LOOPS[place..]].concat().as_bytes());
        }
        lossless([&LOOPS[..place], &LOOPS[place + 1..]].concat().as_bytes());
    }
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(300) })]

    #[test]
    fn any_bytes(text in prop::collection::vec(any::<u8>(), 0..300)) {
        lossless(&text);
    }

    #[test]
    fn anything_that_looks_like_c(parts in prop::collection::vec(
        prop::sample::select(vec![
            "int f(int n)\n{\n", "}\n", "if (n)\n", "else\n", "for (;;)\n", "while (n)\n", "do\n",
            "switch (n)\n", "{\n", "case 1:\n", "n++;\n", "return n;\n", "break;\n", "goto l;\n", "l:\n",
            "\n#pragma cll f f[0]*n\n", "\n#pragma cll end f\n", "\n#pragma cll g every(3) g[0]*P\n",
            "\n#pragma cll end g\n", "\n#pragma cll for (n = 0; n < 3; n++)\n",
            "\n#pragma cll end for\n", "\n#pragma cll report all\n", "\n#pragma ll x\n",
            "\n#pragma cll f /* c */ f[0]*n \\\n // d\n", "\n#pragma cll sync f f[0]*n\n",
            "\n#pragma omp parallel\n", "\n#pragma omp for\n", "\n#if X\n", "\n#else\n", "\n#endif\n",
            "/* ", " */", "// x\n", "\"s\"", "({", "})", "F(x)\n", "(", ")", ";", "\\\n", "'", "\r\n",
        ]), 0..60))
    {
        lossless(format!("int f(int n)\n{{\n{}", parts.concat()).as_bytes());
    }

    #[test]
    fn any_region_in_a_sound_function(
        statements in prop::collection::vec(0usize..12, 1..12),
        depth in 0usize..4,
    ) {
        const KINDS: [&str; 12] = [
            "n++;", "if (n) @ else @", "for (;;) { @ }", "while (n) @", "do @ while (n);",
            "switch (n) { case 1: @ break; default: @ }", "{ @ @ }", "{ if (n) @ }", "return;",
            "l: @", "F(n) { @ }", "{ if (n) { @ break_; } else if (n) @ }",
        ];
        let mut text = "@".to_string();
        for (turn, &kind) in statements.iter().enumerate() {
            let name = format!("r{turn}");
            let kind = KINDS[kind].replace("l:", &format!("l{turn}:"));
            let region = format!(
                "\n#pragma cll {name} {name}[0]*n\n{kind}\n#pragma cll end {name}\n"
            );
            text = text.replacen('@', &region, 1 + depth / 2);
            if !text.contains('@') {
                break;
            }
        }
        let text = format!("void f(int n)\n{{\n{}\n}}\n", text.replace('@', "n--;"));
        let translation = run(text.as_bytes());
        prop_assert!(
            !translation.failed() || text.matches("l0:").count() > 1,
            "{text}\n{:#?}", translation.diagnostics
        );
        lossless(text.as_bytes());
    }
}

/// Hostile repetition takes time linear in its length.
#[test]
fn repetition_is_linear() {
    let repeated = [
        "{",
        "(",
        "if (n) ",
        "else ",
        "#if X\n",
        "\n#pragma cll f f[0]\n",
        "do ",
        "switch (n) ",
        "({",
        "a[",
        "l: ",
        "goto l; ",
        "case 1: ",
        "\n#if X\n#pragma cll f f[0]\n#else\n",
        "F(x) ",
        "\\\n",
        "struct ",
        "\n#pragma cll f f[0]\n#pragma cll end f\n",
        "struct x {} ",
    ];
    for part in test_draw::thinned(repeated, 3) {
        let text = format!(
            "void f(int n)\n{{\n#pragma cll g g[0]\nn++;\n#pragma cll end g\n{}",
            part.repeat(200_000 / part.len())
        );
        let start = computed();
        lossless(text.as_bytes());
        let took = computed() - start;
        // Generous: a quadratic pass would take minutes.
        assert!(took.as_secs() < 20, "{part:?}: {took:?}");
    }
}

/// Processor time of this thread, which other programs do not affect.
fn computed() -> std::time::Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    std::time::Duration::from_nanos(text.split_whitespace().next().unwrap().parse().unwrap())
}
