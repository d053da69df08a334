//! The sampling as text.

use cll_fit::rounds::{PossibleError, State};
use cll_result::{NextPoint, Sampling, Stopped};

use super::measuring::costs;
use crate::document::Section;
use crate::text::escape;
use cll_units::text::{PercentDigits, percent};

/// The text that is printed first if the numbers cannot be trusted.
pub fn disclaimer(sampling: &Sampling) -> String {
    let mut text = "NOT MEASURABLE NOW\n".to_owned();
    for reason in &sampling.verdict.reasons {
        text += &format!("  ! {}\n", escape(&reason.text));
    }
    for advice in &sampling.verdict.advice {
        text += &format!("  > {}\n", escape(advice));
    }
    text + "The results, which must not be used:\n"
}

/// The report with a mark on every line: its numbers cannot be trusted.
pub fn flagged(report: &str) -> String {
    report.lines().map(|line| format!("? {line}").trim_end().to_owned() + "\n").collect()
}

/// The section about the sampling. `is_cost_told`: what measuring costs is said elsewhere in the report.
pub(crate) fn section(sampling: &Sampling, is_cost_told: bool) -> Section {
    let mut lines = vec![rounds(sampling), place(sampling)];
    lines.extend(chosen(sampling));
    lines.extend(costs(sampling, is_cost_told));
    if sampling.verdict.state == State::Disturbed {
        lines.push("the machine was disturbed:".to_owned());
        lines.extend(sampling.verdict.reasons.iter().map(|reason| format!("  ! {}", reason.text)));
        lines.extend(sampling.verdict.off.map(wider));
        lines.extend(sampling.verdict.advice.iter().map(|advice| format!("  > {advice}")));
    }
    lines.iter().fold(Section::plain("Sampling"), |section, line| section.line(escape(line)))
}

/// The points that were chosen, by round.
fn chosen(sampling: &Sampling) -> Vec<String> {
    let mut lines = Vec::new();
    for round in &sampling.adaptive {
        let point = |point: &NextPoint| {
            let at: Vec<String> =
                point.at.iter().map(|(name, value)| format!("{name} = {value}")).collect();
            let why = match point.reason.as_str() {
                "checks" => " (to check the formula)",
                "bisects" => " (in the gap of a boundary)",
                "distinguishes" => " (where formulas differ)",
                _ => "",
            };
            format!("{} {} times{why}", at.join(", "), point.runs)
        };
        let width = round
            .width
            .map_or(String::new(), |w| format!(" at ±{}", percent(w, PercentDigits::Decimals(1))));
        let points: Vec<String> = round.points.iter().map(point).collect();
        lines.push(format!("chosen before round {}{width}: {}", round.round, points.join("; ")));
    }
    lines
}

/// How far the times may be from those of a quiet machine.
fn wider(off: PossibleError) -> String {
    format!(
        "  ! on a quiet machine the times may be up to {} shorter, or {} longer: every interval \
         is wider by that",
        percent(off.below, PercentDigits::Up),
        percent(off.above, PercentDigits::Up)
    )
}

fn rounds(sampling: &Sampling) -> String {
    let count = sampling.rounds.len();
    let used = sampling.rounds.iter().filter(|round| round.used).count();
    let seconds: f64 = sampling.rounds.iter().map(|round| round.wall.get()).sum();
    let mut text = format!("{count} {} of {seconds:.1} s in all", plural(count, "round"));
    if used < count {
        text += &format!(", {used} used and {} left out", count - used);
    }
    let left_out = sampling.discarded.switched;
    if left_out > 0 {
        let count = left_out as usize;
        text += &format!(", {count} interrupted {} left out", plural(count, "sample"));
    }
    let reached = match (&sampling.widest, sampling.reached) {
        (Some(what), Some(share)) => {
            format!(": {what} is known to ±{}", percent(share, PercentDigits::Decimals(1)))
        }
        _ => String::new(),
    };
    let wanted = sampling.precision.map_or(String::new(), |share| {
        if reached.is_empty() {
            String::new()
        } else {
            format!(", requested {}", percent(share, PercentDigits::Decimals(1)))
        }
    });
    text + match sampling.stopped {
        Stopped::Precise => "; the intervals are as narrow as requested",
        Stopped::Budget => "; the budget was spent",
        Stopped::Launches => "; as many as requested",
        Stopped::Interrupted => "; interrupted",
        Stopped::Hopeless => "; more do not make the intervals narrower",
        Stopped::Planned => "; points were chosen as often as is allowed",
    } + &reached
        + &wanted
}

