//! Defines what engines share, as far as the models use it.

#[path = "../../crates/bsp/src/engine/stop.rs"]
pub mod stop;
#[path = "../../crates/bsp/src/engine/traffic.rs"]
pub mod traffic;
