//! `plot f as histogram`, `plot f by P as boxes`, `plot g by machine as bars`.

use cll_report::{Bars, Chart, ChartContent, Histogram, Spread, SvgOptions, chart_svg, chart_text};

use super::Phrase;
use super::aggregate::{is_single, sample_rows};
use crate::evaluate::arguments::Clauses;
use crate::evaluate::builtin::numbers;
use crate::evaluate::groups::{Groups, of_rows};
use crate::evaluate::{Evaluator, Scope, Wrong, error, names_in};
use crate::printed::Printed;
use crate::samples::Samples;
use crate::syntax::ClauseWord;
use crate::syntax::ast::{Argument, Expr, Span};
use crate::value::{Cells, Column, Table, Unit, Value};

/// The chart that is drawn in place of points and curves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Kind {
    /// How many values there are of each size.
    Histogram,
    /// The spread of each category's values.
    Boxes,
    /// A value for each category.
    Bars,
    /// Each value as a point.
    Scatter,
}

/// The kinds by their words.
pub(super) const KINDS: &[(&str, Kind)] = &[
    ("histogram", Kind::Histogram),
    ("boxes", Kind::Boxes),
    ("bars", Kind::Bars),
    ("scatter", Kind::Scatter),
];

/// The most categories that are drawn.
const MOST: usize = 60;

/// Values to draw, with their category and series.
struct Values {
    name: String,
    unit: Unit,
    numbers: Vec<f64>,
    categories: Vec<String>,
    series: Option<Vec<String>>,
}

impl Evaluator<'_> {
    /// A chart: shown in the terminal, or written as SVG.
    pub(super) fn chart(
        &mut self,
        phrase: &Phrase<'_>,
        kind: Kind,
        scope: &Scope<'_>,
    ) -> Result<Value, Wrong> {
        use ClauseWord::{As, By, For, Into, With};
        let clauses = Clauses::new(phrase.verb, phrase.clauses, &[By, For, As, With, Into])?;
        let mut options = clauses.options()?;
        let bins = self.option_number(&mut options, "bins", scope)?;
        options.end(if kind == Kind::Histogram { &["bins"] } else { &[] })?;
        let bins = bins.map(|count| count.clamp(1.0, 1000.0) as usize);
        let by = clauses.get(By).map_or(&[][..], |clause| &clause.items);
        let each = clauses.get(For).map_or(&[][..], |clause| &clause.items);
        if kind == Kind::Histogram && !by.is_empty() {
            let wrong =
                error("L160", phrase.span, "a histogram has no `by`: its axis is the value");
            return Err(wrong.help("`for` makes one for each value of a column").into());
        }
        let mut all = Vec::new();
        for argument in phrase.arguments {
            all.extend(self.charted(argument, by, each, kind, scope)?);
        }
        let Some(first) = all.first() else {
            let wrong = error("L177", phrase.span, "`plot` needs something to draw");
            return Err(wrong.help("such as `plot f as histogram`").into());
        };
        let (name, unit) = (first.name.clone(), first.unit.clone());
        if let Some(other) = all.iter().find(|values| values.unit != unit) {
            let message =
                format!("{} is in `{}`, what is before it in `{unit}`", other.name, other.unit);
            return Err(error("L177", phrase.span, message).into());
        }
        let texts = by.iter().map(|item| self.key_name(item, scope)).collect::<Vec<_>>();
        let content = content(kind, &all, bins)
            .ok_or_else(|| error("L177", phrase.span, "none of these values is a finite number"))?;
        let count = match &content {
            ChartContent::Boxes(boxes) => boxes.len(),
            ChartContent::Bars(bars) => bars.labels.len(),
            ChartContent::Histogram(_) => 0,
        };
        if count > MOST {
            let message = format!("these are {count} categories, more than {MOST}");
            return Err(error("L177", phrase.span, message).into());
        }
        let title = all.iter().map(|values| values.name.as_str()).collect::<Vec<_>>().join(", ");
        let title =
            if texts.is_empty() { title } else { format!("{title} by {}", texts.join(", ")) };
        let chart = Chart::new(title, (name, unit.to_fit()), texts.join(", "), content);
        if let Some(file) = self.svg_file(&clauses, scope, phrase.span)? {
            let svg = chart_svg(&chart, &SvgOptions::default());
            return self.drawn_into(&file, &svg, phrase.span);
        }
        let json = serde_json::json!({ "chart": serde_json::to_value(&chart).unwrap_or_default() });
        let text = move |style: &cll_report::Style| chart_text(&chart, style);
        Ok(Value::Thing(std::sync::Arc::new(Printed::styled(text, json))))
    }

    /// The values of an argument: those of samples, the measured column of a table, or a column with categories beside
    /// it.
    fn charted(
        &mut self,
        argument: &Argument,
        by: &[Argument],
        each: &[Argument],
        kind: Kind,
        scope: &Scope<'_>,
    ) -> Result<Vec<Values>, Wrong> {
        let value = self.value(&argument.value, scope)?;
        let label = self.key_name(argument, scope);
        let span = &argument.value.span;
        if let Some((numbers, unit)) = numbers(&value) {
            let rows = numbers.len();
            let mut words = |items: &[Argument]| -> Result<Option<Vec<String>>, Wrong> {
                let keys = items
                    .iter()
                    .map(|item| {
                        let value = self.value(&item.value, scope)?;
                        of_rows(&value, rows, &item.value.span)
                    })
                    .collect::<Result<Vec<_>, _>>()?;
                Ok((!keys.is_empty()).then(|| joined(&keys, rows)))
            };
            let categories = words(by)?.unwrap_or_else(|| vec![String::new(); rows]);
            let series = words(each)?;
            return Ok(vec![Values { name: label, unit, numbers, categories, series }]);
        }
        let (table, result) = self.chart_rows(&value, by, each, span)?;
        let keys = self.key_cells(&table, by, scope)?;
        let heads = self.key_cells(&table, each, scope)?;
        let rows = table.rows();
        let column = match table.column(&result) {
            Some(Cells::Numbers(column)) => column.clone(),
            _ => Column::plain(Vec::new()),
        };
        let is_samples = matches!(value, Value::Samples(_));
        let name = if is_samples { format!("{label}.{result}") } else { result };
        let cells = |keys: &[(String, Cells)]| {
            let cells: Vec<Cells> = keys.iter().map(|(_, cells)| cells.clone()).collect();
            joined(&cells, rows)
        };
        // Rows in the order of the categories.
        let order = Groups::new(&keys, rows);
        let mut places: Vec<usize> = (0..rows).collect();
        if kind != Kind::Histogram {
            places.sort_by_key(|row| order.row_groups[*row]);
        }
        let categories = cells(&keys);
        let series = (!heads.is_empty()).then(|| cells(&heads));
        Ok(vec![Values {
            name,
            unit: column.unit.clone(),
            numbers: places.iter().map(|row| column.values[*row]).collect(),
            categories: places.iter().map(|row| categories[*row].clone()).collect(),
            series: series.map(|all| places.iter().map(|row| all[*row].clone()).collect()),
        }])
    }

    /// The rows of samples or of a table, and the name of the column that is drawn.
    fn chart_rows(
        &mut self,
        value: &Value,
        by: &[Argument],
        each: &[Argument],
        span: &Span,
    ) -> Result<(Table, String), Wrong> {
        if let Value::Samples(samples) = value {
            let exprs = by.iter().chain(each).map(|item| &item.value);
            let mut needed: Vec<&str> = exprs.flat_map(|expr: &Expr| names_in(expr)).collect();
            needed.push(&samples.result);
            return Ok((sample_rows(samples, &needed), samples.result.clone()));
        }
        let Some(table) = crate::display::as_table(value).filter(|_| !is_single(value)) else {
            let message = format!("{} cannot be drawn so", value.a_kind());
            return Err(error("L177", span, message).into());
        };
        let result = Samples::of_table(&table, None).map_err(|_| {
            let wrong = error("L177", span, "which column of the table is drawn?");
            wrong.help("such as `plot t.median by t.machine as bars`")
        })?;
        Ok((table, result.result))
    }
}

