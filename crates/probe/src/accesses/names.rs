//! Names instructions and arrays as people do: by lines of the source, and by names that stand there.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use crate::Error;
use cll_files as files;
use cll_reuse::Array;
use cll_symbols::Object;

use super::assigned::{Assigned, assigned, returns, target};
use super::build::Built;

/// The longest statement that is read, in lines above a call.
const STATEMENT: usize = 8;

/// A line of a source.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourceLine {
    /// The file, without its folders; empty if it is not known.
    pub file: String,
    /// The line, from 1.
    pub line: u32,
    /// The function.
    pub function: String,
}

/// The lines of instructions, and the sources' texts.
pub struct SourceLines {
    object: Object,
    sources: BTreeMap<String, Vec<String>>,
}

impl SourceLines {
    /// Reads the program and the sources.
    ///
    /// # Errors
    /// If they cannot be read.
    pub fn read(built: &Built) -> Result<SourceLines, Error> {
        let read = |path: &Path| {
            fs::read(path).map_err(|error| files::Error::refused("read", path, error))
        };
        let object = Object::parse(&read(&built.program)?)?;
        let mut sources = BTreeMap::new();
        for path in &built.sources {
            let text = read(path)?;
            let lines = String::from_utf8_lossy(&text).lines().map(str::to_owned).collect();
            sources.insert(files::base(path), lines);
        }
        Ok(SourceLines { object, sources })
    }

    /// The line of an instruction: the innermost one in a source of the program.
    pub fn place(&self, return_address: u64) -> SourceLine {
        let places = self.places(return_address);
        let own = places.iter().find(|place| self.sources.contains_key(&place.file));
        own.or(places.first()).cloned().unwrap_or_default()
    }

    /// The lines of an instruction, that of the innermost inlined function first.
    fn places(&self, return_address: u64) -> Vec<SourceLine> {
        self.columns(return_address).into_iter().map(|(place, _)| place).collect()
    }

    /// The lines of an instruction with its columns.
    fn columns(&self, return_address: u64) -> Vec<(SourceLine, Option<u32>)> {
        let frames = self.object.frames_of_return(return_address);
        let file = |path: &str| files::base(Path::new(path));
        let place = |frame: cll_symbols::Frame| {
            let place = SourceLine {
                file: frame.file.as_deref().map(file).unwrap_or_default(),
                line: frame.line.unwrap_or(0),
                function: frame.function,
            };
            (place, frame.column)
        };
        frames.into_iter().map(place).collect()
    }

    /// The name of an array in the source: of memory that was allocated the variable that its address was assigned to.
    /// `used` is a line that accesses it.
    pub fn array(&self, array: &Array, used: &SourceLine) -> String {
        match array {
            Array::Static(name) => name.clone(),
            Array::Allocated(calls) => {
                let mut text = None;
                // Functions that allocate for others hand on what they have: inlined ones and callers.
                for (place, column) in calls.iter().flat_map(|call| self.columns(*call)) {
                    match self.assigned(&place, column) {
                        Assigned::To(name) => {
                            let is_returned = self.is_returned(&place, column, &name);
                            text = Some(name);
                            if !is_returned {
                                break;
                            }
                        }
                        Assigned::Returned => {}
                        // Memory of the C library's own has no line.
                        Assigned::Unknown if self.line(&place).is_none() => {}
                        Assigned::Unknown => {
                            text = None;
                            break;
                        }
                    }
                }
                text.unwrap_or_else(|| {
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

    fn line(&self, place: &SourceLine) -> Option<&str> {
        let lines = self.sources.get(&place.file)?;
        lines.get((place.line as usize).checked_sub(1)?).map(String::as_str)
    }

    /// The variable to which the result of a call is assigned.
    fn assigned(&self, place: &SourceLine, column: Option<u32>) -> Assigned {
        let Some(line) = self.line(place) else { return Assigned::Unknown };
        let Some(lines) = self.sources.get(&place.file) else { return Assigned::Unknown };
        let end = place.line.saturating_sub(1) as usize;
        let before: Vec<&str> = lines[..end.min(lines.len())].iter().map(String::as_str).collect();
        assigned(&before[before.len().saturating_sub(STATEMENT)..], line, column)
    }

    /// Whether the function returns what it has allocated: then its caller has the array.
    fn is_returned(&self, place: &SourceLine, column: Option<u32>, name: &str) -> bool {
        let Some(lines) = self.sources.get(&place.file) else { return false };
        let behind = column.and_then(|offset| self.line(place)?.get(offset as usize..));
        if behind.is_some_and(|text| returns(text, name)) {
            return true;
        }
        let rest = lines.iter().skip(place.line as usize);
        let mut body = rest.take_while(|line| !line.starts_with('}'));
        body.any(|line| returns(line, name))
    }

    /// The only array that a line subscripts.
    fn subscripted(&self, place: &SourceLine) -> Option<String> {
        let text = self.line(place)?;
        let mut names: Vec<String> = Vec::new();
        for (offset, _) in text.match_indices('[') {
            let name = target(&text[..offset]).unwrap_or_default();
            let name = name.split('[').next().unwrap_or_default().to_owned();
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
