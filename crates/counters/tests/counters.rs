//! Tests the options for what is recorded besides the times, callgrind's files, and the sizes of caches.

#![forbid(unsafe_code)]

use std::env::current_exe;
use std::process::Command;

use cll_counters::{
    Availability, CALLGRIND, CacheSizes, Error, Observing, Simulation, Wanted, about, check_clause,
    differing, divided, instructions, is_simulated, names, this_machine,
};
use cll_files::Advice;
use cll_trace::observable::Observable;

fn owned(all: &[&str]) -> Vec<String> {
    all.iter().map(|name| (*name).to_owned()).collect()
}

#[track_caller]
fn parts<T, E: Advice>(result: Result<T, E>) -> (E, String, Vec<String>) {
    match result {
        Err(error) => {
            let (message, help) = (error.to_string(), error.help());
            (error, message, help)
        }
        Ok(_) => panic!("no failure"),
    }
}

fn observing(
    counters: &[&str],
    caches: Option<&CacheSizes>,
    fitted: Option<&str>,
) -> Result<Observing, Error> {
    let counters = owned(counters);
    Observing::from_options(&Wanted { counters: &counters, simulate_caches: caches }, fitted)
}

#[test]
fn options_that_cannot_be_are_refused_before_anything_is_run() {
    let caches = CacheSizes::default();
    for (counters, simulated, fitted, message) in [
        (&["cpu-tim"][..], false, None, "there is no counter cpu-tim: did you mean cpu-time?"),
        (&["something else"], false, None, "there is no counter something else"),
        (&["sim::Ir"], false, None, "sim::Ir is counted in a simulation only"),
        (&[], false, Some("sim::D1mr"), "sim::D1mr is counted in a simulation only"),
        (&[], false, Some("cycels"), "there is no counter cycels: did you mean cycles?"),
        (
            &["cpu-time"],
            true,
            None,
            "cpu-time cannot be counted in a simulation; simulated counters are sim::Ir, ",
        ),
        (&[], true, Some("cpu-time"), "cpu-time cannot be counted in a simulation"),
    ] {
        let (error, told, _) =
            parts(observing(counters, Some(&caches).filter(|_| simulated), fitted));
        assert!(
            matches!(
                error,
                Error::Unknown { .. } | Error::OnlySimulated(_) | Error::NotSimulated { .. }
            ),
            "{told}"
        );
        assert!(told.starts_with(message), "{told}");
    }
    let (_, _, help) = parts(observing(&["sim::Ir"], None, None));
    assert_eq!(help, ["--simulate-caches runs the program in a simulation"]);
    let (error, _, _) = parts(check_clause("a.c:3", &owned(&["page-fault"])));
    assert!(
        matches!(error, cll_launch::Error::NoCounter { .. }),
        "a text is wrong, not the command line"
    );
}

#[test]
fn what_is_fitted_is_recorded_once() {
    let all = observing(&["cpu-time", "io-read"], None, Some("cpu-time")).unwrap();
    assert_eq!(all.names, ["cpu-time", "io-read"]);
    let all = observing(&["io-read"], None, Some("cpu-time")).unwrap();
    assert_eq!(all.names, ["io-read", "cpu-time"]);
    assert_eq!(all.environment(), [("CLL_COUNTERS", "io-read,cpu-time".into())]);
    assert!(all.wrapper().is_empty() && !all.is_simulated() && all.in_words().is_none());
    let mut none = observing(&[], None, None).unwrap();
    assert!(none.also("cpu-time") && !none.also("io-read"));
    assert_eq!(none.names, ["cpu-time"]);
    assert_eq!(none.group(7), ["cpu-time"], "all, if they are not divided");
    let names =
        names(&Wanted { counters: &owned(&["", " cpu-time", "cpu-time"]), simulate_caches: None });
    assert_eq!(names.unwrap(), ["cpu-time"]);
}

/// The command and the environment of a run under a program that is called valgrind, in another `PATH`.
#[test]
fn a_simulation_is_a_command_before_the_program() {
    let folder = tempfile::tempdir().unwrap();
    let child = || {
        let mut child = Command::new(current_exe().unwrap());
        child
            .args(["--exact", "a_simulation", "--ignored", "--nocapture"])
            .env("PATH", folder.path());
        String::from_utf8(child.output().unwrap().stdout).unwrap()
    };
    let output = child();
    assert!(output.contains("told: --simulate-caches: there is no valgrind in PATH"), "{output}");
    let valgrind = folder.path().join("valgrind");
    std::fs::write(&valgrind, "").unwrap();
    cll_files::make_executable(&valgrind).unwrap();
    let output = child();
    let line = output.lines().find_map(|line| Some(line.split_once("told: ")?.1)).unwrap();
    let words: Vec<&str> = line.split(' ').collect();
    assert_eq!(words[0], valgrind.to_str().unwrap());
    assert_eq!(
        words[1..7],
        [
            "--tool=callgrind",
            "-q",
            "--cache-sim=yes",
            "--combine-dumps=yes",
            "--separate-threads=yes",
            "--dump-line=no"
        ]
    );
    let file = words[7].strip_prefix("--callgrind-out-file=").unwrap();
    assert!(line.contains(" --D1=32768,8,64") && line.contains(" --LL=1048576,16,32"), "{line}");
    assert!(line.ends_with(&format!("| CLL_COUNTERS=sim::Ir,sim::Dr,sim::Dw,sim::I1mr,sim::D1mr,sim::D1mw,sim::ILmr,sim::DLmr,sim::DLmw CLL_SIMULATION={file}")), "{line}");
}

