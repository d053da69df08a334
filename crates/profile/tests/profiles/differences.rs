//! Before and after: moved, renamed, inlined, split, unlike.

use cll_profile::diff::{Condition, Difference, Status, UNLIKE, diff};
use cll_profile::{NodeKind, Profile, oxford};

/// Centres as `(stack, line, supersteps, h)`.
fn program(centres: &[(&str, u32, u32, u32)]) -> Profile {
    let mut text = String::from("D today\nP 2\nE 1.0\n");
    for (stack, line, supersteps, h) in centres {
        text.push_str(&format!(
            "A <{line} of a.c {stack},main, > with {supersteps} SYNCS 0.2 0.1 0.1 COMP 0.1 0.1 0.1 COMM 0 0 0 \
             COMPIDLE {h} {h} {h} HREL 0.1,0.1,0,{h},0;0.1,0.1,0,0,{h};\n"
        ));
    }
    oxford::read(text.as_bytes()).unwrap()
}

fn compared(before: &[(&str, u32, u32, u32)], after: &[(&str, u32, u32, u32)]) -> Difference {
    diff(&[program(before)], &[program(after)], 0.95)
}

/// Returns the status of a function or place, and its new name.
fn status(difference: &Difference, label: &str) -> (Status, Option<String>) {
    let row = difference.rows.iter().find(|row| row.label == label);
    let row = row.unwrap_or_else(|| panic!("{label}: {difference:#?}"));
    (row.status, row.now.clone())
}

const BEFORE: [(&str, u32, u32, u32); 3] =
    [("sort,query", 20, 10, 400), ("sort,query", 30, 10, 800), ("scan,query", 50, 7, 100)];

#[test]
fn lines_that_moved_are_the_same_places() {
    // Ten lines more at the top: what is line 30 now was line 20.
    let after =
        [("sort,query", 30, 10, 400), ("sort,query", 40, 10, 900), ("scan,query", 60, 7, 100)];
    let difference = compared(&BEFORE, &after);
    assert_eq!(status(&difference, "a.c:20"), (Status::Moved, Some("a.c:30".into())));
    assert_eq!(status(&difference, "a.c:30"), (Status::Moved, Some("a.c:40".into())));
    assert_eq!(status(&difference, "sort"), (Status::Same, None));
    assert_eq!(difference.matched, 1.0);
    let root_change = &difference.rows[0].metrics[3];
    assert_eq!(
        (root_change.before, root_change.after, root_change.interval),
        (1300.0, 1400.0, None)
    );
}

#[test]
fn functions_that_were_renamed_are_matched_by_their_insides() {
    let after = [
        ("bitonic,query", 20, 10, 400),
        ("bitonic,query", 30, 10, 800),
        ("scan,query", 50, 7, 100),
    ];
    let difference = compared(&BEFORE, &after);
    assert_eq!(status(&difference, "sort"), (Status::Renamed, Some("bitonic".into())));
    assert_eq!(status(&difference, "a.c:30"), (Status::Same, None));
    assert_eq!(status(&difference, "scan"), (Status::Same, None));
}

#[test]
fn functions_that_were_inlined_or_split_off_lose_nothing() {
    let inlined = [("query", 20, 10, 400), ("query", 30, 10, 800), ("scan,query", 50, 7, 100)];
    let comparison = compared(&BEFORE, &inlined);
    assert_eq!(status(&comparison, "sort").0, Status::Inlined);
    assert_eq!(status(&comparison, "a.c:20").0, Status::Same);
    let difference = compared(&inlined, &BEFORE);
    assert_eq!(status(&difference, "sort").0, Status::Split);
    assert_eq!((status(&difference, "a.c:30").0, difference.matched), (Status::Same, 1.0));
}

#[test]
fn one_function_that_became_several_is_said_to_be_split() {
    let after =
        [("first,query", 22, 10, 400), ("second,query", 33, 10, 800), ("scan,query", 50, 7, 100)];
    let comparison = compared(&BEFORE, &after);
    let with = |comparison: &Difference, label: &str| {
        let row = comparison.rows.iter().find(|row| row.label == label);
        row.map(|row| (row.status, row.is_before(), row.with.join(" "))).unwrap()
    };
    assert_eq!(with(&comparison, "sort"), (Status::Split, true, "first second".into()));
    assert_eq!(with(&comparison, "first"), (Status::Split, false, "sort".into()));
    assert_eq!(with(&comparison, "second"), (Status::Split, false, "sort".into()));
    assert_eq!(status(&comparison, "a.c:30"), (Status::Moved, Some("a.c:33".into())));
    assert_eq!((comparison.matched, status(&comparison, "scan").0), (1.0, Status::Same));
    let difference = compared(&after, &BEFORE);
    assert_eq!(with(&difference, "first"), (Status::Joined, true, "sort".into()));
    assert_eq!(with(&difference, "sort"), (Status::Joined, false, "first second".into()));
    assert_eq!(difference.matched, 1.0);
    // With other supersteps in them they are not the same two.
    let other =
        [("first,query", 22, 10, 401), ("second,query", 33, 11, 800), ("scan,query", 50, 7, 100)];
    assert_eq!(with(&compared(&BEFORE, &other), "first").0, Status::New);
}

