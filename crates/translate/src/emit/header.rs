//! `PROGRAM.cll.h`: the header for the translated source.
//!
//! With `CLL_OFF` every macro is empty. No system header is included: so what a program defines
//! before its own first `#include` still has effect.

mod tables;

use std::fmt::Write;

use super::literal::in_comment;
use super::values::values;
use super::{Emitted, made, model, team};
use crate::header::{Action, Header, Marker};
use crate::language::{Begin, LoopHead, Value};
use crate::marks::MarkId;
use tables::tables;

/// The header.
pub(crate) fn header(emitted: &Emitted<'_>) -> Header {
    let mut header = Header::default();
    // Writing to a header cannot fail.
    let _ = header.write_str(&before_markers(emitted));
    for (&mark, &place) in &emitted.numbers.places {
        if let Some(begin) = emitted.begin(mark).filter(|_| !emitted.is_shared(mark)) {
            functions(emitted, mark, place, begin, &mut header);
        }
    }
    let _ = header.write_str(&behind_markers(emitted));
    header
}

/// The macros without measurement, and what the functions of markers need.
fn before_markers(emitted: &Emitted<'_>) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/* Written by cll translate for {}: the places of its experiments, the\n   structures \
         that save their values, and the inserted macros. */\n\
         #pragma GCC system_header\n",
        in_comment(emitted.name)
    );
    let macros = Macros::new(emitted);
    out += "#ifdef CLL_OFF\n\n";
    for (word, parameters, _) in &macros.0 {
        let _ = writeln!(out, "#define {word}{parameters}");
    }
    let has_made = emitted.numbers.places.keys().any(|&mark| emitted.is_shared(mark));
    let definition = if has_made { "#define CLL_MADE_PLACES\n" } else { "" };
    let _ = write!(
        out,
        "\n#else\n\n{definition}#include \"cll.h\"\n\n\
         #if CLL_VERSION != {0}\n\
         #error \"this header and cll.h are of different versions: translate again\"\n\
         #endif\n\n",
        model::INTERFACE
    );
    out += TYPES;
    if !emitted.numbers.loops.is_empty() {
        out += ITEMS;
    }
    out += &team::definitions(emitted);
    tables(emitted, &mut out);
    out += &made::definitions(emitted);
    out
}

/// The functions of loops, and the macros.
fn behind_markers(emitted: &Emitted<'_>) -> String {
    let mut out = String::new();
    for (&mark, &number) in &emitted.numbers.loops {
        if let Some(head) = emitted.head(mark) {
            sampling(emitted, mark, number, head, &mut out);
        }
    }
    out.push('\n');
    for (word, parameters, body) in &Macros::new(emitted).0 {
        let _ = writeln!(out, "#define {word}{parameters} \\\n{}", body.replace('\n', " \\\n"));
    }
    out += "\n/* Code comes before declarations now, which C90 minds. */\n\
            #ifndef __cplusplus\n\
            #pragma GCC diagnostic ignored \"-Wdeclaration-after-statement\"\n\
            #endif\n\n#endif\n";
    out
}

/// The macros: name, parameters, body.
struct Macros(Vec<(String, String, String)>);

impl Macros {
    fn new(emitted: &Emitted<'_>) -> Macros {
        let mut macros = Macros(Vec::new());
        for (&mark, &place) in &emitted.numbers.places {
            match emitted.begin(mark) {
                Some(begin) if emitted.is_shared(mark) => {
                    macros.0.extend(made::macros(emitted, place, begin));
                }
                Some(begin) => macros.place(emitted, place, begin),
                None => {}
            }
        }
        for (&mark, &number) in &emitted.numbers.loops {
            if let Some(head) = emitted.head(mark) {
                macros.repeat(number, head);
            }
        }
        for (&mark, &number) in &emitted.numbers.reports {
            let names = emitted.report(mark);
            let body = if names.is_empty() {
                "cll_report(&cll_this_unit, 0, 0);".to_string()
            } else {
                format!("cll_report(&cll_this_unit, cll_names_{number}, {});", names.len())
            };
            macros.0.push((format!("CLL_REPORT_{number}"), String::new(), body));
        }
        macros
    }

    fn place(&mut self, emitted: &Emitted<'_>, place: usize, begin: &Begin) {
        let (parameters, values) = values(emitted, place, begin);
        let arguments: String = values.iter().map(|value| format!(", {value}")).collect();
        let sync = if begin.sync { team::sync(emitted, place) } else { String::new() };
        self.0.push((
            format!("CLL_FRAME_{place}"),
            String::new(),
            format!(
                "struct cll_saved_{place} cll_frame_{place} \
                 __attribute__((__cleanup__(cll_close_{place}))); CLL_FRESH(cll_frame_{place})"
            ),
        ));
        self.0.push((
            format!("CLL_BEGIN_{place}"),
            parameters,
            format!("{sync}cll_begin_{place}(&cll_frame_{place}{arguments});"),
        ));
        for (word, function) in [("END", "end"), ("LEAVE", "close")] {
            self.0.push((
                format!("CLL_{word}_{place}"),
                String::new(),
                format!("cll_{function}_{place}(&cll_frame_{place});"),
            ));
        }
    }

