// Another library in Rust in the same program: its runtime and ours must not clash.
use std::sync::Mutex;

static SEEN: Mutex<Vec<u64>> = Mutex::new(Vec::new());

#[unsafe(no_mangle)]
pub extern "C" fn other_runtime(value: u64) -> u64 {
    let mut seen = SEEN.lock().unwrap();
    seen.push(value);
    format!("{:?}", *seen).len() as u64
}