/// The words of several columns, for each row.
fn joined(keys: &[Cells], rows: usize) -> Vec<String> {
    let word = |cells: &Cells, row: usize| match cells {
        Cells::Numbers(column) => format!("{}", column.values[row]),
        Cells::Words(words) => words.word(row).to_owned(),
        Cells::Truths(truths) => truths[row].to_string(),
    };
    let each = |row| keys.iter().map(|cells| word(cells, row)).collect::<Vec<_>>().join(", ");
    (0..rows).map(each).collect()
}

/// The chart; `None`: no value is finite.
fn content(kind: Kind, all: &[Values], bins: Option<usize>) -> Option<ChartContent> {
    let several = all.len() > 1;
    let mut labels: Vec<&str> = Vec::new();
    let mut series: Vec<(String, Vec<(usize, f64)>)> = Vec::new();
    for values in all {
        for (row, number) in values.numbers.iter().enumerate().filter(|(_, n)| n.is_finite()) {
            let category = values.categories[row].as_str();
            let place = labels.iter().position(|known| *known == category).unwrap_or_else(|| {
                labels.push(category);
                labels.len() - 1
            });
            let name = match &values.series {
                Some(words) if several => format!("{}, {}", values.name, words[row]),
                Some(words) => words[row].clone(),
                None => values.name.clone(),
            };
            let index = series.iter().position(|(known, _)| *known == name).unwrap_or_else(|| {
                series.push((name, Vec::new()));
                series.len() - 1
            });
            series[index].1.push((place, *number));
        }
    }
    match kind {
        Kind::Histogram | Kind::Scatter => {
            let numbers = |all: &Vec<(usize, f64)>| all.iter().map(|(_, n)| *n).collect();
            let series: Vec<(String, Vec<f64>)> =
                series.iter().map(|(name, all)| (name.clone(), numbers(all))).collect();
            Histogram::new(&series, bins).map(ChartContent::Histogram)
        }
        Kind::Boxes => {
            let mut boxes = Vec::new();
            for (place, label) in labels.iter().enumerate() {
                for (name, all) in &series {
                    let here =
                        all.iter().filter(|(position, _)| *position == place).map(|(_, n)| *n);
                    let label = match (label.is_empty(), series.len() > 1) {
                        (true, _) => name.clone(),
                        (false, true) => format!("{label}, {name}"),
                        (false, false) => (*label).to_owned(),
                    };
                    boxes.extend(Spread::new(label, &here.collect::<Vec<_>>()));
                }
            }
            (!boxes.is_empty()).then_some(ChartContent::Boxes(boxes))
        }
        Kind::Bars => {
            // Several values of a category are drawn by their median.
            let median = |all: &Vec<(usize, f64)>, place: usize| {
                let here = all.iter().filter(|(position, _)| *position == place).map(|(_, n)| *n);
                Spread::new(String::new(), &here.collect::<Vec<_>>()).map_or(f64::NAN, |s| s.median)
            };
            let series: Vec<(String, Vec<f64>)> = series
                .iter()
                .map(|(name, all)| {
                    (name.clone(), (0..labels.len()).map(|place| median(all, place)).collect())
                })
                .collect();
            let labels = labels.iter().map(|label| (*label).to_owned()).collect();
            (!series.is_empty()).then_some(ChartContent::Bars(Bars { labels, series }))
        }
    }
}
