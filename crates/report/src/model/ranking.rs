//! Where a program spends its time: functions and loops by their predicted share.

use cll_fit::Unit;
use cll_result::{Estimate, MarkerCost, NotMeasured, Ranking, Sampling, TotalTime};

use super::measuring::more_than;
use crate::Notation;
use crate::document::{Block, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table};

/// Regions with a smaller share are counted, not listed.
const MIN_SHARE: f64 = 0.001;
/// Regions that are listed at most.
const MAX_SPOTS: usize = 20;
/// Regions that are not measured and are listed at most.
const MAX_LEFT_OUT: usize = 12;

/// The section before all experiments.
pub(crate) fn section(ranking: &Ranking, sampling: Option<&Sampling>, style: &Style) -> Section {
    let notation = style.notation();
    let mut blocks = vec![Block::table(spots(ranking, notation), "Hot spots")];
    let listed = listed(ranking);
    if listed < ranking.spots.len() {
        let rest: f64 = ranking.spots[listed..].iter().map(|spot| spot.share).sum();
        let (singular, several) = if ranking.of_experiments {
            ("experiment", "experiments")
        } else {
            ("region", "regions")
        };
        let count = notation.count(ranking.spots.len() - listed, singular, several);
        let text = format!("{count} more: {} together", notation.percent(rest));
        blocks.push(Block::paragraph(text, Role::Faint));
    }
    if let Some(total) = &ranking.total {
        blocks.push(Block::paragraph(total_text(ranking, total, notation), Role::Plain));
    }
    if let Some(markers) = &ranking.markers {
        let more = sampling.and_then(|sampling| more_than(sampling, markers.share));
        blocks.push(Block::paragraph(overhead(markers, more, notation), Role::Plain));
    }
    if !ranking.asked.is_empty() {
        let text = format!(
            "No formula fits all regions that matter: their shares at {} are not known, and those of the largest measured \
             values are shown.",
            notation.values(&ranking.asked)
        );
        blocks.push(Block::marked(text, Role::Caution));
    }
    if ranking.is_beyond {
        let text = "This size is outside of the measured sizes: the shares are extrapolated.";
        blocks.push(Block::marked(text.to_owned(), Role::Caution));
    }
    if !ranking.left_out.is_empty() {
        blocks.push(Block::paragraph("Not measured, so part of what calls them:", Role::Plain));
        let left_out_count = ranking.left_out.len();
        let table = left_out(&ranking.left_out, notation);
        blocks.push(Block::table(table, "Not measured"));
        if left_out_count > MAX_LEFT_OUT {
            let text = format!("and {} more", left_out_count - MAX_LEFT_OUT);
            blocks.push(Block::paragraph(text, Role::Faint));
        }
    }
    if !ranking.not_reached.is_empty() {
        let names: Vec<String> =
            ranking.not_reached.iter().map(|name| notation.text(name)).collect();
        let text = format!(
            "Not completed in any run (not reached, or left by longjmp or exit): {}",
            names.join(", ")
        );
        blocks.push(Block::paragraph(text, Role::Faint));
    }
    let title = if ranking.of_experiments { "Ranking" } else { "Hot spots" };
    Section::new(title, remark(ranking, notation), blocks)
}

/// Where it is ranked, and by what.
pub(crate) fn remark(ranking: &Ranking, notation: Notation) -> String {
    let observed =
        ranking.observable.as_deref().map_or("time".to_owned(), |name| notation.text(name));
    let what = if ranking.of_experiments {
        "shares of the sum of all experiments".to_owned()
    } else {
        format!("{observed} without the regions inside")
    };
    let values = notation.values(&ranking.at);
    if !ranking.run.is_empty() {
        format!("in a run of {}; {what}", notation.text(&ranking.run.join(" ")))
    } else if values.is_empty() {
        what
    } else {
        format!("at {values}; {what}")
    }
}

/// Whether an experiment has a part of its own: it is large enough, and there is more to say than in the table.
pub(crate) fn is_notable(ranking: &Ranking, name: &str, has_fit: bool) -> bool {
    /// Smaller ones are in the table only.
    const MIN_PART: f64 = 0.01;
    if ranking.of_experiments {
        return true;
    }
    let spot = ranking.spots.iter().find(|spot| spot.name == name);
    spot.is_none_or(|spot| spot.share >= MIN_PART && (has_fit || spot.time.formula.is_none()))
}

