//! Writes records of calls.

use super::{
    CallRecord, Class, DONE, DONE_CANCELLED, DONE_GOT, Got, OFF_CORE, RETURNED, RETURNED_ERROR,
    RETURNED_GOT, RETURNED_NEW, STARTED, UNSUCCESSFUL,
};
use crate::layout::varint::{unsigned, zigzag};

/// Writes records as the wrapper does, for tests and tools.
#[derive(Clone, Debug)]
pub struct CallWriter {
    bytes: Vec<u8>,
    time: u64,
    start: u64,
    request: u64,
}

impl CallWriter {
    /// For a block opened at this time.
    pub fn new(ticks_open: u64) -> CallWriter {
        CallWriter { bytes: Vec::new(), time: ticks_open, start: ticks_open, request: 0 }
    }

    /// Adds a record.
    pub fn push(&mut self, record: &CallRecord) {
        match *record {
            CallRecord::Begun(begun) => {
                self.bytes.push(begun.op.number());
                self.unsigned(begun.point.map_or(0, |point| u64::from(point) + 1));
                let signed = |class: Class, at: usize| match class {
                    Class::Send | Class::Receive | Class::Probe => at == 1 || at == 2,
                    Class::Exchange => [1, 2, 4, 5].contains(&at),
                    Class::Access | Class::Epoch => at == 1,
                    _ => false,
                };
                let class = begun.op.class();
                let count = match class {
                    Class::Life => 0,
                    Class::Send | Class::Receive | Class::Collective | Class::Access => 4,
                    Class::Exchange => 7,
                    Class::Probe | Class::File => 3,
                    Class::Wait | Class::Request | Class::Create => 1,
                    Class::Epoch => 2,
                };
                for (index, &field) in begun.fields[..count].iter().enumerate() {
                    self.unsigned(if signed(class, index) { zigzag(field) } else { field as u64 });
                }
                if let Some(request) = begun.request {
                    self.request(request);
                }
                self.unsigned(zigzag(begun.start.wrapping_sub(self.time) as i64));
                (self.time, self.start) = (begun.start, begun.start);
            }
            CallRecord::Returned { end, got, new, error } => {
                self.bytes.push(match (got, new, error) {
                    (Some(_), _, _) => RETURNED_GOT,
                    (_, Some(_), _) => RETURNED_NEW,
                    (_, _, 0) => RETURNED,
                    _ => RETURNED_ERROR,
                });
                self.unsigned(end.wrapping_sub(self.start));
                self.time = end;
                if let Some(got) = got {
                    self.got(got);
                } else if let Some(new) = new {
                    self.unsigned(new.into());
                } else if error != 0 {
                    self.unsigned(error.into());
                }
            }
            CallRecord::Done { request, got, cancelled } => {
                self.bytes.push(match (got, cancelled) {
                    (Some(_), _) => DONE_GOT,
                    (None, true) => DONE_CANCELLED,
                    (None, false) => DONE,
                });
                self.request(request);
                if let Some(got) = got {
                    self.got(got);
                }
            }
            CallRecord::Started { request } => {
                self.bytes.push(STARTED);
                self.request(request);
            }
            CallRecord::Unsuccessful { count, end, inside } => {
                self.bytes.push(UNSUCCESSFUL);
                self.bytes.extend(count.to_le_bytes());
                self.bytes.extend(end.wrapping_sub(self.start).to_le_bytes());
                self.bytes.extend(inside.to_le_bytes());
            }
            CallRecord::OffCore { ns, ready_ns } => {
                self.bytes.push(OFF_CORE);
                self.unsigned(ns);
                self.unsigned(ready_ns.map_or(0, |ready| ready.saturating_add(1)));
            }
        }
    }

    /// The payload.
    pub fn finish(self) -> Vec<u8> {
        self.bytes
    }

    fn unsigned(&mut self, value: u64) {
        unsigned(&mut self.bytes, value);
    }

