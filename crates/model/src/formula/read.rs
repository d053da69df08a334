//! A description's file: TOML, read with the places of its parts.

use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

use cll_diagnostic::Diagnostic;
use cll_formula::Formula;
use serde::de::value::MapAccessDeserializer;
use serde::de::{MapAccess, Visitor};
use serde::{Deserialize, Deserializer};
use toml::Spanned;

use super::codes;
use super::expression::{Condition, Expression, condition, expression};

/// A program in formulas.
#[derive(Clone, Debug, PartialEq)]
pub struct Description {
    /// The name of the program.
    pub name: String,
    /// Prose for people.
    pub about: String,
    pub(super) start: String,
    pub(super) start_span: Range<usize>,
    /// In the order of the file; a later one may use those before it.
    pub(super) define: Vec<(String, Expression)>,
    pub(super) blocks: BTreeMap<String, FormulaBlock>,
    pub(super) objects: BTreeMap<String, Vec<Step>>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct FormulaBlock {
    pub(super) source: BlockSource,
    /// Values of the block's variables; others have the value of the same name.
    pub(super) with: Vec<(String, Expression)>,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum BlockSource {
    Formula { formula: Box<Formula>, constants: Vec<[f64; 3]> },
    Fit { file: String, experiment: String },
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Step {
    Superstep(Box<SuperstepText>),
    Loop { when: Option<Condition>, repeat: Repeat, steps: Vec<Step> },
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Repeat {
    pub(super) times: Expression,
    pub(super) counter: Option<String>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct SuperstepText {
    pub(super) name: String,
    pub(super) when: Option<Condition>,
    pub(super) repeat: Option<Repeat>,
    pub(super) actions: Vec<Action>,
    pub(super) send: Option<Send>,
    pub(super) end: End,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Action {
    Work { block: String, with: Vec<(String, Expression)>, span: Range<usize> },
    Partition { at: Cuts, into: String, with: Vec<(String, Expression)>, span: Range<usize> },
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum Cuts {
    /// So many parts, as equal as can be.
    Equal(Expression),
    /// The first processor behind each part, as in `bsp_partition`.
    Ends(Vec<Expression>),
}

#[derive(Clone, Debug, PartialEq)]
pub(super) struct Send {
    pub(super) rule: SendRule,
    pub(super) bytes: Expression,
    pub(super) span: Range<usize>,
}

#[derive(Clone, Debug, PartialEq)]
pub(super) enum SendRule {
    Shift(Option<Expression>),
    Exchange(Expression),
    Outwards(Expression),
    Inwards(Expression),
    TotalExchange,
    Broadcast(Option<Expression>),
    Scatter(Option<Expression>),
    Gather(Option<Expression>),
    Random,
    To(Expression),
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub(super) enum End {
    #[default]
    Barrier,
    Oblivious,
    Nothing,
}

type Text = Spanned<String>;
type TextValues = BTreeMap<String, Text>;

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    name: String,
    #[serde(default)]
    about: String,
    start: Text,
    #[serde(default)]
    define: BTreeMap<String, Text>,
    #[serde(default)]
    block: BTreeMap<String, Spanned<BlockText>>,
    object: BTreeMap<String, Vec<Spanned<StepText>>>,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct BlockText {
    formula: Option<Text>,
    constants: Option<Vec<ConstantText>>,
    fit: Option<String>,
    experiment: Option<String>,
    #[serde(default)]
    with: TextValues,
}

#[derive(Deserialize)]
#[serde(untagged, expecting = "a number, or { value, low, high }")]
enum ConstantText {
    Number(f64),
    Interval { value: f64, low: f64, high: f64 },
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct StepText {
    #[serde(default)]
    name: String,
    when: Option<Text>,
    repeat: Option<Text>,
    counter: Option<String>,
    #[serde(default)]
    r#do: Vec<Spanned<ActionText>>,
    send: Option<Spanned<SendText>>,
    end: Option<End>,
    steps: Option<Vec<Spanned<StepText>>>,
}

/// A block's name, or a table.
enum ActionText {
    Name(String),
    Table(Box<ActionTable>),
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ActionTable {
    work: Option<String>,
    partition: Option<Text>,
    ends: Option<Vec<Text>>,
    into: Option<String>,
    #[serde(default)]
    with: TextValues,
}

// By hand, since an untagged enum forgets places.
impl<'de> Deserialize<'de> for ActionText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<ActionText, D::Error> {
        struct Either;
        impl<'de> Visitor<'de> for Either {
            type Value = ActionText;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a block's name, { work = … } or { partition = \"2\", into = … }")
            }

            fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<ActionText, E> {
                Ok(ActionText::Name(name.to_owned()))
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<ActionText, A::Error> {
                let table = ActionTable::deserialize(MapAccessDeserializer::new(map))?;
                Ok(ActionText::Table(Box::new(table)))
            }
        }
        deserializer.deserialize_any(Either)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SendText {
    pattern: Option<Text>,
    by: Option<Text>,
    root: Option<Text>,
    to: Option<Text>,
    bytes: Text,
}

/// Reads a description. Without one there is an error among the diagnostics; spans are byte offsets in `text`.
pub fn parse(text: &str) -> (Option<Description>, Vec<Diagnostic>) {
    let file: File = match toml::from_str(text) {
        Ok(file) => file,
        Err(error) => {
            let span = error.span().unwrap_or(0..text.len().min(1));
            let message = error.message().trim().replace('\n', " ");
            return (None, vec![Diagnostic::error(codes::FILE, span, message)]);
        }
    };
    let mut reader = Reader { reported: Vec::new() };
    let description = reader.description(file);
    let wrong = reader.reported.iter().any(Diagnostic::is_error);
    (description.filter(|_| !wrong), reader.reported)
}

struct Reader {
    reported: Vec<Diagnostic>,
}

impl Reader {
    fn wrong(&mut self, code: &'static str, span: Range<usize>, message: String) {
        self.reported.push(Diagnostic::error(code, span, message));
    }

    fn description(&mut self, file: File) -> Option<Description> {
        let File { name, about, start, define, block, object } = file;
        let (start, start_span) = (start.get_ref().clone(), start.span());
        if !object.contains_key(&start) {
            let known: Vec<&str> = object.keys().map(String::as_str).collect();
            let message = format!("there is no object {start}; there are: {}", known.join(", "));
            self.wrong(codes::NAME, start_span.clone(), message);
        }
        // The table is sorted by name. The order in the file follows from the places.
        let mut define: Vec<(String, Text)> = define.into_iter().collect();
        define.sort_by_key(|(_, text)| text.span().start);
        let define = self.values(define);
        let mut blocks = BTreeMap::new();
        for (name, block) in block {
            if let Some(block) = self.block(&name, block) {
                blocks.insert(name, block);
            }
        }
        let mut objects = BTreeMap::new();
        for (name, steps) in object {
            objects.insert(name, self.steps(steps));
        }
        let names: (Vec<&str>, Vec<&str>) = (
            blocks.keys().map(String::as_str).collect(),
            objects.keys().map(String::as_str).collect(),
        );
        let mut reported = Vec::new();
        objects.values().flatten().for_each(|step| names_of(step, &names, &mut reported));
        self.reported.extend(reported);
        Some(Description { name, about, start, start_span, define, blocks, objects })
    }

    fn values(
        &mut self,
        values: impl IntoIterator<Item = (String, Text)>,
    ) -> Vec<(String, Expression)> {
        let mut read = Vec::new();
        for (name, text) in values {
            if let Some(value) = expression(&text, &mut self.reported) {
                read.push((name, value));
            }
        }
        read
    }

    fn block(&mut self, name: &str, block: Spanned<BlockText>) -> Option<FormulaBlock> {
        let span = block.span();
        let BlockText { formula, constants, fit, experiment, with } = block.into_inner();
        let source = match (formula, constants, fit) {
            (Some(text), Some(constants), None) => {
                let parsed = cll_formula::parse_anonymous(text.get_ref());
                let errors = parsed.diagnostics.into_iter().filter(Diagnostic::is_error);
                self.reported
                    .extend(errors.map(|diagnostic| diagnostic.shifted(text.span().start + 1)));
                let formula = parsed.formula?;
                let constants: Vec<[f64; 3]> = (constants.iter())
                    .map(|constant| match constant {
                        ConstantText::Number(value) => [*value; 3],
                        ConstantText::Interval { value, low, high } => [*value, *low, *high],
                    })
                    .collect();
                if constants.len() != formula.terms().len() {
                    let (terms, number) = (formula.terms().len(), constants.len());
                    let message = format!("block {name} has {number} constants for {terms} terms");
                    self.wrong(codes::BLOCK, span, message);
                    return None;
                }
                let wrong = constants.iter().find(|[value, low, high]| {
                    ![value, low, high].iter().all(|v| v.is_finite()) || low > value || high < value
                });
                if let Some([value, low, high]) = wrong {
                    let message =
                        format!("block {name}: {value} does not lie within {low} to {high}");
                    self.wrong(codes::VALUE, span, message);
                    return None;
                }
                BlockSource::Formula { formula: Box::new(formula), constants }
            }
            (None, None, Some(file)) => {
                let experiment = experiment.unwrap_or_else(|| name.to_owned());
                BlockSource::Fit { file, experiment }
            }
            _ => {
                let message =
                    format!("block {name} has neither a fit nor a formula with constants");
                self.reported.push(Diagnostic::error(codes::BLOCK, span, message).help(
                    "either `fit = \"model.json\"`, or `formula = \"f[0] + f[1]*N\"` with \
                     `constants = [1e-6, 2e-9]`",
                ));
                return None;
            }
        };
        Some(FormulaBlock { source, with: self.values(with), span })
    }

    fn steps(&mut self, steps: Vec<Spanned<StepText>>) -> Vec<Step> {
        steps.into_iter().filter_map(|step| self.step(step)).collect()
    }

    fn step(&mut self, step: Spanned<StepText>) -> Option<Step> {
        let span = step.span();
        let text = step.into_inner();
        let when = match &text.when {
            Some(text) => Some(condition(text, &mut self.reported)?),
            None => None,
        };
        let repeat = match &text.repeat {
            Some(times) => Some(Repeat {
                times: expression(times, &mut self.reported)?,
                counter: text.counter.clone(),
            }),
            None => None,
        };
        if text.counter.is_some() && repeat.is_none() {
            self.wrong(codes::FILE, span.clone(), "`counter` counts what `repeat` repeats".into());
        }
        if let Some(steps) = text.steps {
            let Some(repeat) = repeat else {
                self.wrong(codes::FILE, span, "`steps` are what `repeat` repeats".into());
                return None;
            };
            if !text.r#do.is_empty() || text.send.is_some() || text.end.is_some() {
                let message =
                    "a step with `steps` is no superstep of its own: do, send, end go there";
                self.wrong(codes::FILE, span, message.into());
                return None;
            }
            return Some(Step::Loop { when, repeat, steps: self.steps(steps) });
        }
        let mut actions = Vec::new();
        for action in text.r#do {
            actions.extend(self.action(action));
        }
        let send = match text.send {
            Some(send) => Some(self.send(send)?),
            None => None,
        };
        let end = text.end.unwrap_or_default();
        if send.is_some() && end == End::Nothing {
            let message =
                "what is sent arrives in a synchronisation, and there is none: end = \"nothing\"";
            self.wrong(codes::FILE, span.clone(), message.into());
        }
        let name = text.name;
        let superstep = SuperstepText { name, when, repeat, actions, send, end, span };
        Some(Step::Superstep(Box::new(superstep)))
    }

    fn action(&mut self, action: Spanned<ActionText>) -> Option<Action> {
        let span = action.span();
        Some(match action.into_inner() {
            ActionText::Name(block) => Action::Work { block, with: Vec::new(), span },
            ActionText::Table(table) => {
                let ActionTable { work, partition, ends, into, with } = *table;
                let with = self.values(with);
                match (work, partition, ends, into) {
                    (Some(block), None, None, None) => Action::Work { block, with, span },
                    (None, Some(parts), None, Some(into)) => {
                        let cuts = Cuts::Equal(expression(&parts, &mut self.reported)?);
                        Action::Partition { at: cuts, into, with, span }
                    }
                    (None, None, Some(ends), Some(into)) => {
                        let read = |end| expression(end, &mut self.reported);
                        let cuts = Cuts::Ends(ends.iter().filter_map(read).collect());
                        Action::Partition { at: cuts, into, with, span }
                    }
                    _ => {
                        let message = "this is neither work nor a partition";
                        self.reported.push(Diagnostic::error(codes::FILE, span, message).help(
                            "write `work = \"BLOCK\"`, or `partition = \"2\"` (or `ends = [\"P/3\", \"P\"]`) \
                             with `into = \"OBJECT\"`; each can have `with = { N = \"N/2\" }`",
                        ));
                        return None;
                    }
                }
            }
        })
    }

    fn send(&mut self, send: Spanned<SendText>) -> Option<Send> {
        let span = send.span();
        let SendText { pattern, by, root, to, bytes } = send.into_inner();
        let mut read =
            |text: Option<Text>| text.and_then(|spanned| expression(&spanned, &mut self.reported));
        let (by, root, to) = (read(by), read(root), read(to));
        let bytes = expression(&bytes, &mut self.reported)?;
        let word = pattern.as_ref().map(|text| text.get_ref().as_str());
        let rule = match (word, by, root, to) {
            (None, None, None, Some(to)) => SendRule::To(to),
            (Some("shift"), by, None, None) => SendRule::Shift(by),
            (Some("exchange"), Some(by), None, None) => SendRule::Exchange(by),
            (Some("tree"), Some(by), None, None) => SendRule::Outwards(by),
            (Some("tree-inwards"), Some(by), None, None) => SendRule::Inwards(by),
            (Some("total-exchange"), None, None, None) => SendRule::TotalExchange,
            (Some("broadcast"), None, root, None) => SendRule::Broadcast(root),
            (Some("scatter"), None, root, None) => SendRule::Scatter(root),
            (Some("gather"), None, root, None) => SendRule::Gather(root),
            (Some("random"), None, None, None) => SendRule::Random,
            _ => {
                let place = pattern.as_ref().map_or(span, Spanned::span);
                let message = match word {
                    Some(word) => format!("`{word}` is no pattern, or not with these keys"),
                    None => "neither `pattern` nor `to` alone".to_owned(),
                };
                self.reported.push(Diagnostic::error(codes::FILE, place, message).help(
                    "there are shift (by), exchange (by), tree (by), tree-inwards (by), \
                     total-exchange, broadcast (root), scatter (root), gather (root), random; or \
                     `to` with an expression of pid",
                ));
                return None;
            }
        };
        Some(Send { rule, bytes, span })
    }
}

/// Reports blocks and objects that do not exist.
fn names_of(step: &Step, known: &(Vec<&str>, Vec<&str>), reported: &mut Vec<Diagnostic>) {
    let superstep = match step {
        Step::Loop { steps, .. } => {
            return steps.iter().for_each(|step| names_of(step, known, reported));
        }
        Step::Superstep(superstep) => superstep,
    };
    for action in &superstep.actions {
        let (what, name, known, span) = match action {
            Action::Work { block, span, .. } => ("block", block, &known.0, span),
            Action::Partition { into, span, .. } => ("object", into, &known.1, span),
        };
        if !known.contains(&name.as_str()) {
            let there = if known.is_empty() {
                "there is none".to_owned()
            } else {
                format!("there are: {}", known.join(", "))
            };
            let message = format!("there is no {what} {name}");
            reported.push(Diagnostic::error(codes::NAME, span.clone(), message).help(there));
        }
    }
}

impl Description {
    /// The files of fits that its blocks name.
    pub fn files(&self) -> Vec<&str> {
        let mut files: Vec<&str> = (self.blocks.values())
            .filter_map(|block| match &block.source {
                BlockSource::Fit { file, .. } => Some(file.as_str()),
                BlockSource::Formula { .. } => None,
            })
            .collect();
        files.sort_unstable();
        files.dedup();
        files
    }
}