#[test]
#[ignore = "the test above starts it"]
fn a_simulation() {
    let caches = "D1=32K, LL=1M:16:32".parse().unwrap();
    match observing(&[], Some(&caches), None) {
        Err(error) => println!("told: {error}"),
        Ok(mut all) => {
            // Nothing is divided, and all runs give equal numbers.
            all.divide(&[]);
            assert!(
                all.groups.is_empty() && all.is_simulated() && all.at_once(&[]).unwrap().is_none()
            );
            assert!(
                all.names.iter().all(|name| is_simulated(name))
                    && all.names == Simulation::events()
            );
            assert!(!all.also("cpu-time"));
            let words: Vec<String> =
                all.wrapper().iter().map(|word| word.display().to_string()).collect();
            let environment = all
                .environment()
                .into_iter()
                .map(|(name, value)| format!("{name}={}", value.display()));
            println!("told: {} | {}", words.join(" "), environment.collect::<Vec<_>>().join(" "));
        }
    }
}

#[test]
fn counters_are_divided_by_what_the_processor_counts_and_a_record_holds() {
    let wanted = owned(&["cycles", "instructions", "cpu-time", "r01", "cycles"]);
    let mut asked = 0;
    let groups = divided(&wanted, &owned(&["cycles"]), &mut |events| {
        asked += 1;
        events.len() <= 2
    });
    assert_eq!(groups, [owned(&["cycles", "instructions", "cpu-time"]), owned(&["cycles", "r01"])]);
    assert!(asked > 0);
    let observing = Observing::in_groups(groups);
    assert_eq!(
        observing.in_words().unwrap(),
        "the counters cannot be recorded together: 2 groups, each in separate runs: cycles, instructions, cpu-time; \
         cycles, r01"
    );
    // Of others than the processor's any number is counted.
    let many = owned(&["cpu-time", "page-faults", "io-read", "memory-peak"]);
    assert_eq!(divided(&many, &[], &mut |_| panic!("nothing to ask")), [many]);
}

/// With `--separate-threads` there are several parts; inlined code has the files of its own.
#[test]
fn callgrinds_lines_are_summed_over_functions_and_parts() {
    let text = "# callgrind format\nversion: 1\ncreator: callgrind-3.19.0\npid: 7\ncmd: ./x\npart: 1\n\n\
                positions: line\nevents: Ir\nsummary: 60\n\nob=/tmp/x\nfl=/home/u/x.c\nfn=main\n3 10\n\
                cob=/lib/libc.so\ncfi=(unknown)\ncfn=puts\ncalls=1 0\n3 400\n4 5\n\
                fi=/usr/include/inline.h\n7 2\nfe=/home/u/x.c\n4 1\n\nfl=/home/u/x.c\nfn=helper\n4 30\n\
                part: 2\nfl=x.c\nfn=main\n3 8\njump=3 9\n3\n9 4\nnot a line\n12\n";
    let lines = instructions(text);
    let count_of = |file: &str, line: u32| lines.get(&(file.to_owned(), line)).copied();
    assert_eq!(
        (count_of("x.c", 3), count_of("x.c", 4), count_of("inline.h", 7)),
        (Some(18), Some(36), Some(2))
    );
    assert_eq!(count_of("x.c", 9), Some(4));
    assert_eq!(lines.len(), 4, "{lines:?}");
    assert!(CALLGRIND.contains(&"--dump-line=yes") && CALLGRIND.contains(&"--compress-pos=no"));
    // The same program does the same; a line that is only there without markers differs, too.
    assert!(differing(&lines, &lines, |_, _| true).is_empty());
    let mut without = lines.clone();
    without.insert(("x.c".to_owned(), 50), 100);
    let differs = differing(&lines, &without, |file, _| file == "x.c");
    assert_eq!(
        (differs.len(), differs[0].line, differs[0].with, differs[0].without),
        (1, 50, 0, 100)
    );
    assert!(differing(&lines, &without, |file, _| file != "x.c").is_empty());
}

#[test]
fn this_machine_says_something_of_itself() {
    let machine = this_machine();
    assert!(machine.processors >= 1);
    let names: Vec<&str> = machine.caches.iter().map(|cache| cache.name.as_str()).collect();
    assert!(names.is_sorted(), "{names:?}");
    // All that is known is available, or there is a reason, and the advice has it.
    let here = Availability::query();
    for name in Observable::known() {
        let observable = Observable::parse(&name).unwrap();
        assert!(!about(&observable).is_empty());
        let advice = here.advice(&name).join(" ");
        match here.refuses(&observable) {
            Some(why) => assert!(advice.contains(&why), "{advice}"),
            None => assert!(
                advice.contains("--counters") || advice.contains("--simulate-caches"),
                "{advice}"
            ),
        }
    }
}
