//! Extreme texts: they are read or rejected quickly, and never crash.

use std::time::Duration;

use cll_formula::{parse, parse_variables};

/// Processor time of this thread, which other programs do not affect.
fn computed() -> Duration {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").unwrap();
    Duration::from_nanos(text.split_whitespace().next().unwrap().parse().unwrap())
}

/// The codes of the diagnostics for `text`; each within about a second.
fn codes(text: &str) -> Vec<&'static str> {
    let start = computed();
    let parsed = parse("f", text);
    let took = computed() - start;
    assert!(took < Duration::from_secs(20), "{} bytes took {took:?}", text.len());
    parsed.diagnostics.iter().map(|diagnostic| diagnostic.code).collect()
}

#[test]
fn nesting_is_bounded() {
    let deep = |open: &str, close: &str| {
        format!("f[0]*{}N{}", open.repeat(100_000), close.repeat(100_000))
    };
    assert_eq!(codes(&deep("(", ")")), ["F010"]);
    assert_eq!(codes(&deep("(", "")), ["F010"]);
    assert_eq!(codes(&deep("- ", "")), ["F010"]);
    assert_eq!(codes(&deep("+ ", "")), ["F010"]);
    assert_eq!(codes(&deep("log(", ")")), ["F010"]);
    assert_eq!(codes(&deep("(double)", "")), ["F010"]);
    assert_eq!(codes(&deep("2^", "")), ["F010"]);
    assert_eq!(codes(&deep("2*(", ")")), ["F010"]);
    assert_eq!(codes(&deep("", "%2")), ["F010"]);
    assert_eq!(codes(&deep("a[", "]")), [""; 0]);
    assert_eq!(codes(&deep("min(1,", ")")), ["F010"]);
    assert!(codes(&deep("! ", "")).contains(&"F012"));
    assert!(codes(&deep("f[0](", ")")).contains(&"F012"));
    assert_eq!(codes(&deep("", ")")), ["F005"]);
    assert!(codes(&deep("a ? ", "")).contains(&"F012"));
}

#[test]
fn as_deep_as_anyone_writes_is_read() {
    assert_eq!(codes(&format!("f[0]*{}N{}", "(".repeat(60), ")".repeat(60))), [""; 0]);
    assert_eq!(codes(&format!("f[0]*{}N{}", "sqrt(".repeat(20), ")".repeat(20))), [""; 0]);
}

#[test]
fn long_chains_are_flat() {
    let chain = |piece: &str| format!("f[0]*({}N)", piece.repeat(1_000_000 / piece.len()));
    assert_eq!(codes(&chain("N+")), [""; 0]);
    assert_eq!(codes(&chain("N-M+")), [""; 0]);
    assert_eq!(codes(&format!("f[0]{}", "*N/M".repeat(200_000))), [""; 0]);
    assert_eq!(codes(&format!("f[0]*log({}1)", "N + ".repeat(200_000))), [""; 0]);
}

#[test]
fn many_terms_and_variables_are_refused() {
    let terms: Vec<String> = (0..100_000).map(|k| format!("f[{k}]*N^{k}")).collect();
    assert_eq!(codes(&terms.join(" + ")), ["F029"]);
    let variables: Vec<String> = (0..100_000).map(|k| format!("x{k}")).collect();
    assert_eq!(codes(&format!("f[0]*({})", variables.join(" + "))), ["F029"]);
    let most: Vec<String> = (0..64).map(|k| format!("f[{k}]*x{k}")).collect();
    assert_eq!(codes(&most.join(" + ")), [""; 0]);
}

#[test]
fn errors_are_limited() {
    for piece in [
        "$",
        "+ ",
        "f[-1]+",
        "N+",
        "f[0]+",
        "2N ",
        "foo(N)+",
        "log(",
        "[",
        "]",
        "f[0]*f[1]+",
        "\"",
        "'x' ",
        "1e999+",
        "é",
        "\\",
        "f[",
        "sizeof ",
        "a->",
        "?",
        "f[0]/f[1]+log(f[2]*N)+",
    ] {
        let reported = codes(&piece.repeat(200_000 / piece.len()));
        assert!(!reported.is_empty() && reported.len() <= 21, "{piece}: {}", reported.len());
    }
}

#[test]
fn long_tokens_are_passed() {
    let name = "x".repeat(1_000_000);
    assert_eq!(codes(&format!("f[0]*{name}")), [""; 0]);
    assert_eq!(codes(&format!("f[0]*{name}(N)")), ["F006"]);
    assert_eq!(codes(&format!("f[0]*0x{}", "f".repeat(1_000_000))), ["F002"]);
    assert_eq!(codes(&format!("f[0]*{}*N", "1".repeat(1_000_000))), ["F014"]);
    assert_eq!(codes(&format!("f[0]*1.{}*N", "1".repeat(1_000_000))), ["F040"]);
    assert_eq!(codes(&format!("f[{}]", "1".repeat(1_000_000))), ["F014"]);
    assert_eq!(codes(&format!("f[0] /*{}*/", "*".repeat(1_000_000))), [""; 0]);
    assert_eq!(codes(&format!("f[0] {}", "\\\n".repeat(500_000))), [""; 0]);
}

#[test]
fn whole_factors_are_written_whole() {
    for (factor, text) in [
        ("2097152", "2097152"),
        ("123456789", "123456789"),
        ("1e9", "1000000000"),
        ("9007199254740993", "9007199254740992"),
        ("1e22", "1e22"),
        ("0.1234567", "0.123457"),
        ("1234567.5", "1234570"),
    ] {
        let parsed = parse("f", &format!("f[0]*{factor}*N"));
        let note = &parsed.diagnostics[0];
        let expected = format!("the fitted f[0] is {text} times the one in this text");
        assert_eq!((note.code, &note.help[0]), ("F040", &expected), "{factor}");
    }
}

#[test]
fn lists_are_bounded_too() {
    for text in [
        "a,".repeat(100_000),
        "(".repeat(100_000),
        format!("{}a{}", "(".repeat(100_000), ")".repeat(100_000)),
    ] {
        let parsed = parse_variables(&text);
        assert!(parsed.diagnostics.len() <= 21);
    }
}
