//! The headline of a profile: the imbalance that costs most time, or, if none does, the largest part of the time.

use cll_units::ProcessorId;
use schemars::JsonSchema;
use serde::Serialize;

use crate::critical::{Critical, Ranking, critical};
use crate::graph::{Graph, GraphNode};
use crate::metric::{Costs, Metric};
use crate::profile::Profile;

/// The least share of the program's time: an imbalance that costs less is not named.
pub const LEAST_SHARE: f64 = 0.05;
/// The least share of the whole program's cost: a place that has less is not named, the function above it is.
const LEAST_PART: f64 = 0.25;
/// R of a place at which it is always the same processor that has most.
const STEADY: f64 = 0.9;

/// The kind of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Loss {
    /// A processor has more than the others.
    Imbalance,
    /// Nothing is out of balance: it is what takes most of the time.
    Cost,
}

/// The one thing that matters most.
#[derive(Clone, Debug, PartialEq, Serialize, JsonSchema)]
pub struct Headline {
    /// The kind of the loss.
    pub loss: Loss,
    /// The metric of which there is too much.
    pub metric: Metric,
    /// The critical path that it was found by.
    #[serde(serialize_with = "name")]
    #[schemars(with = "String")]
    pub ranking: Ranking,
    /// The node of the tree: of a place that was reached by several call paths the one that has most of it.
    pub node: usize,
    /// The processor that has most; `None` if it is not always the same one.
    pub processor: Option<ProcessorId>,
    /// The value of this processor there, by all call paths; without a processor the sum of the supersteps' maxima.
    pub value: f64,
    /// The value there of a processor on average.
    pub average: f64,
    /// R of the place, by all call paths.
    pub steadiness: f64,
    /// The share of the program's time that balance would save at most, or that the place takes.
    pub share: f64,
}

fn name<S: serde::Serializer>(ranking: &Ranking, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(&ranking.name())
}

/// The headline of a profile; `None` if nothing took time.
pub fn headline(profile: &Profile) -> Option<Headline> {
    let root = &profile.root().costs;
    let time = profile.elapsed.get().max(root.time());
    if !(time > 0.0 && time.is_finite()) {
        return None;
    }
    let (loss, ranking, share) = choose(profile, root, time);
    let metric = ranking.metric()?;
    let amount = |costs: &Costs| match loss {
        Loss::Imbalance => costs.summary(metric).imbalance(),
        Loss::Cost => costs.summary(metric).maximum,
    };
    let graph = Graph::new(profile);
    let (place, node) = place(profile, &graph, &critical(profile, ranking), &amount)?;
    let summary = place.costs.summary(metric);
    let each = &place.each[metric.index()];
    let largest = (each.iter().enumerate())
        .reduce(|most, pair| if pair.1 > most.1 { pair } else { most })
        .filter(|_| profile.fits(node, metric));
    let largest_value = largest.map_or(0.0, |(_, &value)| value);
    let steadiness =
        if summary.maximum > 0.0 { (largest_value / summary.maximum).min(1.0) } else { 1.0 };
    // What all processors have alike is on none of them.
    let is_one = steadiness >= STEADY && largest_value > summary.average;
    let processor = largest
        .filter(|_| is_one)
        .and_then(|(index, _)| u32::try_from(index).ok())
        .map(ProcessorId);
    Some(Headline {
        loss,
        metric,
        ranking,
        node,
        processor,
        value: if processor.is_some() { largest_value } else { summary.maximum },
        average: summary.average,
        steadiness,
        share: match loss {
            Loss::Imbalance => share,
            Loss::Cost if metric.is_time() => (amount(&place.costs) / time).min(1.0),
            Loss::Cost => share,
        },
    })
}

