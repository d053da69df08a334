//! Records and the tree of nodes.

use std::collections::HashMap;
use std::ops::Range;

use crate::error::ImportError;
use crate::place::PlacedText;

/// Nodes that every file has without saying so: names, types and properties of attributes are attributes.
const NAME: u64 = 8;
const TYPE: u64 = 9;
const PROPERTIES: u64 = 10;
/// Nodes of types, with their names.
const TYPES: [(u64, &str); 9] = [
    (0, "usr"),
    (1, "int"),
    (2, "uint"),
    (3, "string"),
    (4, "addr"),
    (5, "double"),
    (6, "bool"),
    (7, "type"),
    (11, "ptr"),
];
/// Property of attributes that nest, such as regions.
const NESTED: u64 = 256;
/// Property of attributes that no reader shows.
const HIDDEN: u64 = 128;

/// A record: its keys with their values, and the bytes of each.
pub(super) struct Record {
    pub(super) fields: Vec<(String, Vec<String>)>,
    pub(super) span: Range<usize>,
}

impl Record {
    /// Takes a line apart: `,` separates fields, `=` a key from its values and these from each other; `\` takes the
    /// next character as it is, `\n` is a new line.
    pub(super) fn new(line: &str, offset: usize) -> Record {
        let mut fields: Vec<(String, Vec<String>)> = Vec::new();
        let mut parts: Vec<String> = Vec::new();
        let mut part = String::new();
        let mut letters = line.chars();
        let mut finish = |parts: &mut Vec<String>| {
            let mut all = std::mem::take(parts).into_iter();
            if let Some(key) = all.next() {
                fields.push((key, all.collect()));
            }
        };
        while let Some(c) = letters.next() {
            match c {
                '\\' => match letters.next() {
                    Some('n') => part.push('\n'),
                    Some(c) => part.push(c),
                    None => {}
                },
                ',' => {
                    parts.push(std::mem::take(&mut part));
                    finish(&mut parts);
                }
                '=' => parts.push(std::mem::take(&mut part)),
                c => part.push(c),
            }
        }
        parts.push(part);
        finish(&mut parts);
        Record { fields, span: offset..offset + line.len() }
    }

    pub(super) fn get(&self, key: &str) -> Option<&[String]> {
        self.fields.iter().find(|(known, _)| known == key).map(|(_, values)| values.as_slice())
    }

    pub(super) fn kind(&self) -> Option<&str> {
        self.get("__rec")?.first().map(String::as_str)
    }

    pub(super) fn wrong(&self, source: PlacedText<'_>, message: impl Into<String>) -> ImportError {
        source.wrong(self.span.clone(), message)
    }

    /// Numbers of nodes.
    pub(super) fn ids(&self, source: PlacedText<'_>, key: &str) -> Result<Vec<u64>, ImportError> {
        let values = self.get(key).unwrap_or_default();
        let id = |text: &String| {
            text.parse().map_err(|_| {
                let shown = cll_diagnostic::escape(text);
                self.wrong(source, format!("`{shown}` is no number of a node (in `{key}`)"))
            })
        };
        values.iter().map(id).collect()
    }
}

/// A node: a value of an attribute, below another.
struct AttributeNode {
    attribute: u64,
    value: String,
    parent: Option<u64>,
}

/// The description of an attribute.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Attribute {
    pub(super) name: String,
    /// `int`, `double`, `string`, …
    pub(super) kind: String,
    pub(super) is_nested: bool,
    pub(super) is_hidden: bool,
    /// The unit, if the attribute names one.
    pub(super) unit: Option<String>,
}

/// All nodes of a file.
pub(super) struct Nodes {
    nodes: HashMap<u64, AttributeNode>,
    attributes: HashMap<u64, Attribute>,
}

impl Nodes {
    pub(super) fn new() -> Nodes {
        let mut nodes = HashMap::new();
        let mut add = |id, attribute, value: &str, parent| {
            nodes.insert(id, AttributeNode { attribute, value: value.to_owned(), parent });
        };
        for (id, name) in TYPES {
            add(id, TYPE, name, None);
        }
        add(NAME, NAME, "cali.attribute.name", Some(3));
        add(TYPE, NAME, "cali.attribute.type", Some(7));
        add(PROPERTIES, NAME, "cali.attribute.prop", Some(1));
        Nodes { nodes, attributes: HashMap::new() }
    }

    /// Adds the node of a record.
    pub(super) fn add(
        &mut self,
        source: PlacedText<'_>,
        record: &Record,
    ) -> Result<(), ImportError> {
        let first_id = |key: &str| -> Result<Option<u64>, ImportError> {
            Ok(record.ids(source, key)?.first().copied())
        };
        let (Some(id), Some(attribute)) = (first_id("id")?, first_id("attr")?) else {
            let message = "a node needs `id` and `attr`";
            return Err(record.wrong(source, message).help("the file may be cut off"));
        };
        let parent = first_id("parent")?;
        for known in parent.iter().chain([&attribute]).filter(|known| **known != id) {
            if !self.nodes.contains_key(known) {
                return Err(
                    record.wrong(source, format!("there is no node {known} above this line"))
                );
            }
        }
        if parent == Some(id) || (attribute == id && id != NAME) || self.nodes.contains_key(&id) {
            return Err(record.wrong(source, format!("node {id} is here a second time")));
        }
        let value = record.get("data").and_then(|data| data.first()).cloned().unwrap_or_default();
        self.nodes.insert(id, AttributeNode { attribute, value, parent });
        if attribute == NAME {
            let description = self.describe(id);
            self.attributes.insert(id, description);
        }
        Ok(())
    }

    /// Describes an attribute by the nodes above that of its name.
    fn describe(&self, id: u64) -> Attribute {
        let mut description = Attribute::default();
        if let Some(node) = self.nodes.get(&id) {
            description.name.clone_from(&node.value);
        }
        let mut properties = None;
        for (attribute, value) in self.upwards(id).skip(1) {
            match attribute {
                TYPE if description.kind.is_empty() => value.clone_into(&mut description.kind),
                PROPERTIES if properties.is_none() => properties = value.parse::<u64>().ok(),
                other => {
                    let name = self.attributes.get(&other).map(|known| known.name.as_str());
                    let is_unit = matches!(name, Some("attribute.unit" | "time.unit"));
                    if is_unit && description.unit.is_none() {
                        description.unit = Some(value.to_owned());
                    }
                }
            }
        }
        let has = |property| properties.is_some_and(|all| all & property != 0);
        (description.is_nested, description.is_hidden) = (has(NESTED), has(HIDDEN));
        description
    }

    pub(super) fn attribute(&self, id: u64) -> Option<&Attribute> {
        self.attributes.get(&id)
    }

    pub(super) fn has(&self, id: u64) -> bool {
        self.nodes.contains_key(&id)
    }

    /// The attributes and values of a node and all above it, from below.
    pub(super) fn upwards(&self, id: u64) -> impl Iterator<Item = (u64, &str)> {
        let mut next = Some(id);
        std::iter::from_fn(move || {
            let node = self.nodes.get(&next?)?;
            next = node.parent;
            Some((node.attribute, node.value.as_str()))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn escapes_are_taken_off() {
        let record = Record::new(r"__rec=node,id=7,data=a\,b\=c\\\nd=2=,x", 0);
        assert_eq!(record.kind(), Some("node"));
        assert_eq!(record.get("data").unwrap(), ["a,b=c\\\nd", "2", ""]);
        assert_eq!(record.get("x").unwrap(), [""; 0]);
    }
}
