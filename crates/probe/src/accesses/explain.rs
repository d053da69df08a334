//! Explains the followed accesses, with the names of the source.

use cll_result::{Explained, Named, NamedSent, WhyExperiment};
use cll_reuse::{
    PassageGroup, Population, Sent, Stream, populations, populations_of_pages, sent_from,
};

use super::build::BuiltExperiment;
use super::names::{SourceLine, SourceLines};

/// The accesses and messages of a program.
pub struct ExplainedProgram {
    /// The accesses.
    pub stream: Stream,
    sent: Vec<Sent>,
    names: SourceLines,
    /// The lines of the stream's instructions.
    places: Vec<SourceLine>,
    /// All lines, in order.
    lines: Vec<SourceLine>,
}

impl ExplainedProgram {
    /// With the names of the program's lines and arrays.
    pub fn new(stream: Stream, sent: Vec<Sent>, names: SourceLines) -> ExplainedProgram {
        let places: Vec<SourceLine> =
            stream.instructions.iter().map(|instruction| names.place(*instruction)).collect();
        let mut lines = places.clone();
        lines.extend(sent.iter().map(|sent| names.place(sent.code)));
        lines.sort();
        lines.dedup();
        ExplainedProgram { stream, sent, names, places, lines }
    }

    /// The passages of an experiment.
    pub fn groups(&self, experiment: &BuiltExperiment) -> Vec<&PassageGroup> {
        self.stream.groups.iter().filter(|group| experiment.places.contains(&group.place)).collect()
    }

    /// The distances of an experiment and the sizes of its messages; distances in pages of these sizes too.
    pub fn explained(
        &self,
        experiment: &BuiltExperiment,
        pages: &[f64],
    ) -> (WhyExperiment, Explained) {
        let groups = self.groups(experiment);
        let index = |place: &SourceLine| self.lines.binary_search(place).unwrap_or(0);
        let line = |instruction: usize| index(&self.places[instruction]);
        let named = |population: Population| {
            let place = &self.lines[population.line];
            Named {
                array: self.names.array(&self.stream.arrays[population.array], place),
                file: place.file.clone(),
                line: place.line,
                function: place.function.clone(),
                population,
            }
        };
        let all = populations(&groups, experiment.of_formula, line);
        let paged = pages.iter().map(|page| {
            let all = populations_of_pages(&groups, *page, experiment.of_formula, line);
            (*page, all.into_iter().map(named).collect())
        });
        let sent: Vec<&Sent> =
            self.sent.iter().filter(|sent| experiment.places.contains(&sent.place)).collect();
        let from = sent_from(&sent, experiment.of_formula, |code| index(&self.names.place(code)));
        let from = from.into_iter().map(|sent| {
            let place = &self.lines[sent.line];
            NamedSent { file: place.file.clone(), line: place.line, sent }
        });
        let explained = Explained {
            paged: paged.collect(),
            named: all.into_iter().map(named).collect(),
            sent: from.collect(),
        };
        let variables = &experiment.variables[..experiment.of_formula];
        let mut sizes: Vec<Vec<f64>> = Vec::new();
        let values = groups.iter().map(|group| &group.values);
        for values in values.chain(sent.iter().map(|sent| &sent.values)) {
            sizes.push(values[..variables.len().min(values.len())].to_vec());
        }
        (WhyExperiment::new(&experiment.name, &experiment.formula, variables, sizes), explained)
    }
}
