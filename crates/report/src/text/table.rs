//! Aligned tables that fit the terminal.

use super::{columns, escape, pad, truncate, wrap};
use crate::style::{Role, Style};

/// The side of its column that a text is aligned to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Align {
    /// Words.
    #[default]
    Left,
    /// Numbers.
    Right,
}

/// A column of a [`Table`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Column {
    pub(crate) title: String,
    pub(crate) align: Align,
    pub(crate) gap: usize,
    flexible: bool,
}

impl Column {
    /// A column of words, which keeps its width.
    pub fn left(title: &str) -> Column {
        Column { title: escape(title), align: Align::Left, gap: 2, flexible: false }
    }

    /// A column of numbers.
    pub fn right(title: &str) -> Column {
        Column { align: Align::Right, ..Column::left(title) }
    }

    /// Lets the cells be wrapped to several lines if the table is too wide.
    pub fn flexible(self) -> Column {
        Column { flexible: true, ..self }
    }

    /// Makes it a continuation of the column before it, with one space between: `3.42` and `± 0.08 ms`.
    pub fn joined(self) -> Column {
        Column { gap: 1, ..self }
    }
}

/// A cell of a [`Table`]: foreign text is escaped on its way in.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Cell {
    pub(crate) text: String,
    pub(crate) role: Role,
}

impl Cell {
    /// Text without colour.
    pub fn new(text: impl AsRef<str>) -> Cell {
        Cell { text: escape(text.as_ref()), role: Role::Plain }
    }

    /// With the colour of a role.
    pub(crate) fn role(self, role: Role) -> Cell {
        Cell { role, ..self }
    }
}

impl<T: AsRef<str>> From<T> for Cell {
    fn from(text: T) -> Cell {
        Cell::new(text)
    }
}

/// Rows under titles. Too wide for the terminal, its flexible columns are wrapped; too wide even
/// then, every row becomes a block of `title  value` lines.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Table {
    pub(crate) columns: Vec<Column>,
    pub(crate) rows: Vec<Vec<Cell>>,
}

/// A flexible column is not made narrower than this.
const MIN_FLEXIBLE_COLUMNS: usize = 10;

impl Table {
    /// A table without rows.
    pub fn new(columns: Vec<Column>) -> Table {
        Table { columns, rows: Vec::new() }
    }

    /// Adds a row; missing cells are empty, further ones are dropped.
    pub fn row(&mut self, cells: impl IntoIterator<Item = Cell>) {
        let mut cells: Vec<Cell> = cells.into_iter().take(self.columns.len()).collect();
        cells.resize_with(self.columns.len(), Cell::default);
        self.rows.push(cells);
    }

    /// Whether there is no row.
    pub fn is_empty(&self) -> bool {
        self.rows.is_empty()
    }

    /// The table; each line is indented and ends with a new line. Columns that are empty
    /// in every row are left out; titles as well, if no column has one.
    pub fn render(&self, style: &Style, indent: usize) -> String {
        let used = self.used();
        if used.is_empty() {
            return String::new();
        }
        let room = style.columns().saturating_sub(indent);
        match self.widths(&used, room) {
            Some(widths) => self.grid(&used, &widths, style, indent),
            None => self.blocks(&used, style, indent),
        }
    }

    /// Columns that have text in some row.
    pub(crate) fn used(&self) -> Vec<usize> {
        (0..self.columns.len())
            .filter(|&c| self.rows.iter().any(|row| !row[c].text.is_empty()))
            .collect()
    }

    fn natural(&self, column: usize) -> usize {
        let cells = self.rows.iter().map(|row| columns(&row[column].text));
        cells.max().unwrap_or(0).max(columns(&self.columns[column].title))
    }

