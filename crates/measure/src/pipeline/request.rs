//! Defines the request for a model.

use std::path::PathBuf;

use cll_analysis::{HoldOut, Location, NamedExpression, Time};
use cll_sampling::{Budget, Template, Variation};

use crate::settings::Settings;

/// A program, and the model that is wanted of it.
pub struct Request<'a> {
    /// The program's name.
    pub name: String,
    /// How it is built and run.
    pub settings: Settings<'a>,
    /// The varied arguments, with their values or the candidates for them.
    pub variations: Vec<Variation>,
    /// The program's arguments, with placeholders.
    pub arguments: Template,
    /// Whether the points of the next rounds are chosen by those before.
    pub is_adaptive: bool,
    /// The values at which the model is to predict.
    pub asked: Vec<Location>,
    /// Points that are measured, and not fitted.
    pub held_out: Vec<HoldOut>,
    /// The folder for everything; `None`: one with the program's name.
    pub folder: Option<PathBuf>,
    /// The wanted half width of intervals, as a share of the value.
    pub precision: f64,
    /// The time of sampling.
    pub budget: Budget,
    /// Whether the user has given that time.
    pub is_strict: bool,
    /// The number of rounds; `None`: as many as the precision needs.
    pub launches: Option<u32>,
    /// The observable that is fitted in place of the time.
    pub observable: Option<String>,
    /// The seed of the order of the launches; `None`: any.
    pub seed: Option<u64>,
    /// Whether rounds of an earlier call are left out.
    pub is_fresh: bool,
    /// Whether numbers of a loaded machine are accepted.
    pub accepts_load: bool,
    /// Whether the code with markers is compared with that without them in any case.
    pub compare_code: bool,
    /// Options of the fit.
    pub options: cll_fit::Options,
    /// Names of experiments; empty means all.
    pub experiments: Vec<String>,
    /// Bytes that experiments touch.
    pub working_sets: Vec<NamedExpression>,
    /// Inclusive or exclusive time.
    pub time: Time,
    /// Groups of experiments that share constants, with commas.
    pub shared: Vec<String>,
}

impl Request<'_> {
    /// How formulas are searched, where sources ask for that.
    pub(super) fn search(&self) -> cll_search::Options {
        cll_search::Options {
            weights: self.options.weights,
            confidence: self.options.confidence,
            unsure: cll_analysis::MARKERS_ERROR,
            ..cll_search::Options::default()
        }
    }
}
