//! Lines of a report, wrapped to the columns of the terminal.

use crate::document::text::hanging;
use crate::style::{Role, Style};
use crate::text::{columns, truncate, wrap};

/// Columns in which a line on the right side ends, even if the terminal is wider.
const MAX_COLUMNS: usize = 80;

/// Lines of text, each ended by a new line.
pub(super) struct Lines<'a> {
    style: &'a Style,
    text: String,
}

impl<'a> Lines<'a> {
    pub fn new(style: &'a Style) -> Lines<'a> {
        Lines { style, text: String::new() }
    }

    /// A text behind a mark; further lines begin below the text.
    pub fn hanging(&mut self, indent: usize, mark: &str, text: &str, role: Role) {
        self.text.push_str(&hanging(mark, text, indent, role, self.style));
    }

    /// The same on two lines at most: what does not fit is cut off.
    pub fn short(&mut self, indent: usize, mark: &str, text: &str, role: Role) {
        self.cut(indent, mark, text, role, 2);
    }

    /// The same on so many lines at most.
    pub fn cut(&mut self, indent: usize, mark: &str, text: &str, role: Role, most: usize) {
        let room = self.style.columns().saturating_sub(indent + columns(mark));
        let lines = wrap(text, room);
        if lines.len() <= most {
            return self.hanging(indent, mark, text, role);
        }
        let last = format!("{} {}", lines[most - 1], lines[most]);
        let last = truncate(&last, room, self.style.glyph("…", "..."));
        let kept = lines[..most - 1].iter().chain([&last]);
        let kept: Vec<&str> = kept.map(|line| line.trim_end()).collect();
        for (number, line) in kept.into_iter().enumerate() {
            let mark = if number == 0 { mark.to_owned() } else { " ".repeat(columns(mark)) };
            self.hanging(indent, &mark, line, role);
        }
    }

    /// Two texts at both sides of a line, or on two lines if they do not fit.
    pub fn sides(&mut self, name: &str, place: &str, right: &str) {
        let style = self.style;
        let width = style.columns().min(MAX_COLUMNS);
        let dots = style.glyph("…", "...");
        let name = truncate(name, width, dots);
        let room = width.saturating_sub(columns(&name) + 2);
        let place = if room < 8 { String::new() } else { truncate(place, room, dots) };
        let gap = if place.is_empty() { "" } else { "  " };
        self.text.push_str(&style.paint(Role::Title, &name));
        self.text.push_str(gap);
        self.text.push_str(&style.paint(Role::Faint, &place));
        let left = columns(&name) + columns(gap) + columns(&place);
        if !right.is_empty() && left + 2 + columns(right) <= width {
            self.text.push_str(&" ".repeat(width - left - columns(right)));
            self.text.push_str(&style.paint(Role::Faint, right));
            self.text.push('\n');
        } else {
            self.text.push('\n');
            if !right.is_empty() {
                self.short(2, "", right, Role::Faint);
            }
        }
    }

    /// Lines that are ready.
    pub fn push(&mut self, lines: &str) {
        self.text.push_str(lines);
    }

    /// How many lines there are.
    pub fn count(&self) -> usize {
        self.text.lines().count()
    }

    pub fn finish(self) -> String {
        self.text
    }
}
