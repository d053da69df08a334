//! The tables of a unit: its places with their names, and its record in the program's section.

use std::fmt::Write;

use crate::emit::literal::literal;
use crate::emit::{Emitted, model};

/// The unit, its places, and its record in the program's section.
pub(super) fn tables(emitted: &Emitted<'_>, out: &mut String) {
    let file = literal(emitted.name);
    arrays_of_names(emitted, out);
    let places = emitted.numbers.places.len();
    if places > 0 {
        table_of_places(emitted, out);
    }
    let _ = writeln!(
        out,
        "static struct cll_unit cll_this_unit = {{\n    CLL_VERSION, {places}, {}, {file}, {}, \
         {}, 0, {}\n}};\n\
         static void __attribute__((__constructor__(101))) cll_register_this_unit(void)\n\
         {{ cll_register_unit(&cll_this_unit); }}",
        if places > 0 { "cll_places" } else { "0" },
        literal(emitted.parallel.model.name()),
        literal(emitted.compiler),
        u8::from(emitted.is_automatic),
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

/// The names of variables and counters of each place, and those of reports.
fn arrays_of_names(emitted: &Emitted<'_>, out: &mut String) {
    let mut array = |name: &str, number: usize, names: Vec<String>| {
        if !names.is_empty() {
            let names = names.join(", ");
            let _ =
                writeln!(out, "static const char *const cll_{name}_{number}[] = {{ {names} }};");
        }
    };
    for (&mark, &place) in &emitted.numbers.places {
        let Some(begin) = emitted.begin(mark) else { continue };
        array("variables", place, begin.values.iter().map(|value| literal(&value.name)).collect());
    }
    for (&mark, &place) in &emitted.numbers.places {
        let Some(begin) = emitted.begin(mark) else { continue };
        array("counters", place, begin.counters.iter().map(|name| literal(name)).collect());
    }
    for (&mark, &number) in &emitted.numbers.reports {
        array(
            "names",
            number,
            emitted.report(mark).iter().map(|(name, _)| literal(name)).collect(),
        );
    }
}

/// The table with a row for each place.
fn table_of_places(emitted: &Emitted<'_>, out: &mut String) {
    let file = literal(emitted.name);
    out.push_str("static const struct cll_place cll_places[] = {\n");
    for (&mark, &place) in &emitted.numbers.places {
        let Some(begin) = emitted.begin(mark) else { continue };
        let formula = begin.formula_text();
        let function = emitted.function(mark);
        let variables = match begin.values.len() {
            0 => "0".to_string(),
            _ => format!("cll_variables_{place}"),
        };
        let counters = match begin.counters.len() {
            0 => "0".to_string(),
            _ => format!("cll_counters_{place}"),
        };
        let _ = writeln!(
            out,
            "    {{ {}, {}, {file}, {}, {}, {}, {}, {}, {variables}, {}, {counters} }},",
            literal(&begin.name),
            literal(formula),
            literal(function),
            emitted.line(mark),
            emitted.end_line(mark),
            begin.values.len(),
            begin.every,
            begin.counters.len()
        );
    }
    out.push_str("};\n");
}
