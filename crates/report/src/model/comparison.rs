//! Two models compared: which constants have moved.

use cll_fit::{
    Boundary, BoundaryChange, Change, ConstantChange, FitComparison, Moved, Unit, ValueChange,
};
use cll_result::{ExperimentComparison, ModelComparison, ModelFile};

use crate::Notation;
use crate::document::{Block, Document, Section};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table};

use super::formula::place_of_segment;

/// Two models compared, and what they are called.
#[derive(Clone, Copy, Debug)]
pub struct ComparisonView<'a> {
    /// The changes between the models.
    pub comparison: &'a ModelComparison,
    /// The new model.
    pub new: &'a ModelFile,
    /// The names of the old and the new model.
    pub names: (&'a str, &'a str),
}

/// The verdict of each experiment first, then its constants, values and boundaries.
pub fn model_comparison_text(of: &ModelComparison, new: &ModelFile, style: &Style) -> String {
    let view = ComparisonView { comparison: of, new, names: ("old", "new") };
    let (head, sections) = parts(&view, style);
    Document::new(std::iter::once(Section::untitled(head)).chain(sections)).text(style)
}

/// The same as sections of a page, below a title with both names.
pub(crate) fn sections(view: &ComparisonView<'_>, style: &Style) -> Vec<Section> {
    let notation = style.notation();
    let (head, sections) = parts(view, style);
    let (old, new) = view.names;
    let title = format!("{} → {}", notation.text(old), notation.text(new));
    let remark = "what has changed for certain";
    std::iter::once(Section::new(&title, remark, head)).chain(sections).collect()
}

fn parts(view: &ComparisonView<'_>, style: &Style) -> (Vec<Block>, Vec<Section>) {
    let ComparisonView { comparison: model_comparison, new, names } = *view;
    let notation = style.notation();
    let mut head: Vec<Block> = Vec::new();
    let several = model_comparison.experiments.len() > 1;
    for experiment_comparison in &model_comparison.experiments {
        let verdict = match (&experiment_comparison.comparison, &experiment_comparison.failure) {
            (Some(comparison), _) => {
                verdict(comparison, unit(new, experiment_comparison), notation)
            }
            (None, failure) => format!("cannot be compared: {}", failure.as_deref().unwrap_or("")),
        };
        let name = notation.text(&experiment_comparison.experiment);
        head.push(Block::at_margin(if several { format!("{name}: {verdict}") } else { verdict }));
    }
    if several {
        head.push(Block::at_margin(format!(
            "Intervals allow for {} experiments that are compared at once: with {} confidence all of them hold.",
            model_comparison.experiments.len(),
            notation.percent(model_comparison.confidence)
        )));
    }
    head.extend(
        model_comparison.notices.iter().map(|notice| Block::at_margin(notice.text.clone())),
    );
    for differing in &model_comparison.differs {
        let (old, now) = (notation.text(&differing.old), notation.text(&differing.new));
        head.push(Block::at_margin(format!("the {} differs: {old} → {now}", differing.what)));
    }
    for (experiments, model) in
        [(&model_comparison.gone, names.0), (&model_comparison.added, names.1)]
    {
        if !experiments.is_empty() {
            let all: Vec<String> = experiments.iter().map(|name| notation.text(name)).collect();
            let model = match model {
                "old" | "new" => format!("the {model} model"),
                model => notation.text(model),
            };
            head.push(Block::at_margin(format!("only in {model}: {}", all.join(", "))));
        }
    }
    let compared = model_comparison
        .experiments
        .iter()
        .filter_map(|comparison| Some((comparison, comparison.comparison.as_ref()?)));
    let sections = compared.flat_map(|(experiment_comparison, comparison)| {
        experiment(experiment_comparison, comparison, view, style)
    });
    (head, sections.collect())
}

fn unit(new: &ModelFile, comparison: &ExperimentComparison) -> Unit {
    let option = new.experiments.iter().find(|experiment| experiment.name == comparison.experiment);
    option
        .and_then(|experiment| experiment.fit.as_ref())
        .map(|fit| fit.unit.clone())
        .unwrap_or_default()
}

