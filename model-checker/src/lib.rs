//! What processors meet through, from the sources of `cll-bsp`, with the atomics of a model checker.

// Of the sources only what the models use.
#![allow(dead_code)]

#[path = "../../crates/bsp/src/engine/shared/atomics.rs"]
mod atomics;
#[path = "../../crates/bsp/src/engine/shared/barrier.rs"]
mod barrier;
#[path = "../../crates/bsp/src/chunk.rs"]
mod chunk;
mod engine;
#[path = "../../crates/bsp/src/engine/shared/mailbox.rs"]
mod mailbox;
#[cfg(test)]
mod model;
#[path = "../../crates/bsp/src/engine/shared/order.rs"]
mod order;
#[path = "../../crates/bsp/src/prefetch.rs"]
mod prefetch;
#[path = "../../crates/bsp/src/engine/shared/settled.rs"]
mod settled;
#[path = "../../crates/bsp/src/engine/shared/waiting.rs"]
mod waiting;
