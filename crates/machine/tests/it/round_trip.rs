//! Machines that are written are read as the same machines, and no text makes the reader panic.

use cll_machine::{
    Access, BandwidthCurve, BandwidthPoint, Cache, Classic, Combine, Contention, Empty, Host,
    IndependentCurve, LatencyCurve, LatencyPoint, Level, Line, LoadedCurve, LoadedPoint, Machine,
    Operation, Origin, Pages, Pattern, Regime, Regimes, Segment, Synchronisation, Translation,
    Uncertain, read, write,
};
use cll_units::Bytes;
use proptest::collection::vec;
use proptest::option;
use proptest::prelude::*;

fn text() -> impl Strategy<Value = String> {
    any::<String>().prop_map(|text| text.trim().to_owned())
}

fn named() -> impl Strategy<Value = String> {
    "[a-z \"\\\\\n]{0,6}[a-z]"
}

fn uncertain() -> impl Strategy<Value = Uncertain> {
    let number = prop_oneof![0.0..1e-3, Just(0.0), 1e-15..1e-9, 0.0..1e12];
    (vec(number, 3), any::<bool>()).prop_map(|(mut three, spread)| {
        three.sort_by(f64::total_cmp);
        if spread {
            Uncertain { low: three[0], value: three[1], high: three[2] }
        } else {
            Uncertain::exact(three[1])
        }
    })
}

fn segments() -> impl Strategy<Value = Vec<Segment>> {
    vec((1u32..1 << 20, 0u32..1 << 20, uncertain(), uncertain()), 1..4).prop_map(|all| {
        let mut end = 0.0;
        let segment = |(gap, length, g, l): (u32, u32, _, _)| {
            let from = end + f64::from(gap);
            end = from + f64::from(length) / 2.0;
            Segment { from, to: end, g, l }
        };
        all.into_iter().map(segment).collect()
    })
}

prop_compose! {
    fn machine()(
        name in named(),
        about in text(),
        combine in option::of(prop::sample::select(&Combine::ALL[..])),
        missing in vec(text(), 0..3),
        origin in (text(), named(), text(), option::of(text()), option::of(text()), vec(text(), 0..3)),
        host in option::of((text(), text(), option::of(1u32..9), vec((text(), 1u64..1 << 40), 0..3), text(), text())),
        classic in vec((option::of(text()), option::of(1.0..1e12), uncertain(), uncertain(), option::of(uncertain())), 1..4),
        empty in vec((any::<bool>(), uncertain()), 0..3),
        memory in option::of((uncertain(), vec((1u32..1 << 20, uncertain()), 1..4), named())),
        regimes in vec((named(), 1e-9..1e-3, vec(0.001..1.0, 1..4)), 0..3),
        lines in vec((prop::sample::select(&Pattern::ALL[..]), prop::sample::select(&Combine::ALL[..]), segments(), option::of(uncertain())), 0..4),
    ) -> Machine {
        let mut machine = Machine { name: name.trim().to_owned(), about, combine, missing, ..Machine::default() };
        machine.regimes = regimes
            .into_iter()
            .map(|(what, from, shares)| {
                let seen = shares.into_iter().enumerate();
                let seen = seen.map(|(k, share)| Regime { at: from * (k + 1) as f64, share });
                Regimes { what, unit: "s", seen: seen.collect() }
            })
            .collect();
        let (when, by, how, samples, source, disturbed) = origin;
        machine.origin = Origin { when, by, how, samples, source, disturbed };
        machine.host = host.map(|(name, cpu, cores, caches, kernel, microcode)| Host {
            name,
            cpu,
            cores,
            caches: caches.into_iter().map(|(name, bytes)| Cache { name, bytes: Bytes(bytes) }).collect(),
            kernel,
            microcode,
        });
        for (at, (engine, rate, g, l, calls)) in classic.into_iter().enumerate() {
            let rate = rate.map(Uncertain::exact);
            let processors = at as u32 + 1;
            machine.classic.push(Classic { engine, processors, oversubscribed: at == 1, rate, g, l, calls });
        }
        for (at, (oversubscribed, l)) in empty.into_iter().enumerate() {
            let synchronisation = Synchronisation::ALL[at % 2];
            machine.empty.push(Empty { engine: None, processors: at as u32 + 1, oversubscribed, synchronisation, l });
        }
        for (at, (pattern, combine, segments, calls)) in lines.into_iter().enumerate() {
            machine.communication.push(Line {
                engine: Some("mpi".into()),
                processors: at as u32 + 1,
                oversubscribed: false,
                synchronisation: Synchronisation::ALL[at % 2],
                pattern,
                combine,
                segments,
                calls,
                // Of the same kind, and not always there either.
                fetch: calls.filter(|_| at % 2 == 0),
            });
        }
        if let Some((value, points, level)) = memory {
            add_memory(&mut machine, value, &points, &level);
        }
        machine
    }
}

