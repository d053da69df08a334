//! Where a program spends its time: functions and loops by their predicted share.

use cll_fit::Unit;
use cll_result::{MarkerCost, NotMeasured, Ranking, TotalTime};

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
pub(crate) fn section(ranking: &Ranking, style: &Style) -> Section {
    let notation = style.notation();
    let mut blocks = vec![Block::table(spots(ranking, notation), "Hot spots")];
    let listed = listed(ranking);
    if listed < ranking.spots.len() {
        let rest: f64 = ranking.spots[listed..].iter().map(|spot| spot.share).sum();
        let (one, several) = match ranking.of_experiments {
            true => ("experiment", "experiments"),
            false => ("region", "regions"),
        };
        let count = notation.count(ranking.spots.len() - listed, one, several);
        let text = format!("{count} more: {} together", notation.percent(rest));
        blocks.push(Block::paragraph(text, Role::Faint));
    }
    if let Some(total) = &ranking.total {
        blocks.push(Block::paragraph(whole(ranking, total, notation), Role::Plain));
    }
    if let Some(markers) = &ranking.markers {
        blocks.push(Block::paragraph(overhead(markers, notation), Role::Plain));
    }
    if ranking.is_beyond {
        let text = "This size is outside of the measured sizes: the shares are extrapolated.";
        blocks.push(Block::marked(text.to_owned(), Role::Caution));
    }
    if !ranking.left_out.is_empty() {
        blocks.push(Block::paragraph("Not measured, so part of what calls them:", Role::Plain));
        let of = ranking.left_out.len();
        let table = left_out(&ranking.left_out, notation);
        blocks.push(Block::table(table, "Not measured"));
        if of > MAX_LEFT_OUT {
            let text = format!("and {} more", of - MAX_LEFT_OUT);
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
    let at = values(&ranking.at, notation);
    let observed =
        ranking.observable.as_deref().map_or("time".to_owned(), |name| notation.text(name));
    let what = match ranking.of_experiments {
        true => "shares of the sum of all experiments".to_owned(),
        false => format!("{observed} without the regions inside"),
    };
    let remark = match at.is_empty() {
        true => what,
        false => format!("at {at}; {what}"),
    };
    let title = if ranking.of_experiments { "Ranking" } else { "Hot spots" };
    Section::new(title, remark, blocks)
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

/// `N = 4096, P = 2`.
fn values(at: &[(String, f64)], notation: Notation) -> String {
    let all = at
        .iter()
        .map(|(name, value)| format!("{} = {}", notation.text(name), notation.number(*value)));
    all.collect::<Vec<_>>().join(", ")
}

/// What the markers cost that remain.
fn overhead(markers: &MarkerCost, notation: Notation) -> String {
    let at = match markers.at.is_empty() {
        true => String::new(),
        false => format!(" at {}", values(&markers.at, notation)),
    };
    let known = if markers.is_measured { "measured" } else { "assumed" };
    format!(
        "Overhead of the markers: {} of the run{at} ({} of {}, {known}).",
        notation.percent(markers.share),
        notation.count(markers.passages.round() as usize, "passage", "passages"),
        notation.quantity(markers.each, &Unit::Seconds),
    )
}

fn unit(ranking: &Ranking) -> Unit {
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
    let name = match ranking.of_experiments {
        true => Column::left("experiment").flexible(),
        false => Column::left("region"),
    };
    let mut columns = vec![Column::right("share"), name];
    columns.extend(has_places.then(|| Column::left("place")));
    columns.extend([
        Column::right(if is_time { "time" } else { "value" }),
        Column::left("interval"),
        Column::left("formula").flexible(),
    ]);
    let mut table = Table::new(columns);
    for spot in &ranking.spots[..listed(ranking)] {
        let mut cells = vec![
            Cell::new(notation.percent(spot.share)),
            Cell::new(notation.text(&spot.name)).role(Role::Title),
        ];
        cells.extend(has_places.then(|| Cell::new(notation.text(&spot.place))));
        cells.extend([
            Cell::new(notation.quantity(spot.time.value, &unit)),
            Cell::new(notation.range(spot.time.low, spot.time.high, &unit)),
            Cell::new(formula(&spot.name, &spot.time, &unit, ranking.is_beyond, notation)),
        ]);
        table.row(cells);
    }
    table
}

/// The formula, with the number of those that can hardly be distinguished from it.
fn formula(
    name: &str,
    time: &TotalTime,
    unit: &Unit,
    is_beyond: bool,
    notation: Notation,
) -> String {
    let Some(formula) = &time.formula else {
        return if is_beyond { "as measured at the largest" } else { "measured there" }.to_owned();
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

fn whole(ranking: &Ranking, total: &TotalTime, notation: Notation) -> String {
    let unit = unit(ranking);
    let value = notation.quantity(total.value, &unit);
    let range = notation.range(total.low, total.high, &unit);
    let covered = ranking.covered.map_or(String::new(), |covered| {
        format!("; the regions besides main cover {} of it", notation.percent(covered))
    });
    format!("The whole program: {value} ({range}){covered}.")
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
    for one in all.iter().take(MAX_LEFT_OUT) {
        let none = || "-".to_owned();
        table.row([
            Cell::new(notation.text(&one.name)),
            Cell::new(notation.text(&one.place)),
            Cell::new(one.passages.map_or_else(none, |count| notation.number(count.round()))),
            Cell::new(
                one.seconds.map_or_else(none, |each| notation.quantity(each, &Unit::Seconds)),
            ),
            Cell::new(one.cost.map_or_else(none, |share| notation.percent(share))),
            Cell::new(notation.text(&one.why)),
        ]);
    }
    table
}
