use crate::ImportCause;

/// The content of a field where a number is expected.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Field {
    /// A finite number.
    Number(f64),
    /// NaN, infinite, or too large.
    NotFinite(f64),
    /// Empty, or a word for a missing value.
    Missing,
    /// Something else.
    Text,
}

/// Words for a missing value.
const MISSING: [&str; 7] = ["", "na", "n/a", "null", "none", "-", "--"];

/// Reads fields, and finds the decimal sign of a file.
#[derive(Debug, Default)]
pub(crate) struct Fields {
    /// Whether a comma may begin a fraction: not if it separates fields.
    commas: bool,
    /// The first number with a comma.
    comma: Option<String>,
    /// The first number with a point.
    point: Option<String>,
    /// Whether a number was seen whose comma cannot separate thousands.
    certain: bool,
}

impl Fields {
    pub(crate) fn new(delimiter: u8) -> Fields {
        Fields { commas: delimiter != b',', ..Fields::default() }
    }

    pub(crate) fn read(&mut self, text: &str) -> Field {
        if let Ok(value) = text.parse::<f64>() {
            if self.commas && self.point.is_none() && text.contains('.') {
                self.point = Some(text.to_owned());
            }
            return finite(value);
        }
        if MISSING.contains(&text.to_ascii_lowercase().as_str()) {
            return Field::Missing;
        }
        if let (true, Some((whole, fraction))) = (self.commas, text.split_once(','))
            && let Ok(value) = format!("{whole}.{fraction}").parse::<f64>()
        {
            let digits = whole.trim_start_matches(['+', '-']);
            let thousands = fraction.len() == 3
                && (1..=3).contains(&digits.len())
                && !digits.starts_with('0')
                && fraction.bytes().all(|byte| byte.is_ascii_digit());
            self.certain |= !thousands;
            self.comma.get_or_insert_with(|| text.to_owned());
            return finite(value);
        }
        Field::Text
    }

    /// The first number that was read with a decimal comma.
    ///
    /// # Errors
    /// If commas may have another meaning.
    pub(crate) fn decimal_comma(self) -> Result<Option<String>, ImportCause> {
        match (self.comma, self.point) {
            (Some(comma), Some(point)) => Err(ImportCause::TwoDecimalSigns { comma, point }),
            (Some(comma), None) if !self.certain => Err(ImportCause::AmbiguousComma(comma)),
            (comma, _) => Ok(comma),
        }
    }
}

fn finite(value: f64) -> Field {
    match value.is_finite() {
        true => Field::Number(value),
        false => Field::NotFinite(value),
    }
}
