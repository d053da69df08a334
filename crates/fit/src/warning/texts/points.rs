//! Sentences of warnings about the points that were measured.

use crate::Unit;
use crate::warning::kind::Warning;
use crate::warning::text::{count, list, percent_or_zero, place, quantity};

/// The sentence of a warning about the points that were measured; `None` for any other.
pub(crate) fn points(warning: &Warning, unit: &Unit) -> Option<String> {
    let amount = |value: f64| quantity(value, unit);
    Some(match warning {
        Warning::Emptied { value, variables } => format!(
            "it takes no more than an empty region ({:.0} ns) at every {}: removed by the \
             compiler? Use the results of the region behind it, so that they are needed",
            value * 1e9,
            list(variables)
        ),
        Warning::OneAtATime { pairs, measure } => format!(
            "the measured combinations change one variable at a time: whether {} multiply \
             each other is unknown; measure for example {measure}",
            together(pairs)
        ),
        Warning::NotPositive { points, of, first } => format!(
            "{points} of {of} points {} zero or negative (the first at {first}) and {} no relative \
             error; measure longer times, or use absolute weights",
            if *points == 1 { "is" } else { "are" },
            if *points == 1 { "was left out: it has" } else { "were left out: they have" }
        ),
        Warning::NotPositiveObservations { observations } => format!(
            "{} zero or negative: they may be too short for the clock",
            count(*observations, "single observation is", "single observations are")
        ),
        Warning::OutliersLeftOut { points, observations } => format!(
            "left out as outliers: {} and {}",
            count(*points, "point", "points"),
            count(*observations, "single observation", "single observations")
        ),
        Warning::AllAlike { value } => format!(
            "every observation is {}: the clock may be too coarse, or the region does not \
             depend on the variables",
            amount(*value)
        ),
        Warning::FewPoints { points, constants } => format!(
            "{} for {}: errors and bands are unreliable; measure more sizes",
            count(*points, "point", "points"),
            count(*constants, "constant", "constants")
        ),
        Warning::FirstCall { variables, points, largest, p90, largest_without, p90_without } => {
            let errors = format!(
                "at most {} instead of {}, 90 % within {} instead of {}",
                percent_or_zero(*largest_without),
                percent_or_zero(*largest),
                percent_or_zero(*p90_without),
                percent_or_zero(*p90)
            );
            first_calls(variables, points, &errors)
        }
        _ => return None,
    })
}

/// Says which points are of first calls, what the errors are without them, and by which options they are left out.
fn first_calls(variables: &[String], points: &[Vec<f64>], errors: &str) -> String {
    let places: Vec<String> = points.iter().map(|values| place(variables, values)).collect();
    let options: Vec<String> = points.iter().map(|values| hold_out(variables, values)).collect();
    let (are, pronoun) = match points.len() {
        1 => ("is one call, the first of each launch, and", "it"),
        _ => ("are one call each, the first of each launch, and", "them"),
    };
    format!(
        "{} {are} far from the other points; first calls may warm up caches or a library. Without {pronoun} errors are \
         {errors}: {}",
        places.join("; "),
        options.join(" ")
    )
}

/// The option that leaves out a point. It has all digits, since the option expects them.
fn hold_out(variables: &[String], values: &[f64]) -> String {
    let pairs = variables.iter().zip(values);
    let pairs: Vec<String> = pairs.map(|(name, value)| format!("{name}={value}")).collect();
    format!("--hold-out {}", pairs.join(","))
}

/// `N and P`, `N and P, or N and M`
fn together(pairs: &[(String, String)]) -> String {
    let all: Vec<String> = pairs.iter().map(|(a, b)| format!("{a} and {b}")).collect();
    all.join(", or ")
}
