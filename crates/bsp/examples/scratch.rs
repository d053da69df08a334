use cll_bsp::{Place, processes};
use std::time::Instant;
fn pin(cpu: usize) {
    unsafe {
        let mut s: libc::cpu_set_t = std::mem::zeroed();
        libc::CPU_SET(cpu, &mut s);
        libc::sched_setaffinity(0, size_of_val(&s), &s);
    }
}
fn main() {
    let p: usize = std::env::args().nth(1).map_or(2, |a| a.parse().unwrap());
    let t = Instant::now();
    let member = processes::fork(p).unwrap();
    let mut m = member.begin(p);
    let me = m.pid();
    if p == 2 {
        pin(me);
    }
    let n = 3_000_000usize;
    let mut area = vec![me as u8; n];
    let mut small = vec![0u64; 1000];
    unsafe {
        m.push_reg(area.as_mut_ptr(), n).unwrap();
        m.push_reg(small.as_mut_ptr().cast(), 8000).unwrap();
    }
    m.sync(Place::NOWHERE).unwrap();
    if me == 0 {
        println!("start {:?}", t.elapsed());
    }
    let next = (me + 1) % p;
    let src = vec![me as u8 + 100; n];
    unsafe {
        m.put(next, src.as_ptr(), area.as_ptr(), 17, n - 17).unwrap();
        m.sync(Place::NOWHERE).unwrap();
        let prev = (me + p - 1) % p;
        assert!(area[17..].iter().all(|&b| b as usize == prev + 100), "put");
        assert!(area[..17].iter().all(|&b| b as usize == me));
        let mut got = vec![0u8; n];
        m.get(next, area.as_ptr(), 5, got.as_mut_ptr(), n - 5).unwrap();
        m.put(next, src.as_ptr(), area.as_ptr(), 0, 40).unwrap();
        m.sync(Place::NOWHERE).unwrap();
        assert!(got[12..n - 5].iter().all(|&b| b as usize == me + 100), "get");
        assert!(got[..12].iter().all(|&b| b as usize == next), "{:?}", &got[..20]);
        assert!(area[..40].iter().all(|&b| b as usize == prev + 100), "put 2");
        let hp = vec![7u8; n];
        m.hpput(next, hp.as_ptr(), area.as_ptr(), 0, n).unwrap();
        m.sync(Place::NOWHERE).unwrap();
        assert!(area.iter().all(|&b| b == 7), "hpput");
        m.send(next, std::ptr::null(), b"hello".as_ptr(), 5).unwrap();
        m.sync(Place::NOWHERE).unwrap();
        assert_eq!(m.qsize(), (1, 5));
        let msg = m.take().unwrap();
        assert_eq!(std::slice::from_raw_parts(msg.payload, 5), b"hello");
    }
    let time = |m: &mut cll_bsp::Processor,
                name: &str,
                rounds: usize,
                f: &mut dyn FnMut(&mut cll_bsp::Processor)| {
        for _ in 0..rounds / 10 {
            f(m)
        }
        let mut best = f64::MAX;
        for _ in 0..5 {
            let t = Instant::now();
            for _ in 0..rounds {
                f(m)
            }
            best = best.min(t.elapsed().as_secs_f64() / rounds as f64);
        }
        if m.pid() == 0 {
            println!("{name:20} {:10.1} ns", best * 1e9);
        }
    };
    let rounds = if p > 2 { 2000 } else { 100_000 };
    time(&mut m, "sync", rounds, &mut |m| m.sync(Place::NOWHERE).unwrap());
    for size in [8usize, 64, 1024, 32768, 2 << 20] {
        let rounds = (rounds / 4).min((40usize << 20) / size).max(20);
        time(&mut m, &format!("put {size}"), rounds, &mut |m| {
            unsafe {
                m.put(next, src.as_ptr(), area.as_ptr(), 0, size).unwrap();
            }
            m.sync(Place::NOWHERE).unwrap()
        });
        time(&mut m, &format!("hpput {size}"), rounds, &mut |m| {
            unsafe {
                m.hpput(next, src.as_ptr(), area.as_ptr(), 0, size).unwrap();
            }
            m.sync(Place::NOWHERE).unwrap()
        });
        let mut dst = vec![0u8; n];
        time(&mut m, &format!("get {size}"), rounds, &mut |m| {
            unsafe {
                m.get(next, area.as_ptr(), 0, dst.as_mut_ptr(), size).unwrap();
            }
            m.sync(Place::NOWHERE).unwrap()
        });
        time(&mut m, &format!("send {size}"), rounds, &mut |m| {
            unsafe {
                m.send(next, std::ptr::null(), src.as_ptr(), size).unwrap();
            }
            m.sync(Place::NOWHERE).unwrap();
            let g = m.take().unwrap();
            unsafe { std::ptr::copy_nonoverlapping(g.payload, dst.as_mut_ptr(), size) }
        });
    }
    time(&mut m, "1000 puts", 1000, &mut |m| {
        for i in 0..1000 {
            unsafe {
                m.put(next, src.as_ptr().add(8 * i), small.as_ptr().cast(), 8 * i, 8).unwrap();
            }
        }
        m.sync(Place::NOWHERE).unwrap()
    });
    time(&mut m, "1000 sends", 1000, &mut |m| {
        for i in 0..1000 {
            unsafe {
                m.send(next, std::ptr::null(), src.as_ptr().add(8 * i), 8).unwrap();
            }
        }
        m.sync(Place::NOWHERE).unwrap();
        for i in 0..1000 {
            let g = m.take().unwrap();
            small[i] = unsafe { *g.payload.cast::<u64>() };
        }
    });
    let t = Instant::now();
    m.end(Place::NOWHERE).unwrap();
    if me == 0 {
        println!("end {:?}", t.elapsed());
    }
}
