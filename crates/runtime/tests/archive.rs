//! The library as programs get it: what it defines, and that it links in every way.

mod support;

use support::{Program, compile, libcll, tool};

#[test]
fn only_cll_names_are_global() {
    for file in [&libcll().archive, &libcll().shared] {
        let dynamic = file.extension().is_some_and(|extension| extension == "so");
        let table = tool(
            "nm",
            &["--defined-only", "--extern-only", "--format=just-symbols"]
                .iter()
                .copied()
                .chain(dynamic.then_some("--dynamic"))
                .chain([file.to_str().unwrap()])
                .collect::<Vec<_>>(),
        );
        let names: Vec<&str> =
            table.lines().filter(|line| !line.is_empty() && !line.ends_with(':')).collect();
        let strange: Vec<_> = names.iter().filter(|name| !name.starts_with("cll_")).collect();
        assert!(strange.is_empty(), "{}: {strange:?}", file.display());
        for wanted in ["cll_self", "cll_flags", "cll_on", "cll_leave_slow", "cll_loop_next"] {
            assert!(names.contains(&wanted), "{} lacks {wanted}", file.display());
        }
    }
}
