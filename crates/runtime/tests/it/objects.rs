//! Instrumented shared objects, loaded by instrumented and by other programs.

use std::path::PathBuf;

use crate::support::{Build, compile_to, compile_with, libcll, samples, sources};

/// The plugin in the folder of a program.
fn plugin(folder: &std::path::Path, with_library: bool) -> PathBuf {
    let path = folder.join("plugin.so");
    let shared = libcll().shared.to_str().unwrap();
    let place = format!("-Wl,-rpath,{}", libcll().shared.parent().unwrap().display());
    let flags = ["-O2", "-shared", "-fPIC", shared, &place];
    let flags = if with_library { &flags[..] } else { &flags[..3] };
    compile_to(
        &sources().join("plugin.c"),
        &path,
        Build { flags, linked: false, ..Build::default() },
    );
    path
}

#[test]
fn an_instrumented_program_loads_an_instrumented_object() {
    for with_library in [false, true] {
        let flags = ["-O2", "-DOWN", "-ldl", "-Wl,--export-dynamic-symbol=cll_*"];
        let build = Build { flags: &flags, ..Build::default() };
        let program = compile_with("loading.c", "loading", build);
        let object = plugin(program.folder.path(), with_library);
        program.run_well(&[object.to_str().unwrap(), "50"]);
        let trace = program.trace();
        assert_eq!((samples(&trace, "f"), samples(&trace, "g")), (500, 50));
        // Loaded fifty times, recorded once.
        let units: Vec<_> =
            trace.processes[0].units.iter().map(|unit| (&unit.file[..], unit.base)).collect();
        assert_eq!(units, [("marked.c", 0), ("plugin.c", 3)]);
        // What is in the object is in the region around it.
        let f = trace.experiments.iter().find(|experiment| experiment.name == "f").unwrap();
        assert_eq!(f.places.iter().map(|place| place.file.as_str()).max(), Some("plugin.c"));
    }
}

#[test]
fn a_program_without_regions_loads_an_instrumented_object() {
    let build = Build { flags: &["-O2", "-ldl"], linked: false, ..Build::default() };
    let program = compile_with("loading.c", "loading", build);
    let object = plugin(program.folder.path(), true);
    program.run_well(&[object.to_str().unwrap(), "20"]);
    assert_eq!(samples(&program.trace(), "f"), 200);
}
