//! How much launches differ at equal values.

use std::collections::BTreeMap;

use super::Samples;

impl Samples {
    /// The relative standard deviation between launches at equal values of the variables, without what repetitions in
    /// each launch explain; 0 with one launch, or without a positive time.
    ///
    /// Launches differ by the occasion, and by what the formula does not have, such as the number of processors or
    /// the place of the data in memory. The deviation is that of the logarithms of medians, pooled over all values. A
    /// model is of the median of all repetitions, which is that of the launches with most of them: how far it is from
    /// the middle of the launches is in the deviation, too.
    pub fn deviation_of_launches(&self) -> f64 {
        let processes = &self.context.trace.processes;
        let launch = |origin: u32| {
            let origin = self.origins.get(origin as usize)?;
            processes.get(origin.process as usize).map(|process| process.run)
        };
        let first = processes.first().map(|process| process.run);
        if processes.iter().all(|process| Some(process.run) == first) {
            return 0.0;
        }
        let (mut squares, mut freedom, mut inverse) = (0.0, 0.0, 0.0);
        let (mut means, mut deviations) = (0.0, Vec::new());
        let (mut offsets, mut compared) = (0.0, 0.0);
        for group in &self.groups {
            let mut by_launch: BTreeMap<u32, Vec<f64>> = BTreeMap::new();
            let mut samples = group.cell.inclusive.iter();
            for stretch in &group.cell.stretches {
                let own_times = samples.by_ref().take(stretch.count as usize).copied();
                let own_times = own_times.filter(|time| time.is_finite() && *time > 0.0);
                if let Some(launch) = launch(stretch.origin) {
                    by_launch.entry(launch).or_default().extend(own_times);
                }
            }
            let mut logarithms = Vec::new();
            for times in by_launch.values() {
                let Some(median) = cll_statistics::median(times.iter().copied()) else { continue };
                logarithms.push(median.ln());
                inverse += 1.0 / times.len() as f64;
                if times.len() > 1 {
                    deviations.extend(times.iter().map(|time| (time / median - 1.0).abs()));
                }
            }
            if logarithms.len() > 1 {
                let mean = logarithms.iter().sum::<f64>() / logarithms.len() as f64;
                squares += logarithms
                    .iter()
                    .map(|logarithm| (logarithm - mean) * (logarithm - mean))
                    .sum::<f64>();
                freedom += (logarithms.len() - 1) as f64;
                let all = by_launch.values().flatten().copied();
                let offset = cll_statistics::median(all).map_or(0.0, |all| mean - all.ln());
                offsets += offset * offset;
                compared += 1.0;
            }
            means += logarithms.len() as f64;
        }
        if freedom == 0.0 {
            return 0.0;
        }
        // The median of normal numbers has 1.2533 times the standard deviation of their mean.
        let within = 1.4826 * cll_statistics::median(deviations).unwrap_or(0.0);
        let explained = (1.2533 * within) * (1.2533 * within) * inverse / means;
        (squares / freedom - explained + offsets / compared).max(0.0).sqrt()
    }
}
