//! A process in its machines: the machine of all processes, and the parts of it that it is in.

use std::io;
use std::rc::Rc;

use crate::Call;
use crate::FastMap as HashMap;
use cll_trace::layout::UNKNOWN_MACHINE;
use cll_units::Seconds;

use super::nesting::{Level, MessageKind};
use super::part::{MachineObject, Membership, Position};
use super::write::LogWriter;

/// A process of the run.
pub(super) struct Processor {
    pub(super) rank: u32,
    /// The machine of all processes, and the parts within it, the innermost last.
    levels: Vec<Level>,
    /// Numbers of machines that it has used.
    machines: u16,
    /// Whether it has reached a call that involves processes outside of the innermost part.
    pub(super) is_leaving: bool,
    /// Seconds in calls since the last call that communicates. They count in the next superstep.
    trailing_s: f64,
    /// Messages whose send request is not complete yet.
    under_way: HashMap<u64, MessageKind>,
    /// Whether the process receives something after its current sends, if that was looked up.
    pub(super) receives_next: Option<bool>,
    /// When and where it has called `MPI_Finalize`, if it has.
    pub(super) finalized: Option<(f64, Option<u32>)>,
}

impl Processor {
    pub(super) fn new(rank: u32, root: &Rc<MachineObject>) -> Processor {
        Processor {
            rank,
            levels: vec![Level::new(Rc::clone(root), rank, 0, 0.0)],
            machines: 1,
            is_leaving: false,
            trailing_s: 0.0,
            under_way: HashMap::default(),
            receives_next: None,
            finalized: None,
        }
    }

    /// MPI has begun: its first superstep does.
    pub(super) fn begin(&mut self, at_s: f64) {
        self.top().begin(at_s);
    }

    /// The innermost machine.
    pub(super) fn top(&mut self) -> &mut Level {
        let innermost = self.levels.len() - 1;
        &mut self.levels[innermost]
    }

    /// The superstep of the innermost machine.
    pub(super) fn position(&self) -> Position {
        self.levels[self.levels.len() - 1].position()
    }

    pub(super) fn part(&self) -> &Rc<MachineObject> {
        &self.levels[self.levels.len() - 1].part
    }

    /// How many parts it is in.
    pub(super) fn depth(&self) -> usize {
        self.levels.len() - 1
    }

    /// The number of parts that it is in together with these processes.
    pub(super) fn depth_with(&self, among: Membership) -> usize {
        let separate = |level: &Level| !among.are_in(&level.part.range);
        self.levels.iter().position(separate).map_or(self.depth(), |index| index.saturating_sub(1))
    }

    /// The innermost superstep that contains a position and that the process is still in, and the depth of its part.
    pub(super) fn still_in(&self, position: &Position) -> (usize, Position) {
        let mut position = position.clone();
        loop {
            let is = |level: &Level| Rc::ptr_eq(&level.part, &position.part);
            if let Some(depth) = self.levels.iter().position(is) {
                return (depth, position);
            }
            position = position.around();
        }
    }

    /// The current superstep of the processor in the machine at a depth.
    pub(super) fn superstep_at(&self, depth: usize) -> u64 {
        self.levels[depth].superstep
    }

    /// Whether there is a number for one more machine.
    pub(super) fn has_room(&self) -> bool {
        self.machines < UNKNOWN_MACHINE
    }

    /// In which superstep a part of these processes can begin: parts within one do not overlap.
    pub(super) fn may_begin_part(&self, among: Membership) -> u64 {
        let innermost = &self.levels[self.levels.len() - 1];
        let overlaps = innermost.parted.as_ref().is_some_and(|parted| *parted != among.range());
        innermost.superstep + u64::from(overlaps)
    }

    /// It comes into a part.
    pub(super) fn enter(
        &mut self,
        part: &Rc<MachineObject>,
        point: Option<u32>,
        log: &mut LogWriter<'_>,
    ) -> io::Result<()> {
        let Some((parent, within)) = &part.parent else { return Ok(()) };
        self.top().go_to(*within, point, log)?;
        let number = self.machines;
        self.machines += 1;
        log.machine(self.rank, number, part, parent.number, *within)?;
        let from_s = self.top().last_s;
        self.levels.push(Level::new(Rc::clone(part), self.rank, number, from_s));
        Ok(())
    }

    /// Ends the innermost part, with a superstep that on all its processes comes after superstep `last`.
    pub(super) fn leave(&mut self, last: u64, log: &mut LogWriter<'_>) -> io::Result<()> {
        let Some(mut part) = self.levels.pop() else { return Ok(()) };
        part.end(last, part.point, log)?;
        self.is_leaving = false;
        let around = self.top();
        (around.last_s, around.point) = (part.last_s.max(around.last_s), part.point);
        around.parted = Some(part.part.range.clone());
        Ok(())
    }

    /// A message is sent, by a request or complete.
    pub(super) fn sends(&mut self, run: MessageKind, request: Option<u64>, bytes: u64) {
        self.top().sends(run, request.is_none(), bytes);
        if let Some(request) = request {
            self.under_way.insert(request, run);
        }
    }

    /// A request to send is complete.
    pub(super) fn has_completed(&mut self, request: u64) {
        if let Some(run) = self.under_way.remove(&request) {
            self.levels.iter_mut().for_each(|level| level.has_completed(&run));
        }
    }

    /// Records that it receives something of a superstep of the innermost machine. Returns how many supersteps later
    /// this is.
    pub(super) fn receives(
        &mut self,
        sent_in: u64,
        point: Option<u32>,
        log: &mut LogWriter<'_>,
    ) -> io::Result<u64> {
        self.receives_next = None;
        self.top().receives(sent_in, point, log)
    }

    /// It receives something in the superstep that it is in.
    pub(super) fn receives_late(&mut self) {
        self.receives_next = None;
        self.top().receives_late();
    }

    /// Records that a call has returned; `counts`: it communicates with other processes.
    pub(super) fn returned(&mut self, call: &Call, waited_s: f64, counts: bool) {
        let took = call.time().map_or(0.0, Seconds::get).max(0.0);
        if !counts {
            self.trailing_s += took;
            return;
        }
        let mpi_s = std::mem::take(&mut self.trailing_s) + took;
        let until_s = call.end.unwrap_or(call.start).get();
        self.top().returned(mpi_s, waited_s, until_s, call.point);
    }

    /// The last superstep of the machine of all in which anything happened on the processor.
    pub(super) fn last(&self) -> u64 {
        self.levels[0].last()
    }

    /// Called if its log ends before `MPI_Finalize`: the supersteps of parts, and the last one, end there.
    pub(super) fn cut(&mut self, log: &mut LogWriter<'_>) -> io::Result<()> {
        while self.depth() > 0 {
            self.top().cut(log)?;
            let last_s = self.levels.pop().map_or(0.0, |part| part.last_s);
            let around = self.top();
            around.last_s = around.last_s.max(last_s);
        }
        self.top().cut(log)
    }

    /// Ends its log: with all others, whose last superstep is `last`, if it has ended MPI.
    pub(super) fn end(&mut self, last: u64, log: &mut LogWriter<'_>) -> io::Result<()> {
        let Some((at_s, point)) = self.finalized else { return self.cut(log) };
        let trailing_s = self.trailing_s;
        let top = self.top();
        top.go_to(last + 1, point, log)?;
        top.add_remaining(trailing_s, at_s);
        top.end(last, point, log)
    }
}
