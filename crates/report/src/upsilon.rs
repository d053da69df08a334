//! Υ sets as text, as Table 1 of the 2003 paper, and ℵ sets, as its Table 2.

use cll_fit::{Estimate, Fit, Segment};
use cll_result::{ExperimentModel, ModelFile};
use cll_upsilon::{By, ExperimentSets, Sets, Statement};

use crate::document::{Block, Document, Section};
use crate::model::{intervals, place_of_segment, value_with_half};
use crate::style::{Role, Style};
use crate::text::{Cell, Column, Table, escape};

/// The constants of each experiment with the statements that they stand for; with the experiment's model also with the
/// values of each constant, and where these hold.
pub fn upsilon_text(sets: &Sets, models: &[ExperimentModel], style: &Style) -> String {
    let each = sets.experiments.iter().map(|experiment| {
        let same = |candidate: &&ExperimentModel| {
            candidate.name == experiment.name && candidate.formula == experiment.formula
        };
        let fit = models.iter().find(same).and_then(|model| model.fit.as_ref());
        section(experiment, &sets.source, fit, style)
    });
    Document::new(each).text(style)
}

/// The constants of an experiment with their statements.
pub(crate) fn section(
    experiment: &ExperimentSets,
    source: &str,
    fit: Option<&Fit>,
    style: &Style,
) -> Section {
    let notation = style.notation();
    let upsilon = style.glyph("Υ", "Upsilon");
    let mut table = Table::new(vec![
        Column::left("constant"),
        Column::left("value"),
        Column::left("holds for").flexible(),
        Column::right("line"),
        Column::left("statement").flexible(),
        Column::left("times").flexible(),
        Column::left("by"),
    ]);
    let values = |constant: &str| -> &[Segment] {
        let constants = fit.iter().flat_map(|fit| &fit.constants);
        constants
            .into_iter()
            .find(|values| values.constant == constant)
            .map_or(&[], |values| &values.segments)
    };
    for constant in experiment.constants() {
        let statements: Vec<&Statement> = experiment.set(Some(&constant)).collect();
        let segments = values(&constant);
        for row in 0..statements.len().max(segments.len()).max(1) {
            let name = if row == 0 { notation.text(&constant) } else { String::new() };
            let segment = segments.get(row).zip(fit);
            let value = segment.map_or(String::new(), |(segment, fit)| {
                value_with_half(&segment.estimate, fit, style)
            });
            let place = segment.and_then(|(segment, fit)| place_of_segment(fit, segment, notation));
            let mut cells = vec![
                Cell::new(name).role(Role::Value),
                Cell::new(value),
                Cell::new(place.unwrap_or_default()),
            ];
            cells.extend(of_statement(statements.get(row).copied(), style));
            table.row(cells);
        }
    }
    let mut remark = format!("{}, {}", escape(&experiment.formula), escape(source));
    let functions = functions(experiment);
    if let [text] = functions[..] {
        remark.push_str(&format!(", {}()", escape(text)));
    }
    let title = format!("{upsilon} {}", escape(&experiment.name));
    let mut blocks = vec![Block::table(table, "Sets")];
    let rest: Vec<&Statement> = experiment.set(None).collect();
    if !rest.is_empty() {
        let mut table = Table::new(vec![
            Column::right("line"),
            Column::left("statement").flexible(),
            Column::left("in no set, because").flexible(),
        ]);
        let mut before = "";
        for statement in rest {
            let same = statement.note == before;
            before = &statement.note;
            table.row([
                Cell::new(statement.line.to_string()),
                Cell::new(&statement.text),
                Cell::new(if same { "the same" } else { before }).role(Role::Caution),
            ]);
        }
        blocks.push(Block::Space);
        blocks.push(Block::table(table, "In no set"));
    }
    let corrected =
        experiment.statements.iter().filter(|statement| !statement.constants.is_empty());
    let notes = corrected
        .filter(|statement| !statement.note.is_empty())
        .map(|statement| format!("line {}: {}", statement.line, statement.note));
    let notes = notes.chain(experiment.notes.iter().cloned());
    blocks.extend(notes.map(|note| Block::paragraph(notation.text(&note), Role::Faint)));
    Section::new(&title, remark, blocks)
}

fn of_statement(statement: Option<&Statement>, style: &Style) -> Vec<Cell> {
    let Some(statement) = statement else { return Vec::new() };
    let by = match statement.by {
        By::Both => "nesting, counts",
        by => by.name(),
    };
    let role = if statement.by == By::Hand { Role::Good } else { Role::Faint };
    vec![
        Cell::new(statement.line.to_string()),
        Cell::new(&statement.text),
        Cell::new(style.notation().text(&statement.times)),
        Cell::new(by).role(role),
    ]
}

/// The functions of the statements, each once.
fn functions(experiment: &ExperimentSets) -> Vec<&str> {
    let mut found: Vec<&str> = Vec::new();
    for statement in &experiment.statements {
        if !statement.function.is_empty() && !found.contains(&statement.function.as_str()) {
            found.push(&statement.function);
        }
    }
    found
}

/// The ℵ sets of a model: the values of each constant, with the intervals where they hold, and the machine that they
/// are of.
pub fn aleph_text(model: &ModelFile, style: &Style) -> String {
    let notation = style.notation();
    let aleph = style.glyph("ℵ", "aleph");
    let machine = model.machine.as_ref().map(|machine| {
        let words = [machine.host.as_str(), machine.cpu.as_str()];
        let words: Vec<&str> = words.into_iter().filter(|word| !word.is_empty()).collect();
        match (&model.predicted, words.join(", ")) {
            (Some(from), words) => format!("predicted for {words}, from {}", from.measured_on),
            (None, words) => words,
        }
    });
    let machine = machine.filter(|text| !text.is_empty());
    let machine = machine.unwrap_or_else(|| "on a machine that is not known".to_owned());
    let each = model.experiments.iter().map(|experiment| {
        let title = format!("{aleph} {}", escape(&experiment.name));
        let remark = format!("{}; {}", escape(&experiment.formula), escape(&machine));
        let blocks = match &experiment.fit {
            Some(fit) => {
                let sets = fit.constants.iter().map(|constant| {
                    let value = |estimate: &Estimate| value_with_half(estimate, fit, style);
                    let set = format!("= {}", intervals::set(constant, fit, style, value));
                    (notation.text(&constant.constant), set, Role::Plain)
                });
                vec![Block::Named(sets.collect())]
            }
            None => {
                let why = experiment.failure.as_deref().unwrap_or("it was not fitted");
                vec![Block::paragraph(format!("no sets: {}", notation.text(why)), Role::Caution)]
            }
        };
        Section::new(&title, remark, blocks)
    });
    Document::new(each).text(style)
}