#[test]
fn files_of_another_folder_or_name_are_the_same() {
    let profiles_of = |folder: &str, file: &str, inlined: bool| {
        let mut profile = program(&BEFORE);
        for node in &mut profile.nodes {
            match &mut node.kind {
                NodeKind::Function(frame) => {
                    frame.file = format!("{folder}/src/{file}");
                    frame.inlined = inlined && frame.function == "sort";
                }
                NodeKind::Centre { ends } => ends[0].file = format!("{folder}/src/{file}"),
                _ => {}
            }
        }
        [profile]
    };
    for (folder, file) in [("/home/b", "a.c"), ("/home/a", "other.c"), ("/home/b", "other.c")] {
        let difference =
            diff(&profiles_of("/home/a", "a.c", false), &profiles_of(folder, file, false), 0.95);
        assert!(difference.rows.iter().all(|row| row.status == Status::Same), "{difference:#?}");
    }
    // What debug information says to be inlined is still there.
    let difference =
        diff(&profiles_of("/home/a", "a.c", false), &profiles_of("/home/a", "a.c", true), 0.95);
    assert_eq!((status(&difference, "sort").0, difference.matched), (Status::Inlined, 1.0));
    assert_eq!(status(&difference, "a.c:20").0, Status::Same);
}

#[test]
fn what_is_new_lies_below_what_was_renamed() {
    let after = [
        ("sorts,query", 20, 10, 400),
        ("sorts,query", 30, 10, 800),
        ("more,sorts,query", 40, 1, 1),
        ("scan,query", 50, 7, 100),
    ];
    let difference = compared(&BEFORE, &after);
    let new = difference.rows.iter().position(|row| row.status == Status::New).unwrap();
    assert_eq!(difference.path(new), ["program", "main", "query", "sort", "more"]);
}

#[test]
fn what_has_no_counterpart_is_listed() {
    let after =
        [("sort,query", 20, 10, 400), ("sort,query", 30, 10, 800), ("filter,query", 99, 1, 5)];
    let difference = compared(&BEFORE, &after);
    assert_eq!(status(&difference, "scan").0, Status::Gone);
    assert_eq!(status(&difference, "filter").0, Status::New);
    let unlike = compared(&BEFORE, &[("a,b", 7, 1000, 1), ("c", 8, 3, 1), ("d", 9, 2, 1)]);
    assert!(unlike.matched < UNLIKE, "{}", unlike.matched);
    let nodes = |set: &[(&str, u32, u32, u32)]| program(set).nodes.len();
    let reported = |status| unlike.rows.iter().filter(|row| row.status == status).count();
    // All but the program and main.
    assert_eq!(reported(Status::Gone), nodes(&BEFORE) - 2);
}

#[test]
fn several_runs_have_intervals() {
    let runs = |h: &[u32]| h.iter().map(|&h| program(&[("sort", 20, 10, h)])).collect::<Vec<_>>();
    let difference = diff(&runs(&[100, 102, 104]), &runs(&[110, 112, 114]), 0.95);
    let (low, high) = difference.rows[0].metrics[3].interval.unwrap();
    assert!(low > 5.0 && high < 15.0 && difference.runs == [3, 3]);
}

#[test]
fn conditions_are_met_or_not() {
    let (before, after) =
        ([program(&BEFORE)], [program(&[("sort,query", 20, 10, 500), BEFORE[1], BEFORE[2]])]);
    let met = |text: &str| {
        Condition::read(text)
            .unwrap()
            .judge(&before, &after, 0.95)
            .map(|verdict| verdict.met)
            .map_err(Box::new)
    };
    // 1300 to 1400 is 7.7 %.
    assert_eq!(met("h.max > +5%"), Ok(true));
    assert_eq!(met("h.max > +8%"), Ok(false));
    assert_eq!(met("h > +99"), Ok(true));
    assert_eq!(met("h >= 1400"), Ok(true));
    assert_eq!(met("scan: h > +0%"), Ok(false));
    assert_eq!(met("sort: h.max > +5%"), Ok(true));
    assert_eq!(met("supersteps > +0%"), Ok(false));
    let wrong = met("sotr: h > 5%").unwrap_err();
    assert_eq!(
        (wrong.code, wrong.primary.span, &wrong.help[0][..]),
        ("P104", 0..4, "did you mean sort?")
    );
}
