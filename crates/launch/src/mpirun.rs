//! The mpirun that starts MPI programs.

use std::env::var_os;
use std::ffi::{OsStr, OsString};
use std::path::Path;
use std::process::{Command, Stdio};

use cll_contract::{JOB, MPIRUN};
use rustix::process::Signal;

use super::first_failure::LauncherKind;
use super::program::linked_with;
use crate::Error;
use crate::Family;
use crate::files;
use crate::files::in_path;
use crate::identity::{digest, file};

/// An mpirun.
#[derive(Clone, Debug)]
pub struct Mpirun {
    words: Vec<OsString>,
    kind: MpirunKind,
    /// The first line of its version text.
    version: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MpirunKind {
    OpenMpi,
    /// The launcher of MPICH and its derivatives.
    Hydra,
    Unknown,
}

impl Mpirun {
    /// The mpirun in `PATH`, or the one that `CLL_MPIRUN` names.
    ///
    /// # Errors
    /// If there is none.
    pub fn find() -> Result<Mpirun, Error> {
        let named = var_os(MPIRUN.name()).filter(|value| !value.is_empty());
        let text = named.as_deref().unwrap_or(OsStr::new("mpirun")).to_string_lossy().into_owned();
        let words: Vec<OsString> = text.split_whitespace().map(OsString::from).collect();
        if !is_there(words.first().map_or(OsStr::new(""), OsString::as_os_str)) {
            return Err(Error::NoMpirun(text));
        }
        Mpirun::from_words(words)
    }

    /// The mpirun of the MPI with which a program is linked: that of [`Mpirun::find`] if it belongs to this MPI,
    /// else the one that is named after the MPI.
    ///
    /// # Errors
    /// If there is none: with another one each process would have its own `MPI_COMM_WORLD`.
    pub fn for_program(program: &Path) -> Result<Mpirun, Error> {
        Mpirun::fitting(program, linked_with(program).iter().find_map(|library| family(library)))
    }

    /// As [`Mpirun::for_program`], for a known MPI.
    ///
    /// # Errors
    /// As there.
    pub fn for_family(program: &Path, family: Family) -> Result<Mpirun, Error> {
        Mpirun::fitting(
            program,
            Some(match family {
                Family::OpenMpi => MpirunKind::OpenMpi,
                Family::Mpich => MpirunKind::Hydra,
            }),
        )
    }

    /// The launcher's file, as it is called.
    pub fn program(&self) -> &OsStr {
        self.words.first().map_or(OsStr::new(""), OsString::as_os_str)
    }

    fn fitting(program: &Path, wanted: Option<MpirunKind>) -> Result<Mpirun, Error> {
        let candidate = Mpirun::find()?;
        let fits = |mpirun: &Mpirun| {
            wanted.is_none_or(|kind| mpirun.kind == kind || mpirun.kind == MpirunKind::Unknown)
        };
        let is_named = var_os(MPIRUN.name()).is_some_and(|value| !value.is_empty());
        if fits(&candidate) {
            return Ok(candidate);
        }
        let kind = wanted.unwrap_or(MpirunKind::Unknown);
        let others = kind.launchers().iter().filter(|name| !is_named && is_there(OsStr::new(name)));
        for name in others {
            let other = Mpirun::from_words(vec![name.into()])?;
            if fits(&other) {
                return Ok(other);
            }
        }
        Err(Error::OtherMpirun {
            program: program.to_path_buf(),
            wanted: kind.name(),
            launcher: kind.launchers()[0],
            word: candidate.words[0].to_string_lossy().into_owned(),
            own: candidate.kind.name(),
        })
    }

    /// Whether a program is linked with MPI.
    pub fn is_linked(program: &Path) -> bool {
        linked_with(program).iter().any(|library| family(library).is_some())
    }

    /// The MPI that it belongs to; `None`: another one.
    pub fn family(&self) -> Option<Family> {
        match self.kind {
            MpirunKind::OpenMpi => Some(Family::OpenMpi),
            MpirunKind::Hydra => Some(Family::Mpich),
            MpirunKind::Unknown => None,
        }
    }

    /// Whose messages it prints when a process ends early.
    pub fn launcher_kind(&self) -> LauncherKind {
        match self.kind {
            MpirunKind::OpenMpi => LauncherKind::OpenMpi,
            MpirunKind::Hydra => LauncherKind::Hydra,
            MpirunKind::Unknown => LauncherKind::Any,
        }
    }

    /// Returns the command, for reports.
    pub fn line(&self) -> String {
        self.words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
    }

