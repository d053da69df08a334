//! JSON as values with their places.

use std::borrow::Cow;
use std::collections::HashSet;
use std::ops::Range;

use crate::error::ImportError;
use crate::place::PlacedText;

/// The deepest nesting that is read.
const MAX_DEPTH: usize = 128;

/// A value and its bytes in the text.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct JsonValue<'a> {
    pub(crate) span: Range<usize>,
    pub(crate) kind: JsonKind<'a>,
}

#[derive(Clone, Debug, PartialEq)]
pub(crate) enum JsonKind<'a> {
    Null,
    Bool(bool),
    /// Also NaN and infinite numbers, which Python writes.
    Number(f64),
    Text(Cow<'a, str>),
    List(Vec<JsonValue<'a>>),
    Object(Vec<(Cow<'a, str>, JsonValue<'a>)>),
}

impl<'a> JsonValue<'a> {
    /// The member of this name, if it is an object with one.
    pub(crate) fn get(&self, name: &str) -> Option<&JsonValue<'a>> {
        let JsonKind::Object(members) = &self.kind else { return None };
        members.iter().find(|(known, _)| known == name).map(|(_, value)| value)
    }

    pub(crate) fn as_text(&self) -> Option<&str> {
        match &self.kind {
            JsonKind::Text(text) => Some(text),
            _ => None,
        }
    }

    pub(crate) fn as_number(&self) -> Option<f64> {
        match self.kind {
            JsonKind::Number(number) => Some(number),
            _ => None,
        }
    }

    pub(crate) fn is_null(&self) -> bool {
        self.kind == JsonKind::Null
    }

    /// Names the kind of the value, in words.
    fn what(&self) -> &'static str {
        match self.kind {
            JsonKind::Null => "null",
            JsonKind::Bool(_) => "true or false",
            JsonKind::Number(_) => "a number",
            JsonKind::Text(_) => "a text",
            JsonKind::List(_) => "a list",
            JsonKind::Object(_) => "an object",
        }
    }

    /// The required member.
    pub(crate) fn member(
        &self,
        source: PlacedText<'_>,
        name: &str,
    ) -> Result<&JsonValue<'a>, ImportError> {
        self.get(name).ok_or_else(|| match self.kind {
            JsonKind::Object(_) => source
                .wrong(self.span.start..self.span.start + 1, format!("`{name}` is missing here")),
            _ => self.expected(source, &format!("an object with `{name}`")),
        })
    }

    pub(crate) fn text(&self, source: PlacedText<'_>) -> Result<&str, ImportError> {
        self.as_text().ok_or_else(|| self.expected(source, "a text"))
    }

    /// A number; null and NaN are NaN.
    pub(crate) fn number(&self, source: PlacedText<'_>) -> Result<f64, ImportError> {
        match self.kind {
            JsonKind::Number(number) => Ok(number),
            JsonKind::Null => Ok(f64::NAN),
            _ => Err(self.expected(source, "a number")),
        }
    }

    pub(crate) fn list(&self, source: PlacedText<'_>) -> Result<&[JsonValue<'a>], ImportError> {
        match &self.kind {
            JsonKind::List(values) => Ok(values),
            _ => Err(self.expected(source, "a list")),
        }
    }

    pub(crate) fn object(
        &self,
        source: PlacedText<'_>,
    ) -> Result<&[(Cow<'a, str>, JsonValue<'a>)], ImportError> {
        match &self.kind {
            JsonKind::Object(members) => Ok(members),
            _ => Err(self.expected(source, "an object")),
        }
    }

    /// The error that something else is needed here.
    pub(crate) fn expected(&self, source: PlacedText<'_>, what: &str) -> ImportError {
        source.wrong(
            self.span.clone(),
            format!("{what} is expected here, and this is {}", self.what()),
        )
    }
}

/// The first value at or behind a byte, and the byte where the rest begins.
///
/// # Errors
/// With the place where the text is no JSON.
pub(crate) fn value(
    source: PlacedText<'_>,
    offset: usize,
) -> Result<(JsonValue<'_>, usize), ImportError> {
    let mut parser = JsonParser { source, text: source.text, offset, depth: 0 };
    let value = parser.value()?;
    Ok((value, parser.offset))
}

struct JsonParser<'a> {
    source: PlacedText<'a>,
    text: &'a str,
    offset: usize,
    depth: usize,
}

