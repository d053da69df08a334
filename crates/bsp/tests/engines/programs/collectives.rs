//! Collectives compared with loops.

use super::{Make, SIZES};

/// A different value for each processor and index.
fn value(pid: usize, i: usize) -> u64 {
    (pid as u64 + 1) * 1_000_003 + (i as u64) * 7919
}

fn values(pid: usize, length: usize) -> Vec<u64> {
    (0..length).map(|i| value(pid, i)).collect()
}

/// Neither commutative nor with 0 as its neutral element.
fn combine(a: u64, b: u64) -> u64 {
    a.wrapping_mul(31).wrapping_add(b)
}

pub fn collectives_agree_with_loops(machine: Make) {
    for p in SIZES {
        machine(p)
            .run(|bsp| {
                let me = bsp.pid();
                let folded = (0..p).map(|pid| value(pid, 0)).reduce(combine).unwrap();
                assert_eq!(bsp.fold(value(me, 0), combine), folded);
                let scanned = (0..=me).map(|pid| value(pid, 0)).reduce(combine).unwrap();
                assert_eq!(bsp.scan(value(me, 0), combine), scanned);
                let all: Vec<Vec<u64>> = (0..p).map(|pid| values(pid, 3 * pid)).collect();
                assert_eq!(bsp.gather_all(&values(me, 3 * me)), all);
                for root in 0..p {
                    let gathered = bsp.gather(root, &values(me, 3 * me));
                    assert_eq!(gathered, (me == root).then(|| all.clone()));
                    let parts = if me == root { all.clone() } else { vec![] };
                    assert_eq!(bsp.scatter(root, &parts), all[me]);
                    assert_eq!(bsp.all(me == root), p == 1);
                    assert!(bsp.any(me == root));
                }
                assert!(bsp.all(true) && !bsp.any(false));
                let parts: Vec<Vec<u64>> = (0..p).map(|to| values(me * 10 + to, to)).collect();
                let got: Vec<Vec<u64>> = (0..p).map(|from| values(from * 10 + me, me)).collect();
                assert_eq!(bsp.exchange(&parts), got);
                bsp.fold((), |(), ()| ());
            })
            .unwrap();
    }
}

pub fn large_collectives_agree_with_loops(machine: Make) {
    for p in SIZES {
        // In one superstep and in two; with less than one element for each processor, and with none.
        for length in [0, 1, 511, 512, 513, 20_000] {
            machine(p)
                .run(|bsp| {
                    let me = bsp.pid();
                    for root in 0..p {
                        let mut elements = values(me, length);
                        bsp.broadcast(root, &mut elements);
                        assert_eq!(elements, values(root, length));
                    }
                    let mut elements = values(me, length);
                    bsp.fold_each(&mut elements, combine);
                    let folded = |i| (0..p).map(|pid| value(pid, i)).reduce(combine).unwrap();
                    assert_eq!(elements, (0..length).map(folded).collect::<Vec<_>>());
                    // Elements so large that some processors have none.
                    let mut two = [[me; 300]; 2];
                    bsp.fold_each(&mut two, |a, b| std::array::from_fn(|i| a[i] + b[i]));
                    assert_eq!(two, [[p * (p - 1) / 2; 300]; 2]);
                })
                .unwrap();
        }
    }
}

pub fn puts_and_gets_before_a_collective_take_effect_in_it(machine: Make) {
    for p in SIZES {
        machine(p)
            .run(|bsp| {
                let area = bsp.area::<u8>(p);
                bsp.set_tag::<u16>();
                // Areas are registered from the collective's end on, as from a synchronisation.
                bsp.fold(0, usize::max);
                let (me, next) = (bsp.pid(), (bsp.pid() + 1) % p);
                bsp.put(next, &[1], &area, me);
                let get = bsp.get(next, &area, 0..p);
                let mut large = vec![me; 10_000];
                bsp.broadcast(0, &mut large);
                assert_eq!(get.values(), vec![0; p], "read before anything is written");
                let before = (me + p - 1) % p;
                assert!(
                    bsp.local(&area).iter().enumerate().all(|(i, x)| (*x == 1) == (i == before))
                );
                assert_eq!(large, vec![0; 10_000]);
                assert_eq!(bsp.messages().filter(|m| m.source() == me).count(), 0);
            })
            .unwrap();
    }
}
