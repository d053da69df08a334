//! How the time of a program changes if a machine or a block becomes faster, as `cll what-if --json` writes it.

use cll_fit::Fit;
use cll_model::{
    Changed, Draws, Influence, Pricing, Program, Quantities, Quantity, QuantityKind, what_if,
};
use serde::Serialize;

use crate::doubt::Doubts;
use crate::error::ChangeError;

/// A change to the costs. Factors are of times: 0.5 if something takes half of the time.
#[derive(Clone, Debug, PartialEq)]
pub struct Change {
    /// g and L.
    pub network: f64,
    /// The factor for time that waits for memory.
    pub memory: f64,
    /// All computation.
    pub computation: f64,
    /// Blocks, experiments or constants by name.
    pub blocks: Vec<(String, f64)>,
}

/// A range of a number.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Between {
    /// The number.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The answer for one set of values.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WhatIfPoint {
    /// The values of the variables.
    pub at: Vec<(String, f64)>,
    /// The time as it is, seconds.
    pub before_s: Between,
    /// The changed time, seconds.
    pub after_s: Between,
    /// After divided by before.
    pub ratio: Between,
    /// The parts of the time, the largest share first.
    pub sensitivity: Vec<Sensitivity>,
    /// Notes that the reader should know.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// The influence of a part on the total.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Sensitivity {
    /// The block's constant, g, L.
    pub name: String,
    /// `computation`, `constant`, `g`, `l`, `experiment`.
    pub kind: &'static str,
    /// Share of the total: if it grows by 1 %, the total grows by this share of 1 %.
    pub share: f64,
    /// The factor of its time.
    pub factor: f64,
}

/// Answers as `cll what-if --json` writes them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct WhatIf {
    format: &'static str,
    version: u32,
    /// The program.
    pub subject: String,
    /// The machine; empty for a model of measured times.
    pub machine: String,
    /// The changes in words.
    pub changes: Vec<String>,
    /// Confidence of the intervals.
    pub confidence: f64,
    /// By values.
    pub points: Vec<WhatIfPoint>,
    /// The doubts in the models that the times are from.
    #[serde(flatten)]
    pub doubts: Doubts,
}

impl Default for Change {
    fn default() -> Change {
        Change { network: 1.0, memory: 1.0, computation: 1.0, blocks: Vec::new() }
    }
}

impl Change {
    /// In words.
    pub fn texts(&self) -> Vec<String> {
        let faster = |name: &str, factor: f64| match factor {
            1.0 => None,
            factor => Some(format!("{name} {}x as fast", digits(1.0 / factor))),
        };
        let blocks = self.blocks.iter();
        [("network", self.network), ("memory", self.memory), ("computation", self.computation)]
            .into_iter()
            .filter_map(|(name, factor)| faster(name, factor))
            .chain(
                blocks.map(|(name, factor)| format!("{name} in {}x of its time", digits(*factor))),
            )
            .collect()
    }

    /// The factor of the blocks that a name belongs to: `combine`, `combine[1]`, and `combine[1] (N > 32)` belong to
    /// `combine`.
    fn of_block(&self, name: &str) -> f64 {
        let plain = name.split(" (").next().unwrap_or(name);
        let block = plain.split('[').next().unwrap_or(plain);
        let is_it = |wanted: &str| wanted == plain || wanted == block;
        self.blocks.iter().filter(|(wanted, _)| is_it(wanted)).map(|(_, factor)| factor).product()
    }

    /// The names of blocks that are none of these.
    pub fn unknown<'a>(&'a self, names: &[String]) -> Option<&'a str> {
        let is_known = |wanted: &str| {
            names.iter().any(|name| {
                let plain = name.split(" (").next().unwrap_or(name);
                plain == wanted || plain.split('[').next() == Some(wanted)
            })
        };
        self.blocks.iter().map(|(name, _)| name.as_str()).find(|name| !is_known(name))
    }
}

impl WhatIf {
    /// Without points yet.
    pub fn new(subject: String, machine: String, change: &Change, confidence: f64) -> WhatIf {
        WhatIf {
            format: "cll-what-if",
            version: 1,
            subject,
            machine,
            changes: change.texts(),
            confidence,
            points: Vec::new(),
            doubts: Doubts::default(),
        }
    }
}

