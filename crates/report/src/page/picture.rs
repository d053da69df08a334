//! The picture of a fit.

use super::PageParts;
use crate::document::{Block, Section};
use crate::plot::{PlotOptions, experiment_plot};

/// The plot as it is printed, which the viewer makes live. Nothing if none can be drawn.
pub(super) fn picture(parts: &PageParts<'_>, index: usize) -> Section {
    let Some(experiment) = parts.model.experiments.get(index) else { return Section::default() };
    let predictions = parts.predictions.get(index).map_or(&[][..], Vec::as_slice);
    let drawn = experiment_plot(parts.model, experiment, predictions, &PlotOptions::default());
    let (Some(fit), Some(Ok(mut spec))) = (&experiment.fit, drawn) else {
        return Section::default();
    };
    let memory = parts.memory(experiment);
    spec.references =
        memory.map(|memory| memory.references(fit, &spec.x.title)).unwrap_or_default();
    // Title and formula are above it.
    spec.title = spec.title.chars().take(100).collect();
    spec.description = spec.description.chars().take(2000).collect();
    spec.formula.clear();
    let plot = Block::Plot { spec: Box::new(spec), height: 560, id: format!("plot-{index}") };
    let plot = Block::Live { island: "plot", experiment: index, blocks: vec![plot] };
    Section::untitled(vec![plot])
}
