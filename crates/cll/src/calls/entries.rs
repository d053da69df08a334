//! Entries of the wrapper for the functions of an MPI that it does not record, from the declarations in its mpi.h.
//!
//! Which functions there are depends on the MPI. Each gets an entry that counts its calls, but for those that are local: these
//! need none. Functions whose declaration is not understood have no entry.

use cll_trace::layout::call::{Op, is_local};

/// Functions with an entry in the wrapper's own C, beside those that are recorded.
const WRAPPED: [&str; 3] = ["Type_free", "Wtime", "Session_init"];
/// Local functions during which an MPI makes other calls.
const OUTER: [&str; 2] = ["File_", "Win_detach"];

/// A declared function.
struct WrappedFunction<'a> {
    /// With `MPI_`.
    name: &'a str,
    parameters: String,
    arguments: Vec<String>,
}

/// The C of the entries, for a header after the preprocessor.
pub fn entries(header: &str) -> String {
    let mut text = "#include \"wrapper.h\"\n".to_owned();
    let mut known: Vec<&str> = Vec::new();
    for declaration in header.split(';') {
        let Some(function) = function(declaration) else { continue };
        let short = function.name.strip_prefix("MPI_").unwrap_or(function.name);
        let is_outer = OUTER.iter().any(|start| short.starts_with(start));
        let is_counted = !is_local(function.name);
        if Op::named(short).is_some()
            || WRAPPED.contains(&short)
            || !(is_counted || is_outer)
            || known.contains(&function.name)
        {
            continue;
        }
        known.push(function.name);
        text.push_str(&format!(
            "UNRECORDED({}, ({}), ({}), {})\n",
            function.name,
            function.parameters,
            function.arguments.join(", "),
            u8::from(is_counted)
        ));
    }
    text
}

/// The function of MPI that a declaration is of, if its result is `int`. Only declarations of `PMPI_` count: these have an
/// entry under both names.
fn function(declaration: &str) -> Option<WrappedFunction<'_>> {
    let start = declaration.find("PMPI")?;
    let before = &declaration[..start];
    let is_int = before.split_whitespace().next_back() == Some("int");
    let rest = &declaration[start..];
    let open = rest.find('(')?;
    let name = rest[..open].trim().strip_prefix('P')?;
    let is_name = |name: &str| {
        !name.is_empty() && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    let is_named = name.starts_with("MPI_") || name.starts_with("MPIX_");
    if !is_int || !is_named || !is_name(name) {
        return None;
    }
    let close = closing(&rest[open..])? + open;
    let inner = rest[open + 1..close].trim();
    if inner == "void" {
        return Some(WrappedFunction { name, parameters: inner.to_owned(), arguments: Vec::new() });
    }
    let all = inner.split(',').enumerate().map(|(nth, text)| parameter(nth, text));
    let (parameters, arguments): (Vec<String>, Vec<String>) =
        all.collect::<Option<Vec<_>>>()?.into_iter().unzip();
    Some(WrappedFunction { name, parameters: parameters.join(", "), arguments })
}

/// The place of the parenthesis that closes the first one.
fn closing(text: &str) -> Option<usize> {
    let mut depth = 0;
    text.bytes().position(|byte| {
        match byte {
            b'(' => depth += 1,
            b')' => depth -= 1,
            _ => {}
        }
        depth == 0
    })
}

/// The declaration of a parameter and its name, which it gets here if it has none; `None` if it is of a kind that MPI's
/// functions do not have.
fn parameter(nth: usize, text: &str) -> Option<(String, String)> {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    // Of an array; the dimension is no part of the name.
    let plain = text.split('[').next()?.trim_end();
    if plain.is_empty() || plain.contains(['(', ')', '.']) {
        return None;
    }
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '_';
    let start = plain.rfind(|letter: char| !is_part(letter)).map_or(0, |position| position + 1);
    let (kind, name) = plain.split_at(start);
    let has_type = kind.split_whitespace().any(|word| !["const", "unsigned"].contains(&word));
    if has_type && !name.is_empty() && !["int", "char", "void", "const", "long"].contains(&name) {
        return Some((text.clone(), name.to_owned()));
    }
    let own = format!("argument_{nth}");
    Some((format!("{plain} {own}{}", &text[plain.len()..]), own))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_neither_recorded_nor_local_has_an_entry() {
        let header = r#"
typedef int MPI_Comm;
extern int PMPI_Send(const void *buf, int count, MPI_Comm comm);
__attribute__((visibility("default"))) int PMPI_Send_c(const void *buf, MPI_Count count,
    MPI_Comm comm) __attribute__((__pointer_with_type_tag__(MPI,1,2)));
int PMPI_Comm_rank(MPI_Comm comm, int *rank);
int PMPI_Pcontrol(const int level, ...);
double PMPI_Wtime(void);
int PMPI_Alltoallw_init_c(const void *sendbuf, const int sendcounts[], int ranges[][3], char ***all,
    MPI_Request *request);
int PMPI_Odd(MPI_Comm, int (*each)(int));
int PMPI_File_delete(const char *, MPI_Info, int[], const int);
int PMPIX_Thing(void);
int PMPI_File_get_size(MPI_File fh, MPI_Offset *size);
int PMPI_Send_c(const void *buf, MPI_Count count, MPI_Comm comm);
int MPI_Bcast_c(void *buf);
"#;
        let text = entries(header);
        let lines: Vec<&str> = text.lines().collect();
        assert_eq!(
            lines,
            [
                "#include \"wrapper.h\"",
                "UNRECORDED(MPI_Send_c, (const void *buf, MPI_Count count, MPI_Comm comm), (buf, count, comm), 1)",
                "UNRECORDED(MPI_Alltoallw_init_c, (const void *sendbuf, const int sendcounts[], int ranges[][3], \
                 char ***all, MPI_Request *request), (sendbuf, sendcounts, ranges, all, request), 1)",
                "UNRECORDED(MPI_File_delete, (const char * argument_0, MPI_Info argument_1, int argument_2[], \
                 const int argument_3), (argument_0, argument_1, argument_2, argument_3), 1)",
                "UNRECORDED(MPIX_Thing, (void), (), 1)",
                "UNRECORDED(MPI_File_get_size, (MPI_File fh, MPI_Offset *size), (fh, size), 0)",
            ]
        );
    }
}
