//! Numbers in columns: what a browser reads as typed arrays without parsing.

use serde::Serialize;
use serde_json::Value;

/// A head of JSON and columns behind it. `docs/formats/profile-page.md` describes the bytes.
#[derive(Debug, Default)]
pub struct Columns {
    list: Vec<Entry>,
    data: Vec<u8>,
}

#[derive(Debug, Serialize)]
struct Entry {
    name: String,
    r#type: &'static str,
    /// Bytes from the beginning of the data.
    offset: usize,
    /// Numbers.
    length: usize,
}

/// The first bytes.
const MAGIC: &[u8; 4] = b"CLLC";
/// Columns begin at a multiple of this.
const ALIGNED: usize = 8;

impl Columns {
    /// Adds a column of `f64`.
    pub fn f64(&mut self, name: impl Into<String>, values: impl IntoIterator<Item = f64>) {
        self.add(name, "f64", values.into_iter().map(f64::to_le_bytes));
    }

    /// Adds a column of `f32`.
    pub fn f32(&mut self, name: impl Into<String>, values: impl IntoIterator<Item = f32>) {
        self.add(name, "f32", values.into_iter().map(f32::to_le_bytes));
    }

    /// Adds a column of `u32`; what is larger becomes the largest.
    pub fn u32(&mut self, name: impl Into<String>, values: impl IntoIterator<Item = usize>) {
        let values = values.into_iter().map(|value| u32::try_from(value).unwrap_or(u32::MAX));
        self.add(name, "u32", values.map(u32::to_le_bytes));
    }

    /// Adds a column of indices; none is -1.
    pub fn index(
        &mut self,
        name: impl Into<String>,
        values: impl IntoIterator<Item = Option<usize>>,
    ) {
        let number = |value: Option<usize>| value.and_then(|v| i32::try_from(v).ok()).unwrap_or(-1);
        self.add(name, "i32", values.into_iter().map(|value| number(value).to_le_bytes()));
    }

    /// Adds a column of bytes.
    pub fn u8(&mut self, name: impl Into<String>, values: impl IntoIterator<Item = u8>) {
        self.add(name, "u8", values.into_iter().map(|value| [value]));
    }

    fn add<const N: usize>(
        &mut self,
        name: impl Into<String>,
        r#type: &'static str,
        values: impl Iterator<Item = [u8; N]>,
    ) {
        let offset = self.data.len();
        values.for_each(|bytes| self.data.extend_from_slice(&bytes));
        let length = (self.data.len() - offset) / N;
        self.list.push(Entry { name: name.into(), r#type, offset, length });
        self.data.resize(self.data.len().next_multiple_of(ALIGNED), 0);
    }

    /// The bytes: the magic number, the length of the head in bytes (u32, little-endian), the head, the columns.
    pub fn finish(self, head: &impl Serialize) -> Vec<u8> {
        let mut head = serde_json::to_value(head).unwrap_or_default();
        if let (Value::Object(head), Ok(list)) = (&mut head, serde_json::to_value(&self.list)) {
            head.insert("columns".to_owned(), list);
        }
        let mut head = head.to_string().into_bytes();
        head.resize(head.len().next_multiple_of(ALIGNED), b' ');
        let mut out = MAGIC.to_vec();
        out.extend_from_slice(&(head.len() as u32).to_le_bytes());
        out.extend_from_slice(&head);
        out.extend_from_slice(&self.data);
        out
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_where_the_head_says() {
        let mut columns = Columns::default();
        columns.u8("kind", [1, 2, 3]);
        columns.f64("time", [0.5]);
        columns.index("parent", [None, Some(7)]);
        let bytes = columns.finish(&serde_json::json!({"name": "<é"}));
        assert_eq!(&bytes[..4], MAGIC);
        let size = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
        assert_eq!(size % ALIGNED, 0);
        let head: Value = serde_json::from_slice(&bytes[8..8 + size]).unwrap();
        let data = &bytes[8 + size..];
        let offset = |k: usize| head["columns"][k]["offset"].as_u64().unwrap() as usize;
        assert_eq!(head["name"], "<é");
        assert_eq!(&data[offset(0)..][..3], [1, 2, 3]);
        assert_eq!(data[offset(1)..][..8], 0.5f64.to_le_bytes());
        assert_eq!(data[offset(2)..][..8], [255, 255, 255, 255, 7, 0, 0, 0]);
        assert_eq!(offset(1) % ALIGNED, 0);
    }
}
