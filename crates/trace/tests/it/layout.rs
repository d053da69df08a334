//! The bytes are those of the specification and never change.

use cll_trace::layout::{
    BlockHeader, FLAG_SEALED, FLAG_WAITED, HEADER_SIZE, KIND_META, KIND_SAMPLES,
    SAMPLE_HEADER_SIZE, SampleHeader, compact, field, meta_block, sample_size, seal,
};
use cll_trace::live::{self, Control};
use cll_trace::meta::{Clock, End, Meta, Process, Run, Unit};
use cll_trace::write::SampleBlock;

const HEADER: BlockHeader = BlockHeader {
    kind: KIND_SAMPLES,
    flags: FLAG_WAITED,
    capacity: 0x0403_0208,
    used: 0x0807_0605,
    process: 0x0c0b_0a09,
    thread: 0x100f_0e0d,
    processor: 0x1413_1211,
    sequence: 0x1817_1615,
    ticks_open: 0x201f_1e1d_1c1b_1a19,
    mono_open: 0x2827_2625_2423_2221,
    ticks_seal: 0x302f_2e2d_2c2b_2a29,
    mono_seal: 0x3837_3635_3433_3231,
    payload_crc: 0x3c3b_3a39,
    header_crc: 0x403f_3e3d,
    waited_ns: 0x4847_4645_4443_4241,
};

#[test]
fn a_header_lies_as_specified() {
    let bytes = HEADER.encode();
    assert_eq!(bytes[..8], *b"CLL1\x02\0\x02\0");
    assert_eq!(bytes[8..12], [8, 2, 3, 4]);
    assert_eq!(bytes[12..], (5..=0x48).collect::<Vec<u8>>()[..]);
    assert_eq!(BlockHeader::decode(&bytes), Some(HEADER));
    assert_eq!(BlockHeader::decode(&bytes[..79]), None);
    for offset in
        [field::USED, field::SEQUENCE, field::PAYLOAD_CRC, field::HEADER_CRC, field::WAITED]
    {
        assert_eq!(usize::from(bytes[offset]), offset - 7);
    }
}

#[test]
fn a_sample_lies_as_specified() {
    let sample = SampleHeader {
        start: 0x0807_0605_0403_0201,
        end: 0x100f_0e0d_0c0b_0a09,
        place: 0x1211,
        parent: 0x1413,
        depth: 0x0017_1615,
        flags: 0x18,
    };
    let bytes = sample.encode();
    assert_eq!(bytes[..], (1..=24).collect::<Vec<u8>>()[..]);
    assert_eq!(SampleHeader::decode(&bytes), sample);
    assert_eq!((SAMPLE_HEADER_SIZE, sample_size(0), sample_size(2)), (24, 24, 40));
}

#[test]
fn the_checksum_is_that_of_zip() {
    let mut block = vec![0; 96];
    let header = BlockHeader { kind: 2, capacity: 96, used: 9, ..BlockHeader::default() };
    block[..80].copy_from_slice(&header.encode());
    block[80..89].copy_from_slice(b"123456789");
    let sealed = seal(&mut block, 5, 6).unwrap();
    assert_eq!(sealed.payload_crc, 0xCBF4_3926);
    assert_eq!(sealed.header_crc, crc32fast::hash(&[&block[..68], &block[72..80]].concat()));
    assert_eq!((sealed.flags, sealed.ticks_seal, sealed.mono_seal), (FLAG_SEALED, 5, 6));
    assert_eq!(BlockHeader::decode(&block), Some(sealed));
    assert!(sealed.is_plausible());
}

#[test]
fn sealing_and_cutting_refuse_what_is_no_block() {
    let header = BlockHeader { kind: 2, capacity: 88, used: 9, ..BlockHeader::default() };
    let mut block = vec![0; 88];
    block[..80].copy_from_slice(&header.encode());
    for mut no in [block.clone(), vec![0; 88], b"CLL1".to_vec(), Vec::new()] {
        let before = no.clone();
        assert_eq!(seal(&mut no, 0, 0), None);
        assert!(!compact(&mut no));
        assert_eq!(no, before);
    }
}

