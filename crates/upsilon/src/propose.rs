//! Proposes Υ sets by the nesting of loops.

use cll_csource::file::Variant;
use cll_diagnostic::Lines;
use cll_formula::Formula;

use crate::growth::{EXECUTIONS, Terms, growth};
use crate::points::{Counted, counted};
use crate::program::{PieceId, SourceProgram};
use crate::region::Region;
use crate::run::Cause;
use crate::sets::{By, ExperimentSets, Statement};

/// An experiment of a source, for [`propose`].
#[derive(Clone, Debug)]
pub struct Wanted {
    /// The name.
    pub name: String,
    /// The formula.
    pub formula: Formula,
    /// The lines of the opening and closing pragmas of its regions, from 1.
    pub regions: Vec<(usize, usize)>,
}

/// The Υ sets of experiments: which statements are executed as often as which term of the formula says.
///
/// The control flow of the regions, and of the functions of the same file that they call, is followed for values of the
/// formula's variables that are powers of two. No data are needed, and nothing is run. A statement belongs to the term
/// that its number of executions grows with. If neither of two terms of a sum grows faster, the statement belongs to
/// both. Nothing is known about what depends on data or on other files, and the statement says why.
pub fn propose(source: &[u8], wanted: &[Wanted]) -> Vec<ExperimentSets> {
    let file = cll_csource::File::read(source, |_, _| false);
    let variant = file.variant(&[], 0);
    let variables = wanted.iter().flat_map(|wanted| wanted.formula.variables());
    let names: Vec<String> = variables.map(|variable| variable.name.clone()).collect();
    let program = SourceProgram::new(&variant, &names);
    wanted.iter().map(|wanted| experiment(&program, &variant, wanted)).collect()
}

fn experiment(program: &SourceProgram, variant: &Variant<'_>, wanted: &Wanted) -> ExperimentSets {
    let lines = Lines::new(variant.source);
    let mut experiment = ExperimentSets {
        name: wanted.name.clone(),
        formula: wanted.formula.text().to_owned(),
        ..ExperimentSets::default()
    };
    let mut statements: Vec<(usize, Statement)> = Vec::new();
    for &place in &wanted.regions {
        let Some(region) = Region::find(program, variant, &lines, place) else {
            experiment.notes.push(format!(
                "the region at line {} is not understood without the preprocessor",
                place.0
            ));
            continue;
        };
        let points = counted(program, &region, &wanted.formula);
        if points.is_empty() {
            let line = place.0;
            experiment.notes.push(format!(
                "the region at line {line} has too many steps to be counted, even for the smallest values"
            ));
        }
        let all = if points.is_empty() {
            uncounted(program, &region)
        } else {
            of_region(program, &region, &wanted.formula, &points)
        };
        for (piece, statement) in all {
            let offset = program.pieces[piece].offset;
            let same = |(known, existing): &(usize, Statement)| {
                *known == offset && existing.text == statement.text
            };
            match statements.iter_mut().find(|statement| same(statement)) {
                Some((_, known)) => join(known, statement),
                None => statements.push((offset, statement)),
            }
        }
    }
    statements.sort_by_key(|(offset, _)| *offset);
    experiment.statements = statements.into_iter().map(|(_, statement)| statement).collect();
    experiment.notes.extend(outside(program, &experiment.statements));
    experiment
}

/// A statement of several regions is in the sets of all of them.
fn join(known: &mut Statement, other: Statement) {
    if known.times != other.times {
        known.times = String::new();
    }
    for constant in other.constants {
        if !known.constants.contains(&constant) {
            known.constants.push(constant);
        }
    }
    if known.note.is_empty() {
        known.note = other.note;
    }
}

/// The statements of a region that cannot be counted: counts of instructions may say what nesting does not.
fn uncounted(program: &SourceProgram, region: &Region) -> Vec<(PieceId, Statement)> {
    let statement = |id: PieceId| {
        let piece = &program.pieces[id];
        let statement = Statement {
            line: piece.line,
            text: piece.text.clone(),
            function: piece.function.clone(),
            note: "the region has too many steps to be counted".to_owned(),
            ..Statement::default()
        };
        (id, statement)
    };
    region.pieces(program).into_iter().map(statement).collect()
}

