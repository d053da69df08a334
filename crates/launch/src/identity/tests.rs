use std::fs;

use super::variables::counts;
use super::*;

fn library(name: &str, file: &str, known_by: &str) -> Library {
    Library { name: name.into(), file: file.into(), known_by: known_by.into() }
}

#[test]
fn differences_are_named() {
    let pair = |name: &str, value: &str| (name.to_owned(), value.to_owned());
    let before = Identity {
        libraries: vec![library("a", "/a", "1"), library("b", "/b", "1"), library("c", "", "")],
        launcher: vec![pair("version", "4.1")],
        variables: vec![pair("OMP_PLACES", "cores"), pair("UCX_TLS", "tcp")],
        clock: "tsc".into(),
        ..Identity::default()
    };
    assert!(before.differs(&before).is_empty());
    let now = Identity {
        libraries: vec![library("a", "/a", "2"), library("c", "/c", "1"), library("d", "/d", "1")],
        launcher: vec![pair("version", "5.0")],
        variables: vec![pair("OMPI_MCA_btl", "self"), pair("UCX_TLS", "sm")],
        clock: "hpet".into(),
        ..Identity::default()
    };
    assert_eq!(
        now.differs(&before),
        [
            "the library /a has changed",
            "c was missing, and is /c",
            "d is loaded now",
            "b is no longer loaded",
            "the launcher's version was `4.1`, and is `5.0`",
            "the variable OMPI_MCA_btl was not set, and is `self`",
            "the variable OMP_PLACES was `cores`, and is not set",
            "the variable UCX_TLS was `tcp`, and is `sm`",
            "the system's clock was tsc, and is hpet",
        ]
    );
}

#[test]
fn own_libraries_are_known_by_their_content() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("lib.so");
    fs::write(&path, "one").unwrap();
    let text = file(&path);
    fs::write(&path, "two").unwrap();
    assert_ne!(file(&path), text);
    fs::write(&path, "one").unwrap();
    assert_eq!(file(&path), text, "whenever it was written");
    assert_eq!(text.len(), 64);
    // This test is linked with the system's C library.
    let own = Identity::read(&std::env::current_exe().unwrap(), None, &[]);
    let libc = own.libraries.iter().find(|library| library.name.starts_with("libc.so")).unwrap();
    assert!(libc.file.starts_with('/') && libc.known_by.contains(' '), "{libc:?}");
    assert_eq!(own.program.len(), 64);
}

#[test]
fn variables_that_count() {
    for name in ["OMPI_MCA_btl", "I_MPI_FABRICS", "LD_PRELOAD", "CLL_CLOCK", "OMP_PROC_BIND"] {
        assert!(counts(name), "{name}");
    }
    for name in ["PATH", "OMPI_COMM_WORLD_RANK", "OMPI_MCA_ess_base_jobid", "CLL_BUDGET"] {
        assert!(!counts(name), "{name}");
    }
}