    /// Widths that fit, or `None`.
    fn widths(&self, used: &[usize], room: usize) -> Option<Vec<usize>> {
        let mut widths: Vec<usize> = used.iter().map(|&c| self.natural(c)).collect();
        let gaps: usize = used.iter().skip(1).map(|&c| self.columns[c].gap).sum();
        loop {
            let total: usize = widths.iter().sum::<usize>() + gaps;
            if total <= room {
                return Some(widths);
            }
            let widest = (0..used.len())
                .filter(|&k| self.columns[used[k]].flexible && widths[k] > MIN_FLEXIBLE_COLUMNS)
                .max_by_key(|&k| widths[k])?;
            let next = (0..used.len())
                .filter(|&k| k != widest && self.columns[used[k]].flexible)
                .map(|k| widths[k])
                .filter(|&w| w < widths[widest])
                .max()
                .unwrap_or(0);
            let step = (total - room).min(widths[widest] - next.max(MIN_FLEXIBLE_COLUMNS)).max(1);
            widths[widest] -= step;
        }
    }

    fn grid(&self, used: &[usize], widths: &[usize], style: &Style, indent: usize) -> String {
        let mut out = String::new();
        if used.iter().any(|&c| !self.columns[c].title.is_empty()) {
            let titles: Vec<Cell> = self
                .columns
                .iter()
                .map(|c| Cell { text: c.title.clone(), role: Role::Heading })
                .collect();
            self.line(&mut out, &titles, used, widths, style, indent);
            out.push_str(&" ".repeat(indent));
            out.push_str(&style.paint(Role::Faint, &self.rule(used, widths, style)));
            out.push('\n');
        }
        for row in &self.rows {
            self.line(&mut out, row, used, widths, style, indent);
        }
        out
    }

    /// Under each title a line; one for a column and those that continue it.
    fn rule(&self, used: &[usize], widths: &[usize], style: &Style) -> String {
        let line = style.glyph("─", "-");
        let mut rule = String::new();
        for (position, (&c, &width)) in used.iter().zip(widths).enumerate() {
            match self.columns[c].gap {
                _ if position == 0 => {}
                1 => rule.push_str(line),
                gap => rule.push_str(&" ".repeat(gap)),
            }
            rule.push_str(&line.repeat(width));
        }
        rule
    }

    fn line(
        &self,
        out: &mut String,
        cells: &[Cell],
        used: &[usize],
        widths: &[usize],
        style: &Style,
        indent: usize,
    ) {
        let wrapped: Vec<Vec<String>> =
            used.iter().zip(widths).map(|(&c, &w)| fit(&cells[c].text, w)).collect();
        let height = wrapped.iter().map(Vec::len).max().unwrap_or(0);
        for k in 0..height {
            let mut line = " ".repeat(indent);
            let mut pending = 0;
            for (position, (&c, &width)) in used.iter().zip(widths).enumerate() {
                if position > 0 {
                    pending += self.columns[c].gap;
                }
                let text = wrapped[position].get(k).map_or("", String::as_str);
                let spare = width.saturating_sub(columns(text));
                let (before, after) =
                    if self.columns[c].align == Align::Right { (spare, 0) } else { (0, spare) };
                if !text.is_empty() {
                    line.push_str(&" ".repeat(pending + before));
                    line.push_str(&style.paint(cells[c].role, text));
                    pending = after;
                } else {
                    pending += width;
                }
            }
            out.push_str(&line);
            out.push('\n');
        }
    }

