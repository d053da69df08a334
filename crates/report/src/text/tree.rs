//! The labels of a tree, followed by figures, in the width of the terminal.

use std::collections::HashMap;

use super::{Cell, Column, Table, columns};
use crate::style::Style;

/// The least that is shown of a label.
const MIN_LABEL_COLUMNS: usize = 12;
/// Columns that labels are padded to if they are not shortened: a longer one moves its figures.
const MAX_PADDED_COLUMNS: usize = 100;
/// Levels of a tree that are indented: a path may be tens of thousands deep.
const MAX_INDENTED_LEVEL: usize = 40;

/// A label: the branches before the name, and the name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Label {
    lead: String,
    name: String,
}

impl Label {
    /// A name without anything before it.
    pub fn plain(name: String) -> Label {
        Label { lead: String::new(), name }
    }

    /// A name at a level of a tree. Beyond [`MAX_INDENTED_LEVEL`] the lead is unchanged, and the level is written.
    pub fn at_level(level: usize, lead: String, name: String) -> Label {
        if level > MAX_INDENTED_LEVEL {
            Label { lead: format!("{lead}[level {level}] "), name }
        } else {
            Label { lead, name }
        }
    }

    /// Whether a level is indented further than the one before.
    pub fn is_indented(level: usize) -> bool {
        level <= MAX_INDENTED_LEVEL
    }

    fn complete(&self) -> String {
        format!("{}{}", self.lead, self.name)
    }

    fn width(&self) -> usize {
        columns(&self.lead) + columns(&self.name)
    }

    /// A label of at most this number of columns: the end of the lead, beginning and end of the name.
    fn within(&self, room: usize, mark: &str) -> String {
        if self.width() <= room {
            return self.complete();
        }
        let lead = match columns(&self.lead) {
            wide if wide <= room / 2 => self.lead.clone(),
            _ => format!("{mark}{}", end(&self.lead, room / 2 - columns(mark).min(room / 2))),
        };
        let left = room.saturating_sub(columns(&lead));
        if columns(&self.name) <= left {
            return format!("{lead}{}", self.name);
        }
        let left = left.saturating_sub(columns(mark));
        let (first, last) = (begin(&self.name, left.div_ceil(2)), end(&self.name, left / 2));
        format!("{lead}{first}{mark}{last}")
    }
}

/// Labels, and right-aligned figures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TreeTable {
    titles: Vec<String>,
    rows: Vec<(Label, Vec<String>)>,
}

impl TreeTable {
    /// Without rows; `title` stands above the labels.
    pub fn new(title: &str) -> TreeTable {
        TreeTable { titles: vec![title.to_owned()], rows: Vec::new() }
    }

    /// Adds a column of figures.
    pub fn column(&mut self, title: &str) {
        self.titles.push(title.to_owned());
    }

    /// Adds a row; the label of one without figures may take the whole line.
    pub fn row(&mut self, label: Label, figures: Vec<String>) {
        self.rows.push((label, figures));
    }

    /// As a table with complete labels.
    pub(crate) fn table(&self) -> Table {
        let columns = self.titles.iter().enumerate().map(|(k, title)| match k {
            0 => Column::left(title),
            _ => Column::right(title),
        });
        let mut table = Table::new(columns.collect());
        for (label, figures) in &self.rows {
            let label = std::iter::once(label.complete());
            table.row(label.chain(figures.iter().cloned()).map(Cell::new));
        }
        table
    }

