//! The array that an allocating call makes: the assignment whose right side has the call.

/// The use of the address that a call returns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Assigned {
    /// It is assigned to this.
    To(String),
    /// It is returned at once, so that the caller has it.
    Returned,
    /// That cannot be seen.
    Unknown,
}

/// Functions whose results are addresses of new memory.
const ALLOCATORS: [&str; 5] = ["malloc", "calloc", "realloc", "aligned_alloc", "posix_memalign"];

/// The use of the result of a call. `before` are the lines above the call's line, the last one nearest; `column` is
/// where the call begins in its line, from 1, as debug information says it.
pub(super) fn assigned(before: &[&str], line: &str, column: Option<u32>) -> Assigned {
    let begin = column
        .and_then(|column| (column as usize).checked_sub(1))
        .filter(|begin| is_call(line, *begin));
    let Some(begin) = begin.or_else(|| only_call(line)) else { return Assigned::Unknown };
    if line[begin..].starts_with("posix_memalign") {
        return first_address(&line[begin..]).map_or(Assigned::Unknown, Assigned::To);
    }
    let mut text = String::new();
    for line in before {
        text.push_str(code(line));
        text.push('\n');
    }
    text.push_str(&code(line)[..begin.min(code(line).len())]);
    outward(&text)
}

/// Whether the result of the call is returned later in its line, by this name.
pub(super) fn returns(text: &str, name: &str) -> bool {
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    text.split("return").skip(1).any(|rest| {
        let value = rest.split(';').next().unwrap_or_default();
        value.split(|c: char| !is_word(c)).any(|word| word == name)
    })
}

/// The text before the call, read backwards: over parts in brackets and operators to the assignment, or to the
/// beginning of the statement.
fn outward(text: &str) -> Assigned {
    let bytes = text.as_bytes();
    let mut depth = 0u32;
    let mut offset = bytes.len();
    while offset > 0 {
        offset -= 1;
        match bytes[offset] {
            b')' | b']' => depth += 1,
            b'(' | b'[' if depth > 0 => depth -= 1,
            _ if depth > 0 => {}
            // An argument of a function is none of its results.
            b'(' if !is_statement(&trailing_word(&text[..offset])) => return Assigned::Unknown,
            b'[' | b',' => return Assigned::Unknown,
            b';' | b'{' | b'}' => break,
            b'=' if is_assignment(bytes, offset) => {
                let name = target(&text[..offset]);
                return name.map_or(Assigned::Unknown, Assigned::To);
            }
            b'=' if offset > 0 => offset -= 1,
            _ => {}
        }
    }
    let is_word = |c: char| c.is_alphanumeric() || c == '_';
    let mut words = text[offset..].split(|c: char| !is_word(c));
    if words.any(|word| word == "return") { Assigned::Returned } else { Assigned::Unknown }
}

/// Whether `=` at a place is an assignment, and not a part of another operator.
fn is_assignment(bytes: &[u8], offset: usize) -> bool {
    let before = offset.checked_sub(1).map_or(b' ', |previous| bytes[previous]);
    bytes.get(offset + 1) != Some(&b'=') && !b"=<>!+-*/%&|^".contains(&before)
}

/// Whether this word may stand before brackets that group: none, or that of a statement.
fn is_statement(word: &str) -> bool {
    ["", "if", "while", "for", "switch", "return"].contains(&word)
}

fn trailing_word(text: &str) -> String {
    let text = text.trim_end();
    let from = text.rfind(|c: char| !(c.is_alphanumeric() || c == '_'));
    let from =
        from.map_or(0, |offset| offset + text[offset..].chars().next().map_or(1, char::len_utf8));
    text[from..].to_owned()
}

/// The left side of an assignment, without what declares it: `double *a ` is `a`, `m->rows[i]` is `m->rows[i]`.
pub(super) fn target(text: &str) -> Option<String> {
    let mut rest = text.trim_end();
    let mut subscripts = String::new();
    while rest.ends_with(']') {
        let start = opening(rest)?;
        let inner: String = rest[start..].split_whitespace().collect();
        subscripts.insert_str(0, &inner);
        rest = rest[..start].trim_end();
    }
    let is_part = |c: char| c.is_alphanumeric() || matches!(c, '_' | '.' | '>' | '-');
    let from = rest.rfind(|c| !is_part(c));
    let from =
        from.map_or(0, |offset| offset + rest[offset..].chars().next().map_or(1, char::len_utf8));
    let name = rest[from..].trim_start_matches(['-', '>', '.']);
    (!name.is_empty()).then(|| format!("{name}{subscripts}"))
}

