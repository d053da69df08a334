//! What the cells of a column are.

use crate::cell::Cell;
use crate::signs::Signs;

/// The content of a column, by its first cell that is not empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Content {
    Number,
    /// Numbers with a percent sign.
    Percent,
    /// Times with their unit.
    Time,
    /// Times with colons: durations, or times of day.
    Clock,
    Text,
    Empty,
}

impl Content {
    /// The content of a column whose first cells are these.
    pub(super) fn of<'t>(cells: impl IntoIterator<Item = &'t str>, signs: &Signs) -> Content {
        for text in cells {
            return match signs.read(text) {
                Ok(Cell::Missing) => continue,
                Ok(Cell::Number(_) | Cell::NotFinite(_)) | Err(_) => Content::Number,
                Ok(Cell::Percent(_)) => Content::Percent,
                Ok(Cell::Time(_)) => Content::Time,
                Ok(Cell::Clock(_)) => Content::Clock,
                Ok(Cell::Text) => Content::Text,
            };
        }
        Content::Empty
    }

    pub(super) fn is_number(self) -> bool {
        !matches!(self, Content::Text | Content::Empty)
    }

    /// Whether its numbers are seconds by what stands in its cells.
    pub(super) fn is_time(self) -> bool {
        matches!(self, Content::Time | Content::Clock)
    }
}
