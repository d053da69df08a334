//! The machine's parameters as `cll run` tells them: `P S L G NHALF` for each number of processors, `-`
//! for what is not known, by `;`. In the literature's units: operations per second, operations,
//! operations per word of 32 bits, words.

/// What is asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parameter {
    /// s.
    Rate,
    /// l.
    L,
    /// g.
    G,
    /// The transfer that reaches half the best speed.
    Half,
}

/// Why there is no answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Missing {
    /// Not for so many processors; for which there is.
    Processors(String),
    /// This parameter is not known.
    Value,
    /// This is no such table.
    Table,
}

/// A parameter of the machine with so many processors.
pub fn find(table: &[u8], processors: usize, which: Parameter) -> Result<f64, Missing> {
    let table = std::str::from_utf8(table).map_err(|_| Missing::Table)?;
    let mut known: Vec<&str> = Vec::new();
    for row in table.split(';') {
        let words: Vec<&str> = row.split_whitespace().collect();
        let [count, rate, l, g, half] = words[..] else { return Err(Missing::Table) };
        if count.parse() != Ok(processors) {
            known.push(count);
            continue;
        }
        let word = match which {
            Parameter::Rate => rate,
            Parameter::L => l,
            Parameter::G => g,
            Parameter::Half => half,
        };
        return match word {
            "-" => Err(Missing::Value),
            word => word.parse().map_err(|_| Missing::Table),
        };
    }
    Err(Missing::Processors(known.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_parameter_and_what_is_missing() {
        let table = b"1 2e9 10 1 -;2 2e9 150 1.5e0 64";
        let find = |processors, which| super::find(table, processors, which);
        assert_eq!(find(2, Parameter::Rate), Ok(2e9));
        assert_eq!(find(2, Parameter::L), Ok(150.0));
        assert_eq!(find(2, Parameter::G), Ok(1.5));
        assert_eq!(find(2, Parameter::Half), Ok(64.0));
        assert_eq!(find(1, Parameter::Half), Err(Missing::Value));
        assert_eq!(find(4, Parameter::G), Err(Missing::Processors("1, 2".into())));
        for wrong in [&b"x"[..], b"2 1 2 3", b"2 a b c d", b"\xff"] {
            assert_eq!(super::find(wrong, 2, Parameter::G), Err(Missing::Table));
        }
    }
}
