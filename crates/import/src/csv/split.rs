//! The fields of a line.

use csv::{ReaderBuilder, StringRecord};

use crate::error::{ImportCause, ImportError};
use crate::lines::latin1;

pub(super) fn words(line: &[u8]) -> String {
    str::from_utf8(line).map_or_else(|_| latin1(line), str::to_owned)
}

/// The separator of the fields in the first line.
pub(super) fn delimiter(header: &str) -> u8 {
    let mut quoted = false;
    let mut outside = String::new();
    for c in header.trim().chars() {
        quoted ^= c == '"';
        if !quoted {
            outside.push(c);
        }
    }
    let known = b"\t;|,".iter().find(|&&byte| outside.contains(char::from(byte)));
    match known {
        Some(&byte) => byte,
        None if outside.contains(' ') => b' ',
        None => b',',
    }
}

/// The fields of a line, without the space around them.
pub(crate) fn split(line: &[u8], delimiter: u8, number: u64) -> Result<Vec<String>, ImportError> {
    let field = |bytes: &[u8]| words(bytes.trim_ascii());
    if !line.contains(&b'"') {
        return Ok(match delimiter {
            b' ' => line
                .split(u8::is_ascii_whitespace)
                .filter(|word| !word.is_empty())
                .map(words)
                .collect(),
            _ => line.split(|&byte| byte == delimiter).map(field).collect(),
        });
    }
    let is_open = line.iter().filter(|&&byte| byte == b'"').count() % 2 == 1;
    let text = words(line);
    let mut reader = ReaderBuilder::new()
        .has_headers(false)
        .flexible(true)
        .trim(csv::Trim::All)
        .delimiter(delimiter)
        .from_reader(text.trim().as_bytes());
    let mut record = StringRecord::new();
    match reader.read_record(&mut record) {
        Ok(true) if !is_open => {
            let fields = record.iter().filter(|field| delimiter != b' ' || !field.is_empty());
            Ok(fields.map(str::to_owned).collect())
        }
        _ => Err(ImportCause::OpenQuote.error_at(number, 0)),
    }
}

/// Whether a line is the rule of a table that is drawn with `|` and `-`.
pub(super) fn is_rule(line: &[u8]) -> bool {
    line.iter().all(|byte| b"|-+:= ".contains(byte))
        && line.contains(&b'-')
        && line.iter().any(|byte| b"|+".contains(byte))
}

/// A row between `|`, without these.
pub(super) fn framed(line: &[u8]) -> Option<&[u8]> {
    let line = line.trim_ascii();
    line.strip_prefix(b"|").and_then(|line| line.strip_suffix(b"|"))
}
