//! Colours, letters and width of the reader's terminal.

use anstyle::{AnsiColor, Style as Ansi};

use crate::Notation;

/// The reader's terminal. Colour never carries meaning alone: words or shapes show the same.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Style {
    /// Columns of the terminal; below 20 it is taken as 20.
    pub width: usize,
    /// Whether ANSI colours may be used.
    pub color: bool,
    /// Whether other letters than ASCII may be used.
    pub unicode: bool,
}

impl Default for Style {
    /// 80 columns of plain Unicode.
    fn default() -> Style {
        Style { width: 80, color: false, unicode: true }
    }
}

/// The role of a text, which gives its colour.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Role {
    /// No colour.
    #[default]
    Plain,
    /// The title of a report.
    Title,
    /// The title of a part or of a column.
    Heading,
    /// Less important.
    Faint,
    /// A result.
    Value,
    /// Good news.
    Good,
    /// Something that the reader should look at.
    Caution,
    /// Numbers that cannot be used.
    Bad,
}

impl Role {
    fn ansi(self) -> Ansi {
        let colour = |c: AnsiColor| Ansi::new().fg_color(Some(c.into()));
        match self {
            Role::Plain => Ansi::new(),
            Role::Title => colour(AnsiColor::Cyan).bold(),
            Role::Heading => Ansi::new().bold(),
            Role::Faint => Ansi::new().dimmed(),
            Role::Value => Ansi::new().bold(),
            Role::Good => colour(AnsiColor::Green),
            Role::Caution => colour(AnsiColor::Yellow),
            Role::Bad => colour(AnsiColor::Red),
        }
    }
}

impl Style {
    /// Texts of pages: the browser wraps them.
    pub(crate) const PAGE: Style = Style { width: 10_000, color: false, unicode: true };

    /// How numbers are written in this style.
    pub fn notation(&self) -> Notation {
        if self.unicode { Notation::Unicode } else { Notation::Ascii }
    }

    /// Columns that are used.
    pub(crate) fn columns(&self) -> usize {
        self.width.max(20)
    }

    /// The text with the colours of its role, or unchanged.
    pub(crate) fn paint(&self, role: Role, text: &str) -> String {
        if !self.color || role == Role::Plain || text.is_empty() {
            return text.to_owned();
        }
        let ansi = role.ansi();
        format!("{}{text}{}", ansi.render(), ansi.render_reset())
    }

    /// The spelling that the terminal can show.
    pub(crate) fn glyph(&self, unicode: &'static str, ascii: &'static str) -> &'static str {
        if self.unicode { unicode } else { ascii }
    }
}
