//! The output of `-E` names the user's files.

/// Replaces the names in line markers (`# 1 "NAME" 2`) by the user's, and removes `prefix` from others.
pub fn rename(text: &[u8], names: &[(Vec<u8>, Vec<u8>)], prefix: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(text.len());
    for line in text.split_inclusive(|&byte| byte == b'\n') {
        match marker(line).and_then(|(start, end)| {
            let bytes = &line[start..end];
            let known = names.iter().find(|(from, _)| from == bytes).map(|(_, to)| &to[..]);
            Some((start, end, known.or_else(|| bytes.strip_prefix(prefix))?))
        }) {
            Some((start, end, name)) => {
                out.extend_from_slice(&line[..start]);
                for &byte in name {
                    if byte == b'"' || byte == b'\\' {
                        out.push(b'\\');
                    }
                    out.push(byte);
                }
                out.extend_from_slice(&line[end..]);
            }
            None => out.extend_from_slice(line),
        }
    }
    out
}

/// Where the name is in a line marker.
fn marker(line: &[u8]) -> Option<(usize, usize)> {
    let rest = line.strip_prefix(b"# ")?;
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let start = 2 + digits + 2;
    if digits == 0 || line.get(2 + digits..start)? != b" \"" {
        return None;
    }
    let end = line.iter().rposition(|&byte| byte == b'"')?;
    (end >= start).then_some((start, end))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_markers_change() {
        let names = [(b"/tmp/t/0/a.c".to_vec(), b"d/a.c".to_vec())];
        let text = "# 3 \"././b.h\" 1\n# 0 \"/tmp/t/0/a.c\"\n# 1 \"a.h\" 1\nchar *s = \"/tmp/t/0/a.c\";\n# 1 \"/tmp/t/0/a.c\" 2\n#pragma x\n";
        let expected = "# 3 \"b.h\" 1\n# 0 \"d/a.c\"\n# 1 \"a.h\" 1\nchar *s = \"/tmp/t/0/a.c\";\n# 1 \"d/a.c\" 2\n#pragma x\n";
        assert_eq!(String::from_utf8(rename(text.as_bytes(), &names, b"././")).unwrap(), expected);
    }
}