impl<'a> JsonParser<'a> {
    fn wrong(&self, span: Range<usize>, message: impl Into<String>) -> ImportError {
        self.source.wrong(span, message)
    }

    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.offset).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n' | b'\r')) {
            self.offset += 1;
        }
    }

    /// Where something else than `what` stands.
    fn unexpected(&self, what: &str) -> ImportError {
        match self.text[self.offset..].chars().next() {
            None => self
                .wrong(self.offset..self.offset, format!("the file ends where {what} is expected"))
                .help("it may be cut off: write or copy it again"),
            Some(letter) => {
                let shown = cll_diagnostic::escape(&letter.to_string());
                let span = self.offset..self.offset + letter.len_utf8();
                self.wrong(span, format!("{what} is expected here, and this is `{shown}`"))
            }
        }
    }

    fn value(&mut self) -> Result<JsonValue<'a>, ImportError> {
        self.space();
        let start = self.offset;
        let kind = match self.peek() {
            Some(b'{') => self.nested(JsonParser::object)?,
            Some(b'[') => self.nested(JsonParser::list)?,
            Some(b'"') => JsonKind::Text(self.string()?),
            Some(b'-' | b'0'..=b'9') if !self.text[start..].starts_with("-I") => self.number()?,
            _ => {
                const WORDS: [(&str, JsonKind<'_>); 6] = [
                    ("null", JsonKind::Null),
                    ("true", JsonKind::Bool(true)),
                    ("false", JsonKind::Bool(false)),
                    ("NaN", JsonKind::Number(f64::NAN)),
                    ("Infinity", JsonKind::Number(f64::INFINITY)),
                    ("-Infinity", JsonKind::Number(f64::NEG_INFINITY)),
                ];
                let rest = &self.text[start..];
                let word = WORDS.into_iter().find(|(word, _)| rest.starts_with(word));
                let Some((word, kind)) = word else { return Err(self.unexpected("a value")) };
                self.offset += word.len();
                kind
            }
        };
        Ok(JsonValue { span: start..self.offset, kind })
    }

    fn nested(
        &mut self,
        read: impl Fn(&mut JsonParser<'a>) -> Result<JsonKind<'a>, ImportError>,
    ) -> Result<JsonKind<'a>, ImportError> {
        if self.depth == MAX_DEPTH {
            let message = format!("values are nested more than {MAX_DEPTH} deep");
            return Err(self.wrong(self.offset..self.offset + 1, message));
        }
        self.depth += 1;
        self.offset += 1;
        let kind = read(self);
        self.depth -= 1;
        kind
    }

    /// Whether the list or object ends here; else goes behind the comma.
    fn ends(&mut self, end: u8, is_first: bool) -> Result<bool, ImportError> {
        self.space();
        match self.peek() {
            Some(byte) if byte == end => {
                self.offset += 1;
                Ok(true)
            }
            Some(b',') if !is_first => {
                self.offset += 1;
                Ok(false)
            }
            Some(_) if is_first => Ok(false),
            _ => Err(self.unexpected(&format!("`,` or `{}`", char::from(end)))),
        }
    }

    fn list(&mut self) -> Result<JsonKind<'a>, ImportError> {
        let mut values = Vec::new();
        while !self.ends(b']', values.is_empty())? {
            values.push(self.value()?);
        }
        Ok(JsonKind::List(values))
    }

    fn object(&mut self) -> Result<JsonKind<'a>, ImportError> {
        let mut members: Vec<(Cow<'a, str>, JsonValue<'a>)> = Vec::new();
        let mut names: HashSet<Cow<'a, str>> = HashSet::new();
        while !self.ends(b'}', members.is_empty())? {
            self.space();
            let start = self.offset;
            if self.peek() != Some(b'"') {
                return Err(self.unexpected("a name in quotes"));
            }
            let name = self.string()?;
            let is_known = match members.len() {
                0..8 => members.iter().any(|(known, _)| *known == name),
                _ => {
                    if names.is_empty() {
                        names.extend(members.iter().map(|(known, _)| known.clone()));
                    }
                    !names.insert(name.clone())
                }
            };
            if is_known {
                let shown = cll_diagnostic::escape(&name);
                return Err(
                    self.wrong(start..self.offset, format!("`{shown}` is here a second time"))
                );
            }
            self.space();
            if self.peek() != Some(b':') {
                return Err(self.unexpected("`:`"));
            }
            self.offset += 1;
            let value = self.value()?;
            members.push((name, value));
        }
        Ok(JsonKind::Object(members))
    }

    fn number(&mut self) -> Result<JsonKind<'a>, ImportError> {
        let start = self.offset;
        while matches!(self.peek(), Some(b'0'..=b'9' | b'+' | b'-' | b'.' | b'e' | b'E')) {
            self.offset += 1;
        }
        let text = &self.text[start..self.offset];
        let number = text.parse().ok().filter(|_| text.as_bytes()[text.len() - 1] != b'.');
        number
            .map(JsonKind::Number)
            .ok_or_else(|| self.wrong(start..self.offset, format!("`{text}` is not a number")))
    }

    fn string(&mut self) -> Result<Cow<'a, str>, ImportError> {
        let start = self.offset;
        self.offset += 1;
        let mut made: Option<String> = None;
        let mut plain = self.offset;
        loop {
            match self.peek() {
                None | Some(b'\n') => {
                    let error =
                        self.wrong(start..self.offset, "this text does not end in its line");
                    return Err(error.help("the file may be cut off: write or copy it again"));
                }
                Some(b'"') => {
                    let rest = &self.text[plain..self.offset];
                    self.offset += 1;
                    return Ok(match made {
                        None => Cow::Borrowed(rest),
                        Some(unescaped) => Cow::Owned(unescaped + rest),
                    });
                }
                Some(b'\\') => {
                    let unescaped = made.get_or_insert_default();
                    unescaped.push_str(&self.text[plain..self.offset]);
                    let c = self.escape()?;
                    unescaped.push(c);
                    plain = self.offset;
                }
                Some(_) => self.offset += 1,
            }
        }
    }

    /// The character of an escape; half of a pair is the replacement character.
    fn escape(&mut self) -> Result<char, ImportError> {
        let start = self.offset;
        self.offset += 1;
        let letter = self.peek();
        self.offset += 1;
        Ok(match letter {
            Some(b'"') => '"',
            Some(b'\\') => '\\',
            Some(b'/') => '/',
            Some(b'b') => '\u{8}',
            Some(b'f') => '\u{c}',
            Some(b'n') => '\n',
            Some(b'r') => '\r',
            Some(b't') => '\t',
            Some(b'u') => {
                let unit = self.unit(start)?;
                let is_high = (0xD800..0xDC00).contains(&unit);
                let has_low = is_high && self.text[self.offset..].starts_with("\\u");
                let mut code = u32::from(unit);
                if has_low {
                    let back = self.offset;
                    self.offset += 2;
                    let low = self.unit(back)?;
                    if (0xDC00..0xE000).contains(&low) {
                        code = 0x10000 + ((code - 0xD800) << 10) + (u32::from(low) - 0xDC00)
                    } else {
                        self.offset = back
                    }
                }
                char::from_u32(code).unwrap_or(char::REPLACEMENT_CHARACTER)
            }
            _ => return Err(self.wrong(start..start + 2, "this escape is not one of JSON")),
        })
    }

    fn unit(&mut self, start: usize) -> Result<u16, ImportError> {
        let digits = self.text.get(self.offset..self.offset + 4);
        let unit = digits
            .filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))
            .and_then(|digits| u16::from_str_radix(digits, 16).ok());
        let wrong =
            || self.wrong(start..start + 2, "four hexadecimal digits are expected behind `\\u`");
        let unit = unit.ok_or_else(wrong)?;
        self.offset += 4;
        Ok(unit)
    }
}

