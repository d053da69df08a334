//! Tables: named columns of equal length.

use std::collections::HashMap;
use std::sync::Arc;

use super::column::{Column, Words};

/// Named columns of equal length.
#[derive(Clone, Debug, Default)]
pub struct Table {
    columns: Vec<(String, Cells)>,
    rows: usize,
}

/// The content of a column.
#[derive(Clone, Debug)]
pub enum Cells {
    /// Numbers.
    Numbers(Column),
    /// Words.
    Words(Words),
    /// Truth values.
    Truths(Arc<[bool]>),
}

impl Cells {
    /// Number of rows.
    pub fn len(&self) -> usize {
        match self {
            Cells::Numbers(column) => column.values.len(),
            Cells::Words(words) => words.codes.len(),
            Cells::Truths(truths) => truths.len(),
        }
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// These rows, in this order.
    pub fn select_rows(&self, rows: &[usize]) -> Cells {
        match self {
            Cells::Numbers(column) => Cells::Numbers(Column {
                values: rows.iter().map(|row| column.values[*row]).collect(),
                unit: column.unit.clone(),
            }),
            Cells::Words(words) => Cells::Words(Words {
                known: Arc::clone(&words.known),
                codes: rows.iter().map(|row| words.codes[*row]).collect(),
            }),
            Cells::Truths(truths) => Cells::Truths(rows.iter().map(|row| truths[*row]).collect()),
        }
    }

    /// A column of so many rows with the cells at these; the others are missing, words empty and truth values words.
    pub fn spread(&self, rows: &[usize], length: usize) -> Cells {
        match self {
            Cells::Numbers(column) => {
                let mut values = vec![f64::NAN; length];
                rows.iter().zip(&*column.values).for_each(|(row, value)| values[*row] = *value);
                Cells::Numbers(Column { values: values.into(), unit: column.unit.clone() })
            }
            Cells::Truths(truths) if rows.len() == length => Cells::Truths(Arc::clone(truths)),
            other => {
                let mut texts = vec![String::new(); length];
                for (k, row) in rows.iter().enumerate() {
                    texts[*row] = match other {
                        Cells::Words(words) => words.word(k).to_owned(),
                        Cells::Truths(truths) => truths[k].to_string(),
                        Cells::Numbers(_) => String::new(),
                    };
                }
                Cells::Words(Words::from_rows(texts))
            }
        }
    }

    /// The rows that are marked.
    pub fn kept(&self, marked: &[bool]) -> Cells {
        match self {
            Cells::Numbers(column) => Cells::Numbers(column.kept(marked)),
            Cells::Words(words) => Cells::Words(words.kept(marked)),
            Cells::Truths(truths) => {
                let kept = truths.iter().zip(marked).filter(|(_, keep)| **keep);
                Cells::Truths(kept.map(|(truth, _)| *truth).collect())
            }
        }
    }
}

impl Table {
    /// Without columns.
    pub fn new() -> Table {
        Table::default()
    }

    /// With another column; one of this name is replaced.
    ///
    /// # Panics
    /// If its length is another than that of the columns before.
    #[must_use]
    pub fn with(mut self, name: impl Into<String>, cells: Cells) -> Table {
        let name = name.into();
        assert!(self.columns.is_empty() || cells.len() == self.rows, "columns of equal length");
        self.rows = cells.len();
        match self.columns.iter_mut().find(|(known, _)| *known == name) {
            Some((_, known)) => *known = cells,
            None => self.columns.push((name, cells)),
        }
        self
    }

    /// A table of these columns; of equal names the last cells are kept, in the place of the first.
    ///
    /// # Panics
    /// If they are not of equal length.
    pub fn from_columns(columns: impl IntoIterator<Item = (String, Cells)>) -> Table {
        let mut table = Table::new();
        let mut places: HashMap<String, usize> = HashMap::new();
        for (name, cells) in columns {
            assert!(
                table.columns.is_empty() || cells.len() == table.rows,
                "columns of equal length"
            );
            table.rows = cells.len();
            match places.get(&name) {
                Some(&place) => table.columns[place].1 = cells,
                None => {
                    places.insert(name.clone(), table.columns.len());
                    table.columns.push((name, cells));
                }
            }
        }
        table
    }

    /// With a column of numbers.
    #[must_use]
    pub fn numbers(self, name: impl Into<String>, column: Column) -> Table {
        self.with(name, Cells::Numbers(column))
    }

    /// Names and contents, in order.
    pub fn columns(&self) -> &[(String, Cells)] {
        &self.columns
    }

    /// The column of this name.
    pub fn column(&self, name: &str) -> Option<&Cells> {
        self.columns.iter().find(|(known, _)| known == name).map(|(_, cells)| cells)
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.rows
    }

    /// These rows, in this order.
    pub fn select_rows(&self, rows: &[usize]) -> Table {
        let columns =
            self.columns.iter().map(|(name, cells)| (name.clone(), cells.select_rows(rows)));
        Table { columns: columns.collect(), rows: rows.len() }
    }

    /// The rows that are marked.
    pub fn kept(&self, marked: &[bool]) -> Table {
        let columns: Vec<(String, Cells)> =
            self.columns.iter().map(|(name, cells)| (name.clone(), cells.kept(marked))).collect();
        let rows = marked.iter().filter(|keep| **keep).count();
        Table { columns, rows }
    }
}
