//! The commands that replace the user's command.

use std::ffi::OsString;
use std::path::{Path, PathBuf};

use crate::Error;
use crate::compiler::{CompileUnit, Language, sibling_headers};
use crate::files::{self, Kept, Output};
use crate::library::{Library, Linked};
use cll_translate::Model;

use super::dependencies::{Replacement, rewrite};
use super::invocation::{Invocation, Item, Product};
use super::work_folder::WorkFolder;

/// The sources among the inputs.
#[derive(Debug, Default)]
pub struct Sources {
    /// For each input its translation, if it has one.
    pub units: Vec<Option<CompileUnit>>,
    /// The text from standard input.
    pub stdin: Option<Vec<u8>>,
}

impl Sources {
    /// Whether there is anything to translate.
    pub fn any(&self) -> bool {
        self.units.iter().any(Option::is_some)
    }

    /// The first source that says that it is a program of MPI.
    pub fn of_mpi(&self) -> Option<String> {
        let mut units = self.units.iter().flatten();
        units.find(|unit| unit.translation.model == Model::Mpi).map(CompileUnit::name)
    }
}

/// One command.
#[derive(Debug)]
pub struct CommandStep {
    /// The compiler's arguments.
    pub arguments: Vec<OsString>,
    /// Whether it uses results of earlier steps.
    pub needs_others: bool,
    /// Whether it writes preprocessed text to standard output.
    pub preprocesses: bool,
}

/// The commands and files of a compilation.
#[derive(Debug)]
pub struct Plan {
    /// The commands, in order.
    pub steps: Vec<CommandStep>,
    /// The folder of translated sources.
    pub workplace: WorkFolder,
    /// The compiler's standard input.
    pub stdin: Option<Vec<u8>>,
    /// Files in which names of the folder are to be replaced.
    rewritten: Vec<PathBuf>,
    /// The same for preprocessed text.
    preprocessed: Option<PathBuf>,
    /// The output for preprocessed text if it cannot be rewritten afterwards: a FIFO, a device.
    pub streamed: Option<PathBuf>,
    /// The library's header, which is not a dependency of the user's file.
    header: Option<PathBuf>,
}

impl Plan {
    /// The user's command.
    pub fn untouched(arguments: Vec<OsString>) -> Plan {
        let step = CommandStep { arguments, needs_others: false, preprocesses: false };
        Plan {
            steps: vec![step],
            workplace: WorkFolder::new(),
            stdin: None,
            rewritten: Vec::new(),
            preprocessed: None,
            streamed: None,
            header: None,
        }
    }

    /// The user's command, with the search path of the library's headers.
    pub fn with_headers(
        invocation: &Invocation,
        mut arguments: Vec<OsString>,
        library: impl Fn() -> Result<Library, Error>,
    ) -> Result<Plan, Error> {
        if invocation.inputs().any(|input| input.is_source() || input.is_stdin()) {
            arguments.extend(library()?.compile_arguments());
        }
        Ok(Plan::untouched(arguments))
    }

    /// Writes the inputs of the commands.
    pub fn prepare(&self) -> Result<(), Error> {
        self.workplace.write()
    }

    /// Replaces names by the user's in the outputs of the commands.
    pub fn finish(&self) -> Result<(), Error> {
        if self.workplace.is_empty() {
            return Ok(());
        }
        // An output that is not a regular file was rewritten on the way.
        for path in self.rewritten.iter().filter(|path| is_regular(path)) {
            let Ok(text) = std::fs::read(path) else { continue };
            let new = rewrite(&text, |name| self.becomes(name));
            if new != text {
                Output::of_kind(path, Kept::Source)?.write(&new)?;
            }
        }
        if let Some(path) = &self.preprocessed
            && let Ok(text) = std::fs::read(path)
        {
            let text = self.workplace.own_names(&text);
            Output::of_kind(path, Kept::Source)?.write(&text)?;
        }
        Ok(())
    }

    fn becomes(&self, name: &[u8]) -> Option<Replacement> {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(name));
        if self.header.as_deref() == Some(path) {
            return Some(Replacement::Nothing);
        }
        self.workplace.original(path).map(|original| match original {
            Some(path) => Replacement::Name(path.as_os_str().as_bytes().to_vec()),
            None => Replacement::Nothing,
        })
    }
}