    fn repeat(&mut self, number: usize, head: &LoopHead) {
        let the = format!("cll_loop_{number}");
        let every = |macro_name: &str, row: &str| -> String {
            let items = head.variables.iter().enumerate().map(|(index, variable)| {
                format!("{macro_name}({the}.{row}[{index}], {variable}) ")
            });
            items.collect()
        };
        self.0.push((
            format!("CLL_LOOP_{number}"),
            String::new(),
            format!(
                "struct cll_sampling_{number} {the} \
                 __attribute__((__cleanup__(cll_stop_{number}))) = {{ 0 }};"
            ),
        ));
        self.0.push((
            format!("CLL_FOR_{number}"),
            "(...)".into(),
            format!(
                "cll_loop_begin(&{the}.loop, {number}, {ordered});\n{before}\n\
                 for (__VA_ARGS__) {{\n    {next}\n    \
                 if (!cll_loop_push(&{the}.loop, {the}.next, sizeof {the}.next)) break;\n}}\n\
                 {behind}\ncll_start_{number}(&{the});\ncll_again_{number}: {fetch}",
                ordered = u8::from(head.ordered),
                before = every("CLL_STORE", "value"),
                next = every("CLL_STORE", "next"),
                behind = every("CLL_STORE", "behind"),
                fetch = every("CLL_FETCH", "value"),
            ),
        ));
        self.0.push((
            format!("CLL_NEXT_{number}"),
            String::new(),
            format!(
                "if (cll_loop_next(&{the}.loop, {the}.value)) goto cll_again_{number};\n{}",
                every("CLL_FETCH", "behind")
            ),
        ));
    }
}

/// Types that the macros use, since a program may have redefined those of C.
const TYPES: &str = "typedef double cll_value;\n\
    union cll_item { long long integer; double real; };\n";

/// For loops: whether a variable is real, and how it is stored and read.
const ITEMS: &str = "CLL_INLINE void cll_store_integer(union cll_item *item, long long value)\n\
    { item->integer = value; }\n\
    CLL_INLINE void cll_store_real(union cll_item *item, double value)\n\
    { item->real = value; }\n\
    CLL_INLINE long long cll_fetch_integer(const union cll_item *item) { return item->integer; }\n\
    CLL_INLINE double cll_fetch_real(const union cll_item *item) { return item->real; }\n\
    #ifdef __cplusplus\n\
    #define CLL_REAL(x) ((__typeof__(x))0.5 != 0)\n\
    #define CLL_STORE(item, x) \\\n\
    \x20   { if (CLL_REAL(x)) cll_store_real(&(item), (double)(x)); \\\n\
    \x20   else cll_store_integer(&(item), (long long)(x)); }\n\
    #define CLL_FETCH(item, x) \\\n\
    \x20   x = CLL_REAL(x) ? (__typeof__(x))cll_fetch_real(&(item)) \\\n\
    \x20       : (__typeof__(x))cll_fetch_integer(&(item));\n\
    #else\n\
    #define CLL_REAL(x) (__builtin_types_compatible_p(__typeof__(x), double) \\\n\
    \x20   || __builtin_types_compatible_p(__typeof__(x), float) \\\n\
    \x20   || __builtin_types_compatible_p(__typeof__(x), long double))\n\
    #define CLL_STORE(item, x) \\\n\
    \x20   __builtin_choose_expr(CLL_REAL(x), cll_store_real, cll_store_integer)(&(item), x);\n\
    #define CLL_FETCH(item, x) \\\n\
    \x20   x = (__typeof__(x))__builtin_choose_expr(CLL_REAL(x), cll_fetch_real, \\\n\
    \x20       cll_fetch_integer)(&(item));\n\
    #endif\n";

