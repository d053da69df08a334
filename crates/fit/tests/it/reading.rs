//! Reads the fixtures.

use std::path::Path;

use cll_fit::Data;
use cll_formula::Formula;

/// A fixture: `#` lines, names of columns, rows of text.
pub struct Table {
    pub comments: Vec<String>,
    pub columns: Vec<String>,
    pub rows: Vec<Vec<String>>,
}

impl Table {
    pub fn read(name: &str) -> Table {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/fixtures").join(name);
        let text = std::fs::read_to_string(path).expect(name);
        let comments =
            text.lines().filter_map(|l| l.strip_prefix('#')).map(str::to_owned).collect();
        let mut lines = text.lines().filter(|l| !l.starts_with('#') && !l.is_empty());
        let cells = |line: &str| line.split(',').map(str::to_owned).collect::<Vec<_>>();
        let columns = cells(lines.next().expect(name));
        Table { comments, columns, rows: lines.map(cells).collect() }
    }

    pub fn column(&self, name: &str) -> Vec<f64> {
        let index = self.columns.iter().position(|c| c == name).expect(name);
        self.rows.iter().map(|r| r[index].parse().expect(&r[index])).collect()
    }

    /// Data of one observable over variables.
    pub fn data(&self, variables: &[&str], observable: &str) -> Data {
        let columns: Vec<Vec<f64>> = variables.iter().map(|v| self.column(v)).collect();
        let rows = self
            .column(observable)
            .into_iter()
            .enumerate()
            .map(|(i, y)| (columns.iter().map(|c| c[i]).collect(), y));
        Data::from_rows(variables.iter().map(|v| (*v).to_owned()).collect(), rows)
    }
}

pub fn formula(text: &str) -> Formula {
    cll_formula::parse_anonymous(text).formula.expect(text)
}

/// The only value of a constant.
pub fn value(fit: &cll_fit::Fit, k: usize) -> f64 {
    assert_eq!(fit.constants[k].segments.len(), 1, "{} changes", fit.constants[k].constant);
    fit.constants[k].segments[0].estimate.value.expect("determined")
}
