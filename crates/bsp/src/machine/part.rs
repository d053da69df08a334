//! Parts of a machine, which proceed independently.

use std::panic::Location;

use bytemuck::Pod;

use super::Bsp;
use super::wrong::Wrong;
use crate::Misuse;
use crate::objects::{Delivered, Handle, Objects};
use crate::place::Place;

/// A part of a machine, as one of its processors sees it. It is a machine with its own numbers, messages and
/// supersteps; see [`Bsp::partition`].
///
/// A superstep of a part ends in one of two ways, the same on all its processors: by a barrier
/// ([`Part::sync`]), or without one, when as many messages have arrived as are expected ([`Part::oblsync`]).
/// Messages can be read until the next superstep has ended.
pub struct Part<'m> {
    bsp: &'m Bsp,
    handle: Handle,
}

/// A message that has arrived in a part; see [`Part::messages`].
#[derive(Clone, Copy, Debug)]
pub struct PartMessage<'p> {
    message: Delivered,
    bsp: &'p Bsp,
}

impl Bsp {
    /// Divides the machine into parts: processors below bounds\[0\] are part 0, those from bounds\[i-1\] to
    /// below bounds\[i\] part i, each numbered from 0 in the same order. A part may be empty; the last bound is
    /// the number of processors. Runs a program in this processor's part and returns its result.
    ///
    /// All processors call it with the same bounds. Nothing is communicated: they enter and leave it at
    /// different times, and for the machine all of it is computation of one superstep.
    ///
    /// ```
    /// use cll_bsp::Machine;
    ///
    /// let sizes = Machine::threads(5).run(|bsp| {
    ///     let own = bsp.partition(&[2, 5], |part| {
    ///         // In the first part once around the ring, in the second twice.
    ///         for round in 0..part.nprocs() - 1 {
    ///             part.send((part.pid() + 1) % part.nprocs(), &[round]);
    ///             part.oblsync(1);
    ///             assert_eq!(part.messages().next().unwrap().payload::<usize>(), [round]);
    ///         }
    ///         part.nprocs()
    ///     });
    ///     bsp.gather(0, &[own]).map(|all| all.concat())
    /// });
    /// assert_eq!(sizes.unwrap().unwrap(), [2, 2, 3, 3, 3]);
    /// ```
    #[track_caller]
    pub fn partition<R>(
        &mut self,
        bounds: &[usize],
        program: impl FnOnce(&mut Part<'_>) -> R,
    ) -> R {
        self.go_on();
        let place = Location::caller();
        if self.objects.get_mut().is_none() {
            let channels = self.processor.get_mut().channels();
            let result = channels.ok_or(Wrong::Misuse(Misuse::NoObjects));
            let objects = Objects::new(self.checked("Bsp::partition", place, result));
            *self.objects.get_mut() = Some(objects);
        }
        let root = self.with(|objects| objects.root());
        run(self, root, bounds, "Bsp::partition", place, program)
    }

    /// Gives access to the objects, which exist as long as there are parts.
    fn with<R>(&self, using: impl FnOnce(&mut Objects) -> R) -> R {
        let mut objects = self.objects.borrow_mut();
        match &mut *objects {
            Some(objects) => using(objects),
            None => unreachable!("parts are made of them"),
        }
    }
}

/// Creates a part and runs a program in it.
fn run<R>(
    bsp: &Bsp,
    machine: Handle,
    bounds: &[usize],
    function: &str,
    place: &'static Location<'static>,
    program: impl FnOnce(&mut Part<'_>) -> R,
) -> R {
    let created = bsp.with(|objects| objects.partition(machine, bounds.iter().copied()));
    let handle = bsp.checked(function, place, created.map_err(Wrong::from));
    let result = program(&mut Part { bsp, handle });
    let done = bsp.with(|objects| objects.done(handle, Place::from(place)));
    bsp.checked("the part's end", place, done.map_err(Wrong::from));
    result
}

impl Part<'_> {
    /// This processor's number in the part, from 0.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let pid = Machine::threads(3).run(|bsp| bsp.partition(&[3], |part| part.pid()));
    /// assert_eq!(pid.unwrap(), 0);
    /// ```
    pub fn pid(&self) -> usize {
        self.handle.pid()
    }

    /// The number of processors of the part.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let nprocs = Machine::threads(3).run(|bsp| bsp.partition(&[1, 3], |part| part.nprocs()));
    /// assert_eq!(nprocs.unwrap(), 1);
    /// ```
    pub fn nprocs(&self) -> usize {
        self.handle.nprocs()
    }

    /// Sends a message to a processor of the part, which can read it in the next superstep. An empty message is
    /// also a message.
    ///
    /// It costs g for each byte.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let failure = Machine::threads(2).run(|bsp| {
    ///     bsp.partition(&[1, 2], |part| part.send(1, &[1u8]));
    /// });
    /// let text = failure.unwrap_err().to_string();
    /// assert!(text.contains("there is no processor 1; the machine has 1"), "{text}");
    /// ```
    #[track_caller]
    pub fn send<T: Pod>(&mut self, to: usize, payload: &[T]) {
        self.bsp.go_on();
        let bytes: &[u8] = bytemuck::cast_slice(payload);
        // SAFETY: the bytes exist.
        let sent = self
            .bsp
            .with(|objects| unsafe { objects.send(self.handle, to, bytes.as_ptr(), bytes.len()) });
        self.bsp.checked("Part::send", Location::caller(), sent.map_err(Wrong::from));
    }

    /// Ends the part's superstep, together with its other processors.
    ///
    /// It costs h·g + l, with l of the part.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let all = Machine::threads(3).run(|bsp| {
    ///     bsp.partition(&[3], |part| {
    ///         part.send(0, &[part.pid() as u32]);
    ///         part.sync();
    ///         part.messages().map(|message| message.payload::<u32>()[0]).collect::<Vec<_>>()
    ///     })
    /// });
    /// assert_eq!(all.unwrap(), [0, 1, 2]);
    /// ```
    #[track_caller]
    pub fn sync(&mut self) {
        self.bsp.go_on();
        let place = Location::caller();
        let done = self.bsp.with(|objects| objects.sync(self.handle, Place::from(place)));
        self.bsp.checked("Part::sync", place, done.map_err(Wrong::from));
    }

    /// Ends the part's superstep when `messages` messages of it have arrived at this processor; waits for
    /// nothing else. More messages than that stop the machine. So does a wait of all processors that lasts ten
    /// seconds.
    ///
    /// It costs h·g and the wait for the senders.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let failure = Machine::threads(2).run(|bsp| {
    ///     bsp.partition(&[2], |part| {
    ///         part.send(part.pid(), b"one");
    ///         part.send(part.pid(), b"two");
    ///         part.oblsync(1);
    ///     });
    /// });
    /// let text = failure.unwrap_err().to_string();
    /// assert!(text.contains("1 message was announced"), "{text}");
    /// ```
    #[track_caller]
    pub fn oblsync(&mut self, messages: usize) {
        self.bsp.go_on();
        let place = Location::caller();
        let from = Place::from(place);
        let done = self.bsp.with(|objects| objects.oblsync(self.handle, messages, from));
        self.bsp.checked("Part::oblsync", place, done.map_err(Wrong::from));
    }

    /// The messages of the previous superstep: by sender, then in the order in which they were sent.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let text = Machine::threads(2).run(|bsp| {
    ///     bsp.partition(&[2], |part| {
    ///         part.send(0, if part.pid() == 0 { b"ob" } else { b"li" });
    ///         part.oblsync(if part.pid() == 0 { 2 } else { 0 });
    ///         part.messages().flat_map(|message| message.bytes().to_vec()).collect::<Vec<_>>()
    ///     })
    /// });
    /// assert_eq!(text.unwrap(), b"obli");
    /// ```
    pub fn messages(&self) -> impl ExactSizeIterator<Item = PartMessage<'_>> {
        self.bsp.go_on();
        let bsp = self.bsp;
        let messages = bsp.with(|objects| objects.messages(self.handle).map(<[_]>::to_vec));
        let messages = messages.unwrap_or_default();
        messages.into_iter().map(move |message| PartMessage { message, bsp })
    }