/// A program of supersteps on a machine.
///
/// Computation is not divided into what waits for memory and what does not: if memory becomes faster, the interval holds
/// both that none waits and that all does, and the value is that none does.
pub fn of_supersteps(
    program: &Program,
    pricing: &Pricing,
    quantities: &Quantities,
    draws: &Draws,
    change: &Change,
    influences: &[Influence],
) -> WhatIfPoint {
    let factor = |one: &Quantity, memory: f64| match one.kind {
        QuantityKind::G | QuantityKind::L => change.network,
        QuantityKind::Constant => change.computation * change.of_block(&one.name) * memory,
        QuantityKind::Computation => change.computation * change.of_block(&one.name) * memory,
    };
    let of = |memory: f64| {
        what_if(program, pricing, quantities, draws, |quantity| factor(quantity, memory))
    };
    let first = of(1.0);
    let other = if change.memory == 1.0 { first } else { of(change.memory) };
    let between = |value: f64, ends: [f64; 4]| Between {
        value,
        low: ends.into_iter().fold(value, f64::min),
        high: ends.into_iter().fold(value, f64::max),
    };
    let after = |one: &Changed| [one.after.low.get(), one.after.high.get()];
    let ([a, b], [c, d]) = (after(&first), after(&other));
    let mut notes = Vec::new();
    if change.memory != 1.0 {
        notes.push(
            "how much of the computation waits for memory is not known: the interval holds none and all of it"
                .to_owned(),
        );
    }
    let sensitivity =
        influences.iter().filter(|influence| influence.share > 0.0).map(|influence| {
            let quantity = &quantities.all()[influence.quantity];
            let kind = match influence.kind {
                QuantityKind::Computation => "computation",
                QuantityKind::Constant => "constant",
                QuantityKind::G => "g",
                QuantityKind::L => "l",
            };
            let (name, factor) = (quantity.name.clone(), factor(quantity, 1.0));
            Sensitivity { name, kind, share: influence.share, factor }
        });
    let before = first.before;
    WhatIfPoint {
        at: Vec::new(),
        before_s: Between {
            value: before.value.get(),
            low: before.low.get(),
            high: before.high.get(),
        },
        after_s: between(first.after.value.get(), [a, b, c, d]),
        ratio: between(
            first.ratio,
            [first.ratio_low, first.ratio_high, other.ratio_low, other.ratio_high],
        ),
        sensitivity: sensitivity.collect(),
        notes,
    }
}

/// The constants that hold where the axis begins: those of the first interval, or the first level of each.
fn first_level(fit: &Fit) -> Vec<f64> {
    let solution = &fit.intervals[0].solution;
    fit.owners().into_iter().map(|term| solution[fit.column(term, 0)]).collect()
}

