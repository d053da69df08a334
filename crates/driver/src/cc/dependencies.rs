//! Dependency files name the user's files: the source in place of its translation, and no generated files.

/// The replacement for a file's name in a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Replacement {
    /// Another name.
    Name(Vec<u8>),
    /// No name: the file is generated.
    Nothing,
}

/// Columns after which a rule continues in the next line.
const WIDTH: usize = 76;

/// Rewrites a dependency file. `becomes` gives the replacement for each name, unescaped, or `None` to keep it.
pub fn rewrite(text: &[u8], becomes: impl Fn(&[u8]) -> Option<Replacement>) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for line in logical_lines(text) {
        let words = words(&line);
        // Comments and empty lines stay.
        if words.is_empty() || line.first() == Some(&b'#') {
            out.extend_from_slice(&line);
            out.push(b'\n');
            continue;
        }
        rule(&words, &becomes, &mut out);
    }
    out
}

fn rule(words: &[Vec<u8>], becomes: impl Fn(&[u8]) -> Option<Replacement>, out: &mut Vec<u8>) {
    let start = out.len();
    let mut column = 0;
    let mut in_targets = true;
    for word in words {
        let colon = in_targets && word.ends_with(b":");
        let name = if colon { &word[..word.len() - 1] } else { &word[..] };
        let name = match becomes(&unescaped(name)) {
            // The rule of a generated file is removed, too.
            Some(Replacement::Nothing) if colon => {
                out.truncate(start);
                return;
            }
            Some(Replacement::Nothing) => continue,
            Some(Replacement::Name(name)) => escaped(&name),
            None => name.to_vec(),
        };
        let length = name.len() + usize::from(colon);
        if column > 0 && column + 1 + length > WIDTH {
            out.extend_from_slice(b" \\\n ");
            column = 1;
        } else if column > 0 {
            out.push(b' ');
            column += 1;
        }
        out.extend_from_slice(&name);
        column += length;
        if colon {
            out.push(b':');
            in_targets = false;
        }
    }
    out.push(b'\n');
}

/// Lines, each joined with the lines that continue it after a backslash.
fn logical_lines(text: &[u8]) -> Vec<Vec<u8>> {
    let mut lines = Vec::new();
    let mut line: Option<Vec<u8>> = None;
    for part in text.split_inclusive(|&byte| byte == b'\n') {
        let body = part.strip_suffix(b"\n").unwrap_or(part);
        let logical_line = line.get_or_insert_default();
        match body.strip_suffix(b"\\") {
            Some(body) if part.len() > body.len() + 1 => {
                logical_line.extend_from_slice(body);
                logical_line.push(b' ');
            }
            _ => {
                logical_line.extend_from_slice(body);
                lines.extend(line.take());
            }
        }
    }
    lines.extend(line);
    lines
}

/// Words separated by spaces without a backslash before them; with their escapes.
fn words(line: &[u8]) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    let mut word = Vec::new();
    for (index, &byte) in line.iter().enumerate() {
        let escaped = index > 0 && line[index - 1] == b'\\';
        if byte == b' ' && !escaped {
            if !word.is_empty() {
                words.push(std::mem::take(&mut word));
            }
        } else {
            word.push(byte);
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    words
}

/// A name as in a rule of make.
fn escaped(name: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(name.len());
    for &byte in name {
        match byte {
            b' ' | b'#' => out.extend([b'\\', byte]),
            b'$' => out.extend(b"$$"),
            _ => out.push(byte),
        }
    }
    out
}

fn unescaped(word: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(word.len());
    let mut bytes = word.iter().copied().peekable();
    while let Some(byte) = bytes.next() {
        match (byte, bytes.peek()) {
            (b'\\', Some(&next @ (b' ' | b'#'))) | (b'$', Some(&next @ b'$')) => {
                out.push(next);
                bytes.next();
            }
            _ => out.push(byte),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rewritten(text: &str) -> String {
        let out = rewrite(text.as_bytes(), |name| match name {
            b"/tmp/t/0/a.c" => Some(Replacement::Name(b"src dir/a.c".to_vec())),
            b"/tmp/t/0/a.cll.h" | b"/lib/cll.h" => Some(Replacement::Nothing),
            _ => None,
        });
        String::from_utf8(out).unwrap()
    }

    #[test]
    fn the_source_is_the_users_and_what_is_generated_goes() {
        assert_eq!(
            rewritten("a.o: /tmp/t/0/a.c /tmp/t/0/a.cll.h /lib/cll.h \\\n  b.h /usr/c.h\n"),
            "a.o: src\\ dir/a.c b.h /usr/c.h\n"
        );
    }

    #[test]
    fn phony_rules_of_generated_files_go() {
        assert_eq!(
            rewritten("a.o: /tmp/t/0/a.c /tmp/t/0/a.cll.h b.h\n\n/tmp/t/0/a.cll.h:\n\nb.h:\n"),
            "a.o: src\\ dir/a.c b.h\n\n\nb.h:\n"
        );
    }

    #[test]
    fn names_with_blanks_and_dollars_stay() {
        let line = "my\\ dir/a.o: a\\ b.h $$x.h \\#y.h\n";
        assert_eq!(rewritten(line), line);
        assert_eq!(unescaped(b"a\\ b$$c"), b"a b$c");
    }

    #[test]
    fn long_rules_are_continued() {
        let names: Vec<String> = (0..30).map(|k| format!("header{k}.h")).collect();
        let out = rewritten(&format!("a.o: {}\n", names.join(" ")));
        assert!(out.lines().all(|line| line.len() <= WIDTH + 2), "{out}");
        let joined = out.replace(" \\\n", "");
        assert_eq!(joined.split_whitespace().count(), 31);
    }
}
