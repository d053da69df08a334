//! Bytes as lines of text, in the common encodings.

use std::io::{self, BufRead, Cursor, Read};

use crate::error::{ImportCause, ImportError};

/// The largest length of a line, bytes.
const MAX_LINE_BYTES: u64 = 1 << 24;

/// The lines of a table, with their numbers.
pub(crate) struct Lines<R> {
    input: LineSource<R>,
    line: Vec<u8>,
    /// Where the next line begins in `line`: old systems end lines with a carriage return only.
    next: Option<usize>,
    number: u64,
}

enum LineSource<R> {
    AsItIs(R),
    Decoded(Cursor<Vec<u8>>),
}

impl<R: BufRead> Lines<R> {
    /// Lines of UTF-8, of UTF-16 with or without a byte order mark, or of Latin-1.
    pub(crate) fn new(mut input: R) -> Result<Lines<R>, ImportError> {
        let error = |error: io::Error| ImportCause::from(error).error_at(0, 0);
        let start = input.fill_buf().map_err(error)?;
        let input = match utf16(start) {
            Some(order) => {
                let mut bytes = Vec::new();
                input.read_to_end(&mut bytes).map_err(error)?;
                LineSource::Decoded(Cursor::new(decoded(&bytes, order).into_bytes()))
            }
            None => LineSource::AsItIs(input),
        };
        Ok(Lines { input, line: Vec::new(), next: None, number: 0 })
    }

    /// The next line without its end, and its number from 1.
    pub(crate) fn next(&mut self) -> Result<Option<(u64, &[u8])>, ImportError> {
        let from = match self.next.take() {
            Some(from) => from,
            None => {
                let number = self.number + 1;
                self.line.clear();
                let line = &mut self.line;
                let read = match &mut self.input {
                    LineSource::AsItIs(input) => input.take(MAX_LINE_BYTES).read_until(b'\n', line),
                    LineSource::Decoded(input) => {
                        input.take(MAX_LINE_BYTES).read_until(b'\n', line)
                    }
                };
                if read.map_err(|error| ImportCause::from(error).error_at(number, 0))? == 0 {
                    return Ok(None);
                }
                if line.len() as u64 == MAX_LINE_BYTES || line.contains(&0) {
                    return Err(ImportCause::NotText.error_at(number, 0));
                }
                for end in [b'\n', b'\r'] {
                    line.pop_if(|last| *last == end);
                }
                if number == 1 && line.starts_with(b"\xEF\xBB\xBF") {
                    line.drain(..3);
                }
                0
            }
        };
        self.number += 1;
        let rest = &self.line[from..];
        let length = rest.iter().position(|&byte| byte == b'\r').unwrap_or(rest.len());
        if length < rest.len() {
            self.next = Some(from + length + 1);
        }
        Ok(Some((self.number, &rest[..length])))
    }
}

/// Text of a file that is read as a whole: UTF-8, UTF-16, or Latin-1.
///
/// # Errors
/// If it is not text.
pub fn text(bytes: Vec<u8>) -> Result<String, ImportError> {
    let text = match utf16(&bytes) {
        Some(order) => decoded(&bytes, order),
        None => String::from_utf8(bytes).unwrap_or_else(|error| latin1(error.as_bytes())),
    };
    if text.contains('\0') {
        Err(ImportCause::NotText.error_at(0, 0))
    } else {
        Ok(text.strip_prefix('\u{FEFF}').map_or(text.clone(), str::to_owned))
    }
}

/// One character for each byte.
pub(crate) fn latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|&byte| char::from(byte)).collect()
}

#[derive(Clone, Copy)]
enum Order {
    Little,
    Big,
}

/// Whether text begins as UTF-16: with a byte order mark, or with every second byte zero.
fn utf16(start: &[u8]) -> Option<Order> {
    match start {
        [0xFF, 0xFE, ..] => return Some(Order::Little),
        [0xFE, 0xFF, ..] => return Some(Order::Big),
        _ => {}
    }
    let pairs = start[..start.len().min(64)].chunks_exact(2);
    let zeros = |index: usize| pairs.clone().all(|pair| pair[index] == 0 && pair[1 - index] != 0);
    match pairs.len() >= 2 {
        true if zeros(1) => Some(Order::Little),
        true if zeros(0) => Some(Order::Big),
        _ => None,
    }
}

fn decoded(bytes: &[u8], order: Order) -> String {
    let units = bytes.chunks_exact(2).map(|pair| match order {
        Order::Little => u16::from_le_bytes([pair[0], pair[1]]),
        Order::Big => u16::from_be_bytes([pair[0], pair[1]]),
    });
    let text: String =
        char::decode_utf16(units).map(|unit| unit.unwrap_or(char::REPLACEMENT_CHARACTER)).collect();
    text.strip_prefix('\u{FEFF}').map_or(text.clone(), str::to_owned)
}
