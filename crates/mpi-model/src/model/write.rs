//! The model as a result.

use std::collections::BTreeMap;

use cll_model::graph::Path;
use cll_result::{
    MpiModel, MpiModelLoop, MpiModelPrediction, MpiModelPrimitive, MpiModelRank, MpiModelSegment,
    MpiModelShare,
};
use cll_units::Seconds;

use super::machine::Prices;
use super::program::{ClassModel, NodeModel, ProgramModel};
use super::run::{MeasuredRun, Site, Sites};
use super::structure::RankStep;
use super::{Instance, MpiChange, longest_path, point_of};

/// Segments and calls below this share of the time of their ranks are left out.
const SMALL: f64 = 1e-3;
/// A part without a formula makes a prediction impossible from this share of a run on.
const UNKNOWN: f64 = 0.05;
/// A part makes the interval of a prediction wide from this share of its half width on.
const WIDE: f64 = 0.3;

/// Writes results.
pub(super) struct Writer<'a> {
    pub(super) program: &'a ProgramModel,
    sites: &'a Sites,
    prices: Option<&'a Prices<'a>>,
    /// The largest values that were run.
    largest: Vec<f64>,
    /// All values that were run.
    runs: Vec<Vec<f64>>,
    /// Numbers of segments by their sources.
    numbers: BTreeMap<usize, u32>,
    pub(super) unchanged: MpiChange,
}

