//! Intervals of validity of each constant, in the form of Table 2 of the 2003 paper.

use cll_fit::{Bound, Boundary, ConstantValues, Estimate, Fit, Split, Unit};
use cll_units::Bytes;

use super::formula::{half_width, place_of_segment, region};
use super::memory::{TouchedMemory, full_cache};
use crate::Notation;
use crate::document::{Block, Section};
use crate::style::{Role, Style};

/// The sets of values and intervals, and what is known of the boundaries. Empty if there is one
/// interval, and no levels.
pub(crate) fn section(fit: &Fit, memory: Option<TouchedMemory<'_>>, style: &Style) -> Section {
    if fit.intervals.len() < 2 {
        return Section::default();
    }
    let notation = style.notation();
    let sets = fit.constants.iter().map(|constant| {
        let set =
            format!("= {}", set(constant, fit, style, |estimate| rounded(estimate, fit, style)));
        (notation.text(&constant.constant), set, Role::Plain)
    });
    let mut blocks = vec![Block::Named(sets.collect()).in_terminal()];
    let texts = boundaries(fit, memory, style).into_iter();
    blocks.extend(texts.map(|text| Block::paragraph(text, Role::Plain)));
    blocks.extend(others(fit, style).map(|text| Block::paragraph(text, Role::Faint)));
    if !fit.splits.is_empty() {
        let count = notation.count(fit.intervals.len(), "region", "regions");
        let axes: Vec<String> = axes(fit).into_iter().map(|axis| notation.text(axis)).collect();
        return Section::new(
            "Regions of validity",
            format!("{count} of {}", axes.join(", ")),
            blocks,
        )
        .on_page("Where regions meet", "");
    }
    let axis = notation.text(fit.axis.as_deref().unwrap_or_default());
    let count = notation.count(fit.intervals.len(), "interval", "intervals");
    Section::new("Intervals of validity", format!("{count} of {axis}"), blocks)
        .on_page("Where intervals meet", "")
}

/// The axes that regions are divided along, each once.
fn axes(fit: &Fit) -> Vec<&str> {
    let mut axes: Vec<&str> = Vec::new();
    for split in &fit.splits {
        if !axes.contains(&split.axis.as_str()) {
            axes.push(&split.axis);
        }
    }
    axes
}

/// A text for each boundary between regions, with the region that it divides.
fn splits(fit: &Fit, memory: Option<TouchedMemory<'_>>, style: &Style) -> Vec<String> {
    let notation = style.notation();
    let each = fit.splits.iter().enumerate().map(|(index, split)| {
        let axis = notation.text(&split.axis);
        let inside = shared_bounds(fit, split);
        let within = if inside.is_empty() {
            String::new()
        } else {
            format!("Where {}: ", region(&inside, notation))
        };
        let mut text = boundary_text(&split.boundary, &axis, fit, style);
        if !within.is_empty() {
            text = format!("{within}{}", text.replacen("The boundary", "the boundary", 1));
        }
        let compared = memory.and_then(|memory| {
            let bytes = fit.working_set(memory.working_set).ok()?.at_split(index)?;
            Some(comparison(bytes, memory, style))
        });
        compared.map_or(text.clone(), |compared| format!("{text} {compared}"))
    });
    each.collect()
}

/// The bounds that all regions on both sides of a division have in common.
fn shared_bounds(fit: &Fit, split: &Split) -> Vec<Bound> {
    let Some(first) = fit.intervals.get(split.below.0) else { return Vec::new() };
    let inside = &fit.intervals[split.below.0..=split.above.1.min(fit.intervals.len() - 1)];
    let everywhere = |bound: &&Bound| inside.iter().all(|other| other.region.contains(bound));
    first.region.iter().filter(everywhere).cloned().collect()
}

