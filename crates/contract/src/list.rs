//! Every variable.

use crate::bsp::{Costs, Join, Parameters};
use crate::kind::{
    Bytes, Count, Descriptor, Factor, FileKind, Names, Number, Padding, Phases, Seconds, Switch,
    Text, WholeSeconds,
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
        "names separated by commas, such as `page-faults,cpu-time`: recorded with each sample of every region, by calls of the library ([counters.md](counters.md))"
        otherwise "only what `counters(…)` of a place requests, at that place"
        set by "`--counters`"
    }
    Measured CLOCK: ClockChoice = c"CLL_CLOCK" {
        "`tsc`: the processor's counter, even if the processor does not report a constant rate; `mono`: `CLOCK_MONOTONIC` by a call, about 2.3 times as slow"
        otherwise "the counter if the processor reports a constant rate and programs may read it, otherwise `mono`"
    }
    Measured ORDER: OrderChoice = c"CLL_ORDER" {
        "order of the values of `cll for`: `ascending` (as they are enumerated), `descending`, `shuffled`, `shuffled:SEED`"
        otherwise "`ascending`"
        set by "`cll model`, campaigns"
    }
    Measured OUT: FileKind = c"CLL_OUT" {
        "folder of the trace; a relative path starts at the folder in which the program was started"
        otherwise "the folder in which the program was started; programs built with `--auto` record nothing"
        set by "`--output`"
    }
    Measured LIMIT: Bytes = c"CLL_LIMIT" {
        "largest size of the trace of a process, in bytes, without `cll run`; `0`: none"
        otherwise "256000000"
    }
    Measured SYNC: SyncChoice = c"CLL_SYNC" {
        "how `sync` makes processes of MPI begin together: `barrier`; `window`; `auto`: a window if each process has a core: [mpi.md](mpi.md#beginning-together)"
        otherwise "`auto`"
    }
    Measured GATHER_WAIT: WholeSeconds = c"CLL_GATHER_WAIT" {
        "seconds that processes of an MPI program with a `report` wait in `MPI_Finalize` for all others: [mpi.md](mpi.md#samples-of-all-processors)"
        otherwise "60"
    }
    Measured LOG: Switch = c"CLL_LOG" {
        "`1`: logs the supersteps of a BSP program, or the calls of MPI"
        otherwise "`off`"
        set by "`--log`"
    }
    Measured WARM_UP: Seconds = c"CLL_WARM_UP" {
        "seconds that ranks of MPI whose calls are logged compute together before `MPI_Init` returns ([mpi.md](mpi.md#a-model-of-a-program))"
        otherwise "0; `cll mpi model`: 0.05"
        set by "`cll mpi model`"
    }
    Bsp NPROCS: Count = c"CLL_NPROCS" {
        "maximal number of processors"
        otherwise "the number of cores that the program may use; under mpirun the number of processes that it has started"
        set by "`-n`"
    }
    Bsp ENGINE: EngineChoice = c"CLL_ENGINE" {
        "the engine: how processors run and communicate: `processes`, `threads`, `mpi`, `virtual` ([bsp.md](bsp.md#engines))"
        otherwise "`mpi` under mpirun, otherwise `processes`"
        set by "`--engine`"
    }
    Bsp START: StartChoice = c"CLL_START" {
        "`exec`: the other processors run `main` from its beginning instead of being forked, for programs that start threads before `bsp_begin`"
        otherwise "a fork; under `cll run` machine objects begin with `main`"
    }
    Bsp BIND: Switch = c"CLL_BIND" {
        "`1`: binds each processor to its own core, if there are as many cores as processors"
        otherwise "`off`"
        set by "`cll model`"
    }
    Bsp DEADLOCK: Seconds = c"CLL_DEADLOCK" {
        "seconds without any progress after which machine objects end with a message; `0`: never ([pub.md](pub.md))"
        otherwise "10"
    }
    Virtual CORES: Count = c"CLL_CORES" {
        "number of virtual processors that compute at the same time"
        otherwise "the number of cores that the program may use"
        set by "`--cores`"
    }
    Virtual COSTS: Costs = c"CLL_COSTS" {
        "the table that `cll run` makes from the machine file: `max` or `sum`, then for each segment `;b,P,BYTES,G,L`, with `o` in place of `b` for `bsp_oblsync`: processors, smallest number of bytes, seconds per byte, seconds"
        otherwise "communication takes no time"
        set by "`--machine`"
    }
    Virtual ALONE: Phases = c"CLL_ALONE" {
        "every n-th phase of a processor runs while no other computes; `0`: none"
        otherwise "`0`"
        set by "`--alone`"
    }
    Virtual CONTENTION: Factor = c"CLL_CONTENTION" {
        "the time of phases is multiplied by this"
        otherwise "1"
        set by "`--contention`"
    }
    Virtual CACHE: Bytes = c"CLL_CACHE" {
        "size of the cache that a processor finds as it left it, in bytes; `0`: none"
        otherwise "the private cache of a core here"
        set by "`--cache`"
    }
    Virtual MEMORY: Bytes = c"CLL_MEMORY" {
        "memory that all processors may need together, in bytes"
        otherwise "what the system has available"
        set by "`--memory`"
    }
    Virtual OVERCOMMIT: Switch = c"CLL_OVERCOMMIT" {
        "`1`: continue though the processors need more memory than there is"
        otherwise "`off`"
        set by "`--overcommit`"
    }
    Program CC: Text = c"CLL_CC" {
        "the C compiler, as one or several words: `gcc`, `ccache clang`"
        otherwise "`cc`, otherwise `gcc`"
    }
    Program CXX: Text = c"CLL_CXX" {
        "the C++ compiler of `cllcxx`"
        otherwise "`c++`, otherwise `g++`"
    }
    Program MPICC: Text = c"CLL_MPICC" {
        "the C compiler of MPI programs; it also compiles the files that the MPI engine and logs of calls need ([mpi.md](mpi.md))"
        otherwise "`mpicc`; in a program that mpirun has started, the compiler of the same MPI"
    }
    Program MPICXX: Text = c"CLL_MPICXX" {
        "the C++ compiler of MPI programs"
        otherwise "`mpicxx`, otherwise `mpic++`"
    }
    Program MPIRUN: Text = c"CLL_MPIRUN" {
        "the launcher of MPI processes, with options if needed ([mpi.md](mpi.md))"
        otherwise "`mpirun`"
    }
    Program MACHINE: Text = c"CLL_MACHINE" {
        "the [machine file](machines.md), or the name of a published machine, from which `cll run` takes the values that `bsp_s`, `bsp_l`, `bsp_g` and `bsp_nhalf` return"
    }
    Program HOME: FileKind = c"CLL_HOME" {
        "the installation whose library is used ([install.md](install.md))"
        otherwise "the library beside `cll`, or the one in it"
    }
    Program LOADED: LoadedChoice = c"CLL_LOADED" {
        "`accept`: on a loaded machine `cll model` fits and `cll machine probe` writes its file, with a warning and exit code 0"
        otherwise "`refuse`"
    }
    Program BUDGET: Text = c"CLL_BUDGET" {
        "how long `cll model` and `cll machine probe` measure if `--budget` is not given"
        otherwise "`60s`; of `cll machine probe` by part ([commands.md](commands.md#cll-machine))"
    }
    Internal SHM_FD: Descriptor = c"CLL_SHM_FD" {
        "the descriptor of the memory that `cll run` shares with the program"
        otherwise "the trace is a file of the program"
        set by "`cll run`"
    }
    Internal RUN: Number = c"CLL_RUN" {
        "RUN in the file names of processes that a launcher of MPI has started"
        otherwise "the run of the same job, according to the files in the folder; otherwise the next number"
        set by "`cll run`"
    }
    Internal TURNS: FileKind = c"CLL_TURNS" {
        "the file that ranks of MPI share which compute in turns"
        otherwise "they compute when the system lets them"
        set by "`cll run --engine virtual`"
    }
    Internal WIDTH: Seconds = c"CLL_WIDTH" {
        "what a loop of independent additions takes on a core that nobody shares: ranks that compute before `MPI_Init` returns wait for such cores"
        otherwise "they do not wait"
        set by "`cll mpi model`"
    }
    Internal SIMULATION: FileKind = c"CLL_SIMULATION" {
        "the file to which valgrind's callgrind writes its counts"
        set by "`--simulate-caches`"
    }
    Internal PADDING: Padding = c"CLL_PADDING" {
        "without meaning: its length differs between launches, up to a page, so that the address of the stack differs and the effect of that address is in the spread of the samples"
        set by "`cll model`, campaigns"
    }
    Internal LAUNCHER: Number = c"CLL_LAUNCHER" {
        "the process whose end also ends the processors of a BSP program"
        set by "`cll run`"
    }
    Internal PARAMETERS: Parameters = c"CLL_PARAMETERS" {
        "the values that `bsp_s`, `bsp_l`, `bsp_g` and `bsp_nhalf` return: `P S L G NHALF` for each number of processors, separated by `;`, with `-` for unknown values"
        otherwise "these functions end the program with a message"
        set by "`cll run`, from `CLL_MACHINE`"
    }
    Internal JOB: Text = c"CLL_JOB" {
        "a name that the processes of a launch by MPICH's mpirun have in common"
        set by "`cll run`"
    }
    Internal STARTED_BY: Text = c"CLL_STARTED_BY" {
        "the call of `MPI_Comm_spawn` that has started a process"
        set by "the library"
    }
    Internal BSP_JOIN: Join = c"CLL_BSP_JOIN" {
        "the machine of a processor that begins with `main`: `DESCRIPTOR:INDEX:COUNT:WINDOW`"
        set by "the library"
    }
    Internal CAMPAIGN: Text = c"CLL_CAMPAIGN" {
        "the campaign that has started a process; identifies the process if it outlives the campaign"
        set by "`cll campaign`"
    }
}
