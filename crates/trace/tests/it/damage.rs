//! Damage at every byte: never a panic, never a wrong time, and only what was hit is lost.

use std::collections::HashMap;
use std::io::{self, Read};

use crate::support::*;
use cll_samples::check;
use cll_trace::layout::{
    BlockHeader, FLAG_COPY, HEADER_SIZE, KIND_SAMPLES, MAX_CAPACITY, field, meta_block, seal,
};
use cll_trace::meta::{Meta, Process};
use cll_trace::write::SampleBlock;
use cll_trace::{Cause, Trace, TraceError, read};
use expect_test::expect;
use test_draw::thinned;

/// How often each inclusive time was read, by experiment, values and nanoseconds.
fn tally(trace: &Trace) -> HashMap<(String, Vec<u64>, i64), usize> {
    let mut tally = HashMap::new();
    for experiment in &trace.experiments {
        for cell in &experiment.cells {
            let values: Vec<u64> = cell.values.iter().map(|value| value.to_bits()).collect();
            for time in &cell.inclusive {
                let ns = (time * 1e9).round() as i64;
                *tally.entry((experiment.name.clone(), values.clone(), ns)).or_default() += 1;
            }
        }
    }
    tally
}

/// Every sample that was read is one that was written.
fn assert_part_of(part: &Trace, written: &Trace, what: &str) {
    let written = tally(written);
    for (sample, count) in tally(part) {
        assert!(written.get(&sample).is_some_and(|&n| n >= count), "{what}: {sample:?} {count}");
    }
}

fn is_cut(cause: &Cause) -> bool {
    matches!(cause, Cause::Cut { .. })
}

#[test]
fn cut_at_every_length() {
    let bytes = small();
    let full = read(&bytes[..]).unwrap();
    let places = blocks(&bytes);
    for length in thinned(0..bytes.len(), 3) {
        check(&bytes[..length]);
        let trace = match read(&bytes[..length]) {
            Ok(trace) => trace,
            Err(TraceError::Empty) if length == 0 => continue,
            Err(TraceError::NotATrace { .. }) if length < HEADER_SIZE => continue,
            Err(error) => panic!("{length}: {error}"),
        };
        assert!(!trace.damage.is_empty(), "{length}");
        assert_part_of(&trace, &full, &format!("cut at {length}"));
        // All complete samples are read, also those of the cut block.
        let expected: usize = places[1..4]
            .iter()
            .map(|&(start, _)| {
                let there = length.saturating_sub(start + HEADER_SIZE);
                (0..9).filter(|i| i / 3 * (32 + 32 + 40) + [32, 64, 104][i % 3] <= there).count()
            })
            .sum();
        assert_eq!(trace.samples as usize, expected, "{length}");
    }
}

#[test]
fn every_byte_flipped() {
    let bytes = small();
    let full = read(&bytes[..]).unwrap();
    let places = blocks(&bytes);
    for index in thinned(0..bytes.len(), 3) {
        for flip in [0x01, 0x80, 0xFF] {
            let mut damaged = bytes.clone();
            damaged[index] ^= flip;
            check(&damaged);
            let trace = read(&damaged[..]).unwrap();
            let what = format!("byte {index} ^ {flip:#x}");
            assert_part_of(&trace, &full, &what);
            let hit = places.iter().rposition(|&(start, _)| start <= index).unwrap();
            let (start, size) = places[hit];
            let header = BlockHeader::decode(&bytes[start..]).unwrap();
            let padding = index >= start + HEADER_SIZE + header.used as usize;
            if padding {
                assert_eq!(trace.experiments, full.experiments, "{what}");
                continue;
            }
            let reported = trace.damage.iter().find(|damage| damage.offset == Some(start as u64));
            let reported = reported.unwrap_or_else(|| panic!("{what}: {:?}", trace.damage));
            assert!(
                reported.lost.get() > 0 && reported.lost.get() <= size as u64,
                "{what}: {reported}"
            );
            // The tables are needed by all samples; else one block is lost and no more.
            let expected = match hit {
                0 => 0,
                4 => 27,
                _ => 18,
            };
            assert_eq!(trace.samples, expected, "{what}: {:?}", trace.damage);
        }
    }
}

