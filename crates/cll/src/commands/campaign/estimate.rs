//! The expected time of a campaign, reported before it begins.

use cll_campaign::{Budget, Plan};
use cll_diagnostic::counted;
use cll_units::text::{DurationForm, duration};

use super::Limits;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// A longer campaign is not begun without --yes or a budget.
const MAX_SECONDS: f64 = 3600.0;

/// The time that is allowed.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    /// The time after which no run is started.
    pub budget: Option<Budget>,
    /// Whether any time is allowed.
    pub yes: bool,
}

/// Whether to continue.
pub enum Consent {
    Given,
    Asked(Failure),
}

impl Allowed {
    /// The limits of a call and its plan.
    pub fn new(plan: &Plan, limits: Limits) -> Allowed {
        let budget = limits.budget.or(plan.limit());
        Allowed { budget, yes: limits.yes }
    }
}

/// The estimate before any run: from the plan's `expect`, if it has one.
pub fn before(
    plan: &Plan,
    runs: u64,
    allowed: &Allowed,
    terminal: &Terminal,
    quiet: bool,
) -> Consent {
    match plan.expect {
        Some(each) => {
            known(runs, each * runs as f64, "as the plan expects", allowed, terminal, quiet)
        }
        None => Consent::Given,
    }
}

/// Reports how long `runs` more will take; returns whether to continue.
pub fn known(
    runs: u64,
    seconds: f64,
    by: &str,
    allowed: &Allowed,
    terminal: &Terminal,
    quiet: bool,
) -> Consent {
    let all = counted(runs as usize, "run", "runs");
    let takes = format!("{all} will take about {}, {by}", duration(seconds, DurationForm::About));
    match allowed.budget {
        // What runs take of core time is known when they are made.
        Some(budget) if !budget.is_core_time && seconds > budget.seconds => {
            let share = (runs as f64 * budget.seconds / seconds).floor().max(1.0);
            terminal.warn(&format!(
                "{takes}; the budget is {}: about {share} of them will be made, and resume continues",
                duration(budget.seconds, DurationForm::About)
            ));
            Consent::Given
        }
        None if seconds > MAX_SECONDS && !allowed.yes => Consent::Asked(
            Failure::usage(takes)
                .help("--yes continues however long it takes")
                .help("--budget TIME ends it after that time; cll campaign resume continues later"),
        ),
        _ => {
            if !quiet && seconds > 10.0 {
                terminal.note(&takes);
            }
            Consent::Given
        }
    }
}