fn place(sampling: &Sampling) -> String {
    let held = match &sampling.pinned {
        Some(cpus) => {
            let list: Vec<String> = cpus.iter().map(usize::to_string).collect();
            format!("held on {} {}", plural(cpus.len(), "processor"), list.join(", "))
        }
        None => "not held on any processor".to_owned(),
    };
    let scheduler = match sampling.scheduler.as_str() {
        "other" => "scheduled like any program".to_owned(),
        scheduler => format!("scheduled before others ({scheduler})"),
    };
    let state = match sampling.verdict.state {
        State::Quiet if sampling.pinned.is_none() => "; no load was seen",
        State::Quiet if !sampling.canary_known => {
            "; the machine was quiet, as far as a first look can tell"
        }
        State::Quiet => "; the machine was quiet",
        State::Disturbed | State::NotMeasurable => "",
    };
    format!("{held}, {scheduler}{state}")
}

fn plural(count: usize, word: &str) -> String {
    if count == 1 { word.to_owned() } else { format!("{word}s") }
}

#[cfg(test)]
mod tests {
    use cll_fit::rounds::Reason;

    use cll_result::{Canary, DilationModel, Discarded, Measuring, RoundModel, Verdict};
    use cll_units::Seconds;

    use super::*;
    use crate::Style;
    use crate::document::Document;

    fn sampling(state: State) -> Sampling {
        let round = |round, used| RoundModel {
            round,
            runs: vec![round as usize],
            started: Seconds(f64::from(round)),
            wall: Seconds(0.5),
            cpu: Seconds(0.5),
            involuntary: 0,
            voluntary: 0,
            steal: 0.0,
            others: 0.0,
            elsewhere: 0.0,
            canary: Canary::default(),
            marked: Vec::new(),
            used,
        };
        let reason = Reason { code: "loaded".into(), text: "in 1 of 2 rounds …".into() };
        Sampling {
            seed: 1,
            precision: Some(0.02),
            reached: Some(0.015),
            widest: Some("f[1]".into()),
            budget: Some(Seconds(60.0)),
            is_core_time: false,
            wanted: Vec::new(),
            stopped: Stopped::Precise,
            adaptive: Vec::new(),
            pinned: Some(vec![1]),
            scheduler: "rr 1".into(),
            canary_known: true,
            verdict: Verdict {
                state,
                reasons: vec![reason],
                advice: vec!["wait".into()],
                off: None,
                common: None,
            },
            rounds: vec![round(0, true), round(1, false)],
            discarded: Discarded { samples: 3, switched: 1 },
            measuring: Some(Measuring {
                pairs: 6,
                share: 0.1,
                low: Some(0.09),
                high: Some(0.11),
                ..Measuring::default()
            }),
            dilation: vec![DilationModel {
                experiment: "f".into(),
                gate_on: Seconds(1.0),
                gate_off: Seconds(0.9),
                share: 0.1,
                share_low: Some(0.09),
                share_high: Some(0.11),
                per_region: Some(Seconds(2e-8)),
                per_region_low: Some(Seconds(1.8e-8)),
                per_region_high: Some(Seconds(2.2e-8)),
                too_short: true,
            }],
        }
    }

    fn text(state: State) -> String {
        Document::new([section(&sampling(state), false)]).text(&Style::default())
    }

    #[test]
    fn costs_of_regions_are_said_once() {
        let mut sampling = sampling(State::Quiet);
        let with = |sampling: &Sampling, is_told: bool| {
            Document::new([section(sampling, is_told)]).text(&Style::default())
        };
        assert!(!with(&sampling, true).contains("measuring"), "{}", with(&sampling, true));
        for count in [2, 26] {
            sampling.dilation.resize(count, sampling.dilation[0].clone());
            let text = with(&sampling, false);
            assert_eq!(text.matches("costs 20 ns").count(), 1, "{text}");
        }
        assert!(with(&sampling, false).contains("each of 26 experiments"));
    }

    #[test]
    fn the_paragraph_says_what_was_done_and_how_far_to_trust_it() {
        let text = text(State::Disturbed);
        for part in [
            "2 rounds of 1.0 s in all, 1 used and 1 left out, 1 interrupted sample left out",
            "f[1] is known to ±1.5 %, requested 2.0 %",
            "held on processor 1, scheduled before others (rr 1)",
            "measuring costs 10 % (9.0 to 11 %) of the run\n",
            "measuring f costs 20 ns (18 to 22) a region; its regions are too short",
            "  ! in 1 of 2 rounds",
            "  > wait",
        ] {
            assert!(text.contains(part), "{part}\n{text}");
        }
        assert!(self::text(State::Quiet).contains("the machine was quiet"));
    }

    #[test]
    fn what_cannot_be_trusted_is_flagged_on_every_line() {
        let text = disclaimer(&sampling(State::NotMeasurable)) + &flagged("t = 5\n\n  more\n");
        assert!(text.starts_with("NOT MEASURABLE NOW\n  ! in 1"), "{text}");
        assert!(text.ends_with("? t = 5\n?\n?   more\n"), "{text}");
    }
}
