//! How supersteps end.

/// How a superstep ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ending {
    /// By a synchronisation of all processors of its machine.
    Sync,
    /// When as many messages had arrived as were announced.
    Oblivious,
    /// With the machine: it has the computation since the last synchronisation.
    End,
}
