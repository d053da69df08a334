//! Masks for the parts of the output that differ from run to run, and from machine to machine.

/// Units of time that may follow a number.
const UNITS: [&str; 7] = ["ns", "µs", "us", "ms", "s", "min", "h"];

/// With `#` for times and for numbers of processes, `FOLDER/` for the folder of a test.
pub fn masked(text: &str, folder: &str) -> String {
    let text = text.replace(folder, "FOLDER/");
    let mut out = String::new();
    let mut rest = text.as_str();
    while let Some(start) = rest.find(|c: char| c.is_ascii_digit()) {
        let (before, number) = rest.split_at(start);
        let is_part = |c: char| c.is_ascii_digit() || ".e-".contains(c);
        let end = number.find(|c: char| !is_part(c)).unwrap_or(number.len());
        let number = number[..end].trim_end_matches(['.', 'e', '-']);
        let after = &rest[start + number.len()..];
        out.push_str(before);
        let is_process = before.ends_with("process ") || before.ends_with("pid ");
        let is_word = out.is_empty() || out.ends_with([' ', '(', '\n']);
        let differs = is_word && (is_process || is_unit(after));
        out.push_str(if differs { "#" } else { number });
        rest = after;
    }
    out + rest
}

/// Whether a text begins with a unit of time, behind a space or not.
fn is_unit(text: &str) -> bool {
    let text = text.strip_prefix(' ').unwrap_or(text);
    let word = text.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default();
    UNITS.contains(&word)
}

#[test]
fn times_and_processes_are_masked_and_places_are_not() {
    for (text, expected) in [
        ("took 12.5 ms of 3s, line 7, column 2", "took # ms of #s, line 7, column 2"),
        ("process 4711 of 4 processors", "process # of 4 processors"),
        ("/tmp/x/a.c:3:4: 2 rows", "FOLDER/a.c:3:4: 2 rows"),
        ("N=5s 1e-3 s x86 s {P:3h} `5 s`", "N=5s # s x86 s {P:3h} `5 s`"),
    ] {
        assert_eq!(masked(text, "/tmp/x/"), expected);
    }
}
