use super::*;

fn records(hosts: [&str; 3], ended: [bool; 3]) -> Vec<Record> {
    let record = |rank: u32| Record {
        rank: Some((rank, 3)),
        pid: 100 + rank,
        host: hosts[rank as usize].to_owned(),
        ended: ended[rank as usize],
    };
    (0..3).map(record).collect()
}

fn seen(words: Option<Words>, ended: &[u32]) -> Ends {
    Ends { words, ended: ended.to_vec(), host: "a".to_owned() }
}

fn said(seen: &Ends, records: &[Record]) -> String {
    let last = |index: usize| Some(format!("last of {index}"));
    seen.with(records, last).map_or(String::new(), |died| died.to_string())
}

#[test]
fn the_records_tell_what_the_launcher_does_not_know() {
    let named = Named { rank: Some(1), pid: None, host: None, how: How::Signal(11) };
    let words = Some(Words::First(named));
    // Whoever ended first here may have been ended.
    let told = said(&seen(words.clone(), &[102, 101, 100]), &records(["b"; 3], [false; 3]));
    let head = "rank 1 (process 101 on b) was the first to end: by signal 11 (SIGSEGV";
    assert!(told.starts_with(head) && told.ends_with("; last of 1"), "{told}");
    let unknown = said(&seen(words.clone(), &[]), &[]);
    assert!(unknown.starts_with("rank 1 was the first to end"), "{unknown}");
    // No rank of three.
    let mut other = words;
    if let Some(Words::First(named)) = &mut other {
        named.rank = Some(3);
    }
    assert_eq!(said(&seen(other, &[]), &records(["a"; 3], [false; 3])), "");
}

#[test]
fn without_a_name_the_system_tells_who_was_first_if_it_saw_all() {
    let hydra = Some(Words::Some(Some(11)));
    // The launcher's own processes end, too.
    let order = [7, 102, 100, 101, 8];
    let here = records(["a"; 3], [false; 3]);
    let told = said(&seen(hydra.clone(), &order), &here);
    assert!(
        told.starts_with(
            "rank 2 (process 102 on a) was the first to end: without an ordinary exit"
        )
    );
    assert!(told.contains("launcher tells signal 11"), "{told}");
    assert!(said(&seen(None, &order), &here).contains("rank 2"));
    let by_itself = said(&seen(None, &order), &records(["a"; 3], [false, false, true]));
    assert!(by_itself.contains("by itself, before its time"), "{by_itself}");
    for (order, records) in [
        // One is on another host, one was not seen, all ended by themselves, one has recorded nothing.
        (&order[..], records(["a", "b", "a"], [false; 3])),
        (&[102, 100][..], records(["a"; 3], [false; 3])),
        (&order[..], records(["a"; 3], [true; 3])),
        (&order[..], here[..2].to_vec()),
    ] {
        assert_eq!(said(&seen(hydra.clone(), order), &records), "", "{order:?} {records:?}");
    }
}
