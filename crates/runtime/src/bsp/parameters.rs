//! The machine's parameters from `cll run`, in the units of the literature: operations per second, operations,
//! operations per word of 32 bits, words.

use cll_contract::ParametersOf;

/// The requested parameter.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// s.
    Rate,
    /// l.
    L,
    /// g.
    G,
    /// The size of a transfer that reaches half of the best speed.
    Half,
}

/// Why there is no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// There is none for this number of processors; the text names the numbers for which there is one.
    Processors(String),
    /// This parameter is not known.
    Value,
}

/// A parameter of the machine with this number of processors.
pub fn find(rows: &[ParametersOf], processors: usize, which: Parameter) -> Result<f64, Missing> {
    let Some(row) = rows.iter().find(|row| row.processors as usize == processors) else {
        let known: Vec<String> = rows.iter().map(|row| row.processors.to_string()).collect();
        return Err(Missing::Processors(known.join(", ")));
    };
    match which {
        Parameter::Rate => row.rate,
        Parameter::L => row.l,
        Parameter::G => row.g,
        Parameter::Half => row.half,
    }
    .ok_or(Missing::Value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parameter_and_missing_ones() {
        let table = cll_contract::PARAMETERS.read(Some(b"1 2e9 10 1 -;2 2e9 150 1.5e0 64"));
        let table = table.unwrap().unwrap();
        let find = |processors, which| super::find(&table, processors, which);
        assert_eq!(find(2, Parameter::Rate), Ok(2e9));
        assert_eq!(find(2, Parameter::L), Ok(150.0));
        assert_eq!(find(2, Parameter::G), Ok(1.5));
        assert_eq!(find(2, Parameter::Half), Ok(64.0));
        assert_eq!(find(1, Parameter::Half), Err(Missing::Value));
        assert_eq!(find(4, Parameter::G), Err(Missing::Processors("1, 2".into())));
    }
}