    /// Returns what identifies the launcher: its command, its file, its version, Open MPI's files of settings.
    pub fn identity(&self) -> Vec<(String, String)> {
        let word = &self.words[0];
        let path = if word.as_encoded_bytes().contains(&b'/') {
            Some(Path::new(word).to_path_buf())
        } else {
            in_path(word)
        };
        let path = path.and_then(|path| path.canonicalize().ok()).unwrap_or_default();
        let mut all = vec![
            ("command".to_owned(), self.line()),
            ("file".to_owned(), format!("{} {}", path.display(), file(&path))),
            ("version".to_owned(), self.version.clone()),
        ];
        let home = var_os("HOME").unwrap_or_default();
        let own = [".openmpi", ".prte", ".pmix"].map(|name| Path::new(&home).join(name));
        let settings = own.into_iter().map(|folder| folder.join("mca-params.conf"));
        let system = Path::new("/etc/openmpi/openmpi-mca-params.conf").to_path_buf();
        for path in settings.chain([system]).filter(|_| self.kind == MpirunKind::OpenMpi) {
            all.extend(digest(&path).map(|known| (path.display().to_string(), known)));
        }
        all
    }

    fn from_words(words: Vec<OsString>) -> Result<Mpirun, Error> {
        let program = words.first().cloned().unwrap_or_default();
        let mut ask = Command::new(&program);
        let asked = ask
            .arg("--version")
            .stdin(Stdio::null())
            .output()
            .map_err(|error| files::Error::refused("run", &program, error))?;
        let output = [asked.stdout, asked.stderr].concat();
        let output = String::from_utf8_lossy(&output);
        let version = output.lines().find(|line| !line.trim().is_empty()).unwrap_or_default();
        Ok(Mpirun { words, kind: kind(&output), version: version.trim().to_owned() })
    }

    /// The command before the program: for this number of processes, or mpirun's default. These variables are
    /// passed to all hosts. `job` is a unique name of the launch.
    pub fn words(
        &self,
        processes: Option<u32>,
        variables: &[OsString],
        job: &str,
    ) -> Vec<OsString> {
        let mut words = self.words.clone();
        if self.kind == MpirunKind::Hydra {
            // It gives processes no name that is equal on all hosts.
            words.extend(["-genv".into(), JOB.name().into(), job.into()]);
        }
        if let Some(processes) = processes {
            words.extend(["-n".into(), processes.to_string().into()]);
        }
        if self.kind == MpirunKind::OpenMpi {
            // More processors than cores are allowed on every engine.
            words.push("--oversubscribe".into());
            // MPICH's passes all variables to other hosts.
            for name in variables {
                words.extend(["-x".into(), name.clone()]);
            }
        }
        words
    }

    /// The signal that ends it with its processes.
    pub fn signal(&self) -> Signal {
        match self.kind {
            // It asks the processes to end and does not kill them. If it is gone, its proxies kill them.
            MpirunKind::Hydra => Signal::KILL,
            MpirunKind::OpenMpi | MpirunKind::Unknown => Signal::TERM,
        }
    }

    /// Options that bind each process to one of these processors, in their order; without processors, options that
    /// bind none.
    pub fn binding(&self, cpus: &[usize]) -> Vec<OsString> {
        let list = cpus.iter().map(usize::to_string).collect::<Vec<_>>().join(",");
        let words: Vec<String> = match (self.kind, cpus) {
            (MpirunKind::Unknown, _) => Vec::new(),
            (MpirunKind::OpenMpi, []) => vec!["--bind-to".into(), "none".into()],
            (MpirunKind::Hydra, []) => vec!["-bind-to".into(), "none".into()],
            (MpirunKind::OpenMpi, _) => {
                vec!["--cpu-list".into(), list, "--bind-to".into(), "cpu-list:ordered".into()]
            }
            (MpirunKind::Hydra, _) => vec!["-bind-to".into(), format!("user:{list}")],
        };
        words.into_iter().map(OsString::from).collect()
    }
}

impl MpirunKind {
    fn name(self) -> &'static str {
        match self {
            MpirunKind::OpenMpi => "Open MPI",
            MpirunKind::Hydra => "MPICH",
            MpirunKind::Unknown => "another MPI",
        }
    }

    /// Other names of its launcher, besides `mpirun`.
    fn launchers(self) -> &'static [&'static str] {
        match self {
            MpirunKind::OpenMpi => &["mpirun.openmpi", "mpiexec.openmpi", "orterun", "prterun"],
            MpirunKind::Hydra => &["mpirun.mpich", "mpiexec.mpich", "mpiexec.hydra"],
            MpirunKind::Unknown => &["mpirun"],
        }
    }
}