/// Where the last subscript begins.
fn opening(text: &str) -> Option<usize> {
    let mut depth = 0;
    for (offset, c) in text.char_indices().rev() {
        match c {
            ']' => depth += 1,
            '[' => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(offset);
        }
    }
    None
}

/// Whether a name with an opening bracket begins here.
fn is_call(line: &str, begin: usize) -> bool {
    let Some(text) = line.get(begin..) else { return false };
    let word: String = text.chars().take_while(|c| c.is_alphanumeric() || *c == '_').collect();
    !word.is_empty() && text[word.len()..].trim_start().starts_with('(')
}

/// The only call of a line that allocates.
fn only_call(line: &str) -> Option<usize> {
    let line = code(line);
    let starts =
        |name: &str| line.match_indices(name).map(|(offset, _)| offset).collect::<Vec<_>>();
    let is_whole =
        |offset: &usize| !line[..*offset].ends_with(|c: char| c.is_alphanumeric() || c == '_');
    let all = ALLOCATORS.iter().flat_map(|name| starts(name));
    let all: Vec<usize> = all.filter(|offset| is_call(line, *offset)).filter(is_whole).collect();
    match all[..] {
        [only] => Some(only),
        _ => None,
    }
}

/// `p` of `posix_memalign(&p, …)`.
fn first_address(text: &str) -> Option<String> {
    let inside = text.split_once('(')?.1.split(',').next()?;
    // A cast may stand before it.
    let address = inside.rsplit_once('&')?.1;
    target(address)
}

/// A line without its comment.
fn code(line: &str) -> &str {
    line.split("//").next().unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::Assigned::{Returned, To, Unknown};
    use super::*;

    /// The answer for the call at `@`, which is taken out.
    fn assigned_in(text: &str) -> Assigned {
        let lines: Vec<&str> = text.lines().collect();
        let (last, before) = lines.split_last().unwrap();
        let column = last.find('@').map(|offset| offset as u32 + 1);
        assigned(before, &last.replace('@', ""), column)
    }

    #[test]
    fn the_assignment_that_has_the_call_names_the_array() {
        let to = |name: &str| To(name.to_owned());
        for (text, expected) in [
            ("    double *a = @malloc(8 * n);", to("a")),
            ("double sum = 0, *in = @malloc(8<<15), *out = malloc(8<<15);", to("in")),
            ("double sum = 0, *in = malloc(8<<15), *out = @malloc(8<<15);", to("out")),
            ("double acc = 0; double *data = @calloc(n, 8);", to("data")),
            ("N = 1; data = @malloc(n); M = 2;", to("data")),
            ("h.n = 2; h.cells = (float *) @calloc(4, n);", to("h.cells")),
            ("for (int r = 0; r < n; r++) rows[r] = @calloc(n, 8);", to("rows[r]")),
            ("m->rows[ i + 1 ][0] = @calloc(n, 8);", to("m->rows[i+1][0]")),
            ("if ((a[b[i]] = @malloc(n)) == NULL)", to("a[b[i]]")),
            ("if (!(q = (char *) (@malloc(n))) || x == 3)", to("q")),
            ("p = n == 0 ? NULL : @malloc(n);", to("p")),
            ("int rc = 0; void *p = @malloc(n); return p;", to("p")),
            ("double *w =\n    @malloc(n);", to("w")),
            (
                "x = 1;\ndouble *w =   // of the walls = all\n    (double *)\n    @malloc(n);",
                to("w"),
            ),
            ("rc = @posix_memalign((void **) &grid, 64, n);", to("grid")),
            ("return @malloc(n);", Returned),
            ("x = 3; return (double *) @malloc(n);", Returned),
            ("if (n > 0) return (double *) @malloc(n);", Returned),
            ("keep(list, @malloc(n));", Unknown),
            ("n = keep(@malloc(n));", Unknown),
            ("x = 3; @malloc(n);", Unknown),
            ("a[0] += @malloc(n) != NULL;", Unknown),
            // Without a column only one call can be meant.
            ("double x = 0, *a = malloc(8 * n);", to("a")),
            ("a = malloc(n); b = malloc(n);", Unknown),
            ("p = mine(n);", Unknown),
        ] {
            assert_eq!(assigned_in(text), expected, "{text}");
        }
        assert!(returns("if (!p) exit(1); return p; }", "p"));
        assert!(!returns("return keep; }", "p"));
    }
}