    fn figures(&self) -> Vec<usize> {
        let widest = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| Some(columns(row.1.get(column)?)));
            cells.max().unwrap_or(0).max(columns(&self.titles[column + 1]))
        };
        (0..self.titles.len() - 1).map(widest).collect()
    }

    fn label(&self) -> usize {
        let labels = self.rows.iter().map(|row| row.0.width());
        labels.max().unwrap_or(0).max(columns(&self.titles[0]))
    }

    /// Whether nothing has to be shortened.
    pub fn fits(&self, room: usize) -> bool {
        self.label() + self.figures().iter().map(|width| width + 2).sum::<usize>() <= room
    }

    /// As text. On a terminal labels are shortened if there is no room, so that different ones stay different;
    /// elsewhere they are complete.
    pub fn render(&self, style: &Style, on_terminal: bool) -> String {
        let figures = self.figures();
        let taken: usize = figures.iter().map(|width| width + 2).sum();
        let room = style.width.saturating_sub(taken).max(MIN_LABEL_COLUMNS).min(self.label());
        let room = if on_terminal { room } else { self.label().min(MAX_PADDED_COLUMNS) };
        let mark = if style.unicode { "…" } else { "~" };
        let labels = if on_terminal { self.shortened(room, style, mark) } else { self.complete() };
        let mut out = String::new();
        let mut line = |label: &str, cells: &[String]| {
            out.push_str(label);
            if !cells.is_empty() {
                out.push_str(&" ".repeat(room.saturating_sub(columns(label))));
            }
            for (cell, wide) in cells.iter().zip(&figures) {
                out.push_str(&" ".repeat(2 + wide.saturating_sub(columns(cell))));
                out.push_str(cell);
            }
            out.truncate(out.trim_end().len());
            out.push('\n');
        };
        line(&self.titles[0], &self.titles[1..]);
        for ((_, cells), label) in self.rows.iter().zip(&labels) {
            line(label, cells);
        }
        out
    }

    fn complete(&self) -> Vec<String> {
        self.rows.iter().map(|(label, _)| label.complete()).collect()
    }

    /// The visible text of each label. If different labels would look the same, they are numbered.
    fn shortened(&self, room: usize, style: &Style, mark: &str) -> Vec<String> {
        let room_of = |cells: &[String]| {
            if cells.is_empty() { style.width.max(MIN_LABEL_COLUMNS) } else { room }
        };
        let mut looks: HashMap<String, HashMap<&str, usize>> = HashMap::new();
        let mut shown = Vec::with_capacity(self.rows.len());
        for (label, cells) in &self.rows {
            let short = label.within(room_of(cells), mark);
            let same = looks.entry(short.clone()).or_default();
            let next = same.len();
            let number = *same.entry(&label.name).or_insert(next);
            shown.push((short, number));
        }
        let numbered = |((short, number), (_, cells)): ((String, usize), &(Label, Vec<String>))| {
            if looks.get(&short).is_some_and(|same| same.len() > 1) {
                let number = format!("{mark}{}", number + 1);
                let room = room_of(cells).saturating_sub(columns(&number));
                format!("{}{number}", begin(&short, room))
            } else {
                short
            }
        };
        shown.into_iter().zip(&self.rows).map(numbered).collect()
    }
}

/// The first letters, at most this number of columns.
fn begin(text: &str, room: usize) -> &str {
    let fits = |&offset: &usize| columns(&text[..offset]) <= room;
    let ends =
        text.char_indices().map(|(offset, _)| offset).chain([text.len()]).take(4 * room + 16);
    &text[..ends.take_while(fits).last().unwrap_or(0)]
}

/// The last letters, at most this number of columns.
fn end(text: &str, room: usize) -> &str {
    let fits = |&offset: &usize| columns(&text[offset..]) <= room;
    let begins = text.char_indices().rev().map(|(offset, _)| offset).take(4 * room + 16);
    &text[begins.take_while(fits).last().unwrap_or(text.len())..]
}

#[cfg(test)]
mod tests {
    use super::*;

    const STYLE: Style = Style { width: 24, color: false, unicode: false };

    fn lines(rows: &[(&str, &str)]) -> TreeTable {
        let mut lines = TreeTable::new("tree");
        lines.column("time");
        for (lead, name) in rows {
            let label = Label { lead: (*lead).to_owned(), name: (*name).to_owned() };
            lines.row(label, vec!["1.5 s".to_owned()]);
        }
        lines
    }

    #[test]
    fn labels_are_shortened_in_their_middle_and_figures_are_not() {
        let mut lines = lines(&[("`- ", "a_rather_long_name_of_a_function")]);
        lines.row(Label::plain("   from somewhere else: 50 %".to_owned()), Vec::new());
        let text = lines.render(&STYLE, true);
        assert_eq!(
            text,
            "tree                time\n`- a_rathe~nction  1.5 s\n   from some~ else: 50 %\n"
        );
        assert!(!lines.fits(24) && lines.fits(60));
    }

    #[test]
    fn what_is_no_terminal_gets_whole_names() {
        let name = "a_name_of_a_function".repeat(50);
        let text = lines(&[("`- ", &name)]).render(&STYLE, false);
        assert!(text.contains(&format!("`- {name}  1.5 s")), "{text}");
    }

    #[test]
    fn different_names_look_different() {
        let long = "std::vector<double, std::allocator<double> >::";
        let (a, b) = (format!("{long}f{long}"), format!("{long}g{long}"));
        let text = lines(&[("", &a), ("", &b), ("", &a)]).render(&STYLE, true);
        let rows: Vec<&str> = text.lines().skip(1).collect();
        assert!(rows[0] != rows[1] && rows[0] == rows[2], "{text}");
        assert!(rows.iter().all(|row| row.len() <= 24), "{text}");
    }

    #[test]
    fn of_a_deep_tree_names_are_seen() {
        let lead = "|  ".repeat(40);
        let text = lines(&[(&lead, "sort"), (&lead, "merge")]).render(&STYLE, true);
        assert!(text.contains("sort") && text.contains("merge"), "{text}");
    }
}