/// Chooses the loss that costs most of the program's time. Returns it with the ranking that shows it and its share of
/// that time.
fn choose(profile: &Profile, root: &Costs, time: f64) -> (Loss, Ranking, f64) {
    let gain = |metric: Metric| (root.summary(metric).imbalance() / time).clamp(0.0, 1.0);
    let waiting = root.summary(Metric::Idle).average / time;
    if profile.is_by_calls() && waiting >= LEAST_SHARE {
        return (Loss::Cost, Ranking::Absolute(Metric::Idle), waiting);
    }
    // Bytes cost the communication that they are a part of.
    let h = root.summary(Metric::HRelation);
    let uneven = if h.maximum > 0.0 { h.imbalance() / h.maximum } else { 0.0 };
    let bytes = (uneven * root.summary(Metric::Communication).maximum / time).clamp(0.0, 1.0);
    let communication = gain(Metric::Communication);
    // Times of communication have noise, bytes have none.
    let moved = if bytes >= communication / 2.0 {
        (Ranking::Imbalance(Metric::HRelation), bytes)
    } else {
        (Ranking::Imbalance(Metric::Communication), communication)
    };
    let computed = (Ranking::Imbalance(Metric::Computation), gain(Metric::Computation));
    let (ranking, share) = if moved.1 > computed.1 { moved } else { computed };
    if share >= LEAST_SHARE {
        return (Loss::Imbalance, ranking, share);
    }
    let share_of = |metric: Metric| root.summary(metric).maximum / time;
    let metric = if share_of(Metric::Communication) > share_of(Metric::Computation) {
        Metric::Communication
    } else {
        Metric::Computation
    };
    (Loss::Cost, Ranking::Absolute(metric), share_of(metric))
}

/// Where it is: the cost centre that has most of it by all call paths. If it is spread over many, the last node of the
/// critical path that has half of it.
fn place<'a>(
    profile: &Profile,
    graph: &'a Graph,
    path: &Critical,
    amount: &dyn Fn(&Costs) -> f64,
) -> Option<(&'a GraphNode, usize)> {
    let total = amount(&profile.root().costs);
    let centres = graph.nodes.iter().filter(|node| node.kind.is_centre());
    let largest = centres
        .reduce(|most, node| if amount(&node.costs) > amount(&most.costs) { node } else { most })
        .filter(|most| amount(&most.costs) >= LEAST_PART * total);
    if let Some(centre) = largest {
        let amount_of = |node: usize| amount(&profile.nodes[node].costs);
        let node = centre
            .tree_nodes
            .iter()
            .copied()
            .reduce(|a, b| if amount_of(b) > amount_of(a) { b } else { a })?;
        return Some((centre, node));
    }
    let has_half = |node: &&usize| amount(&profile.nodes[**node].costs) >= total / 2.0;
    let node = path.path.iter().take_while(has_half).last().copied().unwrap_or(0);
    let merged = graph.nodes.iter().find(|merged| merged.tree_nodes.contains(&node))?;
    Some((merged, node))
}

#[cfg(test)]
mod tests {
    use cll_units::Seconds;

    use super::*;
    use crate::metric::Summary;
    use crate::profile::{End, Frame, Node, NodeKind, Source};

    /// A program with `main` and centres of one superstep each: line, values of the processors by metric.
    fn profile(centres: &[(u32, [&[f64]; 4])]) -> Profile {
        let function = Frame { function: "main".into(), ..Frame::default() };
        let processors = centres.first().map_or(0, |(_, each)| each[0].len());
        let zeros = || std::array::from_fn(|_| vec![0.0; processors]);
        let node = |kind, parent| Node {
            kind,
            parent,
            children: Vec::new(),
            costs: Costs::default(),
            each: zeros(),
            last: vec![0; processors],
        };
        let mut nodes = vec![
            node(NodeKind::Program { name: "p".into() }, None),
            node(NodeKind::Function(function), Some(0)),
        ];
        nodes[0].children.push(1);
        for (line, each) in centres {
            let end = End { file: "a.c".into(), line: *line, ..End::default() };
            let mut centre = node(NodeKind::Centre { ends: vec![end] }, Some(1));
            centre.costs.supersteps = 1.0;
            for (metric, values) in each.iter().enumerate() {
                centre.each[metric] = values.to_vec();
                centre.costs.metrics[metric] = Summary {
                    maximum: values.iter().copied().fold(0.0, f64::max),
                    average: values.iter().sum::<f64>() / processors as f64,
                    minimum: values.iter().copied().fold(f64::INFINITY, f64::min),
                };
            }
            let index = nodes.len();
            nodes[1].children.push(index);
            for above in [0, 1] {
                nodes[above].costs += centre.costs;
                for (sums, own) in nodes[above].each.iter_mut().zip(&centre.each) {
                    sums.iter_mut().zip(own).for_each(|(sum, own)| *sum += own);
                }
            }
            nodes.push(centre);
        }
        let elapsed = Seconds(nodes[0].costs.time());
        let source = Source::Log {
            engine: "processes".into(),
            virtually: false,
            parts: false,
            arguments: Vec::new(),
        };
        let processors = processors as u32;
        Profile { source, processors, elapsed, h_unit: 1, nodes, notes: Vec::new() }
    }

