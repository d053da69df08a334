//! Values of variables, as users write them.

use std::fmt;

use crate::{Error, Range, split};

/// Values of variables, each name once: where to predict, or what to hold out.
#[derive(Clone, Debug, PartialEq)]
pub struct Location(Vec<(String, f64)>);

impl Location {
    /// Parses `N=3000`, `N=1e6,P=8`, `N=1000:8000:*2,P=1,2`: all combinations.
    ///
    /// # Errors
    /// If the text is none of these.
    pub fn parse(text: &str) -> Result<Vec<Location>, Error> {
        let mut variables: Vec<(String, String)> = Vec::new();
        for part in text.split(',') {
            match variables.last_mut() {
                // A list continues.
                Some((_, values)) if !part.contains('=') => {
                    values.push(',');
                    values.push_str(part);
                }
                _ => {
                    let (name, value) = split(part)?;
                    if variables.iter().any(|(known, _)| known == name) {
                        return Err(Error::Repeated(name.to_owned()));
                    }
                    variables.push((name.to_owned(), value.to_owned()));
                }
            }
        }
        let mut all = vec![Location(Vec::new())];
        for (name, values) in variables {
            let range: Range = values.parse()?;
            all = all
                .into_iter()
                .flat_map(|Location(before)| {
                    let name = &name;
                    let with = move |value: &f64| {
                        Location(before.iter().cloned().chain([(name.clone(), *value)]).collect())
                    };
                    range.values().iter().map(with).collect::<Vec<_>>()
                })
                .collect();
        }
        Ok(all)
    }

    /// Values by name, each name once.
    pub fn new(values: Vec<(String, f64)>) -> Location {
        Location(values)
    }

    /// The values of these variables; `None` if it has none of them.
    pub fn only(&self, names: &[String]) -> Option<Location> {
        let Location(values) = self;
        let kept: Vec<_> =
            values.iter().filter(|(name, _)| names.contains(name)).cloned().collect();
        (!kept.is_empty()).then_some(Location(kept))
    }

    /// Names with their values.
    pub fn values(&self) -> &[(String, f64)] {
        &self.0
    }

    /// Whether a point with these values of these variables is there. A point without one of the variables is not.
    pub fn is_of(&self, variables: &[String], values: &[f64]) -> bool {
        self.0.iter().all(|(name, wanted)| {
            let number = variables.iter().position(|known| known == name);
            number.is_some_and(|k| is_same(values[k], *wanted))
        })
    }
}

/// Whether two values of a variable are the same but for rounding.
pub fn is_same(value: f64, wanted: f64) -> bool {
    (value - wanted).abs() <= 1e-9 * wanted.abs()
}

impl fmt::Display for Location {
    /// `N=3000, P=8`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let words: Vec<String> =
            self.0.iter().map(|(name, value)| format!("{name}={value}")).collect();
        f.write_str(&words.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str) -> Vec<Location> {
        Location::parse(text).unwrap()
    }

    #[test]
    fn values_lists_and_ranges() {
        let pair = |n: f64, p: f64| Location(vec![("N".into(), n), ("P".into(), p)]);
        assert_eq!(parse("N=3"), [Location(vec![("N".into(), 3.0)])]);
        assert_eq!(parse("N=1e3, P=2"), [pair(1000.0, 2.0)]);
        assert_eq!(
            parse("N=1,2,P=4:8:*2"),
            [pair(1.0, 4.0), pair(1.0, 8.0), pair(2.0, 4.0), pair(2.0, 8.0)]
        );
        for wrong in ["", "N", "3", "N=", "N=x", "N=1,N=2"] {
            assert!(Location::parse(wrong).is_err(), "{wrong}");
        }
    }
}