/// The cost of the markers that remain. `more`: that of measuring, if it is larger.
fn overhead(markers: &MarkerCost, more: Option<String>, notation: Notation) -> String {
    if let Some(share) = more {
        return format!(
            "Overhead of measuring: {share} of the run, by runs without markers. The markers alone take less: the compiler made \
             other code because of them, or the machine was disturbed."
        );
    }
    let place = if markers.at.is_empty() {
        String::new()
    } else {
        format!(" at {}", notation.values(&markers.at))
    };
    let known = if markers.is_measured { "measured" } else { "assumed" };
    format!(
        "Overhead of the markers: {} of the run{place} ({} of {}, {known}).",
        notation.percent(markers.share),
        notation.count(markers.passages.round() as usize, "passage", "passages"),
        notation.quantity(markers.each, &Unit::Seconds),
    )
}

/// The unit of its values.
pub(crate) fn unit(ranking: &Ranking) -> Unit {
    ranking.unit.clone().map_or(Unit::Seconds, Unit::Other)
}

fn listed(ranking: &Ranking) -> usize {
    let count = ranking.spots.iter().take_while(|spot| spot.share >= MIN_SHARE).count();
    count.clamp(1, MAX_SPOTS).min(ranking.spots.len())
}

fn spots(ranking: &Ranking, notation: Notation) -> Table {
    let unit = unit(ranking);
    let is_time = ranking.observable.is_none();
    let has_places = ranking.spots.iter().any(|spot| !spot.place.is_empty());
    let name = if ranking.of_experiments {
        Column::left("experiment").flexible()
    } else {
        Column::left("region")
    };
    let mut columns = vec![Column::right("share"), name];
    columns.extend(has_places.then(|| Column::left("place")));
    let is_run = !ranking.run.is_empty();
    columns
        .extend([Column::right(if is_time { "time" } else { "value" }), Column::left("interval")]);
    let asked = notation.values(&ranking.asked);
    columns.extend((!asked.is_empty()).then(|| Column::left(&format!("at {asked}"))));
    columns.extend(is_run.then(|| Column::right("passages")));
    let formulas = if is_run { "formula of a passage" } else { "formula" };
    columns.push(Column::left(formulas).flexible());
    let mut table = Table::new(columns);
    for spot in &ranking.spots[..listed(ranking)] {
        let estimate = |text_of: &dyn Fn(&Estimate) -> String| {
            spot.time.estimate.as_ref().map_or_else(|| "-".to_owned(), text_of)
        };
        let mut cells = vec![
            Cell::new(estimate(&|_| notation.percent(spot.share))),
            Cell::new(notation.text(&spot.name)).role(Role::Title),
        ];
        cells.extend(has_places.then(|| Cell::new(notation.text(&spot.place))));
        cells.extend([
            Cell::new(estimate(&|time| notation.quantity(time.value, &unit))),
            Cell::new(estimate(&|time| notation.range(time.low, time.high, &unit))),
        ]);
        cells
            .extend((!asked.is_empty()).then(|| Cell::new(predicted(&spot.time, &unit, notation))));
        cells.extend(is_run.then(|| Cell::new(notation.number(spot.passages))));
        cells.push(Cell::new(formula(&spot.name, &spot.time, &unit, notation)));
        table.row(cells);
    }
    table
}

/// The formula, with the number of those that can hardly be distinguished from it.
pub(crate) fn formula(name: &str, time: &TotalTime, unit: &Unit, notation: Notation) -> String {
    let Some(formula) = &time.formula else {
        let has_time = time.estimate.is_some();
        return if has_time { "no formula: measured there" } else { "no formula: not predicted" }
            .to_owned();
    };
    // Names that no constant can have are those of other programs.
    let name = formula.split('[').next().filter(|start| !start.is_empty()).unwrap_or(name);
    let mut text = formula.clone();
    for (index, value) in time.constants.iter().enumerate() {
        let value = notation.rounded(*value, 3, unit);
        text = text.replace(&format!("{name}[{index}]"), &value);
    }
    let ties = match time.ties.len() {
        0 => String::new(),
        count => format!(" ({})", notation.count(count, "tie", "ties")),
    };
    notation.text(&text) + &ties
}

/// The time at the asked values, or that there is none.
pub(crate) fn predicted(time: &TotalTime, unit: &Unit, notation: Notation) -> String {
    time.predicted.map_or("no formula: not predicted".to_owned(), |predicted| {
        format!(
            "{} ({})",
            notation.quantity(predicted.value, unit),
            notation.range(predicted.low, predicted.high, unit)
        )
    })
}