impl<'a> Writer<'a> {
    pub(super) fn new(
        program: &'a ProgramModel,
        sites: &'a Sites,
        prices: Option<&'a Prices<'a>>,
        runs: &[&MeasuredRun],
    ) -> Writer<'a> {
        let longest = runs.iter().max_by(|run, other| run.seconds.total_cmp(&other.seconds));
        let mut numbers = BTreeMap::new();
        for class in &program.classes {
            for node in in_order(&class.parts) {
                let known = class.nodes[node].as_ref().filter(|node| node.share.0 >= SMALL);
                if known.is_some() {
                    numbers.insert(class.source(node), numbers.len() as u32 + 1);
                }
            }
        }
        let unchanged = MpiChange { network: 1.0, computation: 1.0, segments: Vec::new() };
        let largest = longest.map_or(Vec::new(), |run| point_of(run));
        let runs = runs.iter().map(|run| point_of(run)).collect();
        Writer { program, sites, prices, largest, runs, numbers, unchanged }
    }

    /// Segments, primitives and loops.
    pub(super) fn describe(&self, model: &mut MpiModel) {
        let total = self.path(&self.largest, &self.unchanged).map_or(0.0, |(_, path)| path.time);
        let share =
            |times: f64, seconds: f64| if total > 0.0 { times * seconds / total } else { 0.0 };
        for class in &self.program.classes {
            let times = class.times(&self.largest);
            let first = (model.segments.len(), model.primitives.len());
            let mut last: Option<&Site> = None;
            let mut texts = vec![String::new(); class.nodes.len()];
            passages(&class.parts, class, &mut Vec::new(), &mut texts);
            for node in in_order(&class.parts) {
                let Some(known) = &class.nodes[node] else { continue };
                let site = &self.sites.list()[known.sample.site as usize];
                let source = class.source(node);
                let computed = known.computed.estimate_at(&self.program.names, &self.largest);
                if let Some(&number) = self.numbers.get(&source) {
                    model.segments.push(MpiModelSegment {
                        number,
                        ranks: class.which.words(),
                        function: common(last, site),
                        after: last.map_or(String::new(), call),
                        before: call(site),
                        times: texts[node].clone(),
                        fit: known.computed.fit().cloned(),
                        time: Seconds(computed.seconds),
                        share: share(times[node], computed.seconds),
                        error: known.computed.error,
                    });
                }
                if known.share.1 >= SMALL && times[node] > 0.0 {
                    let mut primitive = self.primitive(class, known, site, &texts[node]);
                    primitive.share = share(times[node], primitive.time.get());
                    model.primitives.push(primitive);
                }
                last = Some(site);
            }
            whole_at_most(&mut model.segments[first.0..], &mut model.primitives[first.1..]);
            self.loops(class, &class.parts, model);
        }
    }

    fn primitive(
        &self,
        class: &ClassModel,
        node: &NodeModel,
        site: &Site,
        times: &str,
    ) -> MpiModelPrimitive {
        let bytes = node.bytes(&self.largest);
        let processors = self.largest.last().copied().unwrap_or(1.0);
        let known = self.prices.and_then(|prices| prices.cost(node.priced(), bytes, processors));
        let names: Vec<String> =
            self.program.names.iter().cloned().chain(["bytes".to_owned()]).collect();
        let at: Vec<f64> = self.largest.iter().copied().chain([bytes]).collect();
        let own = node.called.estimate_at(&names, &at);
        let partners = [(&node.to, "to "), (&node.from, "from ")]
            .into_iter()
            .filter_map(|(rule, word)| Some(format!("{word}{}", rule.as_ref()?.words())));
        MpiModelPrimitive {
            call: call(site),
            ranks: class.which.words(),
            partners: partners.collect::<Vec<_>>().join(", "),
            bytes: node.bytes.as_ref().map_or(String::new(), super::count::Count::text),
            is_exact: node.bytes.as_ref().is_some_and(|count| count.is_exact),
            times: times.to_owned(),
            fit: if known.is_some() { None } else { node.called.fit().cloned() },
            time: Seconds(known.map_or(own.seconds, |pair| pair.1.seconds)),
            share: 0.0,
            is_of_machine: known.is_some(),
        }
    }

    fn loops(&self, class: &ClassModel, parts: &[RankStep], model: &mut MpiModel) {
        for part in parts {
            let RankStep::Loop { number, body } = part else { continue };
            let first = in_order(body).first().and_then(|&node| class.nodes[node].as_ref());
            let passages = &class.loops[*number];
            model.loops.push(MpiModelLoop {
                ranks: class.which.words(),
                call: first.map_or(String::new(), |node| {
                    call(&self.sites.list()[node.sample.site as usize])
                }),
                passages: passages.text(),
                is_exact: passages.is_exact(),
            });
            self.loops(class, body, model);
        }
    }

    /// Whether a rank receives from any.
    pub(super) fn has_any_source(&self) -> bool {
        let nodes = self.program.classes.iter().flat_map(|class| class.nodes.iter().flatten());
        nodes.into_iter().any(|node| node.sample.is_any())
    }

    /// The longest path at some values.
    pub(super) fn path(
        &self,
        values: &[f64],
        change: &MpiChange,
    ) -> Result<(Instance, Path), String> {
        let instance = self.program.instance_at(values, self.prices, change, &self.numbers)?;
        let path = longest_path(
            &instance.processes,
            &instance.begins,
            &instance.common,
            self.program.sources,
        );
        Ok((instance, path))
    }

    /// A prediction; `residual` is the error of the model where it was run, as a share.
    pub(super) fn predict(
        &self,
        values: &[f64],
        residual: f64,
        change: &MpiChange,
    ) -> MpiModelPrediction {
        let (processors, sizes) =
            values.split_last().map_or((1.0, &[][..]), |(p, rest)| (*p, rest));
        let mut prediction = MpiModelPrediction {
            values: sizes.to_vec(),
            processors: processors as u32,
            ..MpiModelPrediction::default()
        };
        let (instance, path) = match self.path(values, &self.unchanged) {
            Ok(prediction) => prediction,
            Err(why) => {
                prediction.why = why;
                return prediction;
            }
        };
        // Errors of sources are independent of each other, and the same in all passages of one.
        let halves = path.through.iter().zip(&instance.estimates);
        let variance: f64 = halves.map(|(times, estimate)| (times * estimate.half).powi(2)).sum();
        let half = (variance + (super::NORMAL_90 * residual * path.time).powi(2)).sqrt();
        if let Some(why) = self.without_formula(values, &path) {
            prediction.why = why;
            return prediction;
        }
        prediction.time = Some(Seconds(path.time));
        (prediction.low, prediction.high) =
            (Seconds((path.time - half).max(0.0)), Seconds(path.time + half));
        let on_path = |source: usize| path.through.get(source).copied().unwrap_or(0.0);
        let outside = instance.estimates.iter().enumerate();
        prediction.is_outside = outside
            .into_iter()
            .any(|(index, estimate)| estimate.is_outside && on_path(index) > 0.0);
        prediction.unmatched = path.unmatched;
        prediction.master = Seconds(self.master(&instance, &path));
        prediction.k = Seconds(path.time - prediction.master.get());
        prediction.path = self.shares(&instance, &path);
        prediction.unsure = self.unsure(&instance, &path, half);
        prediction.ranks = path
            .by_process
            .iter()
            .zip(0..)
            .map(|(spent, rank)| MpiModelRank {
                rank,
                computing: Seconds(spent.computed),
                calls: Seconds(spent.called),
                waiting: Seconds(spent.waited),
            })
            .collect();
        if !change.is_none() {
            prediction.changed = self.path(values, change).ok().map(|(_, path)| Seconds(path.time));
        }
        prediction
    }

    /// The first part of the path that depends on the variables in a way that no formula describes, if it matters here.
    fn without_formula(&self, values: &[f64], path: &Path) -> Option<String> {
        if self.runs.contains(&values.to_vec()) {
            return None;
        }
        self.program.classes.iter().find_map(|class| {
            class.nodes.iter().enumerate().find_map(|(node, known)| {
                let known = known.as_ref()?;
                let source = class.source(node);
                let site = &self.sites.list()[known.sample.site as usize];
                let on_path = |source: usize| path.through[source] > 0.0;
                let matters = |share: f64| share >= UNKNOWN;
                let (what, why) = match (&known.computed.unknown, &known.called.unknown) {
                    (Some(why), _) if on_path(source) && matters(known.share.0) => {
                        (self.segment(source, class, site), why)
                    }
                    (_, Some(why))
                        if (on_path(source + 1) || on_path(source + 2))
                            && matters(known.share.1) =>
                    {
                        (format!("{}, {}", call(site), class.which.words()), why)
                    }
                    _ => return None,
                };
                Some(format!("the time of {what} follows no formula: {why}"))
            })
        })
    }

    /// Parts of the path whose formulas are one of several that explain the runs, if this makes the interval wide.
    fn unsure(&self, instance: &Instance, path: &Path, half: f64) -> Vec<String> {
        let mut all = Vec::new();
        for class in &self.program.classes {
            for (node, known) in class.nodes.iter().enumerate() {
                let Some(known) = known else { continue };
                let source = class.source(node);
                let is_wide = |source: usize| {
                    let estimate = &instance.estimates[source];
                    estimate.other && path.through[source] * estimate.half > WIDE * half
                };
                let site = &self.sites.list()[known.sample.site as usize];
                if is_wide(source) {
                    all.push(self.segment(source, class, site));
                }
                if is_wide(source + 1) || is_wide(source + 2) {
                    all.push(format!("{}, {}", call(site), class.which.words()));
                }
            }
        }
        all
    }

    /// A segment in words.
    fn segment(&self, source: usize, class: &ClassModel, site: &Site) -> String {
        let ranks = class.which.words();
        match self.numbers.get(&source) {
            Some(number) => format!("segment {}, {ranks}", cll_result::roman(*number)),
            None => format!("before {}, {ranks}", call(site)),
        }
    }

    /// The segments of rank 0, added up.
    fn master(&self, instance: &Instance, path: &Path) -> f64 {
        let Some(passages) = path.passages.first() else { return 0.0 };
        let mut sum = 0.0;
        for class in &self.program.classes {
            for node in 0..class.nodes.len() {
                let source = class.source(node);
                sum += passages[source] * instance.estimates[source].seconds;
            }
        }
        sum
    }

    /// Returns the shares of the path.
    fn shares(&self, instance: &Instance, path: &Path) -> Vec<MpiModelShare> {
        let mut shares: Vec<MpiModelShare> = Vec::new();
        for class in &self.program.classes {
            for (node, known) in class.nodes.iter().enumerate() {
                let Some(known) = known else { continue };
                let time =
                    |source: usize| path.through[source] * instance.estimates[source].seconds;
                let source = class.source(node);
                let site = &self.sites.list()[known.sample.site as usize];
                let ranks = class.which.words();
                let name = self.segment(source, class, site);
                let calls = time(source + 1) + time(source + 2);
                for (what, is_segment, seconds) in
                    [(name, true, time(source)), (format!("{}, {ranks}", call(site)), false, calls)]
                {
                    if seconds > 0.0 {
                        shares.push(MpiModelShare { what, is_segment, time: Seconds(seconds) });
                    }
                }
            }
        }
        shares.sort_by(|share, other| other.time.total_cmp(&share.time));
        shares
    }
}

