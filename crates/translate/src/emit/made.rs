//! Places without a pragma: all share the functions of `cll.h`, and what a passage saves has a type for each number of
//! values. So little is added for each place.

use std::collections::BTreeSet;
use std::fmt::Write;

use super::Emitted;
use super::values::values;
use crate::language::Begin;
use crate::marks::MarkId;

impl Emitted<'_> {
    /// Whether a place uses the shared functions. In a pilot run each has a count of its own.
    pub(super) fn is_shared(&self, mark: MarkId) -> bool {
        !self.is_pilot && self.automatic(mark).is_some()
    }
}

fn is_recursive(begin: &Begin) -> bool {
    begin.extent.as_ref().is_some_and(|extent| extent.is_recursive)
}

/// The types of passages, and what recursive functions need.
pub(super) fn definitions(emitted: &Emitted<'_>) -> String {
    let places = emitted.numbers.places.iter().filter(|(mark, _)| emitted.is_shared(**mark));
    let places = places.filter_map(|(&mark, &place)| Some((place, emitted.begin(mark)?)));
    let places: Vec<(usize, &Begin)> = places.collect();
    let counts: BTreeSet<usize> = places.iter().map(|(_, begin)| begin.values.len()).collect();
    let mut out = String::new();
    for count in counts {
        let values = if count > 0 { format!(" double value[{count}];") } else { String::new() };
        let _ = writeln!(out, "struct cll_made_{count} {{ struct cll_made made;{values} }};");
    }
    for (place, _) in places.iter().filter(|(_, begin)| is_recursive(begin)) {
        let _ = write!(
            out,
            "static __thread int cll_within_{place} CLL_TLS;\n\
             CLL_INLINE void cll_close_{place}(void *made)\n{{\n    \
             struct cll_made *const at = (struct cll_made *)made;\n    \
             cll_made_close(at);\n    \
             if (at->outer)\n        at->outer = cll_within_{place} = 0;\n}}\n",
        );
    }
    out
}

/// The macros of a place: name, parameters, body. The end of the block ends the region.
pub(super) fn macros(
    emitted: &Emitted<'_>,
    place: usize,
    begin: &Begin,
) -> Vec<(String, String, String)> {
    let (parameters, values) = values(emitted, place, begin);
    let count = values.len();
    let frame = format!("cll_frame_{place}");
    let mut body = String::new();
    for (index, value) in values.iter().enumerate() {
        let _ = write!(body, "{frame}.value[{index}] = {value}; ");
    }
    let enter = format!("cll_made_begin(&{frame}.made, CLL_MADE_ID({place}, {count}));");
    let close = if is_recursive(begin) {
        let _ = write!(
            body,
            "{frame}.made.outer = 0; \
                 if (cll_within_{place}) {frame}.made.frame.context = 0; \
                 else {{ {frame}.made.outer = cll_within_{place} = cll_is_on(); {enter} }}"
        );
        format!("cll_close_{place}")
    } else {
        body += &enter;
        "cll_made_close".to_owned()
    };
    let leaves = begin.extent.as_ref().is_some_and(|extent| !extent.thread_ends.is_empty());
    let leave = leaves
        .then(|| (format!("CLL_LEAVE_{place}"), String::new(), format!("{close}(&{frame});")));
    let mut macros = vec![
        (
            format!("CLL_FRAME_{place}"),
            String::new(),
            format!(
                "struct cll_made_{count} {frame} __attribute__((__cleanup__({close}))); \
                 CLL_MADE_FRESH({frame})"
            ),
        ),
        (format!("CLL_BEGIN_{place}"), parameters, body),
    ];
    macros.extend(leave);
    macros
}
