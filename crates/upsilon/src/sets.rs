//! The Υ sets of a source: the values of a file `NAME.upsilon.toml`.

use schemars::JsonSchema;
use serde::Serialize;

/// The Υ sets of the experiments of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Sets {
    /// Name of the source, relative to the folder of the file.
    pub source: String,
    /// CRC-32 of the source's bytes in hexadecimal.
    pub crc32: String,
    /// The program that wrote it: `cll 0.1.0`; empty if a person did.
    pub by: String,
    /// The experiments, in the order of the source.
    pub experiments: Vec<ExperimentSets>,
}

/// An experiment with the statements of its regions, and of the functions that these call.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct ExperimentSets {
    /// The name.
    pub name: String,
    /// The formula as text.
    pub formula: String,
    /// The statements, by function and line.
    pub statements: Vec<Statement>,
    /// The notes for the reader: what was not followed, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub notes: Vec<String>,
}

/// A statement, or a part of a `for`, and the constants that it belongs to.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Statement {
    /// The line in the source, from 1.
    pub line: usize,
    /// The text, on one line.
    pub text: String,
    /// Name of the function that contains it.
    pub function: String,
    /// The constants whose sets contain it: `f[2]`. Usually one; none if it is not known, or if the formula has none.
    pub constants: Vec<String>,
    /// Who says so.
    pub by: By,
    /// How often it is executed in one passage: `0.5*N*N - 0.5*N`; empty if that is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub times: String,
    /// Why there is no constant, or what else there is to say; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub note: String,
}

/// Who says which constants a statement belongs to.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, JsonSchema)]
#[serde(rename_all = "lowercase")]
pub enum By {
    /// The nesting of loops.
    #[default]
    Nesting,
    /// Instructions by line, counted at several sizes.
    Counts,
    /// Nesting, confirmed by counts.
    Both,
    /// A person.
    Hand,
}

impl By {
    /// All of them.
    pub const ALL: [By; 4] = [By::Nesting, By::Counts, By::Both, By::Hand];

    /// The word in files.
    pub fn name(self) -> &'static str {
        match self {
            By::Nesting => "nesting",
            By::Counts => "counts",
            By::Both => "both",
            By::Hand => "hand",
        }
    }
}

impl Sets {
    /// The experiment of this name.
    pub fn experiment(&self, name: &str) -> Option<&ExperimentSets> {
        self.experiments.iter().find(|experiment| experiment.name == name)
    }
}

impl ExperimentSets {
    /// The names of the formula's constants, in its order.
    pub fn constants(&self) -> Vec<String> {
        let parsed = cll_formula::parse(&self.name, &self.formula).formula;
        let terms = parsed.iter().flat_map(|formula| formula.terms());
        terms.map(|term| term.constant_name().to_owned()).collect()
    }

    /// The statements of a constant's set; of `None` those that are in no set.
    pub fn set<'a>(&'a self, constant: Option<&'a str>) -> impl Iterator<Item = &'a Statement> {
        self.statements.iter().filter(move |statement| match constant {
            Some(constant) => statement.constants.iter().any(|name| name == constant),
            None => statement.constants.is_empty(),
        })
    }
}

/// The CRC-32 (IEEE 802.3) of bytes, as eight hexadecimal digits.
pub fn crc32(bytes: &[u8]) -> String {
    let mut crc = u32::MAX;
    for byte in bytes {
        crc ^= u32::from(*byte);
        for _ in 0..8 {
            crc = (crc >> 1) ^ (0xedb8_8320 & 0u32.wrapping_sub(crc & 1));
        }
    }
    format!("{:08x}", !crc)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_that_of_the_standard() {
        assert_eq!(crc32(b"123456789"), "cbf43926");
        assert_eq!(crc32(b""), "00000000");
    }
}
