//! The services that a session needs from outside.

use std::path::Path;

use cll_result::ModelFile;

use crate::refusal::Refusal;
use crate::value::Value;

/// Files and commands, as the program gives them to a session.
pub trait Host: Send {
    /// Reads files: traces, tables, models, machines, logs, campaigns.
    ///
    /// # Errors
    /// The refusal says what is wrong, and what to do.
    fn open(&self, files: &[String], options: &TableOptions) -> Result<Opened, Refusal>;

    /// Reads a text, such as a script.
    ///
    /// # Errors
    /// The refusal says what is wrong, and what to do.
    fn read(&self, file: &Path) -> Result<String, Refusal>;

    /// Writes a file: complete or not at all.
    ///
    /// # Errors
    /// The refusal says what is wrong, and what to do.
    fn write(&self, file: &Path, content: &[u8]) -> Result<(), Refusal>;

    /// Suggests the points to measure next for a model: points for predictions at these values, with the options of
    /// `cll plan` as texts.
    ///
    /// # Errors
    /// The refusal says what is wrong, and what to do.
    fn plan(
        &self,
        model: &ModelFile,
        points: &[Vec<(String, f64)>],
        options: &[(String, String)],
    ) -> Result<Value, Refusal>;

    /// Which statements the constants of experiments stand for, as `cll upsilon show` prints it.
    ///
    /// # Errors
    /// The refusal says what is wrong, and what to do.
    fn upsilon(&self, asked: &Regions) -> Result<Opened, Refusal>;

    /// The page of a model, as HTML, with the sources that are there, or beside these files, and the statements of the
    /// constants.
    ///
    /// # Errors
    /// The refusal says what is wrong, and what to do.
    fn page(&self, model: &ModelFile, beside: &[String]) -> Result<String, Refusal>;

    /// Runs a command of the program, as `cll` with these arguments, with its output on the terminal. Gives its exit
    /// code.
    ///
    /// # Errors
    /// The refusal says what is wrong, and what to do.
    fn command(&self, arguments: &[String]) -> Result<u8, Refusal>;
}

/// How tables of other programs are read.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct TableOptions {
    /// The column whose values tell experiments apart.
    pub by: Option<String>,
    /// The column that was measured.
    pub column: Option<String>,
    /// The unit.
    pub unit: Option<String>,
    /// Whether a table stays a table.
    pub table: bool,
}

/// Experiments with the places of their regions.
#[derive(Clone, Debug, Default)]
pub struct Regions {
    /// Names of the experiments.
    pub experiments: Vec<String>,
    /// Their sources, as programs were compiled with them; one may be there twice.
    pub files: Vec<String>,
    /// Files beside which the sources may be: the traces.
    pub beside: Vec<String>,
    /// The model whose values stand beside the statements.
    pub model: Option<ModelFile>,
}

/// The contents of files.
#[derive(Clone, Debug, Default)]
pub struct Opened {
    /// Names and values, experiments first.
    pub values: Vec<(String, Value)>,
    /// Notices about the files for the user.
    pub notices: Vec<String>,
}