#[cfg(test)]
mod tests {
    use crate::place::LineEnds;

    use super::*;

    /// The value with what `look` finds in it.
    fn read<T>(text: &str, look: impl FnOnce(&JsonValue<'_>) -> T) -> Result<T, String> {
        let ends = LineEnds::default();
        let result = value(PlacedText::new(text, &ends), 0).map(|(value, _)| look(&value));
        result.map_err(|error| error.to_string())
    }

    #[test]
    fn values_are_those_of_the_text() {
        let text = r#" {"a": [1, -2.5e3, NaN], "b\n\u00b5\ud83d\ude00": {"c": null}, "d": true} "#;
        let look = |value: &JsonValue<'_>| {
            let Some(JsonKind::List(list)) = value.get("a").map(|value| &value.kind) else {
                panic!()
            };
            assert_eq!(list[1].as_number(), Some(-2500.0));
            assert!(list[2].as_number().unwrap().is_nan());
            assert!(value.get("b\nµ😀").unwrap().get("c").unwrap().is_null());
        };
        read(text, look).unwrap();
        let word = |value: &JsonValue<'_>| value.as_text().map(str::to_owned);
        assert_eq!(read("\"\\ud800x\"", word).unwrap().as_deref(), Some("\u{FFFD}x"));
        assert_eq!(read("-Infinity", |found| found.as_number()).unwrap(), Some(f64::NEG_INFINITY));
    }

    #[test]
    fn what_is_no_json_is_refused_with_its_place() {
        let deep = "[".repeat(1000);
        for (text, expected) in [
            ("", "line 1, character 1: the file ends where a value is expected"),
            ("{\"a\": 1", "line 1, character 8: the file ends where `,` or `}` is expected"),
            ("[1 2]", "line 1, character 4: `,` or `]` is expected here, and this is `2`"),
            ("[1,]", "line 1, character 4: a value is expected here, and this is `]`"),
            ("{a: 1}", "line 1, character 2: a name in quotes is expected here"),
            ("{\"a\" 1}", "line 1, character 6: `:` is expected here"),
            ("{\n\"a\": 1,\n\"a\": 2}", "line 3, character 1: `a` is here a second time"),
            ("[1.2.3]", "line 1, character 2: `1.2.3` is not a number"),
            ("[\"x\n\"]", "line 1, character 2: this text does not end in its line"),
            ("\"\\x\"", "line 1, character 2: this escape is not one of JSON"),
            ("\"\\u12\"", "line 1, character 2: four hexadecimal digits"),
            (&deep, "line 1, character 129: values are nested more than 128 deep"),
        ] {
            let message = read(text, |_| ()).unwrap_err();
            assert!(message.starts_with(expected), "{text:?}: {message}");
        }
    }
}
