//! Machines by name or file.

use std::env::var_os;
use std::fs;
use std::path::{Path, PathBuf};

use crate::Error;
use cll_counters::{system, this_machine};
use cll_diagnostic::nearest;
use cll_machine::{Host, Machine, PUBLISHED, Published, Read, read};

use crate::file::now;
use crate::messages::Messages;

/// A machine file in a folder of the project or of the user.
#[derive(Clone, Debug)]
pub struct Kept {
    /// The name of the machine on command lines.
    pub name: String,
    /// `project` or `user`.
    pub place: &'static str,
    /// The file.
    pub path: PathBuf,
    /// The machine that the file describes; `None` if the file is wrong.
    pub machine: Option<Machine>,
}

/// The folders in which a name is looked up before the published machines: the project's and the user's.
pub fn folders() -> Vec<(&'static str, PathBuf)> {
    let mut all = vec![("project", PathBuf::from(".cll/machines"))];
    let set = |name: &str| var_os(name).filter(|value| !value.is_empty()).map(PathBuf::from);
    let data = set("XDG_DATA_HOME").or_else(|| Some(set("HOME")?.join(".local/share")));
    all.extend(data.map(|data| ("user", data.join("cll/machines"))));
    all
}

/// The machine files in these folders, by name; a name of the project hides that of the user.
pub fn kept() -> Vec<Kept> {
    let mut all: Vec<Kept> = Vec::new();
    for (place, folder) in folders() {
        let entries = fs::read_dir(folder).into_iter().flatten().flatten();
        let mut paths: Vec<PathBuf> = entries.map(|entry| entry.path()).collect();
        paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
        paths.sort();
        for path in paths {
            let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            if all.iter().all(|kept| kept.name != name) {
                let machine = fs::read(&path).ok().and_then(|bytes| read(&bytes).machine);
                all.push(Kept { name, place, path, machine });
            }
        }
    }
    all
}

/// The machine that the user has named: a file, else a machine of the project, of the user, or a published one. The messages have the diagnostics of the file.
///
/// # Errors
/// If there is no such file or machine, or the file is wrong.
pub fn load(word: &Path, messages: &dyn Messages) -> Result<Machine, Error> {
    let (bytes, name) = text(word)?;
    let Read { machine, diagnostics } = read(&bytes);
    messages.diagnose(&name, &bytes, &diagnostics);
    if let Some(text) = machine.as_ref().and_then(|machine| outdated(machine, &now())) {
        messages.note(&format!("{name} {text}"));
    }
    machine.ok_or(Error::Diagnosed)
}

/// How old the costs of this machine are, if it has changed since or they are old; `None` of other machines.
fn outdated(machine: &Machine, now: &str) -> Option<String> {
    /// Days after which a machine should be measured again.
    const OLD: i64 = 180;
    let host = machine.host.as_ref()?;
    let here = this_machine();
    let (kernel, microcode) = system();
    let here = Host { name: here.host, cpu: here.cpu, kernel, microcode, ..Host::default() };
    if (&host.name, &host.cpu) != (&here.name, &here.cpu) || host.name.is_empty() {
        return None;
    }
    let time = |text: &str| text.parse::<jiff::Timestamp>().ok();
    let days = time(now)?.duration_since(time(&machine.origin.when)?).as_hours() / 24;
    let changes = host.changes(&here);
    if changes.is_empty() && days < OLD {
        return None;
    }
    let since = if changes.is_empty() {
        String::new()
    } else {
        format!("; since then {}", changes.join(", "))
    };
    Some(format!("was measured here {days} days ago{since}: cll machine probe measures again"))
}

/// The text of a machine's file, and its name for messages.
///
/// # Errors
/// If there is no such file or machine.
pub fn text(word: &Path) -> Result<(Vec<u8>, String), Error> {
    let name = word.display().to_string();
    match fs::metadata(word) {
        Ok(_) => Ok((cll_files::read_text(word)?, name)),
        Err(error) => {
            if let Some(path) = in_folders(word) {
                let bytes = cll_files::read_text(&path)?;
                return Ok((bytes, path.display().to_string()));
            }
            match word.to_str().and_then(Published::named) {
                Some(published) => Ok((published.text.as_bytes().to_vec(), name)),
                None => Err(not_there(word, error)),
            }
        }
    }
}

/// The file of a name in the folders.
fn in_folders(word: &Path) -> Option<PathBuf> {
    let name = word.to_str().filter(|name| !name.is_empty() && word.components().count() == 1)?;
    let in_folder = |(_, folder): (_, PathBuf)| Some(folder.join(format!("{name}.toml")));
    folders().into_iter().filter_map(in_folder).find(|path| path.is_file())
}

fn not_there(word: &Path, error: std::io::Error) -> Error {
    let name = word.display().to_string();
    let is_name = word.components().count() == 1 && word.extension().is_none();
    let kept = kept();
    let names = kept.iter().map(|kept| kept.name.as_str());
    let help = match nearest(&name, PUBLISHED.iter().map(|published| published.name).chain(names)) {
        Some(near) => format!("did you mean {near}?"),
        None => "cll machine list shows the published machines; cll machine probe --bsp --out FILE measures this machine"
            .to_owned(),
    };
    if is_name && error.kind() == std::io::ErrorKind::NotFound {
        Error::content(format!("there is no file and no published machine {name}")).advise(help)
    } else {
        Error::Machine { source: cll_files::Error::unreadable(word, error), help }
    }
}
