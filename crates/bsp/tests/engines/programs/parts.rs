//! Parts of machines.

use super::Make;

/// Each half of a machine, and of its halves, passes messages around, with puts of the machine and collectives
/// in between.
pub fn parts_within_parts_beside_areas(machine: Make) {
    fn around(part: &mut cll_bsp::Part<'_>, depth: usize) -> usize {
        let (me, p) = (part.pid(), part.nprocs());
        for round in 0..depth + 3 {
            part.send((me + 1) % p, &vec![round * p + me; 1 + 500 * round]);
            match round % 2 {
                0 => part.oblsync(1),
                _ => part.sync(),
            }
            let messages: Vec<_> = part.messages().collect();
            assert_eq!(messages.len(), 1);
            let left = (me + p - 1) % p;
            assert_eq!(messages[0].source(), left);
            assert!(messages[0].payload::<usize>().iter().all(|&value| value == round * p + left));
        }
        match p {
            1 => depth,
            _ => part.partition(&[p / 3, p / 2, p], |part| around(part, depth + 1)),
        }
    }
    for p in [1, 2, 3, 5, 8] {
        let count = machine(p).run(|bsp| {
            let me = bsp.pid();
            let area = bsp.area::<usize>(p);
            bsp.sync();
            for turn in 0..3 {
                (0..p).for_each(|to| bsp.put(to, &[10 * me + turn], &area, me));
                let depth = bsp.partition(&[p / 2, p], |part| around(part, 0));
                bsp.sync();
                let expected: Vec<usize> = (0..p).map(|from| 10 * from + turn).collect();
                assert_eq!(bsp.local(&area), expected, "{depth}");
            }
            bsp.fold(1u8, |a, b| a + b)
        });
        assert_eq!(usize::from(count.unwrap()), p);
    }
}

/// Errors in parts are reported with their place and processor.
pub fn misuse_in_parts_is_named(machine: Make) {
    let bounds = machine(3).run(|bsp| bsp.partition(&[1, 2], |_| ())).unwrap_err().to_string();
    assert!(bounds.contains("the last bound is 2, but the machine has 3 processors"), "{bounds}");
    assert!(bounds.contains("Bsp::partition at "), "{bounds}");
    let differ = machine(2).run(|bsp| {
        bsp.partition(&[2], |part| match part.pid() {
            0 => part.sync(),
            _ => part.oblsync(1),
        });
    });
    let differ = differ.unwrap_err().to_string();
    assert!(differ.contains("all must end it in the same way"), "{differ}");
    let excess = machine(2).run(|bsp| {
        bsp.partition(&[2], |part| {
            part.send(1 - part.pid(), &[1u8]);
            part.send(1 - part.pid(), &[2u8]);
            part.oblsync(1);
            part.sync();
        });
    });
    let excess = excess.unwrap_err().to_string();
    assert!(excess.contains("1 message was announced for superstep 1"), "{excess}");
}
