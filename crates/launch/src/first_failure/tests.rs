use super::*;

fn records(host: &str) -> Vec<Record> {
    let record =
        |rank: u32| Record { rank: Some((rank, 3)), pid: 100 + rank, host: host.to_owned() };
    (0..3).map(record).collect()
}

fn report(message: Option<LauncherMessage>, records: &[Record]) -> String {
    let last = |index: usize| Some(format!("last of {index}"));
    Failures { message }.with(records, last).map_or(String::new(), |died| died.to_string())
}

fn first(rank: u32) -> Option<LauncherMessage> {
    Some(LauncherMessage::First(FailedProcess {
        rank: Some(rank),
        pid: None,
        host: None,
        how: EndCause::Signal(11),
    }))
}

#[test]
fn records_add_what_the_launcher_does_not_know() {
    let text = report(first(1), &records("b"));
    let head = "rank 1 (process 101 on b) was the first to end: by signal 11 (SIGSEGV";
    assert!(text.starts_with(head) && text.ends_with("; last of 1"), "{text}");
    let unknown = report(first(1), &[]);
    assert!(unknown.starts_with("rank 1 was the first to end"), "{unknown}");
}

#[test]
fn who_names_nobody_or_a_rank_that_is_none_is_not_believed() {
    assert_eq!(report(first(3), &records("a")), "");
    assert_eq!(report(Some(LauncherMessage::Some(Some(11))), &records("a")), "");
    assert_eq!(report(None, &records("a")), "");
}
