//! Lines of a tree with figures behind them, as wide as the terminal.

use cll_report::{Style, truncate};

/// The least that is shown of a label.
const NARROWEST: usize = 12;

/// Labels, and right-aligned figures.
pub struct Lines {
    titles: Vec<String>,
    rows: Vec<(String, Vec<String>)>,
}

impl Lines {
    /// Without lines; `title` stands above the labels.
    pub fn new(title: &str) -> Lines {
        Lines { titles: vec![title.to_owned()], rows: Vec::new() }
    }

    /// Adds a column of figures.
    pub fn column(&mut self, title: &str) {
        self.titles.push(title.to_owned());
    }

    /// Adds a line; one without figures may be as long as the line.
    pub fn row(&mut self, label: String, figures: Vec<String>) {
        self.rows.push((label, figures));
    }

    fn figures(&self) -> Vec<usize> {
        let widest = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| Some(width(row.1.get(column)?)));
            cells.max().unwrap_or(0).max(width(&self.titles[column + 1]))
        };
        (0..self.titles.len() - 1).map(widest).collect()
    }

    fn label(&self) -> usize {
        let labels = self.rows.iter().map(|row| width(&row.0));
        labels.max().unwrap_or(0).max(width(&self.titles[0]))
    }

    /// Whether nothing has to be cut.
    pub fn fits(&self, columns: usize) -> bool {
        self.label() + self.figures().iter().map(|width| width + 2).sum::<usize>() <= columns
    }

    /// The lines; labels are cut where there is no room.
    pub fn render(&self, style: &Style) -> String {
        let figures = self.figures();
        let taken: usize = figures.iter().map(|width| width + 2).sum();
        let room = style.width.saturating_sub(taken).max(NARROWEST).min(self.label());
        let mut out = String::new();
        let mut line = |label: &str, cells: &[String]| {
            let alone = cells.is_empty();
            let room = if alone { style.width.max(NARROWEST) } else { room };
            let label = truncate(label, room, if style.unicode { "…" } else { "~" });
            out.push_str(&label);
            if !alone {
                out.push_str(&" ".repeat(room.saturating_sub(width(&label))));
            }
            for (cell, wide) in cells.iter().zip(&figures) {
                out.push_str(&" ".repeat(2 + wide.saturating_sub(width(cell))));
                out.push_str(cell);
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        };
        line(&self.titles[0], &self.titles[1..]);
        for (label, cells) in &self.rows {
            line(label, cells);
        }
        out
    }
}

fn width(text: &str) -> usize {
    cll_report::columns(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_cut_and_figures_are_not() {
        let mut lines = Lines::new("tree");
        lines.column("time");
        lines.row("`- a_rather_long_name_of_a_function".to_owned(), vec!["1.5 s".to_owned()]);
        lines.row("   from somewhere else: 50 %".to_owned(), Vec::new());
        let style = Style { width: 24, color: false, unicode: false };
        let text = lines.render(&style);
        assert_eq!(
            text,
            "tree                time\n`- a_rather_long~  1.5 s\n   from somewhere else:~\n"
        );
        assert!(!lines.fits(24) && lines.fits(60));
    }
}