fn of_region(
    program: &SourceProgram,
    region: &Region,
    formula: &Formula,
    points: &[Counted],
) -> Vec<(PieceId, Statement)> {
    let values: Vec<Vec<f64>> = points.iter().map(|point| point.values.clone()).collect();
    let names: Vec<String> =
        formula.variables().iter().map(|variable| variable.name.clone()).collect();
    let terms = Terms::new(formula, values.clone());
    let mut all = Vec::new();
    // What a `goto` leads to may lie outside of the region.
    for id in region.pieces(program) {
        let piece = &program.pieces[id];
        let counts = || points.iter().map(|point| point.counts[id]);
        let unknown = counts().find_map(|count| count.unknown);
        if unknown.is_none() && counts().all(|count| count.times == 0.0) {
            continue;
        }
        let mut statement = Statement {
            line: piece.line,
            text: piece.text.clone(),
            function: piece.function.clone(),
            by: By::Nesting,
            ..Statement::default()
        };
        if let Some(cause) = unknown {
            statement.note = why(program, cause);
            all.push((id, statement));
            continue;
        }
        let times: Vec<f64> = counts().map(|count| count.times).collect();
        match terms.matching(&times, EXECUTIONS).or_else(|| terms.following(&times)) {
            Some(matched) => {
                let constant = |term: &usize| formula.terms()[*term].constant_name().to_owned();
                statement.constants = matched.leading.iter().map(constant).collect();
                statement.times = matched.text;
            }
            None => match growth(&names, &values, &times) {
                Some(growth) => {
                    statement.note = format!("grows as {growth}: the formula has no such term");
                }
                None => "grows as no term of the formula".clone_into(&mut statement.note),
            },
        }
        if counts().any(|count| count.at_most) && !statement.times.is_empty() {
            statement.times = format!("at most {}", statement.times);
        }
        all.push((id, statement));
    }
    all
}

fn why(program: &SourceProgram, cause: Cause) -> String {
    match cause {
        Cause::Loop(line, unknown) => match unknown.map(|name| program.names.text(name)) {
            Some(name) => {
                format!("the loop at line {line} depends on `{name}`, which is not known")
            }
            None => format!("how often the loop at line {line} runs is not known"),
        },
        Cause::Recursion(line) => {
            format!("how often the function at line {line} calls itself is not known")
        }
        Cause::Goto(line) => format!("the `goto` at line {line} is not followed"),
    }
}

/// A note on functions of other files, whose work is counted as one step of the call.
fn outside(program: &SourceProgram, statements: &[Statement]) -> Option<String> {
    let mut names: Vec<&str> = Vec::new();
    for statement in statements {
        let pieces = program.pieces.iter();
        let same =
            pieces.filter(|piece| piece.line == statement.line && piece.text == statement.text);
        for name in same.flat_map(|piece| &piece.calls) {
            if !names.contains(&name.as_str()) {
                names.push(name);
            }
        }
    }
    names.sort_unstable();
    (!names.is_empty()).then(|| {
        format!(
            "{} of this file: the work inside is not followed, and the call counts as one step",
            match names[..] {
                [one] => format!("{one} is no function"),
                _ => format!("{} are no functions", names.join(", ")),
            }
        )
    })
}

/// All statements of a source, in order, with their lines, texts and functions: those that a file may name.
pub fn statements(source: &[u8]) -> Vec<Statement> {
    parts(source).into_iter().map(|(_, statement)| statement).collect()
}

/// All statements of a file, in order, with the offsets of their first bytes.
pub(crate) fn parts(source: &[u8]) -> Vec<(usize, Statement)> {
    let file = cll_csource::File::read(source, |_, _| false);
    let variant = file.variant(&[], 0);
    let program = SourceProgram::new(&variant, &[]);
    let mut all: Vec<(usize, Statement)> = program
        .pieces
        .into_iter()
        .map(|piece| {
            let statement = Statement {
                line: piece.line,
                text: piece.text,
                function: piece.function,
                ..Statement::default()
            };
            (piece.offset, statement)
        })
        .collect();
    all.sort_by_key(|(offset, _)| *offset);
    all
}
