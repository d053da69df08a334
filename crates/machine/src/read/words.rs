//! The name that was probably meant.

/// `did you mean NAME?`, or what there is.
pub(super) fn suggestion(name: &str, known: &[&str]) -> String {
    let limit = (name.chars().count() / 3).max(1);
    let lower = name.to_lowercase();
    let near = known
        .iter()
        .map(|other| (strsim::damerau_levenshtein(&lower, &other.to_lowercase()), *other))
        .filter(|(distance, _)| *distance <= limit)
        .min_by_key(|(distance, _)| *distance);
    match near {
        Some((_, near)) => format!("did you mean {near}?"),
        None => format!("there are: {}", known.join(", ")),
    }
}
