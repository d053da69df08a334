//! Files: written, read again, wrong, and beside another version of the source.

use cll_upsilon::{
    By, Passage, Sets, anchor, confirm, crc32, keep_hand, mark_hand, propose, read, write,
};

use crate::support::{source, wanted};

fn triangle() -> (String, Sets) {
    let text = source("crates/upsilon/tests/programs/triangle.c");
    let sets = Sets {
        source: "triangle.c".into(),
        crc32: crc32(text.as_bytes()),
        by: "cll test".into(),
        experiments: propose(text.as_bytes(), &wanted(&text)),
    };
    (text, sets)
}

#[test]
fn what_is_written_is_read_again() {
    let (_, mut sets) = triangle();
    sets.experiments[0].statements[0].note = "quotes \"and\" 'those' and \\ and \u{7}".into();
    sets.experiments[0].statements[1].text = "puts(\"a\\n\")".into();
    sets.experiments[0].statements[1].by = By::Hand;
    sets.experiments[0].notes = vec!["memcpy is elsewhere".into()];
    let text = write(&sets);
    let read = read(text.as_bytes());
    assert_eq!(read.diagnostics, []);
    assert_eq!(read.sets, Some(sets));
}

#[test]
fn wrong_files_are_shown_at_their_places() {
    let (_, sets) = triangle();
    let text = write(&sets);
    for (from, to, code, message, place) in [
        ("cll-upsilon = 1\n", "", "U002", "does not say", "# Which"),
        ("cll-upsilon = 1", "cll-upsilon = 9", "U002", "version", "9"),
        ("[\"pairs[1]\"]", "[\"pairs[7]\"]", "U005", "no constant `pairs[7]`", "\"pairs[7]\""),
        ("constants = [\"pairs[1]\"]", "constants = 3", "U003", "list of texts", "3"),
        ("by = \"nesting\"", "by = \"nestling\"", "U003", "nobody", "\"nestling\""),
        ("line = 9", "line = -9", "U003", "whole number", "-9"),
        ("line = 9", "lien = 9", "U003", "no key lien", "lien"),
        ("name = \"pairs\"", "name = 3", "U003", "text in quotation marks", "3"),
        ("pairs[0] + pairs[1]*n", "pairs[0] + pairs[1]*", "U005", "formula", "\"pairs[0]"),
        ("[[experiments]]", "[[experiments", "U001", "not TOML", ""),
    ] {
        let wrong = text.replacen(from, to, 1);
        assert_ne!(wrong, text, "{from}");
        let read = read(wrong.as_bytes());
        assert_eq!(read.sets, None, "{to}");
        let option = read
            .diagnostics
            .iter()
            .find(|diagnostic| diagnostic.code == code && diagnostic.message.contains(message));
        let diagnostic = option.unwrap_or_else(|| panic!("{to}: {:#?}", read.diagnostics));
        assert!(wrong[diagnostic.primary.span.start..].starts_with(place), "{to}: {diagnostic:?}");
    }
    assert_eq!(read(b"\xff").diagnostics[0].code, "U001");
    assert!(read(b"").sets.is_none());
}

