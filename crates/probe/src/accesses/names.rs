//! What people call instructions and arrays: lines of the source, and names that stand there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use cll_files as files;
use cll_files::Failure;
use cll_reuse::{Array, Stream};
use cll_symbols::Object;

use super::build::Built;

/// A line of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// The file, without its folders; empty if it is not known.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The function.
    pub function: String,
}

/// The lines of instructions, and the sources' texts.
pub struct Names {
    object: Object,
    sources: BTreeMap<String, Vec<String>>,
}

impl Names {
    /// Reads the program and the sources.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read(built: &Built) -> Result<Names, Failure> {
        let read =
            |path: &Path| fs::read(path).map_err(|error| Failure::file("read", path, &error));
        let object = Object::parse(&read(&built.program)?)
            .map_err(|error| Failure::system(format!("the program cannot be read: {error}")))?;
        let mut sources = BTreeMap::new();
        for path in &built.sources {
            let text = read(path)?;
            let lines = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
            sources.insert(files::base(path), lines);
        }
        Ok(Names { object, sources })
    }

    /// The line of an instruction: the innermost one in a source of the program.
    pub fn place(&self, return_address: u64) -> Place {
        let places = self.places(return_address);
        let own = places.iter().find(|place| self.sources.contains_key(&place.file));
        own.or(places.first()).cloned().unwrap_or_default()
    }

    /// The lines of an instruction, that of the innermost inlined function first.
    fn places(&self, return_address: u64) -> Vec<Place> {
        let frames = self.object.frames_of_return(return_address);
        let file = |path: &str| files::base(Path::new(path));
        let place = |frame: cll_symbols::Frame| Place {
            file: frame.file.as_deref().map(file).unwrap_or_default(),
            line: frame.line.unwrap_or(0),
            function: frame.function,
        };
        frames.into_iter().map(place).collect()
    }

    /// The name of an array in the source: of memory that was allocated the variable that its address was assigned to.
    /// `used` is a line that accesses it.
    pub fn array(&self, array: &Array, stream: &Stream, used: &Place) -> String {
        match array {
            Array::Static(name) => name.clone(),
            Array::Allocated(calls) => {
                let mut found = None;
                // Functions that allocate for others hand on what they have: inlined ones and callers.
                for place in calls.iter().flat_map(|call| self.places(*call)) {
                    let Some(name) = self.assigned(&place, calls[0], stream) else { continue };
                    let is_returned = self.is_returned(&place, &name);
                    found = Some(name);
                    if !is_returned {
                        break;
                    }
                }
                found.unwrap_or_else(|| {
                    let place = calls.first().map(|call| self.place(*call)).unwrap_or_default();
                    format!("memory allocated at {}:{}", place.file, place.line)
                })
            }
            Array::Stack => self.subscripted(used).unwrap_or_else(|| match &*used.function {
                "" => "the stack".to_owned(),
                function => format!("variables of {function}()"),
            }),
            Array::Other => "memory of libraries".to_owned(),
        }
    }

    fn line(&self, place: &Place) -> Option<&str> {
        let lines = self.sources.get(&place.file)?;
        lines.get((place.line as usize).checked_sub(1)?).map(String::as_str)
    }

    /// The variable that is assigned to at a place: the result of a call.
    fn assigned(&self, place: &Place, call: u64, stream: &Stream) -> Option<String> {
        let text = self.line(place)?;
        let mut names = assignments(text);
        if names.is_empty() {
            // The call stands below the assignment.
            let before = Place { line: place.line.checked_sub(1)?, ..place.clone() };
            let before = self.line(&before)?;
            if before.contains(';') {
                return None;
            }
            names = assignments(before);
        }
        // Of several on the line the one that stands at this call's place in their order.
        let mut calls: Vec<u64> = stream
            .arrays
            .iter()
            .filter_map(|array| match array {
                Array::Allocated(calls) => Some(calls.iter().copied()),
                _ => None,
            })
            .flatten()
            .filter(|other| self.place(*other) == *place)
            .collect();
        calls.sort_unstable();
        calls.dedup();
        let at = calls.iter().position(|other| *other == call).unwrap_or(0);
        names.get(at.min(names.len().checked_sub(1)?)).cloned()
    }

    /// Whether the function returns what it has allocated: then its caller has the array.
    fn is_returned(&self, place: &Place, name: &str) -> bool {
        let Some(lines) = self.sources.get(&place.file) else { return false };
        let rest = lines.iter().skip(place.line as usize);
        let body = rest.take_while(|line| !line.starts_with('}'));
        let returned = body.filter_map(|line| line.split("return").nth(1));
        returned.into_iter().any(|text| {
            text.split(|c: char| !(c.is_alphanumeric() || c == '_')).any(|word| word == name)
        })
    }

    /// The only array that a line subscripts.
    fn subscripted(&self, place: &Place) -> Option<String> {
        let text = self.line(place)?;
        let mut names: Vec<String> = Vec::new();
        for (at, _) in text.match_indices('[') {
            let name = trailing(&text[..at]);
            if !name.is_empty() && !names.contains(&name) {
                names.push(name);
            }
        }
        match &names[..] {
            [only] => Some(only.clone()),
            _ => None,
        }
    }
}

/// What is assigned to in a line, in order.
fn assignments(text: &str) -> Vec<String> {
    let bytes = text.as_bytes();
    let is_single = |at: usize| {
        let before = at.checked_sub(1).map(|at| bytes[at]).unwrap_or(b' ');
        bytes.get(at + 1) != Some(&b'=') && !b"=<>!+-*/%&|^".contains(&before)
    };
    let places = text.match_indices('=').map(|(at, _)| at).filter(|at| is_single(*at));
    places.map(|at| trailing(&text[..at])).filter(|name| !name.is_empty()).collect()
}

/// The name at the end of a text, with the members that lead to it: `double *a ` is `a`, `m->rows[i]` is `m->rows`.
fn trailing(text: &str) -> String {
    let mut text = text.trim_end();
    while text.ends_with(']') {
        match text.rfind('[') {
            Some(at) => text = text[..at].trim_end(),
            None => return String::new(),
        }
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '>' | '-');
    let from = text
        .rfind(|c| !is_part(c))
        .map_or(0, |at| at + text[at..].chars().next().map_or(1, char::len_utf8));
    text[from..].trim_start_matches(['-', '>', '.']).to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_assigned_to() {
        assert_eq!(assignments("    double *a = malloc(8 * n);"), ["a"]);
        assert_eq!(assignments("p->next = malloc(n), q = malloc(m);"), ["p->next", "q"]);
        assert_eq!(assignments("if ((rows[i] = malloc(n)) == NULL)"), ["rows"]);
        assert_eq!(assignments("if (a <= b || a >= c || a != d || a == e) x += 2;"), [""; 0]);
        assert_eq!(assignments("return malloc(n);"), [""; 0]);
    }
}
