//! The models on programs whose times are known.

#![forbid(unsafe_code)]

mod worked;
mod properties;
mod any;
mod fft;