/// The MPI of a library, by its file name. The number of Open MPI's interface differs from that of MPICH and its
/// derivatives.
fn family(library: &str) -> Option<MpirunKind> {
    if library.starts_with("libmpich") || library.starts_with("libmpi.so.12") {
        return Some(MpirunKind::Hydra);
    }
    let is = |name: &str| library.starts_with(name);
    (is("libmpi.so.") || is("libopen-rte") || is("libmpi_mpifh") || is("libmpi_usempi"))
        .then_some(MpirunKind::OpenMpi)
}

fn is_there(program: &OsStr) -> bool {
    if program.as_encoded_bytes().contains(&b'/') {
        Path::new(program).is_file()
    } else {
        in_path(program).is_some()
    }
}

/// Whether a program is linked with MPICH or a derivative.
pub(super) fn is_of_mpich(program: &Path) -> bool {
    linked_with(program).iter().any(|library| family(library) == Some(MpirunKind::Hydra))
}

fn kind(version: &str) -> MpirunKind {
    let is = |names: &[&str]| names.iter().any(|name| version.contains(name));
    if is(&["Open MPI", "OpenRTE", "PRRTE", "prterun"]) {
        MpirunKind::OpenMpi
    } else if is(&["HYDRA", "hydra", "Hydra", "Intel(R) MPI", "MVAPICH"]) {
        MpirunKind::Hydra
    } else {
        MpirunKind::Unknown
    }
}

#[cfg(test)]
impl Mpirun {
    /// One with this name and this version text.
    pub fn named(name: &str, version: &str) -> Mpirun {
        Mpirun { words: vec![name.into()], kind: kind(version), version: version.to_owned() }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Host;

    #[test]
    fn launchers_are_distinguished_by_their_version_text() {
        assert_eq!(kind("mpirun (Open MPI) 5.0.2"), MpirunKind::OpenMpi);
        assert_eq!(kind("mpirun.openmpi (OpenRTE) 4.1.4"), MpirunKind::OpenMpi);
        assert_eq!(kind("HYDRA build details:\n    Version: 4.0.2"), MpirunKind::Hydra);
        assert_eq!(kind("Intel(R) MPI Library for Linux* OS"), MpirunKind::Hydra);
        assert_eq!(kind("srun 23"), MpirunKind::Unknown);
    }

    #[test]
    fn an_mpi_is_known_by_its_library() {
        assert_eq!(family("libmpi.so.40"), Some(MpirunKind::OpenMpi));
        assert_eq!(family("libmpi_mpifh.so.40"), Some(MpirunKind::OpenMpi));
        assert_eq!(family("libmpich.so.12"), Some(MpirunKind::Hydra));
        assert_eq!(family("libmpi.so.12"), Some(MpirunKind::Hydra));
        assert_eq!(family("libm.so.6"), None);
    }

    #[test]
    fn processes_keep_to_processors() {
        let words = |kind, cpus: &[usize]| -> String {
            let words = Mpirun { words: Vec::new(), kind, version: String::new() }.binding(cpus);
            words.iter().map(|word| word.to_string_lossy()).collect::<Vec<_>>().join(" ")
        };
        assert_eq!(
            words(MpirunKind::OpenMpi, &[3, 1]),
            "--cpu-list 3,1 --bind-to cpu-list:ordered"
        );
        assert_eq!(words(MpirunKind::Hydra, &[3, 1]), "-bind-to user:3,1");
        assert_eq!(words(MpirunKind::Hydra, &[]), "-bind-to none");
        assert_eq!(words(MpirunKind::Unknown, &[1]), "");
    }

    #[test]
    fn open_mpi_receives_the_names_of_variables() {
        let mpirun = Mpirun {
            words: vec!["mpirun".into()],
            kind: MpirunKind::OpenMpi,
            version: String::new(),
        };
        let names = ["CLL_ENGINE".into()];
        let words = mpirun.words(Some(3), &names, "job");
        assert_eq!(words[..4], ["mpirun", "-n", "3", "--oversubscribe"].map(OsString::from));
        let index = words.iter().position(|word| word == "CLL_ENGINE").unwrap();
        assert_eq!(words[index - 1], "-x");
        let hydra = Mpirun {
            words: vec!["mpiexec".into(), "-f".into(), "hosts".into()],
            kind: MpirunKind::Hydra,
            version: String::new(),
        };
        let words = hydra.words(Some(2), &names, "job");
        let head = ["mpiexec", "-f", "hosts", "-genv", "CLL_JOB"].map(OsString::from);
        assert_eq!(words[..5], head);
        assert_eq!(words[6..], ["-n", "2"].map(OsString::from));
        // Each launch has a unique name.
        assert_ne!(Host::here(None).job, Host::here(None).job);
    }
}
