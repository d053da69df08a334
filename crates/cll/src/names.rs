//! Names of variables with values, and the name that was probably meant.

use std::str::FromStr;

/// `NAME=VALUE`.
#[derive(Clone, Debug, PartialEq)]
pub struct Binding {
    /// The variable, as formulas write it: `N`, `a->n`.
    pub name: String,
    /// Its value.
    pub value: f64,
}

impl FromStr for Binding {
    type Err = String;

    fn from_str(text: &str) -> Result<Binding, String> {
        let (name, value) = split(text)?;
        Ok(Binding { name: name.to_owned(), value: number(value)? })
    }
}

/// `NAME=TEXT` in two, without the space around them.
pub fn split(text: &str) -> Result<(&str, &str), String> {
    match text.split_once('=') {
        Some((name, value)) if !name.trim().is_empty() => Ok((name.trim(), value.trim())),
        _ => Err(format!("`{text}` has not the form NAME=VALUE")),
    }
}

/// A finite number, also `1e6`.
pub fn number(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() => Ok(number),
        _ => Err(format!("`{text}` is not a number")),
    }
}

/// The known name that is nearest to `name`, if one is near enough to have been meant.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    known
        .into_iter()
        .map(|other| (distance(&name.to_lowercase(), &other.to_lowercase()), other))
        .filter(|&(distance, _)| distance <= limit)
        .min_by_key(|&(distance, _)| distance)
        .map(|(_, other)| other)
}

/// `; did you mean N?`, or what there is; nothing where nothing is known.
pub fn suggestion(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None if known.is_empty() => "there is none".to_owned(),
        None => format!("there are: {}", known.join(", ")),
    }
}

/// Levenshtein's distance.
fn distance(a: &str, b: &str) -> usize {
    let b: Vec<char> = b.chars().collect();
    let mut row: Vec<usize> = (0..=b.len()).collect();
    for (i, letter) in a.chars().enumerate() {
        let mut diagonal = row[0];
        row[0] = i + 1;
        for (j, other) in b.iter().enumerate() {
            let replaced = diagonal + usize::from(letter != *other);
            diagonal = row[j + 1];
            row[j + 1] = replaced.min(row[j] + 1).min(diagonal + 1);
        }
    }
    row[b.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bindings() {
        let binding = |text: &str| text.parse::<Binding>();
        assert_eq!(binding("N=1e3"), Ok(Binding { name: "N".into(), value: 1000.0 }));
        assert_eq!(binding("a->n = 3").unwrap().name, "a->n");
        for wrong in ["N", "=3", "N=", "N=x", "N=inf", "N=nan"] {
            assert!(binding(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn the_name_that_was_meant() {
        assert_eq!(nearest("colums", ["rows", "columns"]), Some("columns"));
        assert_eq!(nearest("n", ["P", "N"]), Some("N"));
        assert_eq!(nearest("walk", ["rows", "columns"]), None);
        assert_eq!(suggestion("x", &["alpha", "beta"]), "there are: alpha, beta");
    }
}
