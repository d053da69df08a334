//! The account of how the samples were taken, for `model.json` and the report.

use cll_fit::rounds::{Judgement, State};
use cll_result::{Canary, Notice, RoundModel, RunModel, Sampling, Stopped, Verdict};
use cll_units::Seconds;

use super::evaluate::Evaluation;
use super::judged::signs;
use super::sample::Sampler;
use super::sample::measuring;
use crate::regime::{Scheduler, known_path};
use crate::sampling::Round;

/// The account of all rounds.
pub fn account(
    sampler: &Sampler<'_>,
    evaluation: &Evaluation,
    stopped: Stopped,
    canary_known: bool,
) -> Sampling {
    let goal = &sampler.goal;
    let free = goal.launches.is_none();
    let wanted = sampler.fitting.asked.iter().map(ToString::to_string);
    let (measuring, dilation) = measuring(sampler, evaluation);
    Sampling {
        seed: sampler.kept.seed,
        precision: free.then_some(goal.precision),
        reached: evaluation.widest.as_ref().map(|(_, share)| *share),
        widest: evaluation.widest.as_ref().map(|(what, _)| what.clone()),
        budget: free.then_some(Seconds(goal.budget)),
        wanted: wanted.collect(),
        stopped,
        pinned: sampler.campaign.place.cpus.clone(),
        scheduler: sampler.campaign.place.scheduler.name().to_owned(),
        canary_known,
        verdict: Verdict {
            state: evaluation.judgement.state,
            reasons: evaluation.judgement.reasons.clone(),
            advice: sampling_advice(&evaluation.judgement, sampler.campaign.place.scheduler),
            off: evaluation.judgement.off,
            common: (!sampler.fitting.exact).then_some(evaluation.judgement.common.deviation),
        },
        rounds: round_models(sampler, evaluation),
        discarded: evaluation.discarded,
        measuring,
        dilation,
    }
}

/// The runs of all rounds, in their order.
pub fn runs(rounds: &[Round]) -> Vec<RunModel> {
    rounds.iter().flat_map(|round| &round.runs).map(|run| run.told.clone()).collect()
}

/// What the program did to its own place among others.
pub fn own_doing(rounds: &[Round]) -> Option<Notice> {
    let what = rounds.iter().rev().find_map(|round| round.seen.changed.as_ref())?;
    Some(Notice::new(
        "own-place",
        format!(
            "the program changes {what} by itself: what it was given for measuring does not hold, \
             and its times are those of the place it chose"
        ),
    ))
}

fn round_models(sampler: &Sampler<'_>, evaluation: &Evaluation) -> Vec<RoundModel> {
    let rounds = &sampler.kept.rounds;
    let first = rounds.first().map_or(0.0, |round| round.began);
    let mut next = 0;
    let mut models = Vec::with_capacity(rounds.len());
    for (index, round) in rounds.iter().enumerate() {
        let seen = &round.seen;
        let signs = signs(seen, &sampler.known);
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
                width: sampler.known.width_ratio(&seen.looks),
                narrow: signs.narrow,
                partner: signs.partner,
            },
            marked: evaluation.marks[index].clone(),
            used: evaluation.judgement.used[index],
        });
    }
    models
}

/// What would make the machine quieter, and what can be done with the rounds.
fn sampling_advice(judgement: &Judgement, scheduler: Scheduler) -> Vec<String> {
    let mut advice = advice(judgement, scheduler);
    if judgement.state == State::NotMeasurable {
        advice.push("the same command goes on from these rounds".into());
        advice.push("--loaded accept fits them all the same".into());
    }
    advice
}

/// What would make the machine quieter, for what was wrong with it.
pub fn advice(judgement: &Judgement, scheduler: Scheduler) -> Vec<String> {
    if judgement.state == State::Quiet {
        return Vec::new();
    }
    let has = |code: &str| judgement.reasons.iter().any(|reason| reason.code == code);
    let mut advice: Vec<String> = Vec::new();
    if has("loaded") || has("interrupted") {
        advice.push("end other programs, or come back when the machine is idle".into());
        if scheduler == Scheduler::Ordinary {
            advice.push(
                "with the right to real-time priority (CAP_SYS_NICE, or an rtprio limit) the \
                 program goes before others"
                    .into(),
            );
        }
    }
    if has("stolen") {
        advice.push("the processors are shared with other virtual machines: another time".into());
    }
    if has("regime") {
        advice.push(
            "leave the other half of the core idle; on a rented machine it may be another tenant's: \
             another time, or processors of your own"
                .into(),
        );
    }
    if has("clock") {
        let file = known_path().map_or(String::new(), |path| format!(" ({})", path.display()));
        advice.push(format!(
            "fix the clock's rate (`cpupower frequency-set -g performance`, mains power); if the \
             machine itself became slower, remove what is known of it{file}"
        ));
    }
    advice
}