#[test]
fn cutting_a_slot_keeps_what_the_program_sealed() {
    let header = BlockHeader { process: 9, mono_open: 4, ..BlockHeader::default() };
    let mut samples = SampleBlock::new(header, 4096);
    assert!(samples.is_empty());
    assert!(samples.push(&SampleHeader::default(), &[1.0]));
    let mut sealed = samples.clone().seal(7, 8);
    assert_eq!(sealed.len(), 4096);
    let before = BlockHeader::decode(&sealed).unwrap();
    assert!(compact(&mut sealed));
    let after = BlockHeader::decode(&sealed).unwrap();
    assert_eq!((sealed.len(), after.capacity, after.used), (112, 112, 32));
    assert_eq!((after.payload_crc, after.ticks_seal), (before.payload_crc, 7));
    assert!(after.is_plausible());
    assert_eq!(sealed, samples.clone().seal_compact(7, 8));

    let mut open = samples.unsealed();
    open[3000] = 1; // a record that was being written
    assert!(compact(&mut open));
    let header = BlockHeader::decode(&open).unwrap();
    assert!(header.is_sealed() && header.is_plausible());
    assert_eq!((header.ticks_seal, header.mono_seal, open.len()), (0, 0, 112));

    // Damage after sealing keeps its wrong checksum.
    sealed[90] ^= 1;
    assert!(compact(&mut sealed));
    let damaged = BlockHeader::decode(&sealed).unwrap();
    assert_ne!(damaged.payload_crc, crc32fast::hash(&sealed[HEADER_SIZE..112]));
}

#[test]
fn a_full_block_takes_no_more() {
    let mut samples = SampleBlock::new(BlockHeader::default(), 80 + 2 * 24 + 8);
    assert!(samples.push(&SampleHeader::default(), &[]));
    assert!(!samples.push(&SampleHeader::default(), &[1.0, 2.0]));
    assert!(samples.push(&SampleHeader::default(), &[1.0]));
    assert!(!samples.push(&SampleHeader::default(), &[]));
    assert_eq!(samples.seal(0, 0).len(), 136);
}

#[test]
fn the_shared_memory_lies_as_specified() {
    let control = Control { slots: 1500, slot_size: live::SLOT_SIZE, full_count: 3 };
    let page = control.encode();
    assert_eq!(page[..24], *b"CLLSHM1\0\xdc\x05\0\0\0\0\x01\0\x03\0\0\0\0\0\0\0");
    assert_eq!(Control::decode(&page), Some(control));
    assert_eq!(Control::decode(&page[..20]), Some(control));
    assert_eq!(Control::decode(&page[..19]), None);
    for (offset, byte) in [(0, b'X'), (7, b'2'), (12, 1), (14, 0)] {
        let mut other = page;
        other[offset] = byte;
        assert_eq!(Control::decode(&other), None, "{offset}");
    }
    assert_eq!((live::state_at(0), live::state_at(7)), (4096, 4124));
    assert_eq!(
        (live::slots_at(1), live::slots_at(1024), live::slots_at(1025)),
        (8192, 8192, 12288)
    );
    assert_eq!(control.slot_at(2), 12288 + 131_072);
    assert_eq!(control.size(), 12288 + 1500 * 65536);
    let states: Vec<u32> = live::states(&[0, 0, 0, 0, 2, 0, 0, 0, 1, 0, 0, 0, 9]).collect();
    assert_eq!(states, [live::FREE, live::FULL, live::OPEN]);
    assert_eq!(live::filled(&[0; 4096]), None);
    let mut samples = SampleBlock::new(BlockHeader::default(), 4096);
    assert!(samples.push(&SampleHeader::default(), &[]));
    assert_eq!(live::filled(&samples.unsealed()), Some(104));
}

#[test]
fn tables_are_json_with_a_type_and_take_what_is_missing() {
    let tables = [
        Meta::Process(Process { clock: Clock::Cntvct, ..Process::default() }),
        Meta::Unit(Unit::default()),
        Meta::End(End { open: vec![1], dropped: 2, ..End::default() }),
        Meta::Run(Run { exit: Some(1), ..Run::default() }),
    ];
    for table in &tables {
        let json = table.to_json();
        assert_eq!(serde_json::from_str::<Meta>(&json).unwrap(), *table, "{json}");
    }
    assert_eq!(tables[2].to_json(), r#"{"type":"end","open":[1],"dropped":2}"#);
    let read = |json: &str| serde_json::from_str::<Meta>(json).unwrap();
    assert_eq!(read(r#"{"type":"unit"}"#), Meta::Unit(Unit::default()));
    assert_eq!(read(r#"{"type":"superstep","x":[1]}"#), Meta::Unknown);
    let Meta::Process(process) = read(r#"{"type":"process","clock":"sundial","later":1}"#) else {
        panic!()
    };
    assert_eq!(process.clock, Clock::Unknown);

    let block = meta_block(&tables, BlockHeader { process: 3, ..BlockHeader::default() });
    let header = BlockHeader::decode(&block).unwrap();
    assert_eq!(
        (header.kind, header.process, header.capacity as usize),
        (KIND_META, 3, block.len())
    );
    assert!(header.is_plausible() && block.len().is_multiple_of(8));
}