/// `f[2] moved: 2.8 ns → 3.7 ns (+31 %, between +25 % and +38 %); f[0], f[1] not moved`
fn verdict(comparison: &FitComparison, unit: Unit, notation: Notation) -> String {
    let mut parts: Vec<String> =
        comparison.with(Moved::Moved).map(|change| moved(change, &unit, notation)).collect();
    let still = comparison.with(Moved::NotMoved).collect::<Vec<_>>();
    if !still.is_empty() {
        let names = names(&still, notation);
        parts.push(format!(
            "{names} not moved by more than {}",
            notation.percent(comparison.threshold)
        ));
    }
    let open = comparison.with(Moved::CannotTell).collect::<Vec<_>>();
    if !open.is_empty() {
        parts.push(format!("{}: cannot tell", names(&open, notation)));
    }
    if comparison.old_formula.is_some() {
        parts.push("the formula is another one".to_owned());
    }
    if comparison.boundaries.iter().any(|change| change.moved) {
        parts.push("boundaries have moved".to_owned());
    }
    if parts.is_empty() {
        return "no constant can be compared".to_owned();
    }
    parts.join("; ")
}

fn names(constants: &[&ConstantChange], notation: Notation) -> String {
    let mut names: Vec<String> = Vec::new();
    for change in constants {
        let name = notation.text(&change.constant);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names.join(", ")
}

fn moved(constant_change: &ConstantChange, unit: &Unit, notation: Notation) -> String {
    let name = notation.text(&constant_change.constant);
    let Some(change) = &constant_change.change else { return name };
    format!(
        "{name} moved: {} → {} ({})",
        notation.rounded(change.old, 4, unit),
        notation.rounded(change.new, 4, unit),
        by(change, notation)
    )
}

/// `+31 %, between +25 % and +38 %`
fn by(change: &Change, notation: Notation) -> String {
    let signed = |share: f64| signed(share, notation);
    match (change.change, change.low, change.high) {
        (Some(by), Some(low), Some(high)) if low < high => {
            format!("{}, between {} and {}", signed(by), signed(low), signed(high))
        }
        (Some(by), ..) => signed(by),
        _ => "from zero".to_owned(),
    }
}

fn signed(share: f64, notation: Notation) -> String {
    if share < 0.0 { notation.percent(share) } else { format!("+{}", notation.percent(share)) }
}

fn experiment(
    experiment_comparison: &ExperimentComparison,
    comparison: &FitComparison,
    view: &ComparisonView<'_>,
    style: &Style,
) -> Vec<Section> {
    let ComparisonView { new, names, .. } = *view;
    let notation = style.notation();
    let unit = unit(new, experiment_comparison);
    let together = notation.percent(comparison.confidence);
    let mut blocks = Vec::new();
    if let Some(old) = &comparison.old_formula {
        blocks.push(Block::paragraph(
            format!(
                "The formula was {}, and is {}. Constants of equal terms are compared.",
                notation.text(old),
                notation.text(&comparison.formula)
            ),
            Role::Caution,
        ));
        let lists = [(&comparison.gone, "gone"), (&comparison.added, "new")];
        for (names, what) in lists.into_iter().filter(|(names, _)| !names.is_empty()) {
            let names: Vec<String> = names.iter().map(|name| notation.text(name)).collect();
            blocks.push(Block::paragraph(format!("{what}: {}", names.join(", ")), Role::Plain));
        }
    }
    blocks.push(Block::table(
        constants(experiment_comparison, comparison, view, &unit, style),
        "Constants",
    ));
    let mut sections = vec![Section::new(
        &notation.text(&experiment_comparison.experiment),
        match comparison.experiments {
            1 => format!("all intervals of constants together with {together} confidence"),
            count => format!(
                "all intervals of constants of {count} experiments together with {together} confidence"
            ),
        },
        blocks,
    )];
    if !comparison.values.is_empty() {
        let table = Block::table(values(comparison, names, &unit, style), "Values of the model");
        let remark = format!("without the variation of single measurements, together {together}");
        sections.push(Section::new("Values of the model", remark, vec![table]));
    }
    if !comparison.boundaries.is_empty() {
        let lines = comparison.boundaries.iter().map(|change| {
            let role = if change.moved { Role::Caution } else { Role::Plain };
            Block::paragraph(boundary(change, notation), role)
        });
        sections.push(Section::new("Boundaries", String::new(), lines.collect()));
    }
    sections
}

fn constants(
    experiment_comparison: &ExperimentComparison,
    comparison: &FitComparison,
    view: &ComparisonView<'_>,
    unit: &Unit,
    style: &Style,
) -> Table {
    let ComparisonView { new, names, .. } = *view;
    let notation = style.notation();
    let mut table = Table::new(vec![
        Column::left("constant").flexible(),
        Column::right(&notation.text(names.0)),
        Column::right(&notation.text(names.1)),
        Column::right("change"),
        Column::left("interval"),
        Column::right("p"),
        Column::left("verdict"),
        Column::left("holds for").flexible(),
    ]);
    let fit = new
        .experiments
        .iter()
        .find(|experiment| experiment.name == experiment_comparison.experiment);
    let fit = fit.and_then(|experiment| experiment.fit.as_ref());
    for change in &comparison.constants {
        let segment =
            fit.and_then(|fit| fit.constants.get(change.segment.0)?.segments.get(change.segment.1));
        let place =
            fit.zip(segment).and_then(|(fit, segment)| place_of_segment(fit, segment, notation));
        let value = |value: Option<f64>| {
            value.map_or("not determined".to_owned(), |value| notation.rounded(value, 4, unit))
        };
        let name = match comparison.old_formula {
            None => notation.text(&change.constant),
            Some(_) => {
                format!("{} ({})", notation.text(&change.constant), notation.text(&change.term))
            }
        };
        let mut cells = vec![
            Cell::new(name),
            Cell::new(value(change.old.value)),
            Cell::new(value(change.new.value)),
        ];
        cells.extend(change_cells(change.change.as_ref(), notation));
        cells.push(Cell::new(place.unwrap_or_default()));
        table.row(cells);
    }
    table
}

/// Change, interval, adjusted probability, verdict.
fn change_cells(change: Option<&Change>, notation: Notation) -> [Cell; 4] {
    let Some(change) = change else {
        return [Cell::new(""), Cell::new(""), Cell::new(""), Cell::new("cannot tell")];
    };
    let share = |share: Option<f64>| share.map(|share| signed(share, notation));
    let interval = match (share(change.low), share(change.high)) {
        (Some(low), Some(high)) => format!("{low} to {high}"),
        _ => "not known".to_owned(),
    };
    let p = match change.p_adjusted {
        Some(p) if p < 1e-4 => "< 0.0001".to_owned(),
        Some(p) => notation.number((p * 1e4).round() / 1e4),
        None => String::new(),
    };
    let (verdict, role) = match change.verdict {
        Moved::Moved => ("moved", Role::Caution),
        Moved::NotMoved => ("not moved", Role::Good),
        Moved::CannotTell => ("cannot tell", Role::Plain),
    };
    [
        Cell::new(share(change.change).unwrap_or_default()).role(Role::Value),
        Cell::new(interval),
        Cell::new(p),
        Cell::new(verdict).role(role),
    ]
}

fn values(comparison: &FitComparison, called: (&str, &str), unit: &Unit, style: &Style) -> Table {
    let notation = style.notation();
    let names = comparison.variables.iter().map(|name| Column::right(&notation.text(name)));
    let rest = [
        Column::right(&notation.text(called.0)),
        Column::right(&notation.text(called.1)),
        Column::right("change"),
        Column::left("interval"),
        Column::right("p"),
        Column::left("verdict"),
    ];
    let mut table = Table::new(names.chain(rest).collect());
    for ValueChange { at: point, change } in &comparison.values {
        let mut cells: Vec<Cell> = point.iter().map(|v| Cell::new(notation.number(*v))).collect();
        cells.push(Cell::new(notation.rounded(change.old, 4, unit)));
        cells.push(Cell::new(notation.rounded(change.new, 4, unit)));
        cells.extend(change_cells(Some(change), notation));
        table.row(cells);
    }
    table
}

fn boundary(change: &BoundaryChange, notation: Notation) -> String {
    let axis = notation.text(&change.axis);
    let text = |boundary: &Boundary| {
        let number = |v: f64| notation.number(v);
        let (low, high) = boundary.plausible;
        format!("{axis} = {} (between {} and {})", number(boundary.at), number(low), number(high))
    };
    match (&change.old, &change.new) {
        (Some(old), Some(new)) if change.moved => format!("moved: {} → {}", text(old), text(new)),
        (Some(_), Some(new)) => format!("not moved: {}", text(new)),
        (Some(old), None) => format!("gone: {}", text(old)),
        (None, Some(new)) => format!("new: {}", text(new)),
        (None, None) => String::new(),
    }
}
