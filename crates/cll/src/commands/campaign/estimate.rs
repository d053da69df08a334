//! What a campaign will take, said before.

use cll_campaign::{Plan, in_words};

use super::Limits;
use crate::failure::Failure;
use crate::terminal::Terminal;

/// More than this is not begun unless somebody knows of it.
const LONG: f64 = 3600.0;

/// How much time there is.
#[derive(Clone, Copy, Debug)]
pub struct Allowed {
    /// Seconds after which no run is begun.
    pub budget: Option<f64>,
    /// Whether any time will do.
    pub yes: bool,
}

/// Whether to go on.
pub enum Consent {
    Given,
    Asked(Failure),
}

impl Allowed {
    /// What a call and its plan say.
    pub fn of(plan: &Plan, limits: Limits) -> Allowed {
        let budget = limits.budget.map(|budget| budget.as_secs_f64()).or(plan.budget);
        Allowed { budget, yes: limits.yes }
    }
}

/// What is known before any run: by the plan's `expect`, if it has one.
pub fn before(
    plan: &Plan,
    runs: u64,
    allowed: &Allowed,
    terminal: &Terminal,
    quiet: bool,
) -> Consent {
    match plan.expect {
        Some(each) => {
            known(runs, each * runs as f64, "by what the plan expects", allowed, terminal, quiet)
        }
        None => Consent::Given,
    }
}

/// Says what `runs` more will take; whether to go on.
pub fn known(
    runs: u64,
    seconds: f64,
    by: &str,
    allowed: &Allowed,
    terminal: &Terminal,
    quiet: bool,
) -> Consent {
    let takes = format!("{runs} runs will take about {}, {by}", in_words(seconds));
    match allowed.budget {
        Some(budget) if seconds > budget => {
            let share = (runs as f64 * budget / seconds).floor().max(1.0);
            terminal.warn(&format!(
                "{takes}; the budget is {}: about {share} of them will be made, and resume goes on",
                in_words(budget)
            ));
            Consent::Given
        }
        None if seconds > LONG && !allowed.yes => Consent::Asked(
            Failure::usage(takes)
                .help("--yes goes on however long it takes")
                .help("--budget TIME ends it after that time; cll campaign resume goes on later"),
        ),
        _ => {
            if !quiet && seconds > 10.0 {
                terminal.note(&takes);
            }
            Consent::Given
        }
    }
}
