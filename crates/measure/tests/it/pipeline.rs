//! The whole way to a model, in a world in which nothing is compiled and nothing runs.

use std::cell::Cell;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::Duration;

use cll_analysis::{Time, locations};
use cll_counters::Wanted;
use cll_diagnostic::Diagnostic;
use cll_driver::Listener;
use cll_driver::compiler::Compiler;
use cll_files::Notices;
use cll_launch::Launcher;
use cll_measure::{
    Built, Compilers, Error, Folder, Measured, Request, Settings, Sources, Toolchain, World, model,
};
use cll_sampling::{Budget, Template, Variation};
use cll_translate::{Automatic, Model};
use tempfile::TempDir;

use crate::world::{self, Launch, SIZES, Shown, Told, parts};

const SOURCE: &str = "#include <stdlib.h>\n\nint main(int argc, char **argv)\n{\n    \
    long N = atol(argv[1]);\n#pragma cll walk walk[0] + walk[1]*N\n    volatile long sum = 0;\n    \
    for (long k = 0; k < N; k++) sum += k;\n#pragma cll end walk\n    return 0;\n}\n";

/// Translates, and compiles nothing: the program is an empty file.
#[derive(Default)]
struct Nothing {
    compiled: Cell<usize>,
}

impl Toolchain for Nothing {
    fn translate(
        &self,
        settings: &Settings<'_>,
        listener: &dyn Listener,
    ) -> Result<(Sources, Compiler), Error> {
        Compilers.translate(settings, listener)
    }

    fn translate_again(
        &self,
        settings: &Settings<'_>,
        compiler: &Compiler,
        choice: &Automatic,
    ) -> Result<Sources, Error> {
        Compilers.translate_again(settings, compiler, choice)
    }

    fn compile(
        &self,
        _: &Settings<'_>,
        _: &Compiler,
        sources: &Sources,
        folder: &Folder,
    ) -> Result<Built, Error> {
        self.compiled.set(self.compiled.get() + 1);
        fs::write(folder.program(), "").unwrap();
        fs::set_permissions(folder.program(), fs::Permissions::from_mode(0o755)).unwrap();
        Ok(Built {
            sources: sources.described(),
            model: Model::Sequential,
            command: "cc -O2".to_owned(),
            version: "cc 1".to_owned(),
            experiments: vec!["walk (walk.c:6)".to_owned()],
            has_threads: false,
            headers: Vec::new(),
        })
    }

    fn plain(
        &self,
        _: &Settings<'_>,
        _: &Compiler,
        _: &Sources,
        _: &Folder,
    ) -> Result<PathBuf, Error> {
        Err(Error::NotPlain)
    }

    fn empty(
        &self,
        _: &Settings<'_>,
        _: &Compiler,
        _: &Sources,
        _: &Path,
    ) -> Result<(PathBuf, PathBuf), Error> {
        Err(Error::NotPlain)
    }

    fn marked(
        &self,
        _: &Settings<'_>,
        _: &Compiler,
        _: &Sources,
        _: &Path,
        _: (&str, &str),
    ) -> Result<PathBuf, Error> {
        Err(Error::NotPlain)
    }
}

impl Listener for Told {
    fn diagnose(&self, name: &str, _: &[u8], diagnostics: &[Diagnostic]) {
        diagnostics.iter().for_each(|diagnostic| self.note(&format!("{name}: {diagnostic:?}")));
    }

    fn print(&mut self, _: &[u8]) -> std::io::Result<()> {
        Ok(())
    }
}

/// A folder with the source.
struct Bench {
    folder: TempDir,
    notices: Told,
    toolchain: Nothing,
}