/// The whole program, and how far the regions add up to it.
pub(crate) fn total_text(ranking: &Ranking, total: &TotalTime, notation: Notation) -> String {
    let unit = unit(ranking);
    let value = total.estimate.map_or("no formula: not predicted".to_owned(), |estimate| {
        let range = notation.range(estimate.low, estimate.high, &unit);
        format!("{} ({range})", notation.quantity(estimate.value, &unit))
    });
    let asked = if ranking.asked.is_empty() {
        String::new()
    } else {
        let asked = notation.values(&ranking.asked);
        format!("; at {asked}: {}", predicted(total, &unit, notation))
    };
    let regions = if ranking.run.is_empty() { "the regions besides main" } else { "the regions" };
    let covered = ranking.covered.map_or(String::new(), |covered| {
        format!("; {regions} cover {} of it", notation.percent(covered))
    });
    let sum = ranking.sum.map_or(String::new(), |sum| {
        let than = if sum.excess > 0.0 { "more" } else { "less" };
        format!(
            " All regions together: {}, {} {than} than that, since each is estimated by itself.",
            notation.quantity(sum.value, &unit),
            notation.percent(sum.excess.abs()),
        )
    });
    format!("The whole program: {value}{covered}{asked}.{sum}")
}

fn left_out(all: &[NotMeasured], notation: Notation) -> Table {
    let mut table = Table::new(vec![
        Column::left("name").flexible(),
        Column::left("place"),
        Column::right("passages"),
        Column::right("each"),
        Column::right("cost"),
        Column::left("why").flexible(),
    ]);
    for measurement in all.iter().take(MAX_LEFT_OUT) {
        let none = || "-".to_owned();
        table.row([
            Cell::new(notation.text(&measurement.name)),
            Cell::new(notation.text(&measurement.place)),
            Cell::new(
                measurement.passages.map_or_else(none, |count| notation.number(count.round())),
            ),
            Cell::new(
                measurement
                    .seconds
                    .map_or_else(none, |each| notation.quantity(each, &Unit::Seconds)),
            ),
            Cell::new(measurement.cost.map_or_else(none, |share| notation.percent(share))),
            Cell::new(notation.text(&measurement.why)),
        ]);
    }
    table
}

#[cfg(test)]
mod tests {
    use cll_result::{HotSpot, RegionSum};

    use super::*;
    use crate::document::Document;

    fn estimate(value: f64) -> Option<Estimate> {
        Some(Estimate { value, low: 0.9 * value, high: 1.1 * value })
    }

    fn time(formula: Option<&str>, measured: f64, predicted: Option<f64>) -> TotalTime {
        TotalTime {
            formula: formula.map(str::to_owned),
            constants: vec![2e-6],
            ties: Vec::new(),
            estimate: estimate(measured),
            predicted: predicted.and_then(estimate),
            why: None,
        }
    }

    fn spot(name: &str, share: f64, time: TotalTime) -> HotSpot {
        let (name, place) = (name.to_owned(), format!("{name}.c:1"));
        HotSpot { name, place, share, time, passages: 3.0, measured: 1.0 }
    }

    fn ranking() -> Ranking {
        Ranking {
            at: vec![("N".to_owned(), 300.0)],
            is_beyond: false,
            asked: vec![("N".to_owned(), 3000.0)],
            run: Vec::new(),
            observable: None,
            unit: None,
            total: Some(time(None, 0.4, None)),
            covered: None,
            sum: Some(RegionSum { value: 0.6, excess: 0.5 }),
            spots: vec![
                spot("odd", 0.7, time(None, 0.3, None)),
                spot("line", 0.3, time(Some("line[0]*N"), 0.1, Some(1.0))),
            ],
            left_out: Vec::new(),
            not_reached: Vec::new(),
            of_experiments: false,
            markers: None,
        }
    }

    fn text(ranking: &Ranking) -> String {
        let style = Style { width: 140, color: false, unicode: false };
        Document::new([section(ranking, None, &style)]).text(&style)
    }

    fn row<'a>(text: &'a str, name: &str) -> &'a str {
        let mut rows = text.lines().filter(|line| line.contains(name));
        rows.next().unwrap_or_else(|| panic!("no {name} in {text}"))
    }

    #[test]
    fn what_is_not_predicted_has_no_number() {
        let text = text(&ranking());
        assert!(text.contains("at N = 300;"), "{text}");
        let odd = row(&text, "odd.c:1");
        assert!(odd.contains("300 ms") && odd.contains("no formula: not predicted"), "{odd}");
        let line = row(&text, "line.c:1");
        assert!(line.contains("1.00 s") && line.contains("2.0"), "{line}");
        assert!(text.contains("their shares at N = 3000 are not known"), "{text}");
        let joined = text.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(joined.contains("at N = 3000: no formula: not predicted"), "{text}");
        assert!(joined.contains("All regions together: 600 ms, 50 % more than that"), "{text}");
    }

    #[test]
    fn a_measured_run_is_named_with_its_passages() {
        let run = vec!["prog".to_owned(), "300".to_owned()];
        let text = text(&Ranking { at: Vec::new(), asked: Vec::new(), run, ..ranking() });
        assert!(text.contains("in a run of prog 300;"), "{text}");
        assert!(text.contains("passages") && text.contains("formula of a passage"), "{text}");
    }
}
