//! Detects that all processors wait and no message is in transit.
//!
//! Clocks of different hosts cannot be compared, and a processor that computes is no deadlock. So process 0
//! asks processors that have waited for long for the numbers of messages they have sent and received. If all
//! reply, sent and received are equal, and two rounds give the same numbers, nothing can change any more
//! (Mattern, *Algorithms for distributed termination detection*, Distributed Computing 2, 1987).

use std::fmt::Display;
use std::time::{Duration, Instant};

use super::requests::Endpoint;
use super::transport::Tag;
use crate::engine::stop::Stopped;

/// Time between two rounds.
const ROUND: Duration = Duration::from_millis(100);

/// The reply of a processor.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
struct CountReply {
    round: u64,
    sent: u64,
    received: u64,
    line: [u8; 488],
}

/// The state of one processor.
pub(super) struct Termination {
    rank: usize,
    ranks: usize,
    limit: Option<Duration>,
    sent: u64,
    received: u64,
    round: u64,
    begun: Option<Instant>,
    answers: Vec<Option<CountReply>>,
    /// The counts of the first round in which nothing was in transit.
    before: Option<Vec<(u64, u64)>>,
    /// Messages that MPI may still read, each with its request.
    in_transit: Vec<(u32, Box<CountReply>)>,
}

impl Termination {
    pub fn new(rank: usize, ranks: usize) -> Termination {
        Termination {
            rank,
            ranks,
            limit: Some(Duration::from_secs(10)),
            sent: 0,
            received: 0,
            round: 0,
            begun: None,
            answers: vec![None; ranks],
            before: None,
            in_transit: Vec::new(),
        }
    }

    pub fn set_limit(&mut self, limit: Option<Duration>) {
        self.limit = limit;
    }

    pub fn sent(&mut self) {
        self.sent += 1;
    }

    pub fn received(&mut self) {
        self.received += 1;
    }

    fn answer(&self, round: u64, wait_site: &dyn Display) -> CountReply {
        let (sent, received) = (self.sent, self.received);
        let mut answer = CountReply { round, sent, received, line: [0; 488] };
        let text = wait_site.to_string();
        let mut end = text.len().min(answer.line.len() - 1);
        while !text.is_char_boundary(end) {
            end -= 1;
        }
        answer.line[..end].copy_from_slice(&text.as_bytes()[..end]);
        answer
    }

    fn send(
        &mut self,
        endpoint: &Endpoint,
        to: usize,
        tag: Tag,
        answer: CountReply,
    ) -> Result<(), Stopped> {
        self.in_transit.retain(|(request, _)| !endpoint.is_request_done(*request));
        let answer = Box::new(answer);
        let begin: *const CountReply = &raw const *answer;
        // SAFETY: it is kept until it is sent.
        let request =
            unsafe { endpoint.send_alone(to, tag, begin.cast(), size_of::<CountReply>())? };
        self.in_transit.push((request, answer));
        Ok(())
    }

    fn next(&self, endpoint: &Endpoint, tag: Tag) -> Result<Option<(usize, CountReply)>, Stopped> {
        let Some(message) = endpoint.find(tag)? else { return Ok(None) };
        let mut answer = CountReply { round: 0, sent: 0, received: 0, line: [0; 488] };
        // SAFETY: messages with these tags are replies; it exists until the request is complete.
        let request = unsafe { endpoint.receive_found(&message, (&raw mut answer).cast())? };
        while !endpoint.is_request_done(request) {
            if endpoint.node.is_stopped() {
                return Err(Stopped);
            }
        }
        Ok(Some((message.from as usize, answer)))
    }

    /// Called from time to time by a processor that has waited for `waits`. Returns the deadlock if there is
    /// one: where each processor is.
    pub fn check(
        &mut self,
        endpoint: &Endpoint,
        wait_site: &dyn Display,
        waits: Duration,
    ) -> Result<Option<String>, Stopped> {
        if self.rank > 0 {
            while let Some((_, question)) = self.next(endpoint, Tag::Question)? {
                let answer = self.answer(question.round, wait_site);
                self.send(endpoint, 0, Tag::Answer, answer)?;
            }
            return Ok(None);
        }
        let Some(limit) = self.limit else { return Ok(None) };
        if waits < limit {
            return Ok(None);
        }
        while let Some((from, answer)) = self.next(endpoint, Tag::Answer)? {
            if answer.round == self.round {
                self.answers[from] = Some(answer);
            }
        }
        self.answers[0] = Some(self.answer(self.round, wait_site));
        if let Some(all) = self.answers.iter().copied().collect::<Option<Vec<CountReply>>>()
            && self.begun.is_some()
        {
            if let Some(lines) = self.is_over(&all) {
                return Ok(Some(lines));
            }
            self.begun = None;
        }
        // A round to which not all have replied is repeated only after a pause, in which they can proceed.
        if self.begun.is_none_or(|begun| begun.elapsed() >= 10 * ROUND) {
            self.round += 1;
            self.answers = vec![None; self.ranks];
            self.begun = Some(Instant::now());
            for to in 1..self.ranks {
                let question = self.answer(self.round, &"");
                self.send(endpoint, to, Tag::Question, question)?;
            }
        }
        Ok(None)
    }

    /// All have replied in a round.
    fn is_over(&mut self, all: &[CountReply]) -> Option<String> {
        let counts: Vec<(u64, u64)> =
            all.iter().map(|reply| (reply.sent, reply.received)).collect();
        let (sent, received) = counts
            .iter()
            .fold((0, 0), |(sent, received), count| (sent + count.0, received + count.1));
        if sent != received {
            self.before = None;
            return None;
        }
        if self.before.as_ref() != Some(&counts) {
            self.before = Some(counts);
            return None;
        }
        let line = |(pid, answer): (usize, &CountReply)| {
            let end = answer.line.iter().position(|&byte| byte == 0).unwrap_or(answer.line.len());
            format!("  processor {pid}: {}", String::from_utf8_lossy(&answer.line[..end]))
        };
        Some(all.iter().enumerate().map(line).collect::<Vec<_>>().join("\n"))
    }
}
