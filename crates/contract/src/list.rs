//! Every variable.

use crate::bsp::{Costs, Join, Parameters};
use crate::kind::{
    Bytes, Count, Descriptor, Factor, File, Names, Number, Padding, Phases, Seconds, Switch, Text,
    WholeSeconds,
};
use crate::settings::{
    ClockChoice, EngineChoice, LoadedChoice, OrderChoice, StartChoice, SyncChoice,
};
use crate::variable::{About, Section, Variable};

macro_rules! variables {
    ($(
        $section:ident $constant:ident: $kind:ident = $name:literal
        { $meaning:literal $(otherwise $otherwise:literal)? $(set by $option:literal)? }
    )*) => {
        $(
            #[doc = concat!("`", stringify!($constant), "`: ", $meaning)]
            pub const $constant: Variable<$kind> = Variable::new(About {
                name: $name,
                section: Section::$section,
                meaning: $meaning,
                otherwise: concat!($($otherwise)?),
                option: concat!($($option)?),
            });
        )*

        /// All of them, in the order of their sections.
        pub const ALL: &[About] = &[$(*$constant.about()),*];
    };
}

variables! {
    Measured GATE: Switch = c"CLL_GATE" {
        "`off`: measure nothing until the program calls `cll_on()`"
        otherwise "`on`"
    }
    Measured COUNTERS: Names = c"CLL_COUNTERS" {
        "names by comma, such as `page-faults,cpu-time`: recorded with each sample of every region, by calls of the library ([counters.md](counters.md))"
        otherwise "what `counters(…)` of a place asks for, there"
        set by "`--counters`"
    }
    Measured CLOCK: ClockChoice = c"CLL_CLOCK" {
        "`tsc`: the processor's counter, whatever it says of itself; `mono`: `CLOCK_MONOTONIC` by a call, about 2.3 times as slow"
        otherwise "the counter where the processor says that it runs at one rate and may be read, else `mono`"
    }
    Measured ORDER: OrderChoice = c"CLL_ORDER" {
        "order of the values of `cll for`: `ascending` (as they are enumerated), `descending`, `shuffled`, `shuffled:SEED`"
        otherwise "`ascending`"
        set by "`cll model`, campaigns"
    }
    Measured OUT: File = c"CLL_OUT" {
        "folder of the trace; a relative one counts from the folder of the start"
        otherwise "the folder in which the program was started"
        set by "`--output`"
    }
    Measured SYNC: SyncChoice = c"CLL_SYNC" {
        "how `sync` lets processes of MPI begin together: `barrier`, `window`; `auto`: in a window where each has a core: [mpi.md](mpi.md#beginning-together)"
        otherwise "`auto`"
    }
    Measured GATHER_WAIT: WholeSeconds = c"CLL_GATHER_WAIT" {
        "seconds that processes of an MPI program with a `report` wait in `MPI_Finalize` until it is clear that all of them are there: [mpi.md](mpi.md#samples-of-all-processors)"
        otherwise "60"
    }
    Measured LOG: Switch = c"CLL_LOG" {
        "`1`: the supersteps of a BSP program are logged, or the calls of MPI"
        otherwise "`off`"
        set by "`--log`"
    }
    Bsp NPROCS: Count = c"CLL_NPROCS" {
        "how many processors there can be"
        otherwise "the cores that the program may use; under an mpirun the processes that it has started"
        set by "`-n`"
    }
    Bsp ENGINE: EngineChoice = c"CLL_ENGINE" {
        "what carries the processors: `processes`, `threads`, `mpi`, `virtual` ([bsp.md](bsp.md#engines))"
        otherwise "`mpi` under an mpirun, else `processes`"
        set by "`--engine`"
    }
    Bsp START: StartChoice = c"CLL_START" {
        "`exec`: the other processors run `main` from its beginning instead of being forked, for programs that have threads before `bsp_begin`"
        otherwise "a fork; under `cll run` machine objects begin with `main`"
    }
    Bsp BIND: Switch = c"CLL_BIND" {
        "`1`: each processor keeps to a core of its own, if there are as many as processors"
        otherwise "`off`"
        set by "`cll model`"
    }
    Bsp DEADLOCK: Seconds = c"CLL_DEADLOCK" {
        "after how many seconds in which nothing moves machine objects end with a message; `0`: never ([pub.md](pub.md))"
        otherwise "10"
    }
    Virtual CORES: Count = c"CLL_CORES" {
        "processors that compute at a time"
        otherwise "the cores that the program may use"
        set by "`--cores`"
    }
    Virtual COSTS: Costs = c"CLL_COSTS" {
        "the table of pieces that `cll run` makes of the machine's file: `max` or `sum`, then for each piece `;b,P,BYTES,G,L`, or `o` for `bsp_oblsync`: processors, from so many bytes on, seconds per byte, seconds"
        otherwise "communication takes no time"
        set by "`--machine`"
    }
    Virtual ALONE: Phases = c"CLL_ALONE" {
        "every so many phases of a processor one runs while no other computes; `0`: none"
        otherwise "`0`"
        set by "`--alone`"
    }
    Virtual CONTENTION: Factor = c"CLL_CONTENTION" {
        "phases are multiplied by this"
        otherwise "1"
        set by "`--contention`"
    }
    Virtual CACHE: Bytes = c"CLL_CACHE" {
        "the cache that a processor finds as it left it, in bytes; `0`: none"
        otherwise "what a core here has by itself"
        set by "`--cache`"
    }
    Virtual MEMORY: Bytes = c"CLL_MEMORY" {
        "memory that all processors may need together, in bytes"
        otherwise "what the system has available"
        set by "`--memory`"
    }
    Virtual OVERCOMMIT: Switch = c"CLL_OVERCOMMIT" {
        "`1`: go on though the processors need more memory than there is"
        otherwise "`off`"
        set by "`--overcommit`"
    }
    Program CC: Text = c"CLL_CC" {
        "the C compiler, in words: `gcc`, `ccache clang`"
        otherwise "`cc`, else `gcc`"
    }
    Program CXX: Text = c"CLL_CXX" {
        "the C++ compiler of `cllcxx`"
        otherwise "`c++`, else `g++`"
    }
    Program MPICC: Text = c"CLL_MPICC" {
        "the C compiler of MPI programs; that of what the MPI engine and logs of calls need of an MPI, too ([mpi.md](mpi.md))"
        otherwise "`mpicc`; the one of the mpirun that has started the program"
    }
    Program MPICXX: Text = c"CLL_MPICXX" {
        "the C++ compiler of MPI programs"
        otherwise "`mpicxx`, else `mpic++`"
    }
    Program MPIRUN: Text = c"CLL_MPIRUN" {
        "the launcher of MPI's processes, with its options if it has some ([mpi.md](mpi.md))"
        otherwise "`mpirun`"
    }
    Program MACHINE: Text = c"CLL_MACHINE" {
        "the [machine's file](machines.md), or a published machine's name, from which `cll run` takes what `bsp_s`, `bsp_l`, `bsp_g` and `bsp_nhalf` answer"
    }
    Program HOME: File = c"CLL_HOME" {
        "an installation whose library is used ([install.md](install.md))"
        otherwise "the library beside `cll`, or the one in it"
    }
    Program LOADED: LoadedChoice = c"CLL_LOADED" {
        "`accept`: on a loaded machine `cll model` fits and `cll machine probe` writes all the same, with a warning and exit code 0"
        otherwise "`refuse`"
    }
    Program BUDGET: Text = c"CLL_BUDGET" {
        "how long `cll model` and `cll machine probe` measure where `--budget` does not say it"
        otherwise "`60s`"
    }
    Internal SHM_FD: Descriptor = c"CLL_SHM_FD" {
        "the descriptor of the memory that `cll run` shares with the program"
        otherwise "the trace is a file of the program"
        set by "`cll run`"
    }
    Internal RUN: Number = c"CLL_RUN" {
        "RUN in the names of files of processes that a launcher of MPI's has started"
        otherwise "found by the job that files in the folder name, else the next number"
        set by "`cll run`"
    }
    Internal SIMULATION: File = c"CLL_SIMULATION" {
        "the file to which valgrind's callgrind writes its counts"
        set by "`--simulate-caches`"
    }
    Internal PADDING: Padding = c"CLL_PADDING" {
        "nothing: each launch has another length of it, up to a page, so that where the stack begins differs from launch to launch and what that costs is in the spread of the samples"
        set by "`cll model`, campaigns"
    }
    Internal LAUNCHER: Number = c"CLL_LAUNCHER" {
        "the process with which the processors of a BSP program end"
        set by "`cll run`"
    }
    Internal PARAMETERS: Parameters = c"CLL_PARAMETERS" {
        "what `bsp_s`, `bsp_l`, `bsp_g` and `bsp_nhalf` answer: `P S L G NHALF` for each number of processors, by `;`, `-` for what is not known"
        otherwise "these functions end the program with a message"
        set by "`cll run`, of `CLL_MACHINE`"
    }
    Internal JOB: Text = c"CLL_JOB" {
        "a name that the processes of a launch by MPICH's mpirun have in common"
        set by "`cll run`"
    }
    Internal BSP_JOIN: Join = c"CLL_BSP_JOIN" {
        "the machine that a processor belongs to which begins with `main`: `DESCRIPTOR:INDEX:COUNT:WINDOW`"
        set by "the library"
    }
    Internal CAMPAIGN: Text = c"CLL_CAMPAIGN" {
        "the campaign that has started a process: by this it is found if it outlives the campaign"
        set by "`cll campaign`"
    }
}
