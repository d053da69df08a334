//! How the numbers of a file are written, found from its cells.

use crate::cell::{Cell, is_missing, numeral};
use crate::decimal::Decimal;
use crate::error::ImportCause;

/// The evidence of a file's cells about its decimal sign.
#[derive(Debug, Default)]
pub(crate) struct Evidence {
    /// The first number that needs a decimal point.
    point: Option<String>,
    /// The first number that needs a decimal comma.
    comma: Option<String>,
    /// The first number with a comma that may begin a fraction or separate thousands.
    either: Option<String>,
}

/// How numbers of a file are read.
#[derive(Clone, Debug)]
pub(crate) struct Signs {
    pub(crate) decimal: Decimal,
    /// Whether a comma may still have either meaning.
    is_open: bool,
    /// A number that shows the decimal sign.
    shown: Option<String>,
    /// A number with commas between thousands.
    thousands: Option<String>,
}

impl Evidence {
    pub(crate) fn add(&mut self, text: &str) {
        let has_sign = text.bytes().any(|byte| byte == b',' || byte == b'.');
        if !has_sign || is_missing(text) {
            return;
        }
        // A unit behind the number says nothing about the sign.
        let number = text.trim_end_matches(|c: char| c.is_alphabetic() || c == '%').trim_end();
        let as_point = numeral(number, Decimal::Point).is_some();
        let as_comma = numeral(number, Decimal::Comma).is_some();
        let slot = match (as_point, as_comma, number.contains(',')) {
            (true, false, _) => &mut self.point,
            (false, true, _) => &mut self.comma,
            (true, true, true) => &mut self.either,
            (true, true, false) | (false, false, _) => return,
        };
        slot.get_or_insert_with(|| text.to_owned());
    }

    /// The signs of a file whose fields have this separator.
    ///
    /// # Errors
    /// If the numbers contradict each other.
    pub(crate) fn signs(self, delimiter: u8) -> Result<Signs, ImportCause> {
        let Evidence { point, comma, either } = self;
        let signs = |decimal, shown| Signs { decimal, is_open: false, shown, thousands: None };
        match (comma, point) {
            (Some(comma), Some(point)) => Err(ImportCause::TwoDecimalSigns { comma, point }),
            (Some(comma), None) => Ok(signs(Decimal::Comma, Some(comma))),
            (None, Some(point)) => {
                let thousands = either.or_else(|| point.contains(',').then(|| point.clone()));
                Ok(Signs { thousands, ..signs(Decimal::Point, Some(point)) })
            }
            (None, None) if delimiter == b',' => {
                // Where commas separate fields, fractions begin with a point.
                Ok(Signs { thousands: either, ..signs(Decimal::Point, None) })
            }
            (None, None) => match either {
                Some(either) => Err(ImportCause::AmbiguousComma(either)),
                None => Ok(Signs { is_open: true, ..signs(Decimal::Point, None) }),
            },
        }
    }
}

impl Signs {
    /// Those that the user has named.
    pub(crate) fn given(decimal: Decimal) -> Signs {
        Signs { decimal, is_open: false, shown: None, thousands: None }
    }

    /// Reads a cell.
    ///
    /// # Errors
    /// If its comma may have two meanings, or the other sign than above.
    pub(crate) fn read(&self, text: &str) -> Result<Cell, ImportCause> {
        let cell = Cell::read(text, self.decimal);
        let has_comma = text.contains(',');
        if cell == Cell::Text && (has_comma || text.contains('.')) {
            let other = Cell::read(text, self.decimal.other());
            if let (Some(_), Some(shown)) = (other.number(), &self.shown) {
                let (shown, text) = (shown.clone(), text.to_owned());
                return Err(match self.decimal {
                    Decimal::Comma => ImportCause::TwoDecimalSigns { comma: shown, point: text },
                    Decimal::Point => ImportCause::TwoDecimalSigns { comma: text, point: shown },
                });
            }
            if other.number().is_some() && self.is_open {
                return Err(ImportCause::LateComma(text.to_owned()));
            }
        }
        if self.is_open && has_comma && cell.number().is_some() {
            return Err(ImportCause::AmbiguousComma(text.to_owned()));
        }
        Ok(cell)
    }

    /// The first number that was read with a decimal comma.
    pub(crate) fn comma(&self) -> Option<&str> {
        self.shown.as_deref().filter(|_| self.decimal == Decimal::Comma)
    }

    /// The first number that was read with commas between thousands, and may have been meant otherwise.
    pub(crate) fn thousands(&self) -> Option<&str> {
        self.thousands.as_deref()
    }
}
