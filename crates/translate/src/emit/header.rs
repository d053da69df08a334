//! `PROGRAM.cll.h`: what the translated source needs.
//!
//! With `CLL_OFF` every macro is empty. Nothing of the system is included:
//! what a program defines before its own first `#include` still takes effect.

use std::fmt::Write;

use super::literal::{in_comment, literal};
use super::{Emitted, Origin, model, origin};
use crate::language::{Begin, Head, Value};
use crate::marks::MarkId;
use crate::translation::Model;

/// The header's text.
pub(crate) fn header(emitted: &Emitted<'_>) -> String {
    let mut out = String::new();
    let _ = writeln!(
        out,
        "/* Written by cll translate for {}: the places of its experiments, the\n   structures \
         that save their values, and what the inserted words stand for. */\n\
         #pragma GCC system_header\n",
        in_comment(emitted.name)
    );
    let words = Words::of(emitted);
    out += "#ifdef CLL_OFF\n\n";
    for (word, parameters, _) in &words.0 {
        let _ = writeln!(out, "#define {word}{parameters}");
    }
    out += "\n#else\n\n#include \"cll.h\"\n\n";
    out += &processors(emitted.model);
    tables(emitted, &mut out);
    for (&mark, &place) in &emitted.numbers.places {
        if let Some(begin) = emitted.begin(mark) {
            functions(emitted, mark, place, begin, &mut out);
        }
    }
    for (word, parameters, body) in &words.0 {
        let _ = writeln!(out, "#define {word}{parameters} \\\n{}", body.replace('\n', " \\\n"));
    }
    out += "\n/* Code comes before declarations now, which C90 minds. */\n\
            #ifndef __cplusplus\n\
            #pragma GCC diagnostic ignored \"-Wdeclaration-after-statement\"\n\
            #endif\n\n#endif\n";
    out
}

/// The macros: name, parameters, body.
struct Words(Vec<(String, String, String)>);

impl Words {
    fn of(emitted: &Emitted<'_>) -> Words {
        let mut words = Words(Vec::new());
        for (&mark, &place) in &emitted.numbers.places {
            if let Some(begin) = emitted.begin(mark) {
                words.place(emitted, place, begin);
            }
        }
        for (&mark, &number) in &emitted.numbers.loops {
            if let Some(head) = emitted.head(mark) {
                words.repeat(emitted, mark, number, head);
            }
        }
        for (&mark, &number) in &emitted.numbers.reports {
            let names = emitted.report(mark);
            let body = if names.is_empty() {
                "cll_report(&cll_this_unit, 0, 0);".to_string()
            } else {
                format!("cll_report(&cll_this_unit, cll_names_{number}, {});", names.len())
            };
            words.0.push((format!("CLL_REPORT_{number}"), String::new(), body));
        }
        words
    }

