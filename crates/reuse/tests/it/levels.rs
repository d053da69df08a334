//! Where arrays leave levels.

use cll_reuse::{Level, PassageGroup, Population, Stream, causes, crossings, populations};

use crate::records::Sender;

/// An array of N lines is walked through, and one of a fixed number of lines.
fn walks(sizes: &[u64], rate: u64) -> Stream {
    let mut sender = Sender::new(rate);
    sender.allocate(0x20_0000, 64 << 16);
    for &size in sizes {
        sender.begin(&[size as f64]);
        for _ in 0..4 {
            (0..size).for_each(|k| sender.access(0x20_0000 + 64 * k));
        }
        sender.end();
    }
    let mut stream = Stream::default();
    stream.add(&sender.accesses);
    stream
}

fn stream_populations(stream: &Stream) -> Vec<Population> {
    let groups: Vec<&PassageGroup> = stream.groups.iter().collect();
    populations(&groups, 1, |instruction| instruction)
}

fn level(size: f64, penalty: f64) -> Level {
    Level { name: "L".into(), size, penalty }
}

#[test]
fn a_walk_leaves_a_level_where_it_is_as_large() {
    let stream = walks(&[100, 200, 400, 800, 1600], 1);
    let all = stream_populations(&stream);
    let main = &all[0];
    assert!(main.share > 0.7, "{all:?}");
    assert_eq!(main.growth.text(&["N".into()]), "64*N");
    // Between sizes that were followed, and beyond them.
    let levels = [level(48.0 * 1024.0, 3.0), level(2.0 * 1024.0 * 1024.0, 10.0)];
    let crossed = crossings(&all, &levels, None);
    let crossing_of =
        |level: usize| crossed.iter().find(|crossing| crossing.level == level).unwrap();
    assert!(
        (crossing_of(0).value - 768.0).abs() < 10.0 && crossing_of(0).is_between,
        "{crossed:?}"
    );
    assert!(
        (crossing_of(1).value - 32768.0).abs() < 400.0 && !crossing_of(1).is_between,
        "{crossed:?}"
    );
    // The larger penalty comes first.
    assert_eq!(crossed[0].level, 1);
}

#[test]
fn a_boundary_has_the_cause_that_is_near() {
    let all = stream_populations(&walks(&[100, 200, 400, 800, 1600], 1));
    let crossed = crossings(&all, &[level(48.0 * 1024.0, 3.0)], Some(0));
    assert_eq!(causes(&crossed, 0, 700.0, 800.0).len(), 1);
    assert_eq!(causes(&crossed, 0, 850.0, 900.0).len(), 1, "within 25 %");
    assert_eq!(causes(&crossed, 0, 3000.0, 3200.0).len(), 0);
    assert_eq!(causes(&crossed, 1, 700.0, 800.0).len(), 0, "another variable");
}

#[test]
fn what_costs_nothing_is_no_cause() {
    let all = stream_populations(&walks(&[100, 200, 400, 800, 1600], 1));
    assert!(crossings(&all, &[level(48.0 * 1024.0, 0.001)], None).is_empty());
    assert!(
        stream_populations(&walks(&[100, 200], 1)).is_empty(),
        "two sizes say nothing of growth"
    );
    assert!(stream_populations(&Stream::default()).is_empty());
}

#[test]
fn a_sampled_stream_gives_the_same_place() {
    // One line of four: the sender leaves out the others, as the program does.
    let mut sender = Sender::new(4);
    sender.allocate(0x20_0000, 64 << 18);
    for size in [2000u64, 4000, 8000, 16_000, 32_000] {
        sender.begin(&[size as f64]);
        for _ in 0..3 {
            (0..size).step_by(4).for_each(|k| sender.access(0x20_0000 + 64 * k));
        }
        sender.end();
    }
    let mut stream = Stream::default();
    stream.add(&sender.accesses);
    let crossed = crossings(&stream_populations(&stream), &[level(64.0 * 10_000.0, 3.0)], None);
    assert!((crossed[0].value / 10_000.0 - 1.0).abs() < 0.02, "{crossed:?}");
}

#[test]
fn spread_distances_have_a_range() {
    // Lines at random: the distances are spread about the number of lines.
    let mut sender = Sender::new(1);
    sender.allocate(0x20_0000, 64 << 16);
    let mut state = 1u64;
    for size in [500u64, 1000, 2000, 4000, 8000] {
        sender.begin(&[size as f64]);
        for _ in 0..20 * size {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1_442_695_040_888_963_407);
            sender.access(0x20_0000 + 64 * ((state >> 33) % size));
        }
        sender.end();
    }
    let mut stream = Stream::default();
    stream.add(&sender.accesses);
    let all = stream_populations(&stream);
    let main = &all[0];
    assert_eq!(main.spread.len(), 5, "{main:?}");
    let lines = 1000.0;
    let crossed = crossings(&all, &[level(64.0 * lines, 3.0)], None);
    let half = crossed[0].half.expect("the median grows");
    // The largest distances are those of all lines; of n lines at random a cache of C has a part of C/n.
    assert!((0.85..1.15).contains(&(crossed[0].value / lines)), "{crossed:?}");
    assert!((0.8..1.25).contains(&(half / (2.0 * lines))), "{crossed:?}");
    for size in [1500.0, 3000.0, 6000.0] {
        let missing = cll_reuse::part_beyond(main, 64.0 * lines, &[size]);
        assert!((missing - (1.0 - lines / size)).abs() < 0.1, "{size}: {missing}");
    }
}
