//! The error of values and times that users write.

/// Why a text is no range, number or time.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A name and a value are not separated by `=`.
    #[error("`{0}` has not the form NAME=VALUE")]
    NoAssignment(String),
    /// A name has other characters than letters, digits and `_`.
    #[error("`{0}` is not a name: use letters, digits and _")]
    NoName(String),
    /// A name has values twice.
    #[error("{0} is given twice")]
    Repeated(String),
    /// It is no number.
    #[error("`{0}` is not a number")]
    NoNumber(String),
    /// A side of a power is missing.
    #[error("`{text}`: a number is missing at character {at}")]
    NoPart {
        /// The power.
        text: String,
        /// The character, from 1.
        at: usize,
    },
    /// A side of a power is no number.
    #[error("`{text}`: `{part}` is not a number, at character {at}")]
    WrongPart {
        /// The power.
        text: String,
        /// The side.
        part: String,
        /// The character, from 1.
        at: usize,
    },
    /// The value of a power is too large, or not real.
    #[error("`{0}` is not a finite number")]
    NotFinite(String),
    /// It has not the form of a range.
    #[error("`{0}` is not a range such as LO:HI, LO:HI:*FACTOR or LO:HI:+STEP")]
    NoRange(String),
    /// A range ends before it begins.
    #[error("`{range}` is empty: {low} is above {high}")]
    Empty {
        /// The range.
        range: String,
        /// The first value.
        low: f64,
        /// The last one.
        high: f64,
    },
    /// A step may be a factor or a summand.
    #[error("`{range}`: write *{step} to multiply by {step}, +{step} to add it")]
    BareStep {
        /// The range.
        range: String,
        /// The step.
        step: String,
    },
    /// A range with a factor never ends.
    #[error("`{0}` never ends: it must begin above 0 and the factor must be above 1")]
    EndlessFactor(String),
    /// A range with a summand never ends.
    #[error("`{0}` never ends: the step must be above 0")]
    EndlessStep(String),
    /// A range has too many values.
    #[error("`{range}` has more than {most} values")]
    TooMany {
        /// The range.
        range: String,
        /// The largest number of values.
        most: usize,
    },
    /// A number is none of processors.
    #[error("{0} is not a number of processors: it must be whole and at least 1")]
    NoProcessors(f64),
    /// It is no time.
    #[error("not a time such as 90, 90s, 10m, 2h")]
    NoTime,
    /// It is neither a time nor core time.
    #[error("not a time such as 90, 90s, 10m, 2h, 10core-min")]
    NoBudget,
    /// A unit is none of time.
    #[error("`{0}` is not a unit of time; units are us, ms, s, m, h, d")]
    NoTimeUnit(String),
    /// Core time has an incomplete unit.
    #[error("the unit after `core-` is missing, such as 10core-min")]
    NoCoreUnit,
    /// Core time has no unit.
    #[error("core time has a unit: core-s, core-min, core-h")]
    BareCore,
    /// A time is zero, or too long.
    #[error("the time must be above zero")]
    NotAboveZero,
}
