#![no_main]

libfuzzer_sys::fuzz_target!(|data: &[u8]| cll_fuzz::llac::check(data));