    /// Divides the part, as [`Bsp::partition`] does.
    ///
    /// ```
    /// # use cll_bsp::{Machine, Part};
    /// fn depth(part: &mut Part<'_>) -> usize {
    ///     match part.nprocs() {
    ///         1 => 0,
    ///         p => 1 + part.partition(&[p / 2, p], |half| depth(half)),
    ///     }
    /// }
    ///
    /// let depth = Machine::threads(8).run(|bsp| bsp.partition(&[8], |part| depth(part)));
    /// assert_eq!(depth.unwrap(), 3);
    /// ```
    #[track_caller]
    pub fn partition<R>(
        &mut self,
        bounds: &[usize],
        program: impl FnOnce(&mut Part<'_>) -> R,
    ) -> R {
        self.bsp.go_on();
        run(self.bsp, self.handle, bounds, "Part::partition", Location::caller(), program)
    }
}

impl<'p> PartMessage<'p> {
    /// The sender: a number in the part.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let source = Machine::threads(3).run(|bsp| {
    ///     bsp.partition(&[3], |part| {
    ///         part.send(2 - part.pid(), &[0u8]);
    ///         part.oblsync(1);
    ///         part.messages().next().unwrap().source()
    ///     })
    /// });
    /// assert_eq!(source.unwrap(), 2);
    /// ```
    pub fn source(&self) -> usize {
        self.message.source()
    }

    /// The bytes that were sent.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let bytes = Machine::threads(1).run(|bsp| {
    ///     bsp.partition(&[1], |part| {
    ///         part.send(0, &[7u8, 8]);
    ///         part.oblsync(1);
    ///         part.messages().next().unwrap().bytes().to_vec()
    ///     })
    /// });
    /// assert_eq!(bytes.unwrap(), [7, 8]);
    /// ```
    pub fn bytes(&self) -> &'p [u8] {
        // SAFETY: the message stays until the part's next synchronisation or its end, both of which need the
        // part exclusively.
        unsafe { std::slice::from_raw_parts(self.message.data(), self.message.size()) }
    }

    /// Returns the data that was sent, as elements of a type. The type need not be the sender's, but the number of
    /// bytes must fit.
    ///
    /// ```
    /// # use cll_bsp::Machine;
    /// let sum = Machine::threads(4).run(|bsp| {
    ///     bsp.partition(&[4], |part| {
    ///         part.send(0, &[0.5, part.pid() as f64]);
    ///         part.sync();
    ///         part.messages().map(|m| m.payload::<f64>().iter().sum::<f64>()).sum::<f64>()
    ///     })
    /// });
    /// assert_eq!(sum.unwrap(), 8.0);
    /// ```
    #[track_caller]
    pub fn payload<T: Pod>(&self) -> &'p [T] {
        bytemuck::try_cast_slice(self.bytes()).unwrap_or_else(|_| {
            let (size, sender) = (self.message.size(), self.source());
            let wrong = Wrong::Payload { size, sender, element: size_of::<T>() };
            self.bsp.refuse("PartMessage::payload", Location::caller(), &wrong)
        })
    }
}

impl std::fmt::Debug for Part<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "processor {} of {} of a part", self.pid(), self.nprocs())
    }
}