#[test]
fn bytes_taken_out_and_put_in_everywhere() {
    let bytes = small();
    let full = read(&bytes[..]).unwrap();
    for index in thinned((0..bytes.len()).step_by(3), 3) {
        for (out, inserted) in [(1, 0), (5, 0), (0, 1), (0, 300), (80, 0), (200, 7)] {
            let mut damaged = bytes[..index].to_vec();
            damaged.extend((0..inserted).map(|i| (i * 37 + index) as u8));
            damaged.extend(&bytes[(index + out).min(bytes.len())..]);
            check(&damaged);
            match read(&damaged[..]) {
                // The rest of a cut block has no checksum.
                Ok(trace) if trace.damage.iter().any(|damage| is_cut(&damage.cause)) => {}
                Ok(trace) => assert_part_of(&trace, &full, &format!("{index} {out} {inserted}")),
                Err(error) => panic!("{index} {out} {inserted}: {error}"),
            }
        }
    }
}

#[test]
fn a_damaged_parent_block_costs_no_other_block_its_exclusive_times() {
    let mut bytes = small();
    let (start, _) = blocks(&bytes)[2];
    bytes[start + HEADER_SIZE + 3] ^= 4;
    let trace = read(&bytes[..]).unwrap();
    let outer = &trace.experiments[0];
    assert_eq!(outer.cells.len(), 2);
    for cell in &outer.cells {
        let ns: Vec<i64> = cell.exclusive().iter().map(|s| (s * 1e9).round() as i64).collect();
        assert_eq!(ns, [800, 1800, 2800]);
    }
    assert_eq!(outer.exclusive_uncertain, 0);
    let causes: Vec<_> = trace.damage.iter().map(|damage| damage.to_string()).collect();
    assert_eq!(
        causes,
        [
            format!(
                "at byte {start}: the samples of thread 0 of process 4711 do not match their \
                 checksum; 312 bytes lost"
            ),
            "9 samples that process 4711 recorded are missing".to_owned()
        ]
    );
}

#[test]
fn exclusive_times_around_a_missing_block_are_flagged() {
    let none: &[f64] = &[];
    let mut bytes = tables(PID, vec![place(0, "f", "f[0]", &[])]);
    let lost = block(PID, 0, 1, 100, &[(sample(0, 1, 50, 99), none), (sample(0, 0, 0, 100), none)]);
    bytes.extend(block(PID, 0, 0, 0, &[(sample(0, 1, 10, 20), none)]));
    bytes.extend(block(
        PID,
        0,
        2,
        300,
        &[
            (sample(0, 1, 310, 320), none),
            (sample(0, 0, 150, 400), none),
            (sample(0, 1, 420, 430), none),
            (sample(0, 0, 410, 450), none),
        ],
    ));
    let with_gap = read(&bytes[..]).unwrap();
    let f = &with_gap.experiments[0];
    let ns: Vec<i64> = f.cells[0].exclusive().iter().map(|s| (s * 1e9).round() as i64).collect();
    assert_eq!(ns, [10, 10, 240, 10, 30]);
    assert_eq!(f.exclusive_uncertain, 1);
    let missing = Cause::MissingBlocks { process: PID, thread: 0, first: 1, count: 1 };
    assert!(with_gap.damage.iter().any(|damage| damage.cause == missing));

    // The block that was taken to be lost comes after all.
    bytes.extend(&lost);
    assert_eq!(read(&bytes[..]).unwrap().samples, 7);
    bytes.extend(&lost);
    let twice = read(&bytes[..]).unwrap();
    let repeated = Cause::RepeatedBlock { process: PID, thread: 0, sequence: 1 };
    assert!(twice.damage.iter().any(|damage| damage.cause == repeated));
    assert_eq!(twice.samples, 7);
}

#[test]
fn a_killed_program_leaves_its_open_blocks() {
    let mut bytes = tables(PID, vec![place(0, "f", "f[0]*N", &["N"])]);
    let mut open = SampleBlock::new(opened(PID, 0, 0, 1_000_000), 65536);
    assert!(open.push(&sample(0, 0, 1, 501), &[8.0]));
    assert!(open.push(&sample(0, 0, 601, 701), &[8.0]));
    bytes.extend(open.unsealed());
    bytes.extend([0; 3 * 65536]); // room reserved for blocks that were never begun
    let trace = read(&bytes[..]).unwrap();
    assert_eq!((trace.samples, trace.processes[0].unsealed), (2, 1));
    let causes: Vec<_> = trace.damage.into_iter().map(|damage| damage.cause).collect();
    let open = Cause::Unsealed { process: PID, kind: KIND_SAMPLES, count: 2 };
    assert_eq!(causes, [Cause::NoEnd { process: PID, processor: None }, open.clone()]);
    assert!(open.to_string().starts_with("2 samples of process 4711 are in blocks"), "{open}");
}

#[test]
fn a_file_of_zeros_alone_is_empty() {
    for length in [1, 80, 65536, 3 << 20] {
        let wrong = read(&vec![0; length][..]).unwrap_err();
        assert!(matches!(wrong, TraceError::Empty), "{length}: {wrong}");
    }
    let mut rubbish = vec![0; 65536];
    rubbish.extend(b"rubbish");
    assert!(matches!(read(&rubbish[..]), Err(TraceError::NotATrace { .. })));
}

