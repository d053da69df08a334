//! Machines that are in the program.

use crate::machine::Machine;
use crate::read::read;

/// A published machine's file.
#[derive(Clone, Copy, Debug)]
pub struct Published {
    /// The name of the machine on command lines, which is the name of the file.
    pub name: &'static str,
    /// The file.
    pub text: &'static str,
}

/// All of them, by name.
pub const PUBLISHED: &[Published] = &[
    Published {
        name: "pentium-ii-cluster",
        text: include_str!("../../../machines/pentium-ii-cluster.toml"),
    },
    Published {
        name: "sgi-origin-2000",
        text: include_str!("../../../machines/sgi-origin-2000.toml"),
    },
    Published {
        name: "sgi-powerchallenge",
        text: include_str!("../../../machines/sgi-powerchallenge.toml"),
    },
];

impl Published {
    /// The one of this name.
    pub fn named(name: &str) -> Option<Published> {
        PUBLISHED.iter().copied().find(|published| published.name == name)
    }

    /// Reads the machine from the file.
    pub fn machine(&self) -> Machine {
        // A test reads every one of them.
        read(self.text.as_bytes()).machine.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_published_machine_is_right_and_names_its_source() {
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/../../machines");
        let mut files: Vec<String> = std::fs::read_dir(folder)
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        files.sort();
        let names: Vec<String> =
            PUBLISHED.iter().map(|published| format!("{}.toml", published.name)).collect();
        assert_eq!(files, names);
        for published in PUBLISHED {
            let read = read(published.text.as_bytes());
            assert_eq!(read.diagnostics, [], "{}", published.name);
            let machine = read.machine.unwrap();
            assert!(
                machine.origin.source.is_some() && !machine.missing.is_empty(),
                "{}",
                published.name
            );
        }
    }

    #[test]
    fn what_a_prediction_with_s_g_l_alone_means_is_reported() {
        for published in PUBLISHED {
            let reported = published.machine().reservation().expect(published.name);
            for part in ["large messages", "does not say", "in and out"] {
                assert!(reported.contains(part), "{reported}");
            }
        }
        let mut machine = Published::named("sgi-powerchallenge").unwrap().machine();
        machine.origin.when = "1998".to_owned();
        machine.combine = Some(crate::Combine::Max);
        let reported = machine.reservation().unwrap();
        assert!(
            reported.contains("published in 1998") && !reported.contains("in and out"),
            "{reported}"
        );
        // The remark is not for machines with measured empty supersteps, and not for hypothetical machines.
        machine.origin.source = None;
        assert_eq!(machine.reservation(), None);
        machine.origin.source = Some("a report".to_owned());
        machine.classic.clear();
        assert_eq!(machine.reservation(), None);
    }

    #[test]
    fn the_literatures_units_become_seconds_and_bytes() {
        let machine = Published::named("sgi-powerchallenge").unwrap().machine();
        let four = machine.classic(None, 4).unwrap();
        // 1902 flops and 9.3 flops a word of 4 bytes, at 74 Mflop/s: 25.7 us, 31.4 ns/B.
        assert!((four.l.value - 25.70e-6).abs() < 0.01e-6, "{four:?}");
        assert!((four.g.value - 31.42e-9).abs() < 0.01e-9, "{four:?}");
    }
}
