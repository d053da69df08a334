//! The machine that costs are on.

use cll_llac::Refusal;

/// The machine that costs are on.
pub(super) fn needed(machine: Option<&str>) -> Result<&str, Refusal> {
    machine.ok_or_else(|| Refusal {
        message: "on which machine?".to_owned(),
        help: vec!["such as `cost fft on \"mine.toml\" at N = 2^20, P = 8`".to_owned()],
    })
}
