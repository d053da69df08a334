//! The processors of a parallel program: imbalance, and how they began samples.

use cll_diagnostic::counted;
use cll_result::{ImbalanceModel, SyncModel};

use crate::document::{Block, Section};
use crate::style::Role;
use cll_units::text::{PercentDigits, percent_of};

/// The times of the slowest and fastest processor, compared with the mean.
pub(crate) fn imbalance(model: &ImbalanceModel) -> Section {
    let text = format!(
        "the slowest of each passage is fitted: it took {:.2} times the mean, the fastest {:.2}",
        model.slowest, model.fastest
    );
    let rows = [
        (
            "processors",
            format!(
                "up to {} together, in {}",
                model.processors,
                counted(model.passages as usize, "passage", "passages")
            ),
        ),
        ("slowest", format!("{:.2} times the mean", model.slowest)),
        ("fastest", format!("{:.2} times the mean", model.fastest)),
        // The others wait for the slowest, if there is a barrier after the passage.
        (
            "in use",
            format!(
                "{} of the processors' time until the slowest is done",
                percent_of(1.0, model.slowest.max(1.0), PercentDigits::Decimals(0))
            ),
        ),
    ];
    let blocks = vec![Block::line(text).in_terminal(), named(rows).on_page()];
    Section { blocks, ..Section::plain(format!("Processors (up to {})", model.processors)) }
        .on_page("Processors", "the slowest of each passage is fitted")
}

/// How the processors began the samples together.
pub(crate) fn sync(model: &SyncModel) -> Section {
    let SyncModel { barrier, window, late, left_out, within_ns } = *model;
    let mut blocks = Vec::new();
    if window > 0 {
        let clocks = match within_ns {
            0 => String::new(),
            _ => format!(" by clocks that are known within {:.1} µs", within_ns as f64 * 1e-3),
        };
        let late = match (late, left_out) {
            (0, _) => String::new(),
            (_, 0) => format!("; {late} began late"),
            _ => format!("; {late} began late: {left_out} of their passages are left out"),
        };
        let text =
            format!("{window} samples at a time that the processors had agreed upon{clocks}{late}");
        blocks.push(Block::line(text).in_terminal());
    }
    if barrier > 0 {
        blocks.push(Block::line(format!("{barrier} samples behind a barrier")).in_terminal());
    }
    let clocks = match within_ns {
        0 => "all have one clock".to_owned(),
        within => format!("their clocks are known within {:.1} µs", within as f64 * 1e-3),
    };
    let rows = [
        ("at an agreed time", window, format!("{window} samples; {clocks}")),
        ("late", late, format!("{late}; {left_out} samples of passages left out")),
        ("behind a barrier", barrier, format!("{barrier} samples")),
    ];
    let known = rows.into_iter().filter(|(_, count, _)| *count > 0);
    blocks.push(named(known.map(|(name, _, text)| (name, text))).on_page());
    Section { blocks, ..Section::plain("Begun together") }
        .on_page("Begun together", "before each sample the processors wait for each other")
}

fn named(rows: impl IntoIterator<Item = (&'static str, String)>) -> Block {
    let rows = rows.into_iter().map(|(name, text)| (name.to_owned(), text, Role::Plain));
    Block::Named(rows.collect())
}
