//! Suggests the name that was probably meant.

/// The known name nearest to `name`, ignoring case, if the distance of Damerau and Levenshtein is
/// at most a third of its length: letters added, left out, replaced, or swapped with the next.
pub fn nearest<'a>(name: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let limit = (name.chars().count() / 3).max(1);
    let lower = name.to_lowercase();
    known
        .into_iter()
        .map(|other| (strsim::damerau_levenshtein(&lower, &other.to_lowercase()), other))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance)
        .map(|(_, other)| other)
}

/// `did you mean NAME?`, or a list of the known names.
pub fn suggestion(name: &str, known: &[&str]) -> String {
    match nearest(name, known.iter().copied()) {
        Some(near) => format!("did you mean {near}?"),
        None if known.is_empty() => "there is none".to_owned(),
        None => format!("there are: {}", known.join(", ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_near_is_meant() {
        let known = ["timeout", "rounds", "N"];
        assert_eq!(nearest("timout", known), Some("timeout"));
        assert_eq!(nearest("ROUDNS", known), Some("rounds"));
        assert_eq!(nearest("n", known), Some("N"));
        assert_eq!(nearest("budget", known), None);
        assert_eq!(suggestion("M", &["N", "P"]), "did you mean N?");
        assert_eq!(suggestion("size", &["N", "P"]), "there are: N, P");
        assert_eq!(suggestion("size", &[]), "there is none");
    }
}
