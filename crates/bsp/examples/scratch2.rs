use cll_bsp::{Place, processes};
fn main() {
    let kind: u32 = std::env::args().nth(1).unwrap().parse().unwrap();
    let mut m = processes::fork(1).unwrap().begin(1);
    let mut small = vec![0u64; 1000];
    unsafe {
        m.push_reg(small.as_mut_ptr().cast(), 8000).unwrap();
    }
    m.sync(Place::NOWHERE).unwrap();
    let src = vec![1u64; 1000];
    for _ in 0..1000 {
        for i in 0..1000 {
            unsafe {
                match kind {
                    0 => m
                        .put(0, src.as_ptr().add(i).cast(), small.as_ptr().cast(), 8 * i, 8)
                        .unwrap(),
                    1 => m.send(0, std::ptr::null(), src.as_ptr().add(i).cast(), 8).unwrap(),
                    _ => {}
                }
            }
        }
        m.sync(Place::NOWHERE).unwrap();
        if kind == 1 {
            while let Some(g) = m.take() {
                small[0] += unsafe { *g.payload.cast::<u64>() }
            }
        }
    }
    m.end(Place::NOWHERE).unwrap();
}