/// A text for each boundary.
fn boundaries(fit: &Fit, memory: Option<TouchedMemory<'_>>, style: &Style) -> Vec<String> {
    if !fit.splits.is_empty() {
        return splits(fit, memory, style);
    }
    let axis = style.notation().text(fit.axis.as_deref().unwrap_or_default());
    let each = fit.boundaries.iter().enumerate().map(|(index, boundary)| {
        let text = boundary_text(boundary, &axis, fit, style);
        let compared = memory.and_then(|memory| {
            let bytes = fit.working_set(memory.working_set).ok()?.at_boundary(index)?;
            Some(comparison(bytes, memory, style))
        });
        match compared {
            Some(comparison) => format!("{text} {comparison}"),
            None => text,
        }
    });
    each.collect()
}

/// The weight of other divisions, if it is large.
fn others(fit: &Fit, style: &Style) -> Option<String> {
    let others: f64 = fit.alternatives.iter().map(|a| a.weight).sum();
    (others >= 0.01).then(|| {
        format!(
            "Other divisions are possible too, with {} of the weight; they widen the intervals of \
             predictions.",
            style.notation().percent(others)
        )
    })
}

/// `{(608.8 ps, N in [64, 1579]), (1.901 ns, N > 1579)}`
pub(crate) fn set(
    constant: &ConstantValues,
    fit: &Fit,
    style: &Style,
    value: impl Fn(&Estimate) -> String,
) -> String {
    let notation = style.notation();
    let segments: Vec<String> = constant
        .segments
        .iter()
        .map(|segment| {
            let estimate = &segment.estimate;
            let value = value(estimate);
            let place = place_of_segment(fit, segment, notation);
            let place = place.or_else(|| {
                // Everywhere: from the first measured value on.
                let first = fit.intervals.first()?.first;
                let name = notation.text(fit.axis.as_deref()?);
                let least = style.glyph("≥", ">=");
                Some(format!("{name} {least} {}", notation.number(first)))
            });
            match place {
                Some(place) => format!("({value}, {place})"),
                None => format!("({value})"),
            }
        })
        .collect();
    format!("{{{}}}", segments.join(", "))
}

/// The value of a constant to the digits it is worth.
fn rounded(estimate: &Estimate, fit: &Fit, style: &Style) -> String {
    estimate.value.map_or("not determined".to_owned(), |value| {
        let digits = Notation::digits(value, half_width(estimate));
        style.notation().rounded(value, digits, &fit.unit)
    })
}

fn boundary_text(boundary: &Boundary, axis: &str, fit: &Fit, style: &Style) -> String {
    let notation = style.notation();
    let number = |v: f64| notation.number(v);
    let (low, high) = (boundary.last_left, boundary.first_right);
    let mut text = format!(
        "The boundary at {axis} = {} lies somewhere between {} and {}, the measured values next \
         to it",
        number(boundary.at),
        number(low),
        number(high)
    );
    let (least, most) = boundary.plausible;
    if least < low || most > high {
        text.push_str(&format!(
            "; with {} confidence between {} and {}",
            notation.percent(fit.options.confidence),
            number(least),
            number(most)
        ));
    }
    text.push('.');
    text
}

/// `There the working set (8*N*N) is 45.1 .. 50 KiB, as large as L1 (48 KiB).`
pub(crate) fn comparison(
    (low, high): (f64, f64),
    memory: TouchedMemory<'_>,
    style: &Style,
) -> String {
    let notation = style.notation();
    let unit = Unit::Other("B".to_owned());
    let expression = notation.text(memory.working_set);
    let mut text = format!(
        "There the working set ({expression}) is between {} and {}",
        notation.rounded(low, 3, &unit),
        notation.rounded(high, 3, &unit)
    );
    let named = |(name, bytes): &(String, Bytes)| {
        format!("{} ({})", notation.text(name), notation.bytes(bytes.get()))
    };
    match full_cache((low, high), memory) {
        Some(cache) => text.push_str(&format!(", as large as {}", named(cache))),
        None => {
            let smaller = memory.caches.iter().rfind(|(_, bytes)| bytes.as_f64() < low);
            let larger = memory.caches.iter().find(|(_, bytes)| bytes.as_f64() > high);
            if let Some(cache) = smaller {
                text.push_str(&format!(", more than {}", named(cache)));
            }
            if let Some(cache) = larger {
                text.push_str(&format!(", less than {}", named(cache)));
            }
        }
    }
    text.push('.');
    text
}
