//! The words of the language. Experiments with such a name stand in backquotes.

/// A verb: it begins an expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Verb {
    /// Shows a value, or all that there are.
    Show,
    /// Reads files.
    Open,
    /// Finds constants and the intervals where they are valid.
    Fit,
    /// Finds a formula.
    Search,
    /// Repairs a formula.
    Suggest,
    /// Predicts by a model.
    Predict,
    /// Draws a plot.
    Plot,
    /// Compares models with each other and with measurements.
    Compare,
    /// Prints a value as a table, CSV or JSON.
    Print,
    /// Groups samples and aggregates each group.
    Group,
    /// Puts samples together.
    Merge,
    /// Adds columns of a table to samples.
    Join,
    /// Puts rows in an order.
    Order,
    /// Makes a column for each value of another one.
    Pivot,
    /// Marks samples as outliers.
    Mark,
    /// Removes marks.
    Unmark,
    /// Costs of a program by BSP, OBSP and OBSP*.
    Cost,
    /// Suggests the points to measure next.
    Plan,
    /// Which statements constants stand for.
    Upsilon,
    /// The values of constants with the intervals where they hold.
    Aleph,
    /// The report of a value, as `cll` prints it.
    Report,
    /// Writes statements to a script, or a value to a file.
    Save,
    /// Reads statements from a script.
    Source,
    /// The statements so far.
    History,
    /// Removes a name.
    Forget,
    /// Explains a word.
    Help,
    /// Ends the session.
    Quit,
}

/// The word of a clause.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ClauseWord {
    /// Values of variables: `at N = 2^21, P = 1:32:*2`.
    At,
    /// Along what, or grouped by what.
    By,
    /// One of each: `plot m by N for P`.
    For,
    /// Options: `with weights = absolute`.
    With,
    /// A file: `into "fft.svg"`.
    Into,
    /// A format or a name: `as csv`.
    As,
    /// A machine: `on "mine.toml"`.
    On,
    /// A statistic: `group f by run to max`.
    To,
    /// Measurements to compare with.
    Against,
}
