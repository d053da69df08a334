//! Programs with the interface for programs in C, the same on every engine.

use cll_bsp::{Place, Processor};

/// A processor in the next superstep writes its hpputs immediately; a processor at the end of the previous
/// superstep must have written the puts of that one.
pub fn hpput_after_put(mut m: Processor) {
    const SIZE: usize = 8 << 20;
    let (me, mut area) = (m.pid(), vec![0u8; SIZE]);
    let (old, new) = (vec![1u8; SIZE], vec![2u8; 4096]);
    // SAFETY: the areas live until the end; the bytes are there.
    unsafe {
        m.push_reg(area.as_mut_ptr(), SIZE).unwrap();
        m.sync(Place::NOWHERE).unwrap();
        for _ in 0..20 {
            if me == 1 {
                m.put(0, old.as_ptr(), area.as_ptr(), 0, SIZE).unwrap();
            }
            m.sync(Place::NOWHERE).unwrap();
            let mut got = [0u8; 4096];
            if me == 1 {
                m.hpput(0, new.as_ptr(), area.as_ptr(), SIZE - 8192, 4096).unwrap();
                m.hpget(0, area.as_ptr(), SIZE - 16384, got.as_mut_ptr(), 4096).unwrap();
            }
            m.sync(Place::NOWHERE).unwrap();
            if me == 0 {
                assert!(area[SIZE - 8192..SIZE - 4096] == new, "what was hpput later");
                assert!(area[SIZE - 4096..] == old[..4096]);
                area.fill(0);
            } else {
                assert!(got == old[..4096], "what was hpgot later");
            }
        }
    }
    m.end(Place::NOWHERE).unwrap();
}

/// The same sizes several times, so that all ways of copying are tried: data of put, hpput and send has arrived
/// at the end of the superstep, with the values of that time.
pub fn large_copies(mut m: Processor) {
    const SIZE: usize = 5000;
    const PUT: usize = 3000;
    const WORDS: usize = 600;
    let (me, other) = (m.pid(), 1 - m.pid());
    let mut area = vec![0u8; 2 * SIZE];
    let mut words = vec![0usize; 2 * WORDS];
    let filled = |step: usize, by: usize| vec![(step * 5 + by * 3 + 1) as u8; SIZE];
    // SAFETY: the areas live until the end; the bytes are there.
    unsafe {
        m.push_reg(area.as_mut_ptr(), area.len()).unwrap();
        m.push_reg(words.as_mut_ptr().cast(), 16 * WORDS).unwrap();
        m.sync(Place::NOWHERE).unwrap();
        for step in 0..600 {
            let mut mine = filled(step, me);
            m.hpput(other, mine.as_ptr(), area.as_ptr(), SIZE, SIZE).unwrap();
            m.sync(Place::NOWHERE).unwrap();
            // Two that are one request, the second at an odd address.
            m.put(other, mine.as_ptr(), area.as_ptr(), 1, PUT).unwrap();
            m.put(other, mine.as_ptr(), area.as_ptr(), 1 + PUT, SIZE - PUT - 1).unwrap();
            m.send(other, std::ptr::null(), mine.as_ptr(), SIZE - 7).unwrap();
            // Every second word; each is a separate request.
            for i in 0..WORDS {
                let word = 1000 * step + i + me;
                let source = (&raw const word).cast();
                m.put(other, source, words.as_ptr().cast(), 16 * i, 8).unwrap();
            }
            mine.fill(0);
            m.sync(Place::NOWHERE).unwrap();
            let expected = filled(step, other);
            assert!(area[1..SIZE] == expected[1..] && area[0] == 0, "put in superstep {step}");
            assert!(area[SIZE..] == expected[..], "hpput in superstep {step}");
            let puts = words.chunks(2).enumerate();
            let all = puts.map(|(i, pair)| (pair[0], pair[1]) == (1000 * step + i + other, 0));
            assert!(all.fold(true, |all, one| all & one), "words in superstep {step}");
            let message = m.take().unwrap();
            let payload = std::slice::from_raw_parts(message.payload, message.size);
            assert!(payload == &expected[7..], "sent in superstep {step}");
            m.sync(Place::NOWHERE).unwrap();
        }
    }
    m.end(Place::NOWHERE).unwrap();
}

/// Puts that are large enough for direct delivery, together with everything else in a superstep: bytes are
/// written in the order of the contract.
pub fn deliveries(mut m: Processor) {
    const SIZE: usize = 70_001;
    let (me, other) = (m.pid(), 1 - m.pid());
    // It begins and ends within a page.
    let mut memory = vec![0u8; SIZE + 1];
    let begin = memory[1..].as_mut_ptr();
    let mut model = [vec![0u8; SIZE], vec![0u8; SIZE]];
    let filled = |step: usize, by: usize| vec![(step * 5 + by * 3 + 1) as u8; SIZE];
    // SAFETY: the area lives until the end; the bytes are there.
    unsafe {
        m.push_reg(begin, SIZE).unwrap();
        m.sync(Place::NOWHERE).unwrap();
        for step in 0..400 {
            let kind = step % 8;
            let gets = kind == 1;
            // For one processor: receiver, begin, size.
            let puts = |by: usize| match kind {
                2 if by == 1 => vec![],
                3 => vec![(1 - by, 0, 40_000), (1 - by, 20_000, SIZE - 20_000)],
                4 => vec![(1 - by, 0, 40_000), (by, 30_000, 20_000)],
                _ => vec![(1 - by, 0, 40_000)],
            };
            if gets {
                m.get(other, begin, 9000, begin.add(30_000), 20_000).unwrap();
            }
            for (nth, (to, from, size)) in puts(me).into_iter().enumerate() {
                m.put(to, filled(step + nth, me).as_ptr(), begin, from, size).unwrap();
            }
            if kind == 5 {
                m.send(other, std::ptr::null(), filled(step, me).as_ptr(), 3000).unwrap();
            }
            if kind == 6 {
                m.pop_reg(begin).unwrap();
            }
            m.sync(Place::NOWHERE).unwrap();

            if gets {
                let got = [1, 0].map(|processor: usize| model[processor][9000..29_000].to_vec());
                for (model, got) in model.iter_mut().zip(got) {
                    model[30_000..50_000].copy_from_slice(&got);
                }
            }
            for by in 0..2 {
                for (nth, (to, from, size)) in puts(by).into_iter().enumerate() {
                    let bytes = filled(step + nth, by);
                    model[to][from..from + size].copy_from_slice(&bytes[..size]);
                }
            }
            let area = std::slice::from_raw_parts(begin, SIZE);
            assert!(area == model[me], "processor {me}, superstep {step}");
            if kind == 5 {
                let message = m.take().unwrap();
                let payload = std::slice::from_raw_parts(message.payload, message.size);
                assert!(payload == &filled(step, other)[..3000], "sent in superstep {step}");
            }
            if kind == 6 {
                m.push_reg(begin, SIZE).unwrap();
            }
            m.sync(Place::NOWHERE).unwrap();
        }
    }
    m.end(Place::NOWHERE).unwrap();
}
