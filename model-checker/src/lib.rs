//! Provides what processors meet through, from the sources of `cll-bsp`, with the atomics of a model checker.

// Of the sources only what the models use.
#![allow(dead_code)]

#[path = "../../crates/bsp/src/engine/shared/atomics.rs"]
mod atomics;
#[path = "../../crates/bsp/src/engine/shared/barrier.rs"]
mod barrier;
#[path = "../../crates/bsp/src/chunk.rs"]
mod chunk;
#[path = "../../crates/bsp/src/engine/shared/ended.rs"]
mod ended;
mod engine;
#[path = "../../crates/bsp/src/engine/shared/mailbox.rs"]
mod mailbox;
#[cfg(test)]
mod model;
#[path = "../../crates/bsp/src/prefetch.rs"]
mod prefetch;
#[path = "../../crates/bsp/src/engine/shared/subscription.rs"]
mod subscription;
#[path = "../../crates/bsp/src/engine/shared/waiting.rs"]
mod waiting;
