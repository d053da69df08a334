//! The header of a translated source, changed so that regions are reported instead of timed.

use std::fmt::Write as _;

/// How many places a unit may have: the number of a place is that of its unit times this, plus its own.
pub const PLACES: usize = 4096;

/// The header with functions that report where regions begin and end, and their values.
pub fn reporting(header: &str, unit: usize) -> String {
    let declared = "void cll_accesses_begin(int place);\nvoid cll_accesses_value(int index, double value);\n\
                    void cll_accesses_end(int place);\n";
    // Not inlined, so that what it does is no access of the program.
    let own = "static __attribute__((__noinline__, __unused__, __no_sanitize_thread__)) void cll_";
    let mut out = String::with_capacity(header.len() + 1024);
    let mut rest = header;
    let mut is_declared = false;
    while let Some(start) = rest.find("CLL_INLINE void cll_") {
        let (before, from) = rest.split_at(start);
        out.push_str(before);
        rest = &from["CLL_INLINE void cll_".len()..];
        let kind = ["begin_", "end_", "close_"].into_iter().find(|kind| rest.starts_with(kind));
        let body = rest.find("{\n");
        let (Some(kind), Some(body)) = (kind, body) else {
            out.push_str("CLL_INLINE void cll_");
            continue;
        };
        let head = &rest[..body];
        let digits: String = head[kind.len()..].chars().take_while(char::is_ascii_digit).collect();
        let Ok(place) = digits.parse::<usize>() else {
            out.push_str("CLL_INLINE void cll_");
            continue;
        };
        if !std::mem::replace(&mut is_declared, true) {
            out.push_str(declared);
        }
        let number = unit * PLACES + place.min(PLACES - 1);
        let _ = writeln!(out, "{own}{head}{{");
        if kind == "begin_" {
            let _ = writeln!(out, "    cll_accesses_begin({number});");
            for index in 0..head.matches("double v").count() {
                let _ = writeln!(out, "    cll_accesses_value({index}, v{index});");
            }
            out.push_str("    at->frame.context = 1;\n    return;\n");
        } else {
            let _ = writeln!(
                out,
                "    if (at->frame.context)\n        cll_accesses_end({number});\n    \
                 at->frame.context = 0;\n    return;"
            );
        }
        rest = &rest[body + 2..];
    }
    out.push_str(rest);
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn regions_are_reported() {
        let header = "x\nCLL_INLINE void cll_store(int a)\n{ a; }\n\
                      CLL_INLINE void cll_begin_3(struct cll_saved_3 *at, double v0, double v1)\n{\n    old;\n}\n\
                      CLL_INLINE void cll_end_3(struct cll_saved_3 *at)\n{\n    old;\n}\n";
        let text = reporting(header, 2);
        assert!(text.contains("CLL_INLINE void cll_store(int a)"), "{text}");
        let begin = text.find("cll_accesses_begin(8195);").unwrap();
        assert!(text[begin..].contains("cll_accesses_value(1, v1);"), "{text}");
        assert!(!text.contains("cll_accesses_value(2"), "{text}");
        assert!(text.contains("cll_accesses_end(8195);"), "{text}");
        assert_eq!(text.matches("void cll_accesses_begin(int place)").count(), 1);
    }
}
