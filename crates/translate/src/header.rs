//! The header with one of three kinds of markers.

use std::fmt::{self, Write};

/// The text of `PROGRAM.cll.h`, in which the functions of markers can be of several kinds.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Header {
    parts: Vec<HeaderPart>,
}

#[derive(Clone, Debug, PartialEq, Eq)]
enum HeaderPart {
    Text(String),
    Marker(Marker),
}

/// The function of a marker.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Marker {
    /// The action of the marker.
    pub action: Action,
    /// Number of the place in its unit.
    pub place: usize,
    /// Number of values, which are parameters.
    pub values: usize,
    /// The statements that take the time.
    pub body: String,
}

/// The action of a marker.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Action {
    /// A passage begins.
    Begin,
    /// It ends.
    End,
    /// It was left, perhaps.
    Close,
}

impl Action {
    fn word(self) -> &'static str {
        match self {
            Action::Begin => "begin",
            Action::End => "end",
            Action::Close => "close",
        }
    }
}

impl Marker {
    /// The function's head after its specifiers.
    fn head(&self) -> String {
        let (word, place) = (self.action.word(), self.place);
        let values = if self.action == Action::Begin { self.values } else { 0 };
        let values: String = (0..values).map(|index| format!(", double v{index}")).collect();
        format!("void cll_{word}_{place}(struct cll_saved_{place} *at{values})")
    }

    fn timed(&self, specifiers: &str) -> String {
        format!("{specifiers} {}\n{{\n{}}}\n", self.head(), self.body)
    }

    fn reported(&self, number: usize) -> String {
        let body = match self.action {
            Action::Begin => {
                let values: String = (0..self.values)
                    .map(|index| format!("    cll_accesses_value({index}, v{index});\n"))
                    .collect();
                format!("    cll_accesses_begin({number});\n{values}    at->frame.context = 1;\n")
            }
            Action::End | Action::Close => format!(
                "    if (at->frame.context)\n        cll_accesses_end({number});\n    at->frame.context = 0;\n"
            ),
        };
        // Not inlined, so that what it does is no access of the program.
        let specifiers = "static __attribute__((__noinline__, __unused__, __no_sanitize_thread__))";
        format!("{specifiers} {}\n{{\n{body}}}\n", self.head())
    }
}

impl Header {
    /// Markers that take the time, inlined: the header of every program that is measured.
    pub fn timed(&self) -> String {
        self.text(|marker, _| marker.timed("CLL_INLINE"))
    }

    /// The same, but a passage begins and ends with the call of a function, which a simulator of a processor sees.
    pub fn called(&self) -> String {
        self.text(|marker, _| match marker.action {
            Action::Begin | Action::End => {
                marker.timed("static __attribute__((__noinline__, __unused__))")
            }
            Action::Close => marker.timed("CLL_INLINE"),
        })
    }

    /// Markers that report where passages begin and end, and their values, by `cll_accesses_begin` and its like in
    /// place of taking the time; `number` gives the number of a place in the program.
    pub fn reported(&self, number: impl Fn(usize) -> usize) -> String {
        let declared = "void cll_accesses_begin(int place);\nvoid cll_accesses_value(int index, double value);\n\
                        void cll_accesses_end(int place);\n";
        self.text(|marker, is_first| {
            let declared = if is_first { declared } else { "" };
            format!("{declared}{}", marker.reported(number(marker.place)))
        })
    }

    pub(crate) fn marker(&mut self, marker: Marker) {
        self.parts.push(HeaderPart::Marker(marker));
    }

    fn text(&self, function: impl Fn(&Marker, bool) -> String) -> String {
        let mut out = String::new();
        let mut is_first = true;
        for part in &self.parts {
            match part {
                HeaderPart::Text(text) => out += text,
                HeaderPart::Marker(marker) => {
                    out += &function(marker, std::mem::take(&mut is_first));
                }
            }
        }
        out
    }
}

impl Write for Header {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        match self.parts.last_mut() {
            Some(HeaderPart::Text(last)) => last.push_str(text),
            _ => self.parts.push(HeaderPart::Text(text.to_owned())),
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> Header {
        let mut header = Header::default();
        let _ = writeln!(header, "before");
        let marker =
            |action, body: &str| Marker { action, place: 3, values: 2, body: body.to_owned() };
        header.marker(marker(Action::Begin, "    enter;\n"));
        header.marker(marker(Action::End, "    leave;\n"));
        header.marker(marker(Action::Close, "    close;\n"));
        let _ = writeln!(header, "after");
        header
    }

    #[test]
    fn markers_take_the_time_inlined() {
        let text = header().timed();
        let begin = "before\nCLL_INLINE void cll_begin_3(struct cll_saved_3 *at, double v0, double v1)\n{\n    enter;\n}\n";
        assert!(text.starts_with(begin), "{text}");
        assert!(text.ends_with(
            "CLL_INLINE void cll_close_3(struct cll_saved_3 *at)\n{\n    close;\n}\nafter\n"
        ));
    }

    #[test]
    fn called_markers_are_functions() {
        let text = header().called();
        assert_eq!(text.matches("__noinline__").count(), 2);
        assert!(
            text.contains("    enter;\n") && text.contains("CLL_INLINE void cll_close_3"),
            "{text}"
        );
    }

    #[test]
    fn reported_markers_report_places_and_values() {
        let text = header().reported(|place| 8192 + place);
        assert_eq!(text.matches("void cll_accesses_begin(int place)").count(), 1);
        let begin = text.find("cll_accesses_begin(8195);").unwrap();
        assert!(text[begin..].contains("cll_accesses_value(1, v1);"), "{text}");
        assert!(!text.contains("cll_accesses_value(2") && !text.contains("enter;"), "{text}");
        assert_eq!(text.matches("cll_accesses_end(8195);").count(), 2);
    }
}