#[test]
fn a_copy_beside_its_open_block_is_no_damage() {
    let mut open = SampleBlock::new(opened(PID, 0, 1, 1_000_000), 65536);
    assert!(open.push(&sample(0, 0, 601, 701), &[8.0]));
    let mut copy = open.clone().unsealed();
    copy[field::FLAGS] |= FLAG_COPY as u8;
    seal(&mut copy, 1, 1);
    let empty = SampleBlock::new(opened(PID, 0, 1, 1_000_000), 65536).unsealed();
    let mut first = SampleBlock::new(opened(PID, 0, 0, 1_000_000), 65536);
    assert!(first.push(&sample(0, 0, 1, 501), &[8.0]));
    let tables = tables(PID, vec![place(0, "f", "f[0]*N", &["N"])]);
    // Killed before the open block was emptied, or before it had its next number.
    for (open, unsealed) in [(open.unsealed(), true), (empty, false)] {
        let trace =
            read(&[&tables[..], &open, &first.clone().seal(1, 1), &copy].concat()[..]).unwrap();
        let causes: Vec<_> = trace.damage.iter().map(|damage| damage.cause.clone()).collect();
        let mut ended = vec![Cause::NoEnd { process: PID, processor: None }];
        if unsealed {
            ended.push(Cause::Unsealed { process: PID, kind: KIND_SAMPLES, count: 1 });
        }
        assert_eq!((trace.samples, causes), (2, ended));
    }
}

#[test]
fn zeros_between_blocks_are_reported_and_at_the_end_are_not() {
    let bytes = small();
    let (start, size) = blocks(&bytes)[1];
    let mut wiped = bytes.clone();
    wiped[start..start + size].fill(0);
    let trace = read(&wiped[..]).unwrap();
    assert_eq!(trace.samples, 18);
    assert_eq!(
        trace.damage[0].to_string(),
        format!("at byte {start}: only zeros where a block should be; {size} bytes lost")
    );
    assert_eq!(
        trace.damage[1].cause,
        Cause::MissingBlocks { process: PID, thread: 0, first: 0, count: 1 }
    );
    let padded = [&bytes[..], &[0; 100_000]].concat();
    assert_eq!(read(&padded[..]).unwrap().damage, []);
}

#[test]
fn rubbish_of_every_length_between_blocks() {
    let bytes = small();
    let (start, _) = blocks(&bytes)[2];
    for length in (1..300).chain([262_143, 262_144, 262_145, 1_000_000]) {
        let rubbish: Vec<u8> = (0..length).map(|i| b"CLL1 CLLx1"[i % 10]).collect();
        let damaged = [&bytes[..start], &rubbish, &bytes[start..]].concat();
        let trace = read(&damaged[..]).unwrap();
        assert_eq!(trace.samples, 27, "{length}");
        let lost: u64 = trace.damage.iter().map(|damage| damage.lost.get()).sum();
        assert_eq!(lost, length as u64, "{:?}", trace.damage);
    }
}

#[test]
fn absurd_lengths_and_unknown_kinds() {
    let bytes = small();
    let (start, _) = blocks(&bytes)[2];
    for (capacity, used) in
        [(u32::MAX, 0), (MAX_CAPACITY + 8, 0), (0, 0), (79, 0), (88, 9), (84, 0), (96, u32::MAX)]
    {
        let header = BlockHeader { kind: 2, capacity, used, ..opened(PID, 0, 0, 0) };
        let header = BlockHeader { flags: 1, ..header };
        let header = BlockHeader { header_crc: header.checksum(), ..header };
        let damaged = [&bytes[..start], &header.encode(), &bytes[start..]].concat();
        let trace = read(&damaged[..]).unwrap();
        assert_eq!((trace.samples, trace.damage.len()), (27, 1), "{capacity} {used}");
        assert_eq!(trace.damage[0].lost.get(), 80);
    }
    // A possible capacity that exceeds the end: what is inside is reported, not searched.
    let header = BlockHeader { kind: 2, capacity: MAX_CAPACITY, used: 8, ..opened(PID, 5, 0, 0) };
    let damaged = [&bytes[..start], &header.encode(), &bytes[start..]].concat();
    let trace = read(&damaged[..]).unwrap();
    assert!(trace.damage.iter().any(|damage| is_cut(&damage.cause)));

    let mut later = vec![0; 200];
    let header = BlockHeader { kind: 77, capacity: 200, used: 120, ..opened(PID, 0, 0, 0) };
    later[..80].copy_from_slice(&header.encode());
    seal(&mut later, 0, 0).unwrap();
    let with_later = [&bytes[..start], &later, &bytes[start..]].concat();
    let trace = read(&with_later[..]).unwrap();
    assert_eq!((trace.samples, trace.unknown_blocks, trace.damage.len()), (27, 1, 0));
}

