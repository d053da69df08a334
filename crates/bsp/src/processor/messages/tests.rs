//! Messages through streams.

use proptest::prelude::*;

use super::run::*;
use super::*;
use crate::engine::traffic::Sent;
use crate::processor::record::tests::Chunks;
use crate::stream::{StreamWriter, Supply};

/// Sends messages with payloads of these sizes, and reads them. Returns the size of the runs in bytes.
fn there_and_back(room: usize, tag_size: usize, sizes: &[usize]) -> usize {
    let mut chunks = Chunks::default();
    let first = chunks.chunk(room).unwrap();
    let (mut writer, mut run) = (StreamWriter::default(), StreamRun::default());
    writer.restart(first);
    let (mut sent, mut bytes) = (Sent::default(), 0);
    for (nth, &size) in sizes.iter().enumerate() {
        let layout = Layout::new(size, tag_size);
        let before = run.behind as usize;
        let place = match run.extend(&mut writer, size) {
            Some(place) => {
                bytes += run.behind as usize - before;
                place
            }
            None => {
                let place = run.begin(&mut writer, layout, &mut chunks).unwrap();
                bytes += run.behind as usize - run.word as usize;
                place
            }
        };
        // SAFETY: there is room for both.
        unsafe {
            place.write_bytes(nth as u8, size);
            place.add(layout.tag).write_bytes(!nth as u8, tag_size);
        }
        sent.messages += 1;
        sent.message_bytes += size as u64;
    }
    writer.finish();
    let mut inbox = Inbox::default();
    inbox.begin(tag_size);
    // SAFETY: the stream begins there.
    let messages = unsafe { StreamReader::begin(std::ptr::null_mut(), chunks.offset(first)) };
    inbox
        .add(3, &Arrived { requests: StreamReader::nothing(std::ptr::null_mut()), messages, sent });
    for (nth, &size) in sizes.iter().enumerate() {
        let message = inbox.first().unwrap();
        assert_eq!((message.size, message.tag_size, message.source), (size, tag_size, 3));
        let align = if (1..=8).contains(&size) && tag_size <= 8 { 8 } else { 16 };
        let places = [message.payload as usize, message.tag as usize];
        let tagged = 1 + usize::from(tag_size > 0);
        assert!(places[..tagged].iter().all(|place| place.is_multiple_of(align)));
        // SAFETY: they have this many bytes.
        let (payload, tag) = unsafe {
            (
                std::slice::from_raw_parts(message.payload, size),
                std::slice::from_raw_parts(message.tag, tag_size),
            )
        };
        assert!(payload.iter().all(|&byte| byte == nth as u8), "{nth}");
        assert!(tag.iter().all(|&byte| byte == !nth as u8), "{nth}");
        inbox.drop_first();
    }
    assert!(inbox.first().is_none() && inbox.messages == 0 && inbox.bytes == 0);
    bytes
}

#[test]
fn short_messages_of_one_size_are_as_long_as_they_are() {
    assert_eq!(there_and_back(1 << 9, 0, &[8; 60]), 8 + 480);
    assert_eq!(there_and_back(1 << 9, 4, &[4; 30]), 8 + 30 * 16);
    assert_eq!(there_and_back(1 << 9, 0, &[16; 30]), 8 + 480);
    assert_eq!(there_and_back(1 << 9, 0, &[0; 100]), 8);
}

#[test]
fn more_messages_than_a_word_can_count() {
    let (mut chunks, mut run) = (Chunks::default(), StreamRun::default());
    let mut writer = StreamWriter::default();
    writer.restart(chunks.chunk(4096).unwrap());
    run.begin(&mut writer, Layout::new(0, 0), &mut chunks).unwrap();
    let last = (1 << (64 - NUMBER)) - 1;
    for nth in 1..last {
        assert!(run.extend(&mut writer, 0).is_some(), "{nth}");
    }
    assert!(run.extend(&mut writer, 0).is_none());
    // SAFETY: the run still exists.
    assert_eq!(unsafe { *run.word }, last << NUMBER);
}

proptest! {
    #[test]
    fn all_arrive_as_they_were_sent(
        room in 64usize..2000,
        tag_size in prop_oneof![Just(0), Just(4), Just(8), 0usize..40],
        sizes in prop::collection::vec((prop_oneof![Just(0), Just(8), 0usize..100], 1usize..5), 0..60),
    ) {
        let sizes: Vec<usize> =
            sizes.into_iter().flat_map(|(size, times)| vec![size; times]).collect();
        there_and_back(room, tag_size, &sizes);
    }
}
