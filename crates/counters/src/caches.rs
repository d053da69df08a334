//! Sizes of the simulated caches.

use std::str::FromStr;

use cll_result::Machine;

/// The default size of a cache line, bytes.
const LINE: u64 = 64;
/// The usual number of lines per set: caches of the first level, and the last.
const FIRST_WAYS: u64 = 8;
const LAST_WAYS: u64 = 16;

/// The simulated caches; `None` means this machine's.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CacheSizes {
    instructions: Option<Cache>,
    data: Option<Cache>,
    last: Option<Cache>,
}

/// Larger ones overflow in callgrind; some virtual machines report such sizes.
const MAX_BYTES: u64 = 1 << 30;

/// One cache.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Cache {
    bytes: u64,
    /// Lines per set; chosen by the size if not given.
    ways: Option<u64>,
    line: u64,
}

impl CacheSizes {
    /// The options of callgrind: for the given caches, and this machine's.
    pub fn options(&self, machine: &Machine) -> Vec<String> {
        let level = |name: &str| machine.caches.iter().find(|cache| cache.name == name);
        let first = level("L1").map(|cache| Cache::with_size(cache.bytes.get()));
        let last = machine.caches.last().map(|cache| Cache::with_size(cache.bytes.get()));
        let all = [
            ("I1", self.instructions.or(first), FIRST_WAYS),
            ("D1", self.data.or(first), FIRST_WAYS),
            ("LL", self.last.or(last), LAST_WAYS),
        ];
        let option = |(name, cache, ways): (&str, Option<Cache>, u64)| {
            let Cache { bytes, ways: given, line } = cache?;
            let ways = given.unwrap_or_else(|| usual_ways(bytes / line, ways));
            Some(format!("--{name}={bytes},{ways},{line}"))
        };
        all.into_iter().filter_map(option).collect()
    }
}

impl Cache {
    fn with_size(bytes: u64) -> Cache {
        Cache { bytes: bytes.min(MAX_BYTES), ways: None, line: LINE }
    }
}

/// Lines per set, `wanted` or more, so that the number of sets is a power of two.
fn usual_ways(lines: u64, wanted: u64) -> u64 {
    let odd = lines >> lines.trailing_zeros();
    let mut doubled = (0..=lines.trailing_zeros()).map(|times| odd << times);
    doubled.find(|ways| *ways >= wanted).unwrap_or(lines)
}

impl FromStr for CacheSizes {
    type Err = String;

    /// Parses `I1=32K,D1=48K:12,LL=8M:16:64`: sizes, optionally with lines per set and bytes per line.
    fn from_str(text: &str) -> Result<CacheSizes, String> {
        let mut sizes = CacheSizes::default();
        for part in text.split(',').map(str::trim).filter(|part| !part.is_empty()) {
            let Some((name, size)) = part.split_once('=') else {
                return Err(format!("`{part}` has not the form D1=32K"));
            };
            let slot = match name.trim() {
                "I1" => &mut sizes.instructions,
                "D1" => &mut sizes.data,
                "LL" => &mut sizes.last,
                other => return Err(format!("`{other}` is not a cache; caches are I1, D1, LL")),
            };
            *slot = Some(cache(size.trim())?);
        }
        Ok(sizes)
    }
}

fn cache(text: &str) -> Result<Cache, String> {
    let mut fields = text.split(':');
    let bytes = bytes(fields.next().unwrap_or_default())?;
    let mut number = |name: &str| match fields.next() {
        None => Ok(None),
        Some(field) => {
            let number = field.parse::<u64>().ok().filter(|number| *number > 0);
            number.map(Some).ok_or_else(|| format!("`{field}` is not a number of {name}"))
        }
    };
    let ways = number("lines per set")?;
    let line = number("bytes per line")?.unwrap_or(LINE);
    if fields.next().is_some() {
        return Err(format!("`{text}` is not SIZE, SIZE:WAYS or SIZE:WAYS:LINE"));
    }
    if !line.is_power_of_two() || line < 16 {
        return Err(format!(
            "a line of {line} bytes is not possible: it must be a power of two from 16 on"
        ));
    }
    let lines = bytes / line;
    let set = ways.unwrap_or(1);
    let sets = lines / set;
    if bytes % line != 0 || lines == 0 || lines % set != 0 {
        return Err(format!("`{text}` is not a whole number of sets of lines of {line} bytes"));
    }
    if ways.is_some() && !sets.is_power_of_two() {
        return Err(format!("`{text}` has {sets} sets; callgrind needs a power of two"));
    }
    Ok(Cache { bytes, ways, line })
}

/// `32K`, `8M`, `65536`.
fn bytes(text: &str) -> Result<u64, String> {
    cll_system::bytes(text)
        .filter(|&bytes| bytes > 0 && bytes <= MAX_BYTES)
        .ok_or_else(|| format!("`{text}` is not a size of a cache, such as 32K or 8M"))
}

#[cfg(test)]
mod tests {
    use cll_units::Bytes;

    use super::*;

    fn options(text: &str, caches: &[(&str, u64)]) -> Vec<String> {
        let caches = caches.iter().map(|(name, bytes)| cll_result::Cache {
            name: (*name).to_owned(),
            bytes: Bytes(*bytes),
        });
        let machine = Machine { caches: caches.collect(), ..Machine::default() };
        text.parse::<CacheSizes>().unwrap().options(&machine)
    }

    #[test]
    fn what_is_not_given_is_the_machines() {
        let machine = [("L1", 48 << 10), ("L2", 2 << 20), ("L3", 36 << 20)];
        let all = options("", &machine);
        assert_eq!(all, ["--I1=49152,12,64", "--D1=49152,12,64", "--LL=37748736,18,64"]);
        let given = options("D1=32K, LL=8M:4:32", &machine);
        assert_eq!(given, ["--I1=49152,12,64", "--D1=32768,8,64", "--LL=8388608,4,32"]);
        // A machine without information: callgrind's defaults.
        assert_eq!(options("D1=16K", &[]), ["--D1=16384,8,64"]);
        // One with a size that callgrind cannot handle.
        assert_eq!(options("", &[("L1", 32 << 10), ("L3", 3 << 30)]).len(), 3);
    }

    #[test]
    fn what_is_no_cache() {
        for (text, part) in [
            ("D1", "has not the form"),
            ("L2=1M", "caches are I1, D1, LL"),
            ("D1=x", "not a size"),
            ("D1=32KK", "not a size"),
            ("LL=9G", "not a size"),
            ("D1=32K:0", "not a number of lines"),
            ("D1=32K:8:48", "a power of two from 16"),
            ("D1=100", "not a whole number"),
            ("D1=48K:8", "96 sets"),
            ("D1=32K:8:64:1", "is not SIZE"),
        ] {
            let error = text.parse::<CacheSizes>().unwrap_err();
            assert!(error.contains(part), "{text}: {error}");
        }
    }

    #[test]
    fn sets_are_a_power_of_two() {
        for lines in [512, 768, 131_072, 589_824, 6_291_456] {
            for wanted in [FIRST_WAYS, LAST_WAYS] {
                let ways = usual_ways(lines, wanted);
                assert!((lines / ways).is_power_of_two() && ways < 4 * wanted, "{lines} {ways}");
            }
        }
    }
}
