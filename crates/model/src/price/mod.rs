//! The cost of supersteps on a machine, by each of the three models.

mod price_list;
mod rate;

use cll_machine::{Combine, Machine, Missing};
use schemars::JsonSchema;
use serde::Serialize;

use crate::parameters::Quantities;
use crate::program::{Ending, Program};

use price_list::PriceList;
pub use price_list::Taken;
pub use rate::{Rate, RateSegment};

/// A model of cost.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Rule {
    /// Plain BSP: every superstep includes all processors, Σ max W + g·max h + l, with h = max(in, out).
    Bsp,
    /// The recurrence with one (g, L) for every pattern and size.
    Obsp,
    /// The recurrence with (g, L) by pattern and size.
    ObspStar,
}

impl Rule {
    /// All three.
    pub const ALL: [Rule; 3] = [Rule::Bsp, Rule::Obsp, Rule::ObspStar];

    /// As the papers call it.
    pub fn name(self) -> &'static str {
        match self {
            Rule::Bsp => "BSP",
            Rule::Obsp => "OBSP",
            Rule::ObspStar => "OBSP*",
        }
    }
}

/// The prices of a program's supersteps.
#[derive(Clone, Debug, PartialEq)]
pub struct Pricing {
    /// Whether in every superstep all processors wait for all, and h is the same for all.
    pub(crate) global: bool,
    /// The definition of h.
    pub(crate) combine: Combine,
    /// By object, then superstep.
    pub(crate) rates: Vec<Vec<Rate>>,
}

/// The machine that a program is to run on.
#[derive(Clone, Copy, Debug)]
pub struct Target<'a> {
    /// The machine, as its file describes it.
    pub machine: &'a Machine,
    /// The engine; `None` for the file's first.
    pub engine: Option<&'a str>,
    /// As [`cll_machine::Ask::oversubscribed`].
    pub oversubscribed: Option<bool>,
    /// How h is computed for OBSP*. For (s, g, l) it is always max(in, out).
    pub combine: Combine,
    /// Whether g includes the requests (the copies of `bsp_put`). A log counts them as computation, so there it must
    /// not; formulas of the computation do not include them.
    pub requests: bool,
    /// Whether the first reading of received data counts as communication. It does for virtual processors: their phases
    /// do not include it, since several processors use the same core, and the data are in its cache already.
    pub fetches: bool,
}

impl Pricing {
    /// Computes the prices of a program on a machine. New quantities are added, and `taken` gets the substitutes for
    /// something that the machine's file lacks.
    ///
    /// # Errors
    /// If the machine has no data for the engine, or for supersteps at all.
    pub fn new(
        program: &Program,
        rule: Rule,
        target: &Target<'_>,
        quantities: &mut Quantities,
        taken: &mut Vec<Taken>,
    ) -> Result<Pricing, Missing> {
        let combine = if rule == Rule::ObspStar { target.combine } else { Combine::Max };
        let mut price_list = PriceList::new(rule, target, quantities, taken);
        let mut rates = Vec::with_capacity(program.objects().len());
        for object in program.objects() {
            let mut of_object = Vec::with_capacity(object.supersteps.len());
            for superstep in &object.supersteps {
                of_object.push(match superstep.ending {
                    Ending::Nothing => Rate::default(),
                    _ => price_list.rate(object, superstep, combine)?,
                });
            }
            rates.push(of_object);
        }
        Ok(Pricing { global: rule == Rule::Bsp, combine, rates })
    }

    /// Prices that the caller has chosen: a rate for each superstep of each object.
    pub fn by_hand(rule: Rule, combine: Combine, rates: Vec<Vec<Rate>>) -> Pricing {
        Pricing { global: rule == Rule::Bsp, combine, rates }
    }

    /// One (g, L) for every superstep.
    pub fn flat(program: &Program, rule: Rule, combine: Combine, rate: &Rate) -> Pricing {
        let rates_of =
            |object: &crate::program::Object| vec![rate.clone(); object.supersteps.len()];
        Pricing::by_hand(rule, combine, program.objects().iter().map(rates_of).collect())
    }
}