/// Plans a compilation in which something is translated, or that links.
pub fn plan(
    invocation: &Invocation,
    sources: Sources,
    library: impl Fn() -> Result<Library, Error>,
) -> Result<Plan, Error> {
    let library = library()?;
    let mut plan = Plan::untouched(Vec::new());
    plan.steps.clear();
    let units: Vec<&CompileUnit> = sources.units.iter().flatten().collect();
    plan.workplace.choose_root(&units);
    if !units.is_empty() {
        plan.workplace.claim()?;
    }
    let stdin_is_translated = invocation
        .inputs()
        .zip(&sources.units)
        .any(|(input, unit)| input.is_stdin() && unit.is_some());
    plan.stdin = sources.stdin.filter(|_| !stdin_is_translated);
    plan.header = Some(library.include.join("cll.h"));
    let together = share_a_folder(invocation, &sources.units);
    let mut units = sources.units.into_iter();
    let placed: Vec<Option<StagedSource>> = invocation
        .inputs()
        .map(|_| units.next().flatten().map(|unit| StagedSource::new(&mut plan.workplace, unit)))
        .collect();
    plan.rewritten = dependency_files(invocation);
    let text = invocation.output.clone().filter(|_| is_preprocessing(invocation));
    (plan.preprocessed, plan.streamed) = match text {
        Some(path) if !is_regular(&path) && together => (None, Some(path)),
        other => (other, None),
    };
    if together {
        plan.steps.push(one_step(invocation, &placed, &library, plan.streamed.is_some()));
    } else {
        many_steps(invocation, &placed, &library, &mut plan);
    }
    Ok(plan)
}

/// A translated source.
struct StagedSource {
    source: PathBuf,
    language: Language,
    /// Options for the headers beside the user's file.
    headers: Vec<OsString>,
    /// Options that map the folder's names to the user's.
    map: OsString,
}

impl StagedSource {
    fn new(workplace: &mut WorkFolder, unit: CompileUnit) -> StagedSource {
        let (path, name, language) = (unit.path.clone(), unit.name(), unit.language);
        let source = workplace.place(unit);
        // Debug information, __BASE_FILE__ and the like name the user's file.
        let mut map = OsString::from("-ffile-prefix-map=");
        map.push(&source);
        map.push("=");
        map.push(name);
        let headers = sibling_headers(&path, files::folder(&source));
        StagedSource { source, language, headers, map }
    }
}

/// Whether the compiler's output can be read and replaced.
fn is_regular(path: &Path) -> bool {
    Output::of_kind(path, Kept::Source).is_ok_and(|output| output.is_file())
}

fn is_preprocessing(invocation: &Invocation) -> bool {
    invocation.product == Product::Preprocessed
}

fn links(invocation: &Invocation) -> bool {
    invocation.product == Product::Linked && !invocation.relocatable
}

/// Whether all sources search their headers in the same folder: then one command does what the user's would.
fn share_a_folder(invocation: &Invocation, units: &[Option<CompileUnit>]) -> bool {
    let mut folders = invocation
        .inputs()
        .zip(units)
        .filter(|(input, unit)| unit.is_some() || input.is_source())
        .map(|(input, _)| files::folder(&input.path));
    let first = folders.next();
    folders.all(|folder| Some(folder) == first)
}

fn one_step(
    invocation: &Invocation,
    placed: &[Option<StagedSource>],
    library: &Library,
    streams: bool,
) -> CommandStep {
    let mut arguments = Vec::new();
    if let Some(first) = placed.iter().flatten().next() {
        arguments.extend(first.headers.iter().cloned());
    }
    arguments.extend(placed.iter().flatten().map(|placed| placed.map.clone()));
    let mut placed = placed.iter();
    for item in &invocation.items {
        match item {
            Item::Option(words) if streams && words[0].as_encoded_bytes().starts_with(b"-o") => {}
            Item::Option(words) => arguments.extend(words.iter().cloned()),
            Item::Input(input) => {
                let path = placed.next().and_then(|placed| placed.as_ref());
                arguments.push(path.map_or(&input.path, |placed| &placed.source).into());
            }
        }
    }
    if invocation.inputs().any(|input| input.is_source() || input.is_stdin()) {
        arguments.extend(library.compile_arguments());
    }
    if links(invocation) {
        arguments.extend(linking(invocation, library));
    }
    let preprocesses = is_preprocessing(invocation) && (streams || invocation.output.is_none());
    CommandStep { arguments, needs_others: false, preprocesses }
}

