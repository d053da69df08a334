//! `procs = 1:32:2`: the numbers of processors to run with.

/// More runs than anyone would start: probably a mistake.
const MAX_PROCESSORS: usize = 1024;

/// Reads the items of a `procs` clause: `N`, `LO:HI`, `LO:HI:FACTOR`, `LO:HI:*FACTOR`,
/// `LO:HI:+STEP`, separated by commas.
///
/// # Errors
/// A lower-case fragment that says what is wrong with which item.
pub(super) fn read(text: &str) -> Result<Vec<u32>, String> {
    let mut all = Vec::new();
    for item in text.split(',') {
        let item: String = item.split_whitespace().collect();
        let mut parts = item.split(':');
        let low = number(parts.next().unwrap_or_default(), &item)?;
        let Some(high) = parts.next() else {
            all.push(low);
            continue;
        };
        let high = number(high, &item)?;
        if high < low {
            return Err(format!("range `{item}` runs downwards"));
        }
        let step = parts.next();
        if parts.next().is_some() {
            return Err(format!("range `{item}` has more than three parts"));
        }
        let (adds, by) = match step {
            None => (true, 1),
            Some(step) => match step.strip_prefix('+') {
                Some(step) => (true, number(step, &item)?),
                None => (false, number(step.strip_prefix('*').unwrap_or(step), &item)?),
            },
        };
        if !adds && by == 1 {
            return Err(format!("factor 1 in `{item}` never ends"));
        }
        let mut value = low;
        while value <= high {
            all.push(value);
            if all.len() > MAX_PROCESSORS {
                return Err(format!(
                    "more than {MAX_PROCESSORS} numbers of processors in `{item}`"
                ));
            }
            let next = if adds { value.checked_add(by) } else { value.checked_mul(by) };
            match next {
                Some(next) => value = next,
                None => break,
            }
        }
    }
    Ok(all)
}

fn number(text: &str, item: &str) -> Result<u32, String> {
    match text.parse::<u32>() {
        Ok(0) => Err(format!("0 in `{item}` is not a number of processors")),
        Ok(value) => Ok(value),
        Err(_) if text.is_empty() => Err(format!("a number is missing in `{item}`")),
        Err(_) => Err(format!("`{text}` in `{item}` is not a number of processors")),
    }
}

#[cfg(test)]
mod tests {
    use super::read;

    #[test]
    fn ranges_and_lists() {
        for (text, expected) in [
            ("1:32:2", vec![1, 2, 4, 8, 16, 32]),
            ("1:32:*2", vec![1, 2, 4, 8, 16, 32]),
            (" 2 : 8 : +3 ", vec![2, 5, 8]),
            ("1,2,3,6", vec![1, 2, 3, 6]),
            ("1:3, 8", vec![1, 2, 3, 8]),
            ("7", vec![7]),
            ("4294967295:4294967295:2", vec![u32::MAX]),
        ] {
            assert_eq!(read(text).as_deref(), Ok(&expected[..]), "{text}");
        }
    }

    #[test]
    fn slips() {
        for text in ["", "0", "1:2:1", "8:1:2", "1:2:3:4", "a", "1:b", "1:99999:+1", "-1", "1::2"] {
            assert!(read(text).is_err(), "{text}");
        }
    }
}
