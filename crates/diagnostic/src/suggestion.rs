//! The name that was probably meant.

/// The known name that is nearest to `name`, whatever their capitals, if one is near enough to have been
/// meant: at most a third of its letters are added, left out, replaced, or changed places with the next
/// (Damerau and Levenshtein's distance).
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

/// `did you mean NAME?`, or what there is.
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
