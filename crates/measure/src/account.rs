//! The description of the sampling, for `model.json` and the report.

use cll_fit::rounds::{RoundSelection, State};
use cll_result::{Canary, Notice, RoundModel, Sampling, Stopped, Verdict};
use cll_trace::Trace;
use cll_units::Seconds;

use crate::evaluate::Evaluation;
use crate::sample::{Sampler, measuring};
use cll_launch::machine_state::{Scheduler, best_seen_path};
use cll_sampling::signs;
use cll_sampling::{Round, Variation};

/// The description of all rounds. `accepted`: the user has taken the numbers of a loaded machine, and needs no advice to
/// do so.
pub fn account(
    sampler: &Sampler<'_>,
    evaluation: &Evaluation,
    stopped: Stopped,
    canary_known: bool,
    accepted: bool,
) -> Sampling {
    let goal = &sampler.goal;
    let free = goal.launches.is_none();
    let wanted = sampler.fitting.asked.iter().map(ToString::to_string);
    let (measuring, dilation) = measuring(sampler, evaluation);
    Sampling {
        seed: sampler.saved.seed,
        precision: free.then_some(goal.precision),
        reached: evaluation.widest.as_ref().map(|widest| widest.share),
        widest: evaluation.widest.as_ref().map(|widest| widest.quantity.clone()),
        budget: free.then_some(Seconds(goal.budget.seconds)),
        is_core_time: free && goal.budget.is_core_time,
        wanted: wanted.collect(),
        stopped,
        pinned: sampler.campaign.place.cpus.clone(),
        scheduler: sampler.campaign.place.scheduler.name().to_owned(),
        canary_known,
        verdict: Verdict {
            state: evaluation.judgement.state,
            reasons: evaluation.judgement.reasons.clone(),
            advice: sampling_advice(
                &evaluation.judgement,
                sampler.campaign.place.scheduler,
                accepted,
            ),
            off: evaluation.judgement.off,
            common: (!sampler.fitting.exact).then_some(evaluation.judgement.shared.deviation),
        },
        rounds: round_models(sampler, evaluation),
        discarded: evaluation.discarded,
        measuring,
        dilation,
        adaptive: sampler.saved.chosen.clone(),
    }
}

/// A notice if the program has changed its own priority or processors.
pub fn own_doing(rounds: &[Round]) -> Option<Notice> {
    let what = rounds.iter().rev().find_map(|round| round.seen.changed.as_ref())?;
    Some(Notice::new(
        "own-place",
        format!(
            "the program changes {what}: it does not run as it was started for measuring, \
             and its times are those of its own setting"
        ),
    ))
}

/// Variables of `--vary` that do not vary in any formula.
pub fn unseen(variations: &[Variation], trace: &Trace) -> Vec<Notice> {
    let varies = |name: &str| {
        trace.experiments.iter().any(|experiment| {
            let Some(index) = experiment.variables.iter().position(|known| known == name) else {
                return false;
            };
            let first = experiment.cells.first().map(|cell| cell.values[index]);
            experiment.cells.iter().any(|cell| Some(cell.values[index]) != first)
        })
    };
    variations
        .iter()
        .filter(|variation| variation.range.values().len() > 1 && !varies(&variation.name))
        .map(|variation| {
            let name = &variation.name;
            let known = trace.experiments.iter().any(|experiment| experiment.variables.contains(name));
            Notice::new(
                "unseen-variable",
                if known { format!(
                        "--vary {name}: the program's own {name} had one value in every sample: \
                         is the argument read?"
                    ) } else { format!(
                        "--vary {name}: no formula has a variable {name}; the fit uses what the program computes \
                         of the argument is what is fitted"
                    ) },
            )
        })
        .collect()
}

fn round_models(sampler: &Sampler<'_>, evaluation: &Evaluation) -> Vec<RoundModel> {
    let rounds = &sampler.saved.rounds;
    let first = rounds.first().map_or(0.0, |round| round.began);
    let mut next = 0;
    let mut models = Vec::with_capacity(rounds.len());
    for (index, round) in rounds.iter().enumerate() {
        let seen = &round.seen;
        let signs = signs(seen, &sampler.best_seen);
        let runs = next..next + round.runs.len();
        next = runs.end;
        models.push(RoundModel {
            round: round.number,
            runs: runs.collect(),
            started: Seconds(round.began - first),
            wall: Seconds(seen.wall),
            cpu: Seconds(seen.cpu),
            involuntary: seen.involuntary as u64,
            voluntary: seen.voluntary as u64,
            steal: signs.steal,
            others: signs.others,
            elsewhere: signs.elsewhere,
            canary: Canary {
                chain: signs.chain,
                width: sampler.best_seen.width_ratio(&seen.speed_tests),
                narrow: signs.narrow,
                partner: signs.partner,
            },
            marked: evaluation.marks[index].clone(),
            used: evaluation.judgement.used[index],
        });
    }
    models
}

/// Advises how to make the machine quieter, and what else can be done.
fn sampling_advice(
    judgement: &RoundSelection,
    scheduler: Scheduler,
    accepted: bool,
) -> Vec<String> {
    let mut advice = advice(judgement, scheduler);
    if judgement.state == State::NotMeasurable {
        advice.push("the same command continues from these rounds".into());
        if !accepted {
            advice.push("--loaded accept fits them anyway".into());
        }
    }
    advice
}

/// Advises how to make the machine quieter, for these marks.
pub fn advice(judgement: &RoundSelection, scheduler: Scheduler) -> Vec<String> {
    if judgement.state == State::Quiet {
        return Vec::new();
    }
    let has = |code: &str| judgement.reasons.iter().any(|reason| reason.code == code);
    let mut advice: Vec<String> = Vec::new();
    if has("throttled") {
        advice.push(
            "raise the quota of the control group (`cpu.max`, the container's or the service's limit of \
             processors), or measure outside of it"
                .into(),
        );
    }
    // Who is stopped waits for a processor, too.
    if has("loaded") || (has("interrupted") && !has("throttled")) {
        advice.push("end other programs, or measure when the machine is idle".into());
        if scheduler == Scheduler::Ordinary {
            advice.push(
                "with the right to real-time priority (CAP_SYS_NICE, or an rtprio limit) the \
                 program has priority over others"
                    .into(),
            );
        }
    }
    if has("stolen") {
        advice.push(
            "the processors are shared with other virtual machines: measure at another time".into(),
        );
    }
    if has("regime") {
        advice.push(
            "leave the other half of the core idle; on a rented machine it may be another tenant's: \
             another time, or processors of your own"
                .into(),
        );
    }
    if has("clock") {
        let file = best_seen_path().map_or(String::new(), |path| format!(" ({})", path.display()));
        advice.push(format!(
            "fix the clock's rate (`cpupower frequency-set -g performance`, mains power); if the \
             machine itself became slower, remove what is known of it{file}"
        ));
    }
    advice
}