/// The calls in the order of execution.
fn in_order(parts: &[RankStep]) -> Vec<usize> {
    let calls_of = |part: &RankStep| match part {
        RankStep::Call { node, .. } => vec![*node],
        RankStep::Loop { body, .. } => in_order(body),
    };
    parts.iter().flat_map(calls_of).collect()
}

/// The passages of each call in a run, as a formula.
fn passages(parts: &[RankStep], class: &ClassModel, around: &mut Vec<String>, into: &mut [String]) {
    for part in parts {
        match part {
            RankStep::Call { node, .. } => {
                into[*node] = if around.is_empty() { "1".to_owned() } else { around.join("*") };
            }
            RankStep::Loop { number, body } => {
                let text = class.loops[*number].text();
                around.push(if text.contains(' ') { format!("({text})") } else { text });
                passages(body, class, around, into);
                around.pop();
            }
        }
    }
}

/// `MPI_Send heat.c:30`.
fn call(site: &Site) -> String {
    format!("{} {}", site.call, site.place).trim_end().to_owned()
}

/// The innermost function that both calls are in.
fn common(after: Option<&Site>, before: &Site) -> String {
    let other = after.unwrap_or(before);
    let pairs = before.functions.iter().rev().zip(other.functions.iter().rev());
    let last = pairs.take_while(|(name, other)| name == other).last();
    last.map_or(String::new(), |(text, _)| text.clone())
        .split("+0x")
        .next()
        .unwrap_or("")
        .to_owned()
}

