//! The column of a table that is its result.

use crate::error::ImportCause;
use crate::header::HeaderColumn;
use crate::statistic::Statistic;
use crate::words::rank;

/// Which column is the result: the requested one; one with a known name, or the median or mean of one; the only one
/// that the formulas do not use and that has numbers (`is_number`), or the only one of these with a unit of time. Of
/// statistics only a median or a mean is taken. Without formulas, of two columns the last one.
pub(crate) fn result(
    columns: &[HeaderColumn],
    asked: Option<&str>,
    used: &[String],
    is_number: &[bool],
) -> Result<usize, ImportCause> {
    let headers =
        |indices: &[usize]| indices.iter().map(|&index| columns[index].header.clone()).collect();
    let all: Vec<usize> = (0..columns.len()).filter(|&index| !columns[index].is_index()).collect();
    if let Some(name) = asked {
        let mut by_name = all.iter().filter(|&&index| columns[index].is_called_like(name));
        let error = || ImportCause::NoColumn { name: name.to_owned(), known: headers(&all) };
        return by_name.next().copied().ok_or_else(error);
    }
    let is_used = |column: &HeaderColumn| used.iter().any(|name| column.is_called(name));
    let numbers: Vec<usize> = all
        .iter()
        .copied()
        .filter(|&index| is_number[index] && !is_used(&columns[index]))
        .collect();
    let numbers_of = |statistic: Option<Statistic>| {
        let statistic_of = |index: usize| columns[index].summary.as_ref().map(|own| own.statistic);
        let numbers =
            numbers.iter().copied().filter(move |&index| statistic_of(index) == statistic);
        numbers.collect::<Vec<usize>>()
    };
    let plain = numbers_of(None);
    let is_text = |index: &usize| {
        !is_number[*index] && !is_used(&columns[*index]) && columns[*index].summary.is_none()
    };
    let texts: Vec<usize> = all.iter().copied().filter(is_text).collect();
    let (medians, means) = (numbers_of(Some(Statistic::Median)), numbers_of(Some(Statistic::Mean)));
    let by_name = best_known(&plain, |index| &columns[index].plain)
        .or_else(|| best_known(&medians, |index| stem(&columns[index])))
        .or_else(|| best_known(&means, |index| stem(&columns[index])))
        // Then a cell that is no number is named.
        .or_else(|| best_known(&texts, |index| &columns[index].plain));
    if let Some(index) = by_name {
        return Ok(index);
    }
    let is_time = |index: &usize| columns[*index].is_time_unit();
    let is_bare = |index: &usize| stem(&columns[*index]).is_empty() || is_time(index);
    if let Some(index) = only(&plain, |index| columns[*index].is_unit())
        .or_else(|| only(&plain, is_time))
        .or_else(|| only(&medians, is_bare))
        .or_else(|| only(&means, is_bare))
    {
        return Ok(index);
    }
    let is_known = used.iter().all(|name| columns.iter().any(|column| column.is_called(name)));
    let is_free = used.is_empty() || !is_known;
    let average = only(&medians, |_| true).or_else(|| only(&means, |_| true));
    if let Some(index) = average.filter(|_| plain.is_empty() || is_free) {
        return Ok(index);
    }
    match (numbers.as_slice(), is_free) {
        ([], false) => Err(ImportCause::NoResult { used: headers(&all) }),
        ([index], _) => Ok(*index),
        // The formula is wrong, which is said later.
        _ if !is_known => Ok(numbers.last().copied().unwrap_or(0)),
        ([], true) => Ok(all.last().copied().unwrap_or(0)),
        (numbers, is_free) => match plain.as_slice() {
            [index] if !is_free && numbers.iter().all(|other| is_of(columns, *other, *index)) => {
                Ok(*index)
            }
            [_, last] if is_free && numbers.len() == 2 => Ok(*last),
            _ => Err(ImportCause::WhichResult { candidates: headers(numbers) }),
        },
    }
}

/// The first column in the order of the known names.
fn best_known<'c>(among: &[usize], name: impl Fn(usize) -> &'c str) -> Option<usize> {
    let ranked = among.iter().copied().filter_map(|index| Some((rank(name(index))?, index)));
    ranked.min().map(|(_, index)| index)
}

/// Whether a column is a statistic of another one, or is that one.
fn is_of(columns: &[HeaderColumn], statistic: usize, other: usize) -> bool {
    statistic == other || stem(&columns[statistic]) == columns[other].plain
}

/// The statistic's rest of the name.
fn stem(column: &HeaderColumn) -> &str {
    column.summary.as_ref().map_or("", |summary| &summary.stem)
}

fn only(among: &[usize], is: impl Fn(&usize) -> bool) -> Option<usize> {
    let mut all = among.iter().filter(|index| is(index));
    all.next().copied().filter(|_| all.next().is_none())
}