#[test]
fn missing_and_contradicting_tables() {
    let none: &[f64] = &[];
    let mut bytes = tables(PID, vec![place(0, "f", "f[0]", &[])]);
    let samples =
        [(sample(0, 0, 0, 10), none), (sample(3, 0, 10, 20), none), (sample(0, 0, 20, 30), none)];
    bytes.extend(block(PID, 0, 0, 0, &samples));
    bytes.extend(block(PID, 0, 1, 50, &[(sample(0, 0, 50, 60), none)]));
    let trace = read(&bytes[..]).unwrap();
    assert_eq!(trace.samples, 2);
    let unknown = trace.damage.iter().find(|damage| damage.offset.is_some()).unwrap();
    assert_eq!(unknown.cause, Cause::UnknownPlace { process: PID, place: 3 });
    assert_eq!(unknown.lost.get(), 48);

    let again = cll_trace::meta::Unit {
        places: vec![place(0, "f", "f[0]*N", &["N"]), place(70_000, "f", "f[0]", &[])],
        ..cll_trace::meta::Unit::default()
    };
    bytes.extend(meta_block(&[Meta::Unit(again)], opened(PID, 0, 0, 0)));
    let trace = read(&bytes[..]).unwrap();
    for place in [0, 70_000] {
        let conflict = Cause::PlaceConflict { process: PID, place };
        assert!(trace.damage.iter().any(|damage| damage.cause == conflict), "{place}");
    }
    assert_eq!(trace.experiments.len(), 1);

    let rubbish = [
        b"CLL1\x01\0\x01\0".as_slice(),
        &[0; 72],
        b"{\"type\":\"end\",\"open\":3}\n{\n\n{\"type\":\"later\"}\n",
    ]
    .concat();
    let mut rubbish = [rubbish, vec![0; 8]].concat();
    rubbish.truncate(rubbish.len() / 8 * 8);
    let (capacity, used) = (rubbish.len() as u32, 44);
    let header = BlockHeader { kind: 1, capacity, used, ..opened(PID, 0, 0, 0) };
    rubbish[..80].copy_from_slice(&header.encode());
    rubbish[field::PROCESS..field::PROCESS + 4].copy_from_slice(&PID.to_le_bytes());
    seal(&mut rubbish, 1, 1).unwrap();
    let trace = read(&[small(), rubbish].concat()[..]).unwrap();
    let tables = trace.damage.iter().filter(|damage| matches!(damage.cause, Cause::Table { .. }));
    assert_eq!(tables.count(), 2, "{:?}", trace.damage);
}

#[test]
fn what_is_no_trace_is_named() {
    let says = |bytes: &[u8]| read(bytes).unwrap_err().to_string();
    let magic = [b"CLL2".as_slice(), &[1; 100]].concat();
    let all: [&[u8]; 4] = [b"", b"N,time\n1,2\n", &[0; 5000], &magic];
    expect![[r#"
        the file is empty, or has only zeros: the process that made it recorded nothing, since it ended too early (killed at its start?) or the disk was full
        this is not a trace: it begins with "N,time\n1,2\n" and has no block that begins with "CLL1"
        the file is empty, or has only zeros: the process that made it recorded nothing, since it ended too early (killed at its start?) or the disk was full
        the trace begins with "CLL2", blocks of a later version: use a newer program"#]].assert_eq(&all.map(says).join("\n"));
    let process = Process { format: 3, ..process(PID) };
    let newer = meta_block(&[Meta::Process(process)], opened(PID, 0, 0, 0));
    assert!(matches!(read(&newer[..]), Err(TraceError::Newer { found: 3 })));
}

#[test]
fn an_input_that_fails_keeps_what_was_read() {
    struct Fails<'a>(&'a [u8]);
    impl Read for Fails<'_> {
        fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
            if self.0.is_empty() {
                return Err(io::Error::other("the disk is broken"));
            }
            self.0.read(buffer)
        }
    }
    assert!(matches!(read(Fails(&[])), Err(TraceError::Io(_))));
    let bytes = small();
    let (start, size) = blocks(&bytes)[2];
    let trace = read(Fails(&bytes[..start + size])).unwrap();
    assert_eq!(trace.samples, 18);
    let words = trace.damage[0].to_string();
    assert_eq!(words, format!("at byte {}: reading failed here: the disk is broken", start + size));
}