#[test]
fn another_version_of_the_source_is_followed_or_refused() {
    let (text, sets) = triangle();
    let file = read(write(&sets).as_bytes());
    let same = anchor(&file, text.as_bytes(), &wanted(&text));
    assert!(same.is_same_source && same.moved.is_empty(), "{:?}", same.diagnostics);
    assert_eq!(same.sets.as_ref(), Some(&sets));
    // Three lines more at the begin, and another statement.
    let longer =
        format!("/* new\n   lines\n */\n{text}").replace("int k = 0;", "int k = 0; double y;");
    let moved = anchor(&file, longer.as_bytes(), &wanted(&longer));
    assert!(!moved.is_same_source);
    assert!(moved.moved.iter().all(|entry| entry.to == entry.from + 3), "{:?}", moved.moved);
    assert_eq!(
        moved.moved.len(),
        sets.experiments.iter().map(|experiment| experiment.statements.len()).sum::<usize>()
    );
    let anchored = moved.sets.unwrap();
    assert_eq!(anchored.crc32, crc32(longer.as_bytes()));
    assert_eq!(
        anchored.experiments[0].statements[0].line,
        sets.experiments[0].statements[0].line + 3
    );
    // A statement that is gone, and a formula that has changed.
    let other = text.replace("sum += own * x[j]", "sum -= own * x[j]");
    let gone = anchor(&file, other.as_bytes(), &wanted(&other));
    assert_eq!(gone.sets, None);
    assert_eq!(gone.diagnostics[0].code, "U008");
    assert!(gone.diagnostics[0].message.contains("`sum += own * x[j]` (line 10) is no longer"));
    let other = text.replace("pairs[0] + pairs[1]*n + pairs[2]*n*n", "pairs[0] + pairs[1]*n*n");
    let formula = anchor(&file, other.as_bytes(), &wanted(&other));
    assert_eq!(formula.diagnostics[0].code, "U007");
    let other = text.replace("cll pairs", "cll pair").replace("end pairs", "end pair");
    let other = other.replace("pairs[", "pair[");
    let name = anchor(&file, other.as_bytes(), &wanted(&other));
    assert_eq!(name.diagnostics[0].code, "U006");
    assert_eq!(name.diagnostics[0].help, ["did you mean pair?"]);
    // A line that was mistyped.
    let wrong = write(&sets).replacen("line = 10", "line = 11", 1);
    let wrong = anchor(&read(wrong.as_bytes()), text.as_bytes(), &wanted(&text));
    assert_eq!(wrong.diagnostics[0].code, "U008");
    assert_eq!(wrong.diagnostics[0].help, ["it is at line 10"]);
}

#[test]
fn corrections_by_hand_are_kept() {
    let (_, proposed) = triangle();
    let mut corrected = proposed.clone();
    corrected.experiments[0].statements[4].constants = vec!["pairs[2]".into()];
    assert_eq!(mark_hand(&mut corrected, &proposed), 1);
    assert_eq!(corrected.experiments[0].statements[4].by, By::Hand);
    let mut again = proposed.clone();
    assert_eq!(keep_hand(&mut again, &corrected), 1);
    assert_eq!(again, corrected);
}

/// Instructions of a line for a value of n.
type Count = fn(u64) -> u64;

/// Passages of the first experiment, with these instructions by line for each n.
fn passages(lines: &[(usize, Count)]) -> Vec<Passage> {
    let sizes = [10, 17, 33, 70, 70, 128, 200];
    sizes
        .into_iter()
        .map(|n| Passage {
            values: vec![n as f64],
            lines: lines.iter().map(|(line, count)| (*line, count(n))).collect(),
        })
        .collect()
}

#[test]
fn counts_confirm_and_correct() {
    let (text, sets) = triangle();
    let formula = wanted(&text)[0].formula.clone();
    let mut experiment = sets.experiments[0].clone();
    // Lines 7 to 10 of the source: the third as it should be, the last as if it ran n times.
    let counts = passages(&[
        (7, |n| 3 + 8 * n),
        (8, |n| 5 * n),
        (9, |n| 4 * n + 4 * n * n),
        (10, |n| 12 * n),
        (99, |n| n * n * n),
    ]);
    let checked = confirm(&mut experiment, &formula, &counts).unwrap();
    assert_eq!(checked.confirmed, 3, "{checked:?}");
    assert_eq!(checked.disagreements.len(), 1);
    assert_eq!(checked.disagreements[0].line, 10);
    assert_eq!(checked.disagreements[0].nesting, ["pairs[2]"]);
    assert_eq!(checked.disagreements[0].counts, ["pairs[1]"]);
    let last = experiment.statements.iter().find(|statement| statement.line == 10).unwrap();
    assert_eq!((last.by, &last.constants[..]), (By::Counts, &["pairs[1]".to_owned()][..]));
    let first = experiment.statements.iter().find(|statement| statement.text == "i < n").unwrap();
    assert_eq!(first.by, By::Both);
    let own = experiment.statements.iter().find(|statement| statement.text == "i = 0").unwrap();
    assert_eq!(own.by, By::Nesting, "only the fastest of a line is reported");
    // A count that is no sum of the terms, and too few sizes.
    let odd = passages(&[(10, |n| n * n * n)]);
    let mut experiment = sets.experiments[0].clone();
    assert_eq!(confirm(&mut experiment, &formula, &odd).unwrap().unclear, [10]);
    assert!(
        confirm(&mut experiment, &formula, &odd[3..5])
            .unwrap_err()
            .to_string()
            .contains("at least 4")
    );
}
