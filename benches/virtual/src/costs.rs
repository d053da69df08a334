//! From times by size to the table that virtual processors are given.

use anyhow::{Context, Result, ensure};

/// Lines `KIND BYTES SECONDS`, ascending within a kind: a table whose pieces join them.
pub fn table(text: &str) -> Result<String> {
    let mut points: Vec<(&str, f64, f64)> = Vec::new();
    for line in text.lines() {
        let words: Vec<&str> = line.split_whitespace().collect();
        ensure!(words.len() == 3, "a program printed {line:?}");
        let number = |text: &str| text.parse::<f64>().with_context(|| line.to_owned());
        points.push((words[0], number(words[1])?, number(words[2])?));
    }
    let mut table = "max".to_owned();
    for (index, &(kind, h, time)) in points.iter().enumerate() {
        let next = points.get(index + 1).filter(|next| next.0 == kind);
        let slope = next.map_or(time / h.max(1.0), |next| (next.2 - time) / (next.1 - h));
        let g = slope.clamp(0.0, if h > 0.0 { time / h } else { f64::INFINITY });
        table += &format!(";{kind},2,{h},{g:e},{:e}", time - g * h);
    }
    Ok(table)
}

#[cfg(test)]
mod tests {
    use super::table;

    #[test]
    fn pieces_join_the_points() {
        let text = table("b 0 0.5\nb 4 1\nb 8 3\no 4 2\n").unwrap();
        assert_eq!(
            text,
            "max;b,2,0,1.25e-1,5e-1;b,2,4,2.5e-1,0e0;b,2,8,3.75e-1,0e0;o,2,4,5e-1,0e0"
        );
    }
}