fn linking(invocation: &Invocation, library: &Library) -> Vec<OsString> {
    let mut arguments = Vec::new();
    if invocation.languages {
        // The archive does not have the language that was named last.
        arguments.extend(["-x".into(), "none".into()]);
    }
    arguments.extend(library.link_arguments(match (invocation.shared, invocation.fixed) {
        (true, _) => Linked::Shared,
        (false, true) => Linked::Fixed,
        (false, false) => Linked::Program,
    }));
    arguments
}

/// Sources of several folders: each is compiled separately. The user's command does the rest, with the objects in
/// their places.
fn many_steps(
    invocation: &Invocation,
    placed: &[Option<StagedSource>],
    library: &Library,
    plan: &mut Plan,
) {
    let linked = invocation.product == Product::Linked;
    let options = |keep: &dyn Fn(&str) -> bool| -> Vec<OsString> {
        let items = invocation.items.iter().filter_map(|item| match item {
            Item::Option(words) if keep(&words[0].to_string_lossy()) => Some(words),
            _ => None,
        });
        items.flatten().cloned().collect()
    };
    let is_language = |word: &str| word.starts_with("-x");
    let mut rest = Vec::new();
    let mut inputs = 0;
    let mut staged = placed.iter();
    for item in &invocation.items {
        let Item::Input(input) = item else {
            if let Item::Option(words) = item {
                rest.extend(words.iter().cloned());
            }
            continue;
        };
        let Some(placed) = staged.next().and_then(|placed| placed.as_ref()) else {
            rest.push(input.path.clone().into());
            inputs += 1;
            continue;
        };
        let mut arguments: Vec<OsString> = placed.headers.clone();
        arguments.push(placed.map.clone());
        arguments.extend(options(&|word| {
            !is_language(word) && !(linked && (word.starts_with("-o") || word.starts_with("-MF")))
        }));
        arguments.extend(library.compile_arguments());
        if linked {
            let object = plan.workplace.object(&placed.source);
            arguments.extend(["-c".into(), "-o".into(), object.clone().into()]);
            if invocation.writes_dependencies {
                arguments.extend(own_dependencies(invocation, &input.path));
            }
            if invocation.languages {
                rest.extend(["-x".into(), "none".into()]);
            }
            rest.push(object.into());
            inputs += 1;
        }
        arguments.extend(["-x".into(), placed.language.option().into()]);
        arguments.push(placed.source.clone().into());
        let preprocesses = is_preprocessing(invocation) && invocation.output.is_none();
        plan.steps.push(CommandStep { arguments, needs_others: false, preprocesses });
    }
    if inputs > 0 {
        rest.extend(library.compile_arguments());
        if links(invocation) {
            rest.extend(linking(invocation, library));
        }
        let preprocesses = is_preprocessing(invocation) && invocation.output.is_none();
        plan.steps.push(CommandStep { arguments: rest, needs_others: linked, preprocesses });
    }
}

/// Where GCC would write the dependencies of a source that is compiled and linked at once.
fn own_dependencies(invocation: &Invocation, source: &Path) -> Vec<OsString> {
    let stem = files::stem(source);
    let file = match &invocation.dependencies {
        Some(file) => file.clone(),
        None => link_time_name(invocation, &stem),
    };
    vec!["-MF".into(), file.into(), "-MT".into(), format!("{stem}.o").into()]
}

fn link_time_name(invocation: &Invocation, stem: &str) -> PathBuf {
    let output = invocation.output.clone().unwrap_or_else(|| "a".into());
    output.with_file_name(format!("{}-{stem}.d", files::stem(&output)))
}

/// All files to which the compiler may have written dependencies.
fn dependency_files(invocation: &Invocation) -> Vec<PathBuf> {
    if !invocation.writes_dependencies {
        return Vec::new();
    }
    let mut found: Vec<PathBuf> = invocation.dependencies.iter().cloned().collect();
    if let Some(output) = &invocation.output {
        found.push(output.with_extension("d"));
    }
    for input in invocation.inputs() {
        let stem = files::stem(&input.path);
        found.push(link_time_name(invocation, &stem));
        found.push(format!("{stem}.d").into());
    }
    found
}
