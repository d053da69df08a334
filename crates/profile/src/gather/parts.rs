//! The costs of machine objects in the machine that was divided into them.

use std::collections::BTreeMap;

use crate::metric::{Costs, Summary};

use super::tree::{NodeId, Tree};

/// The costs of a machine object, as it goes on.
#[derive(Default)]
pub(super) struct Account {
    /// The costs of centres: the object's own supersteps.
    pub(super) own: BTreeMap<NodeId, Costs>,
    /// Costs of nodes including the nodes below them: those of its parts, combined.
    pub(super) parts: BTreeMap<NodeId, Costs>,
}

/// A part that has ended.
pub(super) struct Ended {
    /// Number of its first processor in the machine that was divided.
    pub(super) first: usize,
    pub(super) processors: usize,
    /// The costs of nodes, including the nodes below them.
    pub(super) costs: BTreeMap<NodeId, Costs>,
}

impl Account {
    /// Costs of nodes including the nodes below them.
    pub(super) fn inherited(self, tree: &Tree) -> BTreeMap<NodeId, Costs> {
        let mut all = self.parts;
        for (centre, costs) in self.own {
            let mut node = Some(centre);
            while let Some(current) = node {
                *all.entry(current).or_default() += costs;
                node = tree.parent(current);
            }
        }
        all
    }

    /// Adds the parts of one superstep, which ran side by side. Each processor has the costs of the parts that it was
    /// in; the maximum, mean and minimum of these over all processors are taken. If one part has all processors, its
    /// costs are the same as without the division.
    pub(super) fn combine(&mut self, parts: &[Ended], processors: usize) {
        let mut nodes: Vec<NodeId> = parts.iter().flat_map(|p| p.costs.keys().copied()).collect();
        nodes.sort_unstable();
        nodes.dedup();
        for node in nodes {
            let with = || parts.iter().filter_map(|part| Some((part, part.costs.get(&node)?)));
            let each = |value: &dyn Fn(&Costs) -> f64| {
                let mut each = vec![0.0; processors];
                for (part, costs) in with() {
                    let own = &mut each[part.first..part.first + part.processors];
                    own.iter_mut().for_each(|total| *total += value(costs));
                }
                each
            };
            let largest = |each: Vec<f64>| each.into_iter().fold(0.0, f64::max);
            let smallest = |each: Vec<f64>| each.into_iter().fold(f64::INFINITY, f64::min);
            let mean = |value: &dyn Fn(&Costs) -> f64| {
                let sum = with().map(|(part, costs)| value(costs) * part.processors as f64);
                sum.sum::<f64>() / processors as f64
            };
            let costs = Costs {
                supersteps: largest(each(&|costs| costs.supersteps)),
                metrics: std::array::from_fn(|metric| Summary {
                    maximum: largest(each(&|costs| costs.metrics[metric].maximum)),
                    average: mean(&|costs| costs.metrics[metric].average),
                    minimum: smallest(each(&|costs| costs.metrics[metric].minimum)),
                }),
                idle_at_barrier: mean(&|costs| costs.idle_at_barrier),
            };
            *self.parts.entry(node).or_default() += costs;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn costs(supersteps: f64, maximum: f64, average: f64, minimum: f64) -> Costs {
        let summary = Summary { maximum, average, minimum };
        Costs { supersteps, metrics: [summary; 4], idle_at_barrier: 0.0 }
    }

    fn ended(first: usize, processors: usize, costs: Costs) -> Ended {
        Ended { first, processors, costs: BTreeMap::from([(0, costs)]) }
    }

    #[test]
    fn the_whole_in_one_part_is_as_undivided() {
        let mut account = Account::default();
        let all = costs(3.0, 8.0, 5.0, 2.0);
        account.combine(&[ended(0, 4, all)], 4);
        assert_eq!(account.parts[&0], all);
    }

    #[test]
    fn parts_side_by_side_are_no_sum() {
        let mut account = Account::default();
        let parts =
            [ended(0, 1, costs(5.0, 8.0, 8.0, 8.0)), ended(1, 2, costs(2.0, 4.0, 3.0, 1.0))];
        account.combine(&parts, 4);
        // Processor 3 was in no part.
        assert_eq!(account.parts[&0], costs(5.0, 8.0, (8.0 + 2.0 * 3.0) / 4.0, 0.0));
    }

    #[test]
    fn parts_one_after_the_other_are_a_sum_for_each_processor() {
        let mut account = Account::default();
        let single = costs(1.0, 2.0, 2.0, 2.0);
        account.combine(&[ended(0, 1, single), ended(1, 1, single), ended(0, 2, single)], 2);
        assert_eq!(account.parts[&0], costs(2.0, 4.0, 4.0, 4.0));
    }
}
