//! The processes engine: with the interface for programs in C, and with that for programs in Rust.

use std::sync::atomic::{AtomicUsize, Ordering::SeqCst};

use cll_bsp::{Bsp, Machine, Processor, processes};
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use crate::{harness, programs, random, raw};

macro_rules! tests {
    ($($name:ident)*) => {
        pub const OF_EVERY_ENGINE: &[harness::Test] =
            &[$((stringify!($name), || programs::$name(Machine::processes))),*];
    };
}
programs::for_each!(tests);

pub const OF_PROCESSES: &[harness::Test] = &[
    ("what_is_put_in_a_superstep_comes_before_what_is_hpput_in_the_next", hpput_after_put),
    ("large_copies_are_there_whichever_way_they_go", large_copies),
    ("what_its_sender_writes_itself_is_there_in_the_order_of_the_contract", deliveries),
    ("random_programs_do_what_the_model_does", random_programs),
    ("globals_are_private", globals_are_private),
    ("a_processor_that_is_killed_is_named", a_processor_that_is_killed_is_named),
    ("a_processor_that_exits_is_named", a_processor_that_exits_is_named),
    ("a_processor_in_a_loop_is_ended", a_processor_in_a_loop_is_ended),
    ("a_warden_that_is_killed_is_missed", a_warden_that_is_killed_is_missed),
    ("programs_that_do_nothing_end_well", programs_that_do_nothing_end_well),
    (
        "a_program_with_threads_is_refused_with_advice",
        a_program_with_threads_is_refused_with_advice,
    ),
    ("nothing_is_left_of_many_machines", nothing_is_left_of_many_machines),
    ("a_machine_of_threads_runs_on_each_process", a_machine_of_threads_runs_on_each_process),
];

/// Runs a program on p processes by the interface of programs in C.
fn run(p: usize, program: impl Fn(Processor)) {
    let m = processes::fork(p).unwrap().begin(p);
    let first = m.pid() == 0;
    program(m);
    if !first {
        std::process::exit(0);
    }
}

fn hpput_after_put() {
    run(2, raw::hpput_after_put);
}

fn large_copies() {
    run(2, raw::large_copies);
}

fn deliveries() {
    run(2, raw::deliveries);
}

fn random_programs() {
    // A failure must be reported before the harness ends this test.
    let max_shrink_time = 30_000;
    let config = Config {
        failure_persistence: None,
        max_shrink_time,
        ..Config::with_cases(random::cases())
    };
    let mut runner = TestRunner::new(config);
    let result = runner.run(&random::program(), |program| {
        // Each in a separate process: if one processor fails, all end.
        let outcome = harness::run(|| {
            run(program.processors, |mut m| {
                random::execute(&program, &mut m).unwrap_or_else(|why| panic!("{why}"));
            });
        });
        outcome.map_err(TestCaseError::fail)
    });
    result.unwrap_or_else(|error| panic!("{error}"));
}

static GLOBAL: AtomicUsize = AtomicUsize::new(7);

fn globals_are_private() {
    let seen = Machine::processes(4).run(|bsp| {
        assert_eq!(GLOBAL.fetch_add(bsp.pid() + 1, SeqCst), 7);
        bsp.sync();
        GLOBAL.load(SeqCst)
    });
    assert_eq!(seen.unwrap(), 8);
}

fn failure(program: impl Fn(&mut Bsp) + Sync) -> String {
    Machine::processes(3).run(program).unwrap_err().to_string()
}

fn a_processor_that_is_killed_is_named() {
    for signal in [libc::SIGKILL, libc::SIGFPE] {
        let text = failure(|bsp| {
            bsp.sync();
            if bsp.pid() == 2 {
                // SAFETY: ends this process.
                unsafe { libc::kill(libc::getpid(), signal) };
            }
            bsp.sync();
        });
        assert!(text.starts_with("processor 2 of 3: its process "), "{text}");
        assert!(text.contains(&format!("was killed by signal {signal} (SIG")), "{text}");
        assert!(text.contains("its last sync was at") && text.contains("processes.rs:"), "{text}");
    }
}