impl Bench {
    fn new(source: &str) -> Bench {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("walk.c"), source).unwrap();
        Bench { folder, notices: Told::default(), toolchain: Nothing::default() }
    }

    fn request<'a>(&self, arguments: &'a [String], launches: u32) -> Request<'a> {
        let values: Vec<String> = SIZES.iter().map(f64::to_string).collect();
        let range = values.join(",").parse().unwrap();
        Request {
            name: "walk".to_owned(),
            settings: Settings {
                files: vec![self.folder.path().join("walk.c")],
                flags: vec!["-O2".into()],
                libraries: Vec::new(),
                automatic: None,
                vary: vec!["N".to_owned()],
                arguments,
                processors: None,
                is_virtual: false,
                oversubscribe: false,
                pin: false,
                timeout: Duration::from_secs(1),
                wanted: Wanted { counters: &[], simulate_caches: None },
                fitted: None,
            },
            variations: vec![Variation { name: "N".to_owned(), range }],
            arguments: Template::parse(arguments, &["N"]).unwrap(),
            is_adaptive: false,
            asked: locations("N=16000").unwrap(),
            held_out: Vec::new(),
            folder: Some(self.folder.path().join("walk.cll")),
            precision: 0.02,
            budget: Budget { seconds: 1000.0, is_core_time: true },
            is_strict: false,
            launches: Some(launches),
            observable: None,
            seed: Some(7),
            is_fresh: false,
            accepts_load: false,
            compare_code: false,
            options: cll_fit::Options::default(),
            experiments: Vec::new(),
            working_sets: Vec::new(),
            time: Time::Inclusive,
            shared: Vec::new(),
        }
    }

    fn model(
        &self,
        request: &Request<'_>,
        happens: fn(usize) -> Launch,
    ) -> (Result<Measured, Error>, Shown) {
        let mut shown = Shown::default();
        let mut world = World {
            toolchain: &self.toolchain,
            launcher: &|| Ok(Box::new(world::World::new(happens)) as Box<dyn Launcher>),
            virtual_processors: &|_, _| Ok(None),
            view: &mut shown,
            listener: &self.notices,
            progress: &self.notices,
            now: &|| "2026-01-31T12:00:00Z".to_owned(),
        };
        let measured = model(request, &mut world);
        (measured, shown)
    }
}

#[test]
fn a_request_becomes_a_model() {
    let bench = Bench::new(SOURCE);
    let arguments = ["{N}".to_owned()];
    let (measured, shown) = bench.model(&bench.request(&arguments, 3), |number| Launch {
        factor: world::deviation(number, 0.01),
        ..Launch::default()
    });
    let measured = measured.unwrap();
    // Runs without markers are compared with some of them.
    assert!(measured.launched.len() >= 12 && shown.launches >= 12, "{}", shown.launches);
    assert_eq!(measured.seed, 7);
    assert_eq!(measured.experiments, ["walk (walk.c:6)"]);
    let (model, source) = measured.model.unwrap();
    assert_eq!((model.created.as_str(), model.runs.len()), ("2026-01-31T12:00:00Z", 12));
    assert_eq!(model.program.unwrap().name, "walk");
    assert_eq!(model.sampling.unwrap().rounds.len(), 3);
    assert!(source.trace().is_some());
    // 1000 ns + 3 ns N, twice beyond the data.
    let fit = model.experiments[0].fit.as_ref().unwrap();
    let predicted = fit.predict(&[16000.0]).unwrap().value;
    assert!((predicted / 49e-6 - 1.0).abs() < 0.02, "{predicted}");
}

#[test]
fn rounds_of_an_earlier_call_are_continued() {
    let bench = Bench::new(SOURCE);
    let arguments = ["{N}".to_owned()];
    let first = bench.model(&bench.request(&arguments, 2), |_| Launch::default()).0.unwrap();
    drop(first);
    let (second, shown) = bench.model(&bench.request(&arguments, 5), |_| Launch::default());
    let (model, _) = second.unwrap().model.unwrap();
    assert_eq!((model.sampling.unwrap().rounds.len(), model.runs.len()), (5, 20));
    assert!((12..20).contains(&shown.launches), "{}", shown.launches);
    assert_eq!(bench.toolchain.compiled.get(), 2);
    let notices = bench.notices.0.into_inner();
    assert!(notices.iter().any(|text| text.starts_with("continuing from 2 rounds")), "{notices:?}");
}

#[test]
fn what_records_nothing_has_no_model() {
    let bench = Bench::new(SOURCE);
    let arguments = ["{N}".to_owned()];
    let nothing = |_| Launch { records: false, ..Launch::default() };
    let measured = bench.model(&bench.request(&arguments, 2), nothing).0.unwrap();
    assert!(measured.model.is_none() && !measured.launched.is_empty());
}

#[test]
fn a_source_without_regions_is_refused_before_anything_is_made() {
    let bench = Bench::new("int main(void) { return 0; }\n");
    let arguments = ["{N}".to_owned()];
    let (measured, shown) = bench.model(&bench.request(&arguments, 2), |_| Launch::default());
    let (error, message, _) = parts(measured);
    assert!(matches!(error, Error::NoExperiment(_)), "{error:?}");
    assert_eq!((shown.launches, bench.toolchain.compiled.get()), (0, 0));
    assert!(message.contains("there is no experiment in"), "{message}");
    assert!(!bench.folder.path().join("walk.cll").exists());
}
