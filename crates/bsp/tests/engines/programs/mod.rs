//! Programs with the same results on every engine. Each gets a function that makes a machine.

mod collectives;
mod failures;
#[expect(dead_code, reason = "its main")]
#[path = "../../../examples/heat.rs"]
mod heat;
mod parts;
#[expect(dead_code, reason = "its main")]
#[path = "../../../examples/sample_sort.rs"]
mod sample_sort;

pub use collectives::*;
pub use failures::*;
pub use parts::*;

use cll_bsp::Machine;

/// Makes a machine with this number of processors.
pub type Make = fn(usize) -> Machine;

/// Calls a macro with the names of all programs.
macro_rules! for_each {
    ($call:ident) => {
        $call! {
            data_of_puts_and_gets_arrive
            large_areas_with_ends_off_pages
            areas_come_and_go
            two_types_of_tags
            collectives_agree_with_loops
            large_collectives_agree_with_loops
            puts_and_gets_before_a_collective_take_effect_in_it
            misuse_is_named
            areas_of_other_machines_are_refused
            a_processor_that_panics_is_named
            calls_after_a_failure_have_no_effect
            a_machine_works_again_after_a_failure
            the_examples_check_their_results
            a_result_that_cannot_be_dropped_is_a_failure
            parts_within_parts_beside_areas
            misuse_in_parts_is_named
        }
    };
}
pub(crate) use for_each;

const SIZES: [usize; 4] = [1, 2, 3, 5];

pub fn data_of_puts_and_gets_arrive(machine: Make) {
    for p in SIZES {
        let all = machine(p).run(|bsp| {
            let me = bsp.pid();
            let mut area = bsp.area::<[u16; 3]>(2 * p);
            assert_eq!(bsp.local(&area), vec![[0; 3]; 2 * p]);
            bsp.local_mut(&mut area)[p..].fill([me as u16; 3]);
            bsp.sync();
            // All put into all, and read the previous values.
            let gets: Vec<_> = (0..p).map(|from| bsp.get(from, &area, p..p + 1)).collect();
            for to in 0..p {
                bsp.put(to, &[[100 + me as u16; 3]], &area, me);
                bsp.put(to, &[[200 + me as u16; 3]], &area, p);
            }
            bsp.sync();
            for (from, get) in gets.into_iter().enumerate() {
                assert_eq!(get.into_values(), [[from as u16; 3]]);
            }
            bsp.local(&area).to_vec()
        });
        let mut expected: Vec<[u16; 3]> = (0..p).map(|from| [100 + from as u16; 3]).collect();
        // The last processor's put is written last; the rest is unchanged.
        expected.push([200 + p as u16 - 1; 3]);
        expected.resize(2 * p, [0; 3]);
        assert_eq!(all.unwrap(), expected, "p = {p}");
    }
}

pub fn large_areas_with_ends_off_pages(machine: Make) {
    for p in SIZES {
        machine(p)
            .run(|bsp| {
                let me = bsp.pid();
                // Lengths differ, and so do the beginnings of the data.
                let length = 30_000 + 1000 * me;
                let mut area = bsp.area::<u32>(length);
                bsp.local_mut(&mut area).iter_mut().zip(0..).for_each(|(x, i)| *x = i);
                let mine = bsp.area::<u32>(20_001);
                bsp.sync();
                let next = (me + 1) % p;
                let elements = vec![u32::MAX - me as u32; 20_001];
                bsp.put(next, &elements, &area, 3333);
                bsp.get_into(next, &area, 777..20_778, &mine, 0);
                bsp.sync();
                let before = (me + p - 1) % p;
                for (i, &x) in (0u32..).zip(bsp.local(&area)) {
                    let is_put = (3333..3333 + 20_001).contains(&i);
                    assert_eq!(x, if is_put { u32::MAX - before as u32 } else { i });
                }
                assert!(bsp.local(&mine).iter().zip(777..).all(|(x, i)| *x == i));
            })
            .unwrap();
    }
}

pub fn areas_come_and_go(machine: Make) {
    machine(3)
        .run(|bsp| {
            let lasting = bsp.area::<usize>(5000);
            for round in 1..50 {
                let area = bsp.area::<usize>(100 * round);
                bsp.sync();
                let next = (bsp.pid() + 1) % 3;
                bsp.put(next, &[round; 10], &area, 10 * round);
                bsp.put(next, &[round], &lasting, round);
                bsp.release(area);
                bsp.sync();
            }
            let area = bsp.area::<usize>(100_000);
            assert!(bsp.local(&area).iter().all(|x| *x == 0), "memory that comes back is zero");
            let sum = 49 * 50 / 2;
            assert_eq!(bsp.local(&lasting).iter().sum::<usize>(), sum);
        })
        .unwrap();
}

pub fn two_types_of_tags(machine: Make) {
    machine(3)
        .run(|bsp| {
            let (me, next) = (bsp.pid(), (bsp.pid() + 1) % 3);
            let before = (me + 2) % 3;
            bsp.set_tag::<[u8; 3]>();
            bsp.send(next, &[1u64, 2]);
            bsp.sync();
            let untagged: Vec<_> = bsp.messages().collect();
            assert_eq!(untagged.len(), 1);
            untagged[0].tag::<()>();
            assert_eq!(untagged[0].payload::<u64>(), [1, 2]);
            assert_eq!(untagged[0].source(), before);
            bsp.set_tag::<f64>();
            for i in 0..3u8 {
                bsp.send_tagged::<_, u8>(next, &[me as u8, i, 7], &vec![i; usize::from(i) * 1000]);
            }
            bsp.sync();
            for (i, message) in (0..).zip(bsp.messages()) {
                assert_eq!(message.tag::<[u8; 3]>(), [before as u8, i, 7]);
                assert_eq!(message.bytes(), vec![i; usize::from(i) * 1000]);
            }
            bsp.send_tagged::<f64, u8>(next, &0.5, &[]);
            bsp.sync();
            assert_eq!(bsp.messages().count(), 1);
            assert!(bsp.messages().all(|message| message.tag::<f64>() == 0.5));
            bsp.sync();
            assert_eq!(bsp.messages().count(), 0);
        })
        .unwrap();
}

pub fn the_examples_check_their_results(machine: Make) {
    for p in SIZES {
        // Also with fewer numbers and rows than processors.
        for n in [0, 1, 3, 20_000] {
            sample_sort::run(machine(p), n);
        }
        for n in [1, 3, 40] {
            heat::run(machine(p), n);
        }
    }
}