/// Makes shares of a rank's time of shares of the longest path: where parts of a class of ranks take longer together than
/// that path, they are shares of their sum.
fn whole_at_most(segments: &mut [MpiModelSegment], primitives: &mut [MpiModelPrimitive]) {
    let own = segments
        .iter()
        .map(|segment| segment.share)
        .chain(primitives.iter().map(|primitive| primitive.share));
    let sum: f64 = own.sum();
    if sum > 1.0 {
        segments.iter_mut().for_each(|segment| segment.share /= sum);
        primitives.iter_mut().for_each(|primitive| primitive.share /= sum);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_part_of_a_ranks_time_is_more_than_all_of_it() {
        let segment = |share| MpiModelSegment { share, ..MpiModelSegment::default() };
        let call = |share| MpiModelPrimitive { share, ..MpiModelPrimitive::default() };
        let (mut segments, mut calls) = ([segment(1.27), segment(0.23)], [call(0.5)]);
        whole_at_most(&mut segments, &mut calls);
        let shares = [segments[0].share, segments[1].share, calls[0].share];
        assert!(
            (shares[0] - 0.635).abs() < 1e-9 && (shares.iter().sum::<f64>() - 1.0).abs() < 1e-9
        );
        let mut small = [segment(0.4)];
        whole_at_most(&mut small, &mut []);
        assert_eq!(small[0].share, 0.4);
    }
}
