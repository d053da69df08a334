//! Units of numbers: products of powers of base units.

use std::fmt;

/// The unit of a number, such as `s/B`. A bare number has none.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Unit(Vec<(String, f64)>);

/// A unit that numbers may be written in.
struct Written {
    name: &'static str,
    base: &'static str,
    factor: f64,
}

/// The units that may follow a number in the language.
const WRITTEN: &[Written] = &[
    Written { name: "s", base: "s", factor: 1.0 },
    Written { name: "ms", base: "s", factor: 1e-3 },
    Written { name: "us", base: "s", factor: 1e-6 },
    Written { name: "µs", base: "s", factor: 1e-6 },
    Written { name: "ns", base: "s", factor: 1e-9 },
    Written { name: "min", base: "s", factor: 60.0 },
    Written { name: "h", base: "s", factor: 3600.0 },
    Written { name: "B", base: "B", factor: 1.0 },
    Written { name: "KB", base: "B", factor: 1e3 },
    Written { name: "kB", base: "B", factor: 1e3 },
    Written { name: "MB", base: "B", factor: 1e6 },
    Written { name: "GB", base: "B", factor: 1e9 },
    Written { name: "KiB", base: "B", factor: 1024.0 },
    Written { name: "MiB", base: "B", factor: 1048576.0 },
    Written { name: "GiB", base: "B", factor: 1073741824.0 },
];

impl Unit {
    /// No unit.
    pub const NONE: Unit = Unit(Vec::new());

    /// Seconds.
    pub fn seconds() -> Unit {
        Unit::base("s")
    }

    /// Bytes.
    pub fn bytes() -> Unit {
        Unit::base("B")
    }

    /// A unit by its name, such as `misses`; an empty name is no unit.
    pub fn base(name: &str) -> Unit {
        match name {
            "" => Unit::NONE,
            "bytes" => Unit::bytes(),
            name => Unit(vec![(name.to_owned(), 1.0)]),
        }
    }

    /// The unit of fitted data.
    pub fn of_fit(unit: &cll_fit::Unit) -> Unit {
        match unit {
            cll_fit::Unit::Seconds => Unit::seconds(),
            cll_fit::Unit::Other(name) => Unit::base(name),
        }
    }

    /// The same for data to fit.
    pub fn to_fit(&self) -> cll_fit::Unit {
        match self {
            unit if *unit == Unit::seconds() => cll_fit::Unit::Seconds,
            unit => cll_fit::Unit::Other(unit.to_string()),
        }
    }

    /// A unit that a number is written in, and by what the number is multiplied.
    pub fn written(name: &str) -> Option<(Unit, f64)> {
        let written = WRITTEN.iter().find(|written| written.name == name)?;
        Some((Unit::base(written.base), written.factor))
    }

    /// The names of the units that numbers may be written in.
    pub fn names() -> impl Iterator<Item = &'static str> {
        WRITTEN.iter().map(|written| written.name)
    }

    /// Whether there is none.
    pub fn is_none(&self) -> bool {
        self.0.is_empty()
    }

    /// The unit of a product.
    pub fn times(&self, other: &Unit) -> Unit {
        self.combined(other, 1.0)
    }

    /// The unit of a quotient.
    pub fn per(&self, other: &Unit) -> Unit {
        self.combined(other, -1.0)
    }

    /// The unit of a power.
    pub fn power(&self, exponent: f64) -> Unit {
        Unit(self.0.iter().map(|(name, e)| (name.clone(), e * exponent)).collect()).reduced()
    }

    fn combined(&self, other: &Unit, sign: f64) -> Unit {
        let mut all = self.0.clone();
        for (name, exponent) in &other.0 {
            match all.iter_mut().find(|(known, _)| known == name) {
                Some((_, known)) => *known += sign * exponent,
                None => all.push((name.clone(), sign * exponent)),
            }
        }
        Unit(all).reduced()
    }

    /// Without powers of zero, in the order of names.
    fn reduced(mut self) -> Unit {
        self.0.retain(|(_, exponent)| exponent.abs() > 1e-9);
        self.0.sort_by(|a, b| a.0.cmp(&b.0));
        self
    }
}

impl fmt::Display for Unit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let over: Vec<_> = self.0.iter().filter(|(_, e)| *e > 0.0).collect();
        let under: Vec<_> = self.0.iter().filter(|(_, e)| *e < 0.0).collect();
        let factor = |f: &mut fmt::Formatter<'_>, (name, e): &(String, f64)| match e.abs() {
            1.0 => f.write_str(name),
            e => write!(f, "{name}^{e}"),
        };
        if over.is_empty() && !under.is_empty() {
            f.write_str("1")?;
        }
        for (k, pair) in over.into_iter().enumerate() {
            if k > 0 {
                f.write_str("*")?;
            }
            factor(f, pair)?;
        }
        for pair in under {
            f.write_str("/")?;
            factor(f, pair)?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn units_are_multiplied_and_divided() {
        let (s, b) = (Unit::seconds(), Unit::bytes());
        assert_eq!(s.per(&b).to_string(), "s/B");
        assert_eq!(s.per(&b).times(&b), s);
        assert_eq!(Unit::NONE.per(&s).to_string(), "1/s");
        assert_eq!(s.times(&s).power(0.5), s);
        assert!(s.per(&s).is_none());
        assert_eq!(s.times(&b.power(2.0)).to_string(), "B^2*s");
        assert_eq!(Unit::written("KiB"), Some((b, 1024.0)));
        assert_eq!(Unit::written("sec"), None);
    }
}
