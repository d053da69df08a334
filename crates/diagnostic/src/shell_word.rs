//! Quotes words of a shell, so that a printed command line can be typed again.

/// The text as one word of a POSIX shell: in single quotes if it has characters that a shell may interpret.
pub fn shell_word(text: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "-_./=:,+@%".contains(c);
    if !text.is_empty() && text.chars().all(is_plain) {
        text.to_owned()
    } else {
        format!("'{}'", text.replace('\'', "'\\''"))
    }
}

/// The name of a file as one word of a POSIX shell that no program takes for an option.
pub fn shell_file(name: &str) -> String {
    if name.starts_with('-') { shell_word(&format!("./{name}")) } else { shell_word(name) }
}

#[cfg(test)]
mod tests {
    use super::{shell_file, shell_word};

    #[test]
    fn names_of_files_are_no_options() {
        assert_eq!(shell_file("-O0.cll"), "./-O0.cll");
        assert_eq!(shell_file("two words.cll"), "'two words.cll'");
        assert_eq!(shell_file("matrix.cll"), "matrix.cll");
    }

    #[test]
    fn words_are_quoted_if_a_shell_would_interpret_them() {
        for (text, expected) in [
            ("", "''"),
            ("-DN=3", "-DN=3"),
            ("a b", "'a b'"),
            ("it's", "'it'\\''s'"),
            ("$HOME", "'$HOME'"),
            ("größe", "'größe'"),
        ] {
            assert_eq!(shell_word(text), expected);
        }
    }
}
