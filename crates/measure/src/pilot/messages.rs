//! Lists what `--auto` does not measure, in words.

use cll_result::NotMeasured;
use cll_samples::pilot::{MAX_SHARE, MIN_TIMES, Passed, Unfit};

use super::regions;
use crate::Error;
use crate::build::Sources;
use cll_units::text::{PercentDigits, percent};

/// Names in a message at most.
const MOST_NAMED: usize = 5;

/// Lists the regions that the translator could not place.
pub fn cannot(sources: &Sources) -> Vec<NotMeasured> {
    let units = sources.units.iter();
    let all = units.flat_map(|unit| {
        unit.translation.left_out.iter().map(|out| NotMeasured {
            name: out.name.clone(),
            place: format!("{}:{}", unit.name(), out.line),
            why: out.why.clone(),
            passages: None,
            seconds: None,
            cost: None,
        })
    });
    all.collect()
}

/// Describes a region that a run showed to be unfit: `longest` has the passages of the longest run and its seconds,
/// `marker` the seconds of the markers of one passage.
pub fn not_measured(
    sources: &Sources,
    name: &str,
    why: Unfit,
    longest: Option<&(Vec<Passed>, f64)>,
    marker: f64,
) -> NotMeasured {
    let known = longest.and_then(|(all, _)| all.iter().find(|passage| passage.name == name));
    let seconds = longest.map_or(1.0, |(_, seconds)| *seconds);
    let place = regions(sources).into_iter().find(|(known, _)| known == name);
    let why = match why {
        Unfit::Short => format!(
            "a passage takes less than {MIN_TIMES} times its markers ({:.0} ns)",
            1e9 * marker
        ),
        Unfit::Often => "it is passed too often".to_owned(),
        Unfit::Costly => format!(
            "measuring it costs most, and all together would cost more than {}",
            percent(MAX_SHARE, PercentDigits::Decimals(0))
        ),
    };
    NotMeasured {
        name: name.to_owned(),
        place: place.map(|(_, place)| place).unwrap_or_default(),
        why,
        passages: known.map(|passage| passage.passages),
        seconds: known.map(Passed::each),
        cost: known.map(|passage| passage.cost(marker) / seconds),
    }
}

fn in_words(measurement: &NotMeasured) -> String {
    let passages = measurement.passages.unwrap_or_default();
    let each = measurement.seconds.unwrap_or_default();
    format!("{} ({passages:.0} passages of {:.0} ns)", measurement.name, 1e9 * each)
}

/// The translator found nothing.
pub fn nothing(left_out: &[NotMeasured], has_cxx: bool) -> Error {
    let why = left_out.iter().take(MOST_NAMED);
    let why: Vec<String> =
        why.map(|measurement| format!("{}: {}", measurement.place, measurement.why)).collect();
    Error::NoRegion { why, has_cxx }
}

/// The pilot left nothing.
pub fn all_too_short(left_out: &[NotMeasured]) -> Error {
    let named =
        left_out.iter().filter(|measurement| measurement.seconds.is_some()).take(MOST_NAMED);
    let named: Vec<String> = named.map(in_words).collect();
    Error::ShortRegions(named)
}