/// The structure and the functions of one place.
fn functions(
    emitted: &Emitted<'_>,
    mark: MarkId,
    place: usize,
    begin: &Begin,
    header: &mut Header,
) {
    let formula = begin.formula_text();
    let count = begin.values.len();
    let (member, saved) = match count {
        0 => (String::new(), "(const double *)0"),
        _ => {
            let names: Vec<&str> = begin.values.iter().map(|Value { name, .. }| &**name).collect();
            (
                format!(" double value[{count}]; /* {} */", in_comment(&names.join(", "))),
                "at->value",
            )
        }
    };
    let (kept, sync, left) = if begin.sync && emitted.keeps_sync(place) {
        (" unsigned sync;", "at->sync", "CLL_LEFT | at->sync")
    } else {
        ("", "0", "CLL_LEFT")
    };
    let stores: String =
        (0..count).map(|index| format!("    at->value[{index}] = v{index};\n")).collect();
    let here = format!("&at->frame, &cll_this_unit, {place}");
    let (counted, leave) = if begin.counters.is_empty() {
        ("", "CLL_LEAVE")
    } else {
        ("_counted", "cll_leave_counted")
    };
    let sampling = Sampling::of(emitted, begin, place, &here, counted, count);
    // A frame left open by a hidden jump must not seem to belong to this passage.
    let first = if sampling.is_plain { "" } else { "    at->frame.context = 0;\n" };
    let (outer, within, leaves) = if begin.extent.as_ref().is_some_and(|extent| extent.is_recursive)
    {
        (
            " int outer;".to_owned(),
            format!(
                "    at->outer = 0;\n    if (cll_within_{place}) {{\n        \
                 at->frame.context = 0;\n        return;\n    }}\n    \
                 at->outer = cll_within_{place} = 1;\n"
            ),
            format!("    if (at->outer)\n        at->outer = cll_within_{place} = 0;\n"),
        )
    } else {
        (String::new(), String::new(), String::new())
    };
    let fresh = if outer.is_empty() { "" } else { "        at->outer = 0;\n" };
    let left = if begin.extent.is_some() { "0" } else { left };
    let counter = sampling.state
        + &if outer.is_empty() {
            String::new()
        } else {
            format!("static __thread int cll_within_{place} CLL_TLS;\n")
        };
    let due = sampling.due;
    let _ = write!(
        header,
        "\n/* {}, lines {} to {}: {} */\n{counter}\
         struct cll_saved_{place} {{ struct cll_frame frame;{kept}{outer}{member} }};\n",
        in_comment(&begin.name),
        emitted.line(mark),
        emitted.end_line(mark),
        in_comment(formula),
    );
    let mut marker = |action, body| header.marker(Marker { action, place, values: count, body });
    marker(
        Action::Begin,
        format!(
            "    if (!cll_is_on()) {{\n        at->frame.context = 0;\n{fresh}        return;\n    }}\n\
             {within}{stores}{first}{due}"
        ),
    );
    marker(Action::End, format!("    {leave}({here}, {saved}, {count}, {sync});\n{leaves}"));
    marker(Action::Close, format!("    {leave}({here}, {saved}, {count}, {left});\n{leaves}"));
}

/// Which passages of a place are measured.
struct Sampling {
    /// Definitions of its state.
    state: String,
    /// Code that begins the measurement, if it is due.
    due: String,
    /// Whether all are.
    is_plain: bool,
}

impl Sampling {
    fn of(
        emitted: &Emitted<'_>,
        begin: &Begin,
        place: usize,
        here: &str,
        counted: &str,
        count: usize,
    ) -> Sampling {
        if emitted.is_pilot && begin.extent.is_some() {
            // The number of passages follows from the last ones: the distance to the next is 1/256 of it.
            let last = count - 1;
            return Sampling {
                state: format!(
                    "static __thread double cll_seen_{place} CLL_TLS, cll_next_{place} CLL_TLS;\n"
                ),
                due: format!(
                    "    if (cll_seen_{place}++ >= cll_next_{place}) {{\n        \
                     at->value[{last}] = cll_next_{place};\n        \
                     cll_next_{place} += 1 + (double)(unsigned)(cll_next_{place} / 256);\n        \
                     cll_enter{counted}({here});\n    }}\n"
                ),
                is_plain: false,
            };
        }
        match begin.every {
            1 => Sampling {
                state: String::new(),
                due: format!("    cll_enter{counted}({here});\n"),
                is_plain: true,
            },
            every => Sampling {
                state: format!("static __thread unsigned cll_passages_{place} CLL_TLS;\n"),
                due: format!(
                    "    if (cll_due(&cll_passages_{place}, {every}))\n        \
                     cll_enter{counted}({here});\n"
                ),
                is_plain: false,
            },
        }
    }
}

/// The structure and the functions of one loop.
fn sampling(emitted: &Emitted<'_>, mark: MarkId, number: usize, head: &LoopHead, out: &mut String) {
    let count = head.variables.len();
    let _ = write!(
        out,
        "\n/* cll for, lines {} to {}: values of {}, and those behind the loop */\n\
         struct cll_sampling_{number} {{\n    struct cll_loop loop;\n    \
         union cll_item value[{count}], next[{count}], behind[{count}];\n}};\n\
         CLL_INLINE void cll_start_{number}(struct cll_sampling_{number} *at)\n{{\n    \
         unsigned i;\n    if (cll_loop_next(&at->loop, at->value))\n        return;\n    \
         for (i = 0; i < {count}; i++)\n        at->behind[i] = at->value[i];\n    \
         cll_loop_empty(&cll_this_unit, {});\n}}\n\
         CLL_INLINE void cll_stop_{number}(struct cll_sampling_{number} *at)\n{{\n    \
         cll_loop_close(&at->loop);\n}}\n",
        emitted.line(mark),
        emitted.end_line(mark),
        in_comment(&head.variables.join(", ")),
        emitted.line(mark),
    );
}
