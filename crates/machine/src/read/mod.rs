//! A machine's file, as `docs/formats/machine.md` describes it.

mod entries;
mod fields;
mod memory;
mod message_passing;
mod regimes;

use cll_diagnostic::Diagnostic;
use cll_diagnostic::fields::{integer, read_fields};
use cll_units::Bytes;

use crate::communication::Combine;
use crate::machine::{Cache, Host, Machine, Origin};
use crate::quantity::QuantityKind;
use fields::{Fields, Messages, Quantities, STYLE, is_text};

/// The key for the kind of the file and its version.
pub(crate) const KEY: &str = "cll-machine";
/// It is increased when programs that know the version before would not understand a file, since its keys are unknown to them
/// or have another meaning.
pub(crate) const VERSION: u32 = 5;
/// The version without accesses that do not need each other, which is written where there are none.
pub(crate) const REGIMES_VERSION: u32 = 4;
/// The version without regimes, which is written where there are none.
pub(crate) const MPI_VERSION: u32 = 3;
/// The version without the costs of MPI, which is written where there are none.
pub(crate) const MEMORY_VERSION: u32 = 2;
/// The version without the costs of memory and operations, which is still written where there are none.
pub(crate) const SUPERSTEPS_VERSION: u32 = 1;

/// The machine that was read, and the messages about the file.
#[derive(Clone, Debug, PartialEq)]
pub struct Read {
    /// The machine; `None` if an error is among the diagnostics.
    pub machine: Option<Machine>,
    /// In the order of the text.
    pub diagnostics: Vec<Diagnostic>,
}

/// Reads a machine's file. All errors are reported together, each with its place.
pub fn read(text: &[u8]) -> Read {
    let (machine, diagnostics) = read_fields(text, STYLE, machine);
    let failed = diagnostics.iter().any(Diagnostic::is_error);
    Read { machine: machine.flatten().filter(|_| !failed), diagnostics }
}

fn machine(mut fields: Fields<'_, '_>, messages: &mut Messages) -> Option<Machine> {
    version(&mut fields, messages)?;
    let mut machine = Machine {
        name: fields.text("name", messages).unwrap_or_default(),
        about: fields.text("about", messages).unwrap_or_default().trim().to_owned(),
        combine: fields.word("combine", &Combine::ALL, Combine::name, messages),
        missing: fields.texts("missing", messages),
        ..Machine::default()
    };
    // What is of another kind has its message already.
    let name = fields.take("name");
    if machine.name.trim().is_empty() && name.is_none_or(is_text) {
        let place = name.map_or(fields.place.clone(), |name| name.span());
        messages.push(
            Diagnostic::error("M005", place, "the machine has no name")
                .help("name = \"what it is called in reports\""),
        );
    }
    match fields.table("origin", "[origin]", messages) {
        Some(table) => machine.origin = origin(table, messages),
        None if fields.take("origin").is_some() => {}
        None => messages.push(
            Diagnostic::error("M005", fields.place.clone(), "nothing says where the numbers are from")
                .help("[origin] has when, by and how of a measurement, or the source of what was published"),
        ),
    }
    machine.host = fields.table("host", "[host]", messages).map(|table| host(table, messages));
    memory::memory(&mut fields, &mut machine, messages);
    message_passing::message_passing(&mut fields, &mut machine, messages);
    regimes::regimes(&mut fields, &mut machine, messages);
    entries::entries(&mut fields, &mut machine, messages);
    fields.end(messages);
    Some(machine)
}

/// Whether this can be read at all.
fn version(fields: &mut Fields<'_, '_>, messages: &mut Messages) -> Option<()> {
    let Some(value) = fields.take(KEY) else {
        messages.push(
            Diagnostic::error(
                "M002",
                fields.place.clone(),
                "this does not say that it is a machine's file",
            )
            .help(format!("its first line is {KEY} = {SUPERSTEPS_VERSION}")),
        );
        return None;
    };
    match integer(value).and_then(|number| u32::try_from(number).ok()) {
        Some(version) if version > VERSION => {
            messages.later = true;
            messages.push(
                Diagnostic::warning(
                    "M003",
                    value.span(),
                    format!("version {version} of the format is later than {VERSION}, which this program knows"),
                )
                .help("what is not known is left out; a newer cll reads all of it"),
            );
        }
        Some(SUPERSTEPS_VERSION..=VERSION) => {}
        _ => {
            messages.push(
                Diagnostic::error("M002", value.span(), "there is no such version of the format")
                    .help(format!(
                        "{KEY} = {SUPERSTEPS_VERSION}, {MEMORY_VERSION}, {MPI_VERSION}, {REGIMES_VERSION} or {VERSION}"
                    )),
            );
            return None;
        }
    }
    Some(())
}

fn origin(mut fields: Fields<'_, '_>, messages: &mut Messages) -> Origin {
    let origin = Origin {
        when: fields.text("when", messages).unwrap_or_default(),
        by: fields.text("by", messages).unwrap_or_default(),
        how: fields.text("how", messages).unwrap_or_default().trim().to_owned(),
        samples: fields.text("samples", messages),
        source: fields.text("source", messages),
        disturbed: fields.texts("disturbed", messages),
    };
    let by = fields.take("by");
    if origin.source.is_none()
        && fields.take("source").is_none()
        && origin.by.is_empty()
        && by.is_none_or(is_text)
    {
        messages.push(
            Diagnostic::error(
                "M005",
                fields.place.clone(),
                "[origin] has neither by (what has measured it) nor source (where it was published)",
            )
            .help("by = \"cll 0.1.0\", or source = \"authors, title, year, table\""),
        );
    }
    fields.end(messages);
    origin
}

fn host(mut fields: Fields<'_, '_>, messages: &mut Messages) -> Host {
    let mut host = Host {
        name: fields.text("name", messages).unwrap_or_default(),
        cpu: fields.text("cpu", messages).unwrap_or_default(),
        cores: fields.integer_from("cores", 1, messages),
        caches: Vec::new(),
        kernel: fields.text("kernel", messages).unwrap_or_default(),
        microcode: fields.text("microcode", messages).unwrap_or_default(),
    };
    for mut cache in fields.tables("caches", "a cache", messages) {
        let name = cache.need("name", messages).and_then(|_| cache.text("name", messages));
        let size = cache.quantity("size", &[QuantityKind::Size], messages);
        cache.end(messages);
        if let (Some(name), Some((_, size))) = (name, size) {
            host.caches.push(Cache { name, bytes: Bytes(size.value as u64) });
        }
    }
    fields.end(messages);
    host
}