    fn request(&mut self, request: u64) {
        self.unsigned(zigzag(request.wrapping_sub(self.request) as i64));
        self.request = request;
    }

    fn got(&mut self, got: Got) {
        self.unsigned(zigzag(got.source));
        self.unsigned(zigzag(got.tag));
        self.unsigned(got.bytes);
    }
}

#[cfg(test)]
mod tests {
    use super::super::UNSUCCESSFUL_SPAN;
    use super::super::{ANY, Begun, CallRecords, NOBODY, Op};
    use super::*;

    #[test]
    fn records_come_back() {
        let begun = |name: &str, fields: &[i64], request, start| {
            let mut all = [0; 7];
            all[..fields.len()].copy_from_slice(fields);
            let op = Op::named(name).unwrap();
            CallRecord::Begun(Begun { op, point: Some(3), fields: all, request, start })
        };
        let got = Some(Got { source: 5, tag: 77, bytes: 1 << 33 });
        let records = [
            begun("Isend", &[0, 3, 99, 4096], Some(7), 1010),
            CallRecord::Returned { end: 1020, got: None, new: None, error: 0 },
            begun("Recv", &[1, ANY, ANY, 1 << 40], None, 1000),
            CallRecord::Returned { end: 900_000, got, new: None, error: 0 },
            begun("Sendrecv", &[0, 1, 2, 3, NOBODY, 5, 6], None, 900_001),
            CallRecord::Returned { end: 900_002, got: None, new: None, error: 15 },
            begun("Waitall", &[2], Some(7), 900_010),
            CallRecord::OffCore { ns: 40_000, ready_ns: Some(0) },
            CallRecord::Unsuccessful { count: 12, end: 900_020, inside: 7 },
            CallRecord::Done { request: 7, got: None, cancelled: false },
            CallRecord::Done { request: 3, got, cancelled: false },
            CallRecord::Done { request: 4, got: None, cancelled: true },
            CallRecord::Started { request: 4 },
            begun("Comm_split", &[0], None, 900_030),
            CallRecord::Returned { end: 900_040, got: None, new: Some(1), error: 0 },
            begun("Waitall", &[0], None, 900_050),
            CallRecord::OffCore { ns: 1 << 40, ready_ns: None },
        ];
        let mut writer = CallWriter::new(1000);
        records.iter().for_each(|record| writer.push(record));
        let bytes = writer.finish();
        let mut reader = CallRecords::new(&bytes, 1000);
        assert_eq!(reader.by_ref().collect::<Vec<_>>(), records);
        assert!(!reader.is_broken());
        // Cut anywhere, the records before are read and the rest is reported.
        for length in 0..bytes.len() {
            let mut reader = CallRecords::new(&bytes[..length], 1000);
            let read: Vec<_> = reader.by_ref().collect();
            assert_eq!(read[..], records[..read.len()]);
        }
        assert!(CallRecords::new(&[15], 0).next().is_none());
    }

    #[test]
    fn looks_of_earlier_versions_are_read() {
        let mut writer = CallWriter::new(1000);
        let op = Op::named("Test").unwrap();
        let begun = |start| {
            let (point, request) = (None, None);
            CallRecord::Begun(Begun { op, point, fields: [0; 7], request, start })
        };
        writer.push(&begun(1010));
        let mut bytes = writer.finish();
        bytes.push(UNSUCCESSFUL_SPAN);
        bytes.extend(3u32.to_le_bytes());
        bytes.extend(90u64.to_le_bytes());
        // Times after it are relative to the return of the last poll.
        let mut writer = CallWriter::new(1100);
        writer.push(&begun(1105));
        bytes.extend(writer.finish());
        let looked = CallRecord::Unsuccessful { count: 3, end: 1100, inside: 90 };
        let read: Vec<CallRecord> = CallRecords::new(&bytes, 1000).collect();
        assert_eq!(read, [begun(1010), looked, begun(1105)]);
    }
}