    const EVEN: &[f64] = &[1.0, 1.0, 1.0, 1.0];
    const NONE: &[f64] = &[0.0, 0.0, 0.0, 0.0];

    #[test]
    fn the_slow_processor_of_the_worst_place_is_named() {
        let slow: &[f64] = &[1.0, 1.0, 1.0, 9.0];
        let headline =
            headline(&profile(&[(10, [EVEN, EVEN, NONE, EVEN]), (40, [slow, EVEN, NONE, EVEN])]))
                .unwrap();
        assert_eq!((headline.loss, headline.metric), (Loss::Imbalance, Metric::Computation));
        assert_eq!((headline.node, headline.processor), (3, Some(ProcessorId(3))));
        assert_eq!((headline.value, headline.average), (9.0, 3.0));
        // 6 s of 1 + 9 + 2 would be saved.
        assert_eq!(headline.share, 0.5);
    }

    #[test]
    fn bytes_go_before_times_that_they_explain() {
        let [bytes, slow]: [&[f64]; 2] = [&[300.0, 100.0, 100.0, 100.0], &[4.0, 1.0, 1.0, 1.0]];
        let headline = headline(&profile(&[(5, [EVEN, slow, NONE, bytes])])).unwrap();
        assert_eq!(
            (headline.metric, headline.processor),
            (Metric::HRelation, Some(ProcessorId(0)))
        );
        assert_eq!((headline.value, headline.average), (300.0, 150.0));
        // Half of the bytes are the imbalance: half of 4 s, of 5 s.
        assert_eq!(headline.share, 0.4);
        // Without bytes it is the time.
        let silent = super::headline(&profile(&[(5, [EVEN, slow, NONE, NONE])])).unwrap();
        assert_eq!(silent.metric, Metric::Communication);
    }

    #[test]
    fn what_is_balanced_is_named_by_its_cost() {
        let long: &[f64] = &[7.0, 7.0, 7.0, 7.0];
        let headline =
            headline(&profile(&[(10, [EVEN, EVEN, NONE, EVEN]), (40, [long, EVEN, NONE, EVEN])]))
                .unwrap();
        assert_eq!((headline.loss, headline.metric), (Loss::Cost, Metric::Computation));
        assert_eq!((headline.node, headline.processor), (3, None));
        assert_eq!(headline.share, 0.7);
    }

    #[test]
    fn the_processor_is_not_named_if_it_changes() {
        // At a place that is reached in turns, R is a half.
        let [first, other]: [&[f64]; 2] = [&[9.0, 1.0], &[1.0, 9.0]];
        let (even, none): (&[f64], &[f64]) = (&[1.0, 1.0], &[0.0, 0.0]);
        let mut turns = profile(&[(5, [first, even, none, even]), (5, [other, even, none, even])]);
        let headline = headline(&turns).unwrap();
        assert_eq!((headline.processor, headline.value), (None, 18.0));
        assert!((headline.steadiness - 10.0 / 18.0).abs() < 1e-12);
        turns.elapsed = Seconds(0.0);
        for node in &mut turns.nodes {
            node.costs = Costs::default();
        }
        assert_eq!(super::headline(&turns), None);
    }

    #[test]
    fn a_loss_at_many_places_is_that_of_the_function_above() {
        let slow: &[f64] = &[1.0, 1.0, 1.0, 9.0];
        let many: Vec<_> = (1..=8).map(|line| (line, [slow, EVEN, NONE, EVEN])).collect();
        assert_eq!(headline(&profile(&many)).unwrap().node, 1);
    }
}
