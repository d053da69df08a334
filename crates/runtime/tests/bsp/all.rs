//! Many runs, a few at a time.

use std::sync::Mutex;
use std::thread;

/// More than there are cores: most runs wait for processes to start and end.
const AT_A_TIME: usize = 4;

/// Calls a function for all elements of a list; fails with all errors.
pub fn each<T: Sync>(list: &[T], check: impl Fn(&T) -> Result<(), String> + Sync) {
    let next = Mutex::new(list.iter());
    let wrong = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..AT_A_TIME {
            scope.spawn(|| {
                loop {
                    let Some(item) = next.lock().unwrap().next() else { return };
                    if let Err(why) = check(item) {
                        wrong.lock().unwrap().push(why);
                    }
                }
            });
        }
    });
    let wrong = wrong.into_inner().unwrap();
    let some = &wrong[..wrong.len().min(20)];
    assert!(wrong.is_empty(), "{} of {} wrong:\n{}", wrong.len(), list.len(), some.join("\n"));
}
