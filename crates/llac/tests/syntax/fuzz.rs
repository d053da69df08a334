//! The fuzz target `llac` on mutations of good inputs.

#[path = "../../../../fuzz/src/llac.rs"]
pub mod entry;
#[path = "../../../../fuzz/src/mutate.rs"]
mod mutate;

use cll_llac::syntax::{ClauseWord, Keyword, UNITS, Verb};
use test_draw::thinned;

const SEEDS: &str = include_str!("statements.txt");

#[test]
fn any_text_is_read() {
    let mut seeds: Vec<Vec<u8>> = SEEDS.lines().map(|line| line.as_bytes().to_vec()).collect();
    seeds.push(SEEDS.as_bytes()[..600].to_vec());
    let mut words = vec![
        " ", "\n", ";", "#", "\\", "\\\n", "(", ")", "[", "]", ",", ":", "=", "==", "<", "<-", "+",
        "-", "*", "/", "^", ".", "\"", "`", "'", "%", "1", "2.5e-6", "1e999", "x", "f", "ξ",
        "cll ", "x = ", "f(N) = ", "\r\n", "\u{a0}", "²", "é", "|", "{",
    ];
    words.extend(Verb::ALL.map(Verb::word));
    words.extend(ClauseWord::ALL.map(ClauseWord::word));
    words.extend(Keyword::ALL.map(Keyword::word));
    words.extend(UNITS);
    mutate::mutations(&seeds, &words, thinned(0..100_000, 4), entry::check);
}

/// Long and deep texts end in time, and with errors instead of a full stack.
#[test]
fn long_and_deep_texts_are_read() {
    let many = 100_000;
    let texts = [
        "(".repeat(many),
        "[".repeat(many),
        "-".repeat(many) + "x",
        "not ".repeat(many) + "x",
        "f(".repeat(many),
        "f[".repeat(many),
        "2^".repeat(many) + "2",
        "1+".repeat(many) + "1",
        "x".to_owned() + &".y".repeat(many),
        "x".to_owned() + &"[1]".repeat(many),
        "x".to_owned() + &"()".repeat(many),
        "x".to_owned() + &" where y".repeat(many),
        "x".to_owned() + &" set y = 1".repeat(many),
        "if a then b else ".repeat(many) + "c",
        "if ".repeat(many),
        "1:".repeat(many),
        "(fit ".repeat(many),
        "a < ".repeat(many) + "a",
        "a and b or ".repeat(many) + "c",
        ")".repeat(many),
        "\n".repeat(many),
        "\\\n".repeat(many),
        "# c\n".repeat(many),
        "x = 1;".repeat(many),
        "x = ;".repeat(many),
        "[".to_owned() + &"1, ".repeat(many) + "1]",
        "f(".to_owned() + &"x, ".repeat(many) + "y) = 1",
        "(1\n".repeat(many),
        "`".repeat(many),
        "\"".repeat(many),
        "cll ".to_owned() + &"'".repeat(many),
        "fit x at y, ".repeat(many),
        "é".repeat(many),
        "1".repeat(many),
    ];
    // Threads of tests have a quarter of the stack of a program.
    let read = move || thinned(texts, 5).into_iter().for_each(|text| entry::check(text.as_bytes()));
    std::thread::Builder::new().stack_size(8 << 20).spawn(read).unwrap().join().unwrap();
}
