//! How the time of a program changes if a machine or a block becomes faster, as `cll what-if --json` writes it.

mod experiments;

use cll_model::{
    Changed, Draws, Influence, Pricing, Program, Quantities, Quantity, QuantityKind, what_if,
};
use schemars::JsonSchema;
use serde::Serialize;

use crate::doubt::Doubts;

pub use experiments::of_experiments;

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
#[derive(Clone, Copy, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Between {
    /// The number.
    pub value: f64,
    /// The lower end.
    pub low: f64,
    /// The upper end.
    pub high: f64,
}

/// The answer for one set of values.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
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
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
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
    let factor = |entry: &Quantity, memory: f64| match entry.kind {
        QuantityKind::G | QuantityKind::L => change.network,
        QuantityKind::Constant => change.computation * change.of_block(&entry.name) * memory,
        QuantityKind::Computation => change.computation * change.of_block(&entry.name) * memory,
    };
    let changed_with = |memory: f64| {
        what_if(program, pricing, quantities, draws, |quantity| factor(quantity, memory))
    };
    let first = changed_with(1.0);
    let other = if change.memory == 1.0 { first } else { changed_with(change.memory) };
    let between = |value: f64, ends: [f64; 4]| Between {
        value,
        low: ends.into_iter().fold(value, f64::min),
        high: ends.into_iter().fold(value, f64::max),
    };
    let after = |changed: &Changed| [changed.after.low.get(), changed.after.high.get()];
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

fn digits(value: f64) -> String {
    let text = format!("{value:.3}");
    text.trim_end_matches('0').trim_end_matches('.').to_owned()
}