    fn place(&mut self, emitted: &Emitted<'_>, place: usize, begin: &Begin) {
        let mut parameters = Vec::new();
        let mut arguments = String::new();
        for (index, value) in begin.values.iter().enumerate() {
            arguments += &match origin(&value.name, place, emitted.own) {
                Origin::Program => {
                    parameters.push(format!("v{index}"));
                    format!(", (cll_value)(v{index})")
                }
                Origin::Processors => ", cll_team_size()".to_string(),
                Origin::Processor => ", cll_team_member()".to_string(),
            };
        }
        let parameters = if parameters.is_empty() {
            String::new()
        } else {
            format!("({})", parameters.join(", "))
        };
        let sync = if begin.sync { "CLL_SYNC " } else { "" };
        self.0.push((
            format!("CLL_FRAME_{place}"),
            String::new(),
            format!(
                "struct cll_saved_{place} cll_frame_{place} \
                 __attribute__((__cleanup__(cll_close_{place}))) = {{ {{ 0 }} }};"
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

    fn repeat(&mut self, emitted: &Emitted<'_>, mark: MarkId, number: usize, head: &Head) {
        let the = format!("cll_loop_{number}");
        let push: String = head
            .variables
            .iter()
            .map(|variable| {
                format!(
                    "__builtin_choose_expr(CLL_REAL({variable}), cll_loop_push_real, \
                     cll_loop_push_integer)(&{the}, {variable}); "
                )
            })
            .collect();
        let take: String = head
            .variables
            .iter()
            .enumerate()
            .map(|(index, variable)| {
                format!(
                    "\n{variable} = (__typeof__({variable}))__builtin_choose_expr(\
                     CLL_REAL({variable}), cll_loop_real, cll_loop_integer)(&{the}, {index});"
                )
            })
            .collect();
        let head_text = literal(&head.text);
        let variables = head.variables.len();
        let ordered = u8::from(head.ordered);
        let line = emitted.line(mark);
        self.0.push((
            format!("CLL_LOOP_{number}"),
            String::new(),
            format!("struct cll_loop {the} __attribute__((__cleanup__(cll_loop_end))) = {{ 0 }};"),
        ));
        self.0.push((
            format!("CLL_FOR_{number}"),
            "(...)".into(),
            format!(
                "cll_loop_begin(&{the}, &cll_this_unit, {line}, {head_text}, {variables}, \
                 {ordered});\n{push}\nfor (__VA_ARGS__) {{ {push}}}\n{push}\n\
                 cll_loop_start(&{the});\ncll_again_{number}:{take}"
            ),
        ));
        self.0.push((
            format!("CLL_NEXT_{number}"),
            String::new(),
            format!("if (cll_loop_next(&{the})) goto cll_again_{number};{take}"),
        ));
    }
}

/// How many there are to share the work, and a barrier among them.
fn processors(model: Model) -> String {
    let alone = "#define CLL_SYNC\n\
                 static __inline__ double cll_team_size(void) { return 1.0; }\n\
                 static __inline__ double cll_team_member(void) { return 0.0; }\n";
    let types = "typedef double cll_value;\n\
                 #define CLL_REAL(x) (__builtin_types_compatible_p(__typeof__(x), double) \\\n\
                 \x20   || __builtin_types_compatible_p(__typeof__(x), float) \\\n\
                 \x20   || __builtin_types_compatible_p(__typeof__(x), long double))\n\n";
    match model {
        Model::OpenMp => format!(
            "#ifdef _OPENMP\n\
             extern int omp_in_parallel(void);\n\
             extern int omp_get_num_threads(void);\n\
             extern int omp_get_max_threads(void);\n\
             extern int omp_get_thread_num(void);\n\
             #define CLL_SYNC ; _Pragma(\"omp barrier\")\n\
             static __inline__ double cll_team_size(void)\n\
             {{ return omp_in_parallel() ? omp_get_num_threads() : omp_get_max_threads(); }}\n\
             static __inline__ double cll_team_member(void) {{ return omp_get_thread_num(); }}\n\
             #else\n{alone}#endif\n{types}"
        ),
        _ => format!("{alone}{types}"),
    }
}

/// The unit, its places and its record in the program's section.
fn tables(emitted: &Emitted<'_>, out: &mut String) {
    let file = literal(emitted.name);
    for (&mark, &place) in &emitted.numbers.places {
        let Some(begin) = emitted.begin(mark) else { continue };
        if !begin.values.is_empty() {
            let names: Vec<String> =
                begin.values.iter().map(|value| literal(&value.name)).collect();
            let _ = writeln!(
                out,
                "static const char *const cll_variables_{place}[] = {{ {} }};",
                names.join(", ")
            );
        }
    }
    for (&mark, &number) in &emitted.numbers.reports {
        let names: Vec<String> =
            emitted.report(mark).iter().map(|(name, _)| literal(name)).collect();
        if !names.is_empty() {
            let _ = writeln!(
                out,
                "static const char *const cll_names_{number}[] = {{ {} }};",
                names.join(", ")
            );
        }
    }
    let places = emitted.numbers.places.len();
    if places > 0 {
        out.push_str("static const struct cll_place cll_places[] = {\n");
        for (&mark, &place) in &emitted.numbers.places {
            let Some(begin) = emitted.begin(mark) else { continue };
            let formula = begin.formula.as_ref().map_or("", |formula| formula.text());
            let function = emitted.edits.functions.get(&mark).map_or("", String::as_str);
            let variables = match begin.values.len() {
                0 => "0".to_string(),
                _ => format!("cll_variables_{place}"),
            };
            let _ = writeln!(
                out,
                "    {{ {}, {}, {file}, {}, {}, {}, {}, {}, {variables} }},",
                literal(&begin.name),
                literal(formula),
                literal(function),
                emitted.line(mark),
                emitted.end_line(mark),
                begin.values.len(),
                begin.every
            );
        }
        out.push_str("};\n");
    }
    let _ = writeln!(
        out,
        "static struct cll_unit cll_this_unit = {{\n    CLL_VERSION, {places}, {}, {file}, {}, \
         {}, 0, 0\n}};\n\
         static void __attribute__((__constructor__)) cll_register_this_unit(void)\n\
         {{ cll_register_unit(&cll_this_unit); }}",
        if places > 0 { "cll_places" } else { "0" },
        literal(emitted.model.name()),
        literal(emitted.compiler),
    );
    let _ = writeln!(
        out,
        "#if defined(__has_attribute) && defined(__ELF__)\n\
         #if __has_attribute(retain)\n\
         #define CLL_KEPT __used__, __retain__\n\
         #endif\n#endif\n\
         #ifndef CLL_KEPT\n#define CLL_KEPT __used__\n#endif\n\
         #ifdef __ELF__\n\
         static const char cll_model[]\n    \
         __attribute__((CLL_KEPT, __section__(\".cll.model\"), __aligned__(1))) =\n{}\n#endif\n",
        model::record(emitted)
    );
}

/// The structure and the functions of one place.
fn functions(emitted: &Emitted<'_>, mark: MarkId, place: usize, begin: &Begin, out: &mut String) {
    let formula = begin.formula.as_ref().map_or("", |formula| formula.text());
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
    let parameters: String = (0..count).map(|index| format!(", double v{index}")).collect();
    let stores: String =
        (0..count).map(|index| format!("    at->value[{index}] = v{index};\n")).collect();
    let here = format!("&at->frame, &cll_this_unit, {place}");
    let inline = "static __inline__ __attribute__((__always_inline__, __unused__)) void";
    let _ = write!(
        out,
        "\n/* {}, lines {} to {}: {} */\n\
         struct cll_saved_{place} {{ struct cll_frame frame;{member} }};\n\
         {inline}\ncll_close_{place}(struct cll_saved_{place} *at)\n{{\n    \
         if (at->frame.open)\n        cll_leave({here}, {saved}, {count}, 1);\n}}\n\
         {inline}\ncll_begin_{place}(struct cll_saved_{place} *at{parameters})\n{{\n    \
         cll_close_{place}(at);\n{stores}    cll_enter({here});\n}}\n\
         {inline}\ncll_end_{place}(struct cll_saved_{place} *at)\n{{\n    \
         if (at->frame.open)\n        cll_leave({here}, {saved}, {count}, 0);\n}}\n",
        in_comment(&begin.name),
        emitted.line(mark),
        emitted.end_line(mark),
        in_comment(formula),
    );
}
