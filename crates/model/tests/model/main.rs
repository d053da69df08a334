//! The models on programs whose times are known.

#![forbid(unsafe_code)]

mod any;
mod coverage;
mod cray;
mod description;
mod fft;
mod logs;
mod messages;
mod properties;
mod worked;
