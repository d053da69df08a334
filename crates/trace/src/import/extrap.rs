use super::csv::parse;
use super::{ImportCause, ImportError, Oddity, OddityKind, Row, Table};

/// Reads Extra-P's text input: `PARAMETER`, `POINTS`, `REGION`, `METRIC` and
/// `DATA` lines, `#` begins a comment line. Gives one table per region and metric, with
/// the region's name (empty if none was given); each repetition is a row.
///
/// # Errors
/// With the line, at the first that cannot be used.
pub fn extrap(text: &str) -> Result<Vec<(String, Table)>, ImportError> {
    let mut file = File::default();
    for (index, line) in text.lines().enumerate() {
        let number = index as u64 + 1;
        let trimmed = line.trim();
        if trimmed.is_empty() || line.starts_with('#') {
            continue;
        }
        let (field, value) = trimmed.split_once(char::is_whitespace).unwrap_or((trimmed, ""));
        file.line(field, value.trim(), number).map_err(|cause| cause.at(number, 0))?;
    }
    match file.tables.is_empty() {
        true if text.trim().is_empty() => Err(ImportCause::Empty.at(0, 0)),
        true => Err(ImportCause::Extrap("there are no DATA lines".into()).at(0, 0)),
        false => Ok(file.tables),
    }
}

#[derive(Default)]
struct File {
    parameters: Vec<String>,
    points: Vec<Vec<f64>>,
    region: String,
    metric: String,
    /// The point of the next DATA line.
    point: usize,
    tables: Vec<(String, Table)>,
}

impl File {
    fn line(&mut self, field: &str, value: &str, number: u64) -> Result<(), ImportCause> {
        match field {
            "PARAMETER" if !self.points.is_empty() => {
                return Err(ImportCause::Extrap("PARAMETER after POINTS".into()));
            }
            "PARAMETER" => self.parameters.extend(value.split_whitespace().map(str::to_owned)),
            "POINTS" => self.points(value)?,
            "REGION" => (self.region, self.point) = (value.to_owned(), 0),
            "METRIC" => (self.metric, self.point) = (value.to_owned(), 0),
            "DATA" => self.data(value, number)?,
            _ => {
                return Err(ImportCause::Extrap(format!(
                    "`{field}` is none of PARAMETER, POINTS, REGION, METRIC, DATA"
                )));
            }
        }
        Ok(())
    }

    fn points(&mut self, value: &str) -> Result<(), ImportCause> {
        if self.parameters.is_empty() {
            return Err(ImportCause::Extrap("POINTS before any PARAMETER".into()));
        }
        let mut values = Vec::new();
        let words = value.split(|c: char| c.is_whitespace() || c == '(' || c == ')');
        for word in words.filter(|word| !word.is_empty()) {
            values.push(numeral(word, "POINTS")?);
        }
        let dimensions = self.parameters.len();
        if !values.len().is_multiple_of(dimensions) {
            return Err(ImportCause::Extrap(format!(
                "{} numbers are no whole points of {dimensions} parameters",
                values.len()
            )));
        }
        self.points.extend(values.chunks_exact(dimensions).map(<[f64]>::to_vec));
        Ok(())
    }

    fn data(&mut self, value: &str, line: u64) -> Result<(), ImportCause> {
        let Some(point) = self.points.get(self.point) else {
            return Err(ImportCause::Extrap(format!(
                "more DATA lines than the {} POINTS",
                self.points.len()
            )));
        };
        self.point += 1;
        let metric = if self.metric.is_empty() { "time" } else { &self.metric };
        let same =
            |(region, table): &(String, Table)| *region == self.region && table.time == metric;
        let index = self.tables.iter().position(same).unwrap_or_else(|| {
            let table = Table {
                variables: self.parameters.clone(),
                time: metric.to_owned(),
                ..Table::default()
            };
            self.tables.push((self.region.clone(), table));
            self.tables.len() - 1
        });
        let table = &mut self.tables[index].1;
        for word in value.split_whitespace() {
            let time = numeral(word, "DATA")?;
            if let Some(kind) = OddityKind::of(time, true) {
                table.oddities.push(Oddity { line, column: table.time.clone(), kind });
            }
            table.rows.push(Row { values: point.clone(), time, line });
        }
        Ok(())
    }
}

fn numeral(text: &str, column: &str) -> Result<f64, ImportCause> {
    parse(text)
        .ok_or_else(|| ImportCause::NotANumber { text: text.to_owned(), column: column.to_owned() })
}