fn a_processor_that_exits_is_named() {
    let text = failure(|bsp| {
        if bsp.pid() == 1 {
            std::process::exit(3);
        }
        bsp.sync();
    });
    assert!(text.starts_with("processor 1 of 3: its process "), "{text}");
    let end = " ended with status 3 before its program's end; it had not reached a sync";
    assert!(text.ends_with(end), "{text}");
}

/// A page of zeros that processes share.
fn shared_page() -> &'static [AtomicUsize; 8] {
    let (all, shared) =
        (libc::PROT_READ | libc::PROT_WRITE, libc::MAP_SHARED | libc::MAP_ANONYMOUS);
    // SAFETY: a new mapping of a page, which is never unmapped; any bits are valid numbers.
    unsafe {
        let page = libc::mmap(std::ptr::null_mut(), 4096, all, shared, -1, 0);
        assert!(page != libc::MAP_FAILED);
        &*page.cast()
    }
}

fn a_processor_in_a_loop_is_ended() {
    let loops = shared_page();
    let text = failure(|bsp| {
        if bsp.pid() == 0 {
            while loops[1].load(SeqCst) == 0 || loops[2].load(SeqCst) == 0 {
                std::thread::yield_now();
            }
            panic!("with the others in a loop");
        }
        loops[bsp.pid()].store(std::process::id() as usize, SeqCst);
        loop {
            std::hint::spin_loop();
        }
    });
    assert_eq!(text, "processor 0 of 3: panicked: with the others in a loop");
    for process in &loops[1..3] {
        // SAFETY: only asks.
        let there = unsafe { libc::kill(process.load(SeqCst) as libc::pid_t, 0) };
        assert_eq!(there, -1, "both are ended and waited for");
    }
}

fn a_warden_that_is_killed_is_missed() {
    let text = failure(|bsp| {
        bsp.sync();
        if bsp.pid() == 1 {
            // SAFETY: the parent of all processors but 0 is the supervisor, which then waits to be ended.
            unsafe {
                libc::kill(libc::getppid(), libc::SIGKILL);
                libc::sleep(10);
            }
        }
        bsp.sync();
    });
    assert_eq!(text, "the process that supervises the processors was killed");
}

/// The supervisor has nothing left to do as soon as the last processor has ended; the first one may sleep then.
fn programs_that_do_nothing_end_well() {
    for _ in 0..300 {
        Machine::processes(3).run(|_| ()).unwrap();
    }
}

fn a_program_with_threads_is_refused_with_advice() {
    let text = std::thread::scope(|scope| {
        let other = scope.spawn(|| failure(Bsp::sync));
        other.join().unwrap()
    });
    assert!(text.starts_with("the program has 2 threads"), "{text}");
    assert!(text.ends_with("or use Machine::threads"), "{text}");
}

fn nothing_is_left_of_many_machines() {
    let open = || std::fs::read_dir("/proc/self/fd").unwrap().count();
    let mapped = || std::fs::read_to_string("/proc/self/maps").unwrap().lines().count();
    let machine = Machine::processes(3);
    let run_round = |round: usize| {
        let result = machine.run(|bsp| {
            let area = bsp.area::<u8>(50_000);
            bsp.sync();
            assert!(round % 4 != 3 || bsp.pid() != round % 3, "a failure now and then");
            bsp.put((bsp.pid() + 1) % 3, &[1; 50_000], &area, 0);
            bsp.sync();
        });
        assert_eq!(result.is_err(), round % 4 == 3);
    };
    std::panic::set_hook(Box::new(|_| ()));
    (0..4).for_each(run_round);
    let before = (open(), mapped());
    (0..60).for_each(run_round);
    assert_eq!(open(), before.0, "descriptors");
    assert!(mapped() <= before.1 + 2, "mappings: {} and {}", before.1, mapped());
    // SAFETY: only asks.
    let child = unsafe { libc::waitpid(-1, std::ptr::null_mut(), libc::WNOHANG) };
    assert_eq!(child, -1, "there is no child");
}

fn a_machine_of_threads_runs_on_each_process() {
    let sum = Machine::processes(2).run(|bsp| {
        let me = bsp.pid();
        let own = Machine::threads(3).run(|inner| inner.fold(10 * me + inner.pid(), |a, b| a + b));
        bsp.fold(own.unwrap(), |a, b| a + b)
    });
    assert_eq!(sum.unwrap(), 3 + 33);
}