/// Experiments whose times are added, each at its own values.
///
/// The time that waits for memory is at least what an experiment takes more there than with the constants of its first
/// interval or level,
/// in which its data are in the first cache; all of it may. The value is the former.
///
/// # Errors
/// The first experiment that cannot be predicted, with the reason.
pub fn of_experiments(
    experiments: &[(&str, &Fit, Vec<f64>)],
    change: &Change,
) -> Result<WhatIfPoint, ChangeError> {
    let mut notes = Vec::new();
    let mut parts = Vec::new();
    let mut all = Vec::new();
    let mut is_one_interval = false;
    for (name, fit, values) in experiments {
        let wrong = |source| ChangeError { name: (*name).to_owned(), source };
        let predicted = fit.predict(values).map_err(wrong)?;
        let terms = fit.terms_at(values).map_err(wrong)?;
        let value = predicted.value;
        let (low, high) =
            predicted.band.as_ref().map_or((value, value), |band| (band.low, band.high));
        let owners = fit.owners();
        // Of each term; its levels together.
        let sums = |solution: &[f64]| -> Vec<f64> {
            let mut sums = vec![0.0; fit.constants.len()];
            for ((owner, term), constant) in owners.iter().zip(&terms.terms).zip(solution) {
                sums[*owner] += term * constant;
            }
            sums
        };
        let own = sums(&fit.intervals[terms.interval].solution);
        let sum: f64 = own.iter().sum();
        // The prediction may follow the data: its terms are shares of it.
        let scale = if sum == 0.0 { 1.0 } else { value / sum };
        let constants = fit.constants.iter().map(|values| values.constant.clone());
        let named: Vec<(String, f64)> =
            constants.zip(&own).map(|(constant, product)| (constant, product * scale)).collect();
        let changed = named.iter().map(|(constant, part)| part * change.of_block(constant));
        let changed: f64 = changed.sum();
        let factor = if value == 0.0 { 1.0 } else { changed / value } * change.computation;
        let first: f64 = sums(&first_level(fit)).iter().sum();
        let waits = if sum > 0.0 { ((sum - first) / sum).clamp(0.0, 1.0) } else { 0.0 };
        is_one_interval |= fit.intervals.len() == 1 && fit.changes.is_empty();
        let some = 1.0 - waits * (1.0 - change.memory);
        for (constant, part) in named {
            let factor = change.of_block(&constant) * change.computation * some;
            parts.push((constant, part, factor));
        }
        all.push(Block {
            value,
            below: value - low,
            above: high - value,
            factor: factor * some,
            other: factor * change.memory,
        });
    }
    if change.memory != 1.0 {
        notes.push(if is_one_interval { "an experiment has one interval, so nothing is known of what waits for memory: the interval holds \
                     none and all of it"
                .to_owned() } else { "what waits for memory is at least what takes more than with the constants of the first interval; \
                      the interval holds that all does"
                .to_owned() });
    }
    if change.network != 1.0 {
        notes.push(
            "the model has no communication of its own: the network changes nothing".to_owned(),
        );
    }
    let total = |factor: &dyn Fn(&Block) -> f64| {
        let value: f64 = all.iter().map(|block| block.value * factor(block)).sum();
        let spread = |side: &dyn Fn(&Block) -> f64| {
            all.iter().map(|block| (side(block) * factor(block)).powi(2)).sum::<f64>().sqrt()
        };
        (value, value - spread(&|block| block.below), value + spread(&|block| block.above))
    };
    let (value, low, high) = total(&|_| 1.0);
    let before = Between { value, low, high };
    let (value, low, high) = total(&|block| block.factor);
    let (extreme, extreme_low, extreme_high) = total(&|block| block.other);
    let mut after = Between { value, low, high };
    let mut ratio = Between { value: 1.0, low: 1.0, high: 1.0 };
    if before.value > 0.0 {
        ratio.value = after.value / before.value;
        // What is uncertain in both times is not uncertain in their ratio.
        let off = |one: &Block| one.below.max(one.above) * (one.factor - ratio.value);
        let off = all.iter().map(|block| off(block).powi(2)).sum::<f64>().sqrt() / before.value;
        (ratio.low, ratio.high) = (ratio.value - off, ratio.value + off);
        if change.memory != 1.0 {
            ratio.low = ratio.low.min(extreme / before.value);
            ratio.high = ratio.high.max(extreme / before.value);
        }
    }
    if change.memory != 1.0 {
        (after.low, after.high) = (after.low.min(extreme_low), after.high.max(extreme_high));
    }
    let mut sensitivity: Vec<Sensitivity> = parts
        .into_iter()
        .filter(|(_, part, _)| *part != 0.0)
        .map(|(name, part, factor)| {
            let share = if before.value > 0.0 { part / before.value } else { 0.0 };
            Sensitivity { name, kind: "constant", share, factor }
        })
        .collect();
    sensitivity.sort_by(|a, b| b.share.total_cmp(&a.share));
    Ok(WhatIfPoint { at: Vec::new(), before_s: before, after_s: after, ratio, sensitivity, notes })
}

/// The time of an experiment, and the factors of it.
struct Block {
    value: f64,
    below: f64,
    above: f64,
    /// With what certainly waits for memory.
    factor: f64,
    /// If all of it waits for memory.
    other: f64,
}

fn digits(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
