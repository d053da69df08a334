//! Sources that include another BSPlib's `bsp.h` from a folder of the user.

use std::ffi::OsString;

use crate::Error;
use crate::compiler::{CompileUnit, Compiler, Language, complaints};
use crate::files;
use crate::files::Notices;

/// It is in the compiler's messages if and only if the header is another one, with sizes of type `size_t`.
const WRONG: &str = "cll_sizes";

/// Warns of a source with MulticoreBSP's `bsp.h`: linked with `libbsp.a`, whose functions have `int`, the program
/// would give wrong results without an error.
pub fn check(
    unit: &CompileUnit,
    compiler: &Compiler,
    flags: &[OsString],
    notices: &dyn Notices,
) -> Result<(), Error> {
    let Some(header) = included(&unit.text).filter(|_| unit.language == Language::C) else {
        return Ok(());
    };
    let question = format!(
        "#include {header}\n#ifndef CLL_BSP_H\n#include <stddef.h>\n\
         extern char {WRONG}[__builtin_types_compatible_p(__typeof__(&bsp_get_tag), \
         void (*)(size_t *, void *)) ? -1 : 1];\n#endif\n"
    );
    let folder = files::folder(&unit.path);
    let printed = complaints(compiler, unit.language, flags, folder, question.as_bytes())?;
    let is_quoted = |offset: usize| !printed[..offset].ends_with([' ', '\n']) && offset > 0;
    if printed.match_indices(WRONG).any(|(offset, _)| is_quoted(offset)) {
        notices.warn(&format!(
            "{}: {header} is that of another BSPlib, whose sizes are of type size_t. libbsp.a has sizes of \
             type int and cannot take its place: link that BSPlib, or leave out the -I of its header and \
             compile with -DBSP_SIZE_T",
            unit.name()
        ));
    }
    Ok(())
}

/// How the text includes a file `bsp.h` or `mcbsp.h`, such as `<bsp.h>`.
fn included(text: &[u8]) -> Option<String> {
    text.split(|&byte| byte == b'\n').find_map(|line| {
        let line = str::from_utf8(line).ok()?.trim_start().strip_prefix('#')?;
        let name = line.trim_start().strip_prefix("include")?.trim_start();
        let close = match name.chars().next()? {
            '<' => '>',
            '"' => '"',
            _ => return None,
        };
        let end = 1 + name.get(1..)?.find(close)?;
        let base = name[1..end].rsplit('/').next();
        matches!(base, Some("bsp.h" | "mcbsp.h")).then(|| name[..=end].to_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_header_is_found_as_it_is_written() {
        let header_of = |text: &str| included(text.as_bytes());
        assert_eq!(header_of("int x;\n # include <bsp.h> // x\n").as_deref(), Some("<bsp.h>"));
        assert_eq!(header_of("#include \"lib/mcbsp.h\"\n").as_deref(), Some("\"lib/mcbsp.h\""));
        assert_eq!(
            header_of("#include <my_bsp.h>\n#include BSP\n// <bsp.h>\n#include <bsp.h"),
            None
        );
    }
}
