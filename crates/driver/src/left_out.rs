//! Names of experiments that `--auto` leaves out.

use std::path::Path;

use crate::Error;

/// Names as `--auto-without` takes them: one or several with commas, or `@FILE`, a file of names that white space or
/// commas separate.
///
/// # Errors
/// If the file cannot be read, or there is no name.
pub fn left_out(text: &str) -> Result<Vec<String>, Error> {
    let separated = |text: &str| -> Vec<String> {
        let words = text.split(|letter: char| letter == ',' || letter.is_whitespace());
        words.filter(|word| !word.is_empty()).map(str::to_owned).collect()
    };
    let names = match text.strip_prefix('@') {
        // An empty file: nothing is left out.
        Some(path) => {
            let text = std::fs::read_to_string(Path::new(path));
            return match text {
                Ok(text) => Ok(separated(&text)),
                Err(source) => Err(Error::Names { path: path.to_owned(), source }),
            };
        }
        None => separated(text),
    };
    if names.is_empty() { Err(Error::NoName) } else { Ok(names) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_given_or_in_a_file() {
        assert_eq!(left_out("f,g_loop1").unwrap(), ["f", "g_loop1"]);
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), "f\ng_loop1, h\n\n").unwrap();
        let path = format!("@{}", file.path().display());
        assert_eq!(left_out(&path).unwrap(), ["f", "g_loop1", "h"]);
        std::fs::write(file.path(), "").unwrap();
        assert_eq!(left_out(&path).unwrap(), Vec::<String>::new());
        assert!(
            left_out("@/nowhere/names").unwrap_err().to_string().starts_with("/nowhere/names: ")
        );
        assert!(left_out(",").is_err() && left_out("").is_err());
    }
}
