//! Files of other programs that are no text, by their first bytes.

/// The kind of a file, and the way to read it; `None` if it is not known.
pub fn binary(start: &[u8]) -> Option<(&'static str, &'static str)> {
    let has = |words: &[u8]| start.windows(words.len()).any(|part| part == words);
    const AS_CSV: &str = "save the sheet as CSV, and read that";
    const PANDAS: &str = "in Python: pandas.read_parquet(FILE).to_csv('data.csv', index=False)";
    const FEATHER: &str = "in Python: pandas.read_feather(FILE).to_csv('data.csv', index=False)";
    let pair = if start.starts_with(b"PK\x03\x04") {
        if has(b"experiment.json") || has(b"models.json") {
            (
                "an experiment that Extra-P has saved",
                "unzip -p FILE experiment.json | cll fit - reads it",
            )
        } else if has(b"[Content_Types].xml") || has(b"xl/") {
            ("a workbook of Excel (xlsx)", AS_CSV)
        } else if has(b"opendocument.spreadsheet") {
            ("a spreadsheet of LibreOffice (ods)", AS_CSV)
        } else if has(b".npy") {
            ("an archive of NumPy (npz)", "save its arrays as columns of a CSV")
        } else {
            (
                "an archive (zip)",
                "unpack it; of an experiment that Extra-P has saved: unzip -p FILE experiment.json | cll fit -",
            )
        }
    } else if start.starts_with(b"PAR1") {
        ("a table of Parquet", PANDAS)
    } else if start.starts_with(b"ARROW1") || start.starts_with(b"FEA1") {
        ("a table of Arrow (Feather)", FEATHER)
    } else if start.starts_with(b"\xD0\xCF\x11\xE0") {
        ("an old workbook of Excel (xls)", AS_CSV)
    } else if start.starts_with(b"\x89HDF") {
        ("a file of HDF5", "write the columns that are fitted as CSV")
    } else if start.starts_with(b"SQLite format 3\0") {
        ("a database of SQLite", "write a table of it: sqlite3 -csv -header FILE 'select …'")
    } else if start.starts_with(b"\x1f\x8b") {
        ("compressed (gzip)", "gunzip -c FILE | cll fit - reads what is in it")
    } else if start.starts_with(b"\x28\xB5\x2F\xFD") {
        ("compressed (zstd)", "zstd -dc FILE | cll fit - reads what is in it")
    } else if start.starts_with(b"BZh") || start.starts_with(b"\xFD7zXZ") {
        ("compressed", "unpack it, and read what is in it")
    } else if start.get(257..262) == Some(b"ustar") {
        if has(b"anchor.xml") {
            (
                "a profile of Score-P or Scalasca (cubex)",
                "cube_dump or Extra-P reads it: write the values as Extra-P's JSON lines",
            )
        } else {
            ("an archive (tar)", "unpack it, and read what is in it")
        }
    } else if start.starts_with(b"\x80\x04\x95") || start.starts_with(b"\x80\x05\x95") {
        (
            "a pickle of Python",
            "in Python: pandas.read_pickle(FILE).to_csv('data.csv', index=False)",
        )
    } else if start.starts_with(b"\x93NUMPY") {
        ("an array of NumPy", "in Python: numpy.savetxt with delimiter=',' and header='N,time'")
    } else {
        return None;
    };
    Some(pair)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn files_are_known_by_their_first_bytes() {
        let mut cubex = vec![0; 600];
        cubex[..10].copy_from_slice(b"anchor.xml");
        cubex[257..262].copy_from_slice(b"ustar");
        for (start, what) in [
            (&b"PK\x03\x04....xl/workbook.xml"[..], "xlsx"),
            (b"PK\x03\x04....[Content_Types].xml", "xlsx"),
            (b"PK\x03\x04....mimetypeapplication/vnd.oasis.opendocument.spreadsheet", "ods"),
            (b"PK\x03\x04....experiment.json", "Extra-P"),
            (b"PAR1\x15\x04", "Parquet"),
            (b"ARROW1\0\0", "Feather"),
            (b"\x89HDF\r\n\x1a\n", "HDF5"),
            (b"\x1f\x8b\x08", "gzip"),
            (&cubex, "cubex"),
        ] {
            let (text, _) = binary(start).unwrap();
            assert!(text.contains(what), "{text}");
        }
        assert_eq!(binary(b"CLL1\0\0\0\x01"), None);
        assert_eq!(binary(b"N,time\n"), None);
    }
}
