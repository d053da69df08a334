//! XML, written in order.

use std::fmt::Write;

use crate::text::escape;

/// Writes elements; every text and attribute is escaped on its way in.
#[derive(Default)]
pub(crate) struct Writer {
    out: String,
    open: Vec<&'static str>,
}

/// An attribute's value.
pub(crate) enum AttributeValue<'a> {
    Text(&'a str),
    Number(f64),
}

impl<'a> From<&'a str> for AttributeValue<'a> {
    fn from(text: &'a str) -> AttributeValue<'a> {
        AttributeValue::Text(text)
    }
}

impl<'a> From<&'a String> for AttributeValue<'a> {
    fn from(text: &'a String) -> AttributeValue<'a> {
        AttributeValue::Text(text)
    }
}

impl From<f64> for AttributeValue<'_> {
    fn from(number: f64) -> Self {
        AttributeValue::Number(number)
    }
}

impl Writer {
    /// Begins an element.
    pub(crate) fn open(&mut self, name: &'static str, attributes: &[(&str, AttributeValue<'_>)]) {
        self.tag(name, attributes);
        self.out.push_str(">\n");
        self.open.push(name);
    }

    /// Ends the element that was begun last.
    pub(crate) fn close(&mut self) {
        if let Some(name) = self.open.pop() {
            self.indent();
            let _ = writeln!(self.out, "</{name}>");
        }
    }

    /// An element without content.
    pub(crate) fn leaf(&mut self, name: &'static str, attributes: &[(&str, AttributeValue<'_>)]) {
        self.tag(name, attributes);
        self.out.push_str("/>\n");
    }

    /// An element that holds text.
    pub(crate) fn text(
        &mut self,
        name: &'static str,
        attributes: &[(&str, AttributeValue<'_>)],
        text: &str,
    ) {
        self.tag(name, attributes);
        let _ = writeln!(self.out, ">{}</{name}>", xml(text));
    }

    /// An element with text of our own that is not to be escaped, such as a style sheet.
    pub(crate) fn raw(&mut self, name: &'static str, text: &str) {
        self.tag(name, &[]);
        let _ = writeln!(self.out, ">{text}</{name}>");
    }

    /// The document.
    pub(crate) fn finish(mut self) -> String {
        while !self.open.is_empty() {
            self.close();
        }
        self.out
    }

    fn indent(&mut self) {
        self.out.push_str(&" ".repeat(self.open.len()));
    }

    fn tag(&mut self, name: &'static str, attributes: &[(&str, AttributeValue<'_>)]) {
        self.indent();
        let _ = write!(self.out, "<{name}");
        for (attribute, value) in attributes {
            let _ = match value {
                AttributeValue::Text(text) => write!(self.out, " {attribute}=\"{}\"", xml(text)),
                AttributeValue::Number(number) => {
                    write!(self.out, " {attribute}=\"{}\"", coordinate(*number))
                }
            };
        }
    }
}

/// A coordinate to a hundredth, without needless zeros. Values that are not finite do not get this
/// far; it would become 0.
pub(crate) fn coordinate(value: f64) -> String {
    let hundredths = (value * 100.0).round();
    if !hundredths.is_finite() {
        return "0".to_owned();
    }
    format!("{}", hundredths / 100.0 + 0.0)
}

/// A path through these places.
pub(crate) fn path(places: impl IntoIterator<Item = (f64, f64)>) -> String {
    let mut out = String::new();
    for (x, y) in places {
        out.push_str(if out.is_empty() { "M" } else { " L" });
        let _ = write!(out, "{} {}", coordinate(x), coordinate(y));
    }
    out
}

/// Text with nothing in it that XML, or a reader's eyes, would take for something else.
fn xml(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in escape(text).chars() {
        match c {
            '&' => out.push_str("&amp;"),
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '"' => out.push_str("&quot;"),
            '\u{fffe}' | '\u{ffff}' => out.push('\u{fffd}'),
            c => out.push(c),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn coordinates_are_short_and_finite() {
        for (value, text) in [
            (1.0, "1"),
            (1.234, "1.23"),
            (-0.001, "0"),
            (1e-300, "0"),
            (f64::NAN, "0"),
            (f64::INFINITY, "0"),
            (f64::MAX, "0"),
        ] {
            assert_eq!(coordinate(value), text);
        }
    }

    #[test]
    fn text_cannot_end_an_element() {
        let mut writer = Writer::default();
        writer.open("g", &[("id", "a\"b".into())]);
        writer.text("text", &[], "</g><script>&\x1b\u{ffff}");
        let out = writer.finish();
        assert_eq!(
            out,
            "<g id=\"a&quot;b\">\n <text>&lt;/g&gt;&lt;script&gt;&amp;\\u{1b}\u{fffd}</text>\n</g>\n"
        );
    }
}