    /// Every row on separate lines, for narrow terminals.
    fn blocks(&self, used: &[usize], style: &Style, indent: usize) -> String {
        let room = style.columns().saturating_sub(indent).max(1);
        let names = used.iter().map(|&c| columns(&self.columns[c].title)).max().unwrap_or(0);
        let names = names.min(room / 2);
        let mut out = String::new();
        for (k, row) in self.rows.iter().enumerate() {
            if k > 0 {
                out.push('\n');
            }
            let mut index = 0;
            while index < used.len() {
                let c = used[index];
                let mut text = row[c].text.clone();
                let title = truncate(&self.columns[c].title, names, style.glyph("…", "."));
                // A joined column is written with the one that it continues.
                while index + 1 < used.len() && self.columns[used[index + 1]].gap == 1 {
                    index += 1;
                    text = format!("{text} {}", row[used[index]].text).trim().to_owned();
                }
                index += 1;
                if text.is_empty() {
                    continue;
                }
                let width = room.saturating_sub(names + 2).max(1);
                for (n, part) in wrap(&text, width).iter().enumerate() {
                    let title = if n == 0 { title.as_str() } else { "" };
                    out.push_str(&" ".repeat(indent));
                    if names > 0 {
                        out.push_str(&style.paint(Role::Heading, &pad(title, names, false)));
                        out.push_str("  ");
                    }
                    out.push_str(&style.paint(row[c].role, part));
                    out.push('\n');
                }
            }
        }
        out
    }
}

/// The lines of a cell. A text that fits keeps its spaces.
fn fit(text: &str, width: usize) -> Vec<String> {
    if columns(text) <= width { vec![text.to_owned()] } else { wrap(text, width) }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::*;

    fn sample() -> Table {
        let mut table = Table::new(vec![
            Column::left("constant"),
            Column::right("value"),
            Column::left("").joined(),
            Column::left("holds for").flexible(),
        ]);
        table.row(["A[0]", "1.20", "± 0.15 µs", "all N"].map(Cell::new));
        table.row(
            ["A[10]", "12.31", "± 0.02 ns", "N in (1448, 4096], that is beyond the cache"]
                .map(Cell::new),
        );
        table.row(["表\x1b[1m", "3", "", ""].map(Cell::new));
        table
    }

    fn check(width: usize, unicode: bool, expected: Expect) {
        let style = Style { width, color: false, unicode };
        let text = sample().render(&style, 2);
        assert!(text.lines().all(|l| columns(l) <= width), "{text}");
        assert!(text.lines().all(|l| l.is_empty() || l.starts_with("  ")), "{text}");
        // A line at the margin keeps the indentation of the others in the snapshot.
        expected.assert_eq(&format!("table\n{text}"));
    }

    #[test]
    fn wide() {
        check(
            80,
            true,
            expect![[r#"
                table
                  constant     value            holds for
                  ───────────  ───────────────  ───────────────────────────────────────────
                  A[0]          1.20 ± 0.15 µs  all N
                  A[10]        12.31 ± 0.02 ns  N in (1448, 4096], that is beyond the cache
                  表\u{1b}[1m      3
            "#]],
        );
    }

    #[test]
    fn wrapped() {
        check(
            56,
            true,
            expect![[r#"
                table
                  constant     value            holds for
                  ───────────  ───────────────  ────────────────────────
                  A[0]          1.20 ± 0.15 µs  all N
                  A[10]        12.31 ± 0.02 ns  N in (1448, 4096], that
                                                is beyond the cache
                  表\u{1b}[1m      3
            "#]],
        );
    }

    #[test]
    fn narrow() {
        check(
            30,
            true,
            expect![[r#"
                table
                  constant   A[0]
                  value      1.20 ± 0.15 µs
                  holds for  all N

                  constant   A[10]
                  value      12.31 ± 0.02 ns
                  holds for  N in (1448,
                             4096], that is
                             beyond the cache

                  constant   表\u{1b}[1m
                  value      3
            "#]],
        );
    }

    #[test]
    fn colours_are_around_the_same_text() {
        let plain = sample().render(&Style::default(), 0);
        let coloured = sample().render(&Style { color: true, ..Style::default() }, 0);
        assert!(coloured.contains('\x1b'));
        let mut stripped = String::new();
        let mut inside = false;
        for c in coloured.chars() {
            match c {
                '\x1b' => inside = true,
                'm' if inside => inside = false,
                c if !inside => stripped.push(c),
                _ => {}
            }
        }
        assert_eq!(stripped, plain);
    }
}