/// One of each cost of memory and operations.
fn add_memory(machine: &mut Machine, value: Uncertain, points: &[(u32, Uncertain)], level: &str) {
    // Costs are above 0.
    let above = |cost: Uncertain| if cost.value > 0.0 { cost } else { Uncertain::exact(1e-9) };
    let value = above(value);
    let mut position = 0.0;
    let points: Vec<(f64, Uncertain)> = points
        .iter()
        .map(|(more, value)| {
            position += f64::from(*more);
            (position, above(*value))
        })
        .collect();
    let memory = &mut machine.memory;
    memory.levels.push(Level { name: level.to_owned(), size: None, latency: value });
    memory.translation.push(Translation { reach: value, page: 4096.0, cost: Uncertain::ZERO });
    let latency =
        |(size, latency): &(f64, Uncertain)| LatencyPoint { size: *size, latency: *latency };
    memory.latency.push(LatencyCurve {
        stride: 64.0,
        pages: Pages::Small,
        points: points.iter().map(latency).collect(),
    });
    if points.len() > 1 {
        memory.independent.push(IndependentCurve {
            access: Access::Write,
            stride: 4160.0,
            pages: Pages::Small,
            points: points.iter().map(latency).collect(),
        });
    }
    let rate = |(size, rate): &(f64, Uncertain)| BandwidthPoint { size: *size, rate: *rate };
    memory.bandwidth.push(BandwidthCurve {
        access: Access::Copy,
        cores: 3,
        points: points.iter().map(rate).collect(),
    });
    let loaded = |(rate, latency): &(f64, Uncertain)| LoadedPoint {
        rate: Uncertain::exact(*rate),
        latency: *latency,
    };
    memory.loaded.push(LoadedCurve { cores: 2, points: points.iter().map(loaded).collect() });
    memory.contention.push(Contention { level: level.to_owned(), cores: 2, factor: value });
    let (latency, each) = (Some(value), None);
    let operation = Operation { name: "add".into(), operand: level.to_owned(), latency, each };
    machine.operations.push(operation);
    machine.process_start = Some(value);
    machine.page_use = Some(value).filter(|_| points.len() > 2);
}

proptest! {
    #[test]
    fn what_is_written_is_read_as_the_same(machine in machine()) {
        let text = write(&machine);
        let found = read(text.as_bytes());
        prop_assert_eq!(&found.diagnostics, &[], "{}", text);
        prop_assert_eq!(found.machine.unwrap(), machine, "{}", text);
    }

    #[test]
    fn no_text_makes_it_panic(text in any::<String>(), bytes in vec(any::<u8>(), 0..80)) {
        read(text.as_bytes());
        read(&bytes);
        read(format!("cll-machine = 1\n{text}").as_bytes());
    }

    #[test]
    fn no_quantity_makes_it_panic(quantity in "[-+.0-9eE\\[\\], µa-zA-Z/]{0,20}") {
        let text = format!("cll-machine = 1\n[[empty]]\nprocessors = 1\nL = \"{quantity}\"\n");
        for diagnostic in read(text.as_bytes()).diagnostics {
            prop_assert!(text.get(diagnostic.primary.span.clone()).is_some(), "{diagnostic:?}");
        }
    }

    #[test]
    fn no_damage_makes_it_panic(machine in machine(), at in any::<prop::sample::Index>(), with in any::<Vec<u8>>()) {
        let mut text = write(&machine).into_bytes();
        let at = at.index(text.len());
        let end = (at + with.len()).min(text.len());
        text.splice(at..end, with);
        for diagnostic in read(&text).diagnostics {
            prop_assert!(diagnostic.primary.span.end <= text.len());
        }
    }
}
