//! The data that are sent, by rules or by expressions.

use std::sync::Arc;

use cll_units::Bytes;

use super::codes;
use super::expression::Expression;
use super::read::{Send, SendRule};
use super::scope::{NoValue, Scope, reported};
use crate::log::{Message, traffic_pattern};
use crate::program::{Partners, Sets, Traffic, TrafficPattern};

/// The traffic between a number of processors, and which processor waits for which.
pub(super) fn traffic(
    send: &Send,
    scope: &Scope,
    processors: u32,
) -> Result<(Traffic, TrafficPattern, Partners), NoValue> {
    let p = processors;
    if let SendRule::To(to) = &send.rule {
        return by_expression(send, to, scope, p);
    }
    let bytes = size(send, scope)?;
    if p == 1 {
        return Ok((Traffic::None, TrafficPattern::Empty, Partners::None));
    }
    let others = f64::from(p - 1);
    let same = |received: f64, sent: f64| {
        if received + sent > 0.0 { Traffic::Same { received, sent } } else { Traffic::None }
    };
    let each =
        |traffic_of: &dyn Fn(u32) -> (f64, f64)| Traffic::Each((0..p).map(traffic_of).collect());
    let (traffic, pattern, partners) = match &send.rule {
        SendRule::Shift(by) => {
            let by = match by {
                Some(by) => scope.integer(by, 0)? % p,
                None => 1,
            };
            if by == 0 {
                return Ok((Traffic::None, TrafficPattern::Empty, Partners::None));
            }
            (same(bytes, bytes), TrafficPattern::Shift, Partners::Shift(by))
        }
        SendRule::Exchange(by) => {
            let mask = scope.integer(by, 1)?;
            let has = |i: u32| i ^ mask < p;
            let traffic = if (0..p).all(has) {
                same(bytes, bytes)
            } else {
                each(&|i| if has(i) { (bytes, bytes) } else { (0.0, 0.0) })
            };
            (traffic, TrafficPattern::Shift, Partners::Exchange(mask))
        }
        SendRule::Outwards(by) => {
            let distance = scope.integer(by, 1)?;
            let (sends, receives) = tree(distance, p);
            let traffic_of = |i| (receives(i) * bytes, sends(i) * bytes);
            (each(&traffic_of), TrafficPattern::Shift, Partners::Outwards(distance))
        }
        SendRule::Inwards(by) => {
            let distance = scope.integer(by, 1)?;
            let (receives, sends) = tree(distance, p);
            let traffic_of = |i| (receives(i) * bytes, sends(i) * bytes);
            (each(&traffic_of), TrafficPattern::Shift, Partners::Inwards(distance))
        }
        SendRule::TotalExchange => {
            (same(others * bytes, others * bytes), TrafficPattern::TotalExchange, Partners::All)
        }
        SendRule::Random => (same(bytes, bytes), TrafficPattern::Random, Partners::All),
        SendRule::Broadcast(root_expression) | SendRule::Scatter(root_expression) => {
            let at = root(root_expression, scope, p)?;
            let traffic_of = |i| if i == at { (0.0, others * bytes) } else { (bytes, 0.0) };
            let pattern = match &send.rule {
                SendRule::Broadcast(_) => TrafficPattern::Broadcast,
                _ => TrafficPattern::Scatter,
            };
            (each(&traffic_of), pattern, Partners::From(at))
        }
        SendRule::Gather(root_expression) => {
            let at = root(root_expression, scope, p)?;
            let traffic_of = |i| if i == at { (others * bytes, 0.0) } else { (0.0, bytes) };
            (each(&traffic_of), TrafficPattern::Gather, Partners::To(at))
        }
        SendRule::To(_) => (Traffic::None, TrafficPattern::Empty, Partners::None),
    };
    let pattern = if traffic.is_empty() { TrafficPattern::Empty } else { pattern };
    Ok((traffic, pattern, partners))
}

/// The root among p processors: the first one if none is given.
fn root(root: &Option<Expression>, scope: &Scope, p: u32) -> Result<u32, NoValue> {
    let Some(root) = root else { return Ok(0) };
    match scope.integer(root, 0)? {
        number if number < p => Ok(number),
        number => Err(reported(
            codes::VALUE,
            root,
            format!("processor {number} is the root of {p} processors"),
        )),
    }
}

/// Which processors are nearer to the root in a step of a tree, and which are farther: 1 or 0.
fn tree(distance: u32, p: u32) -> (impl Fn(u32) -> f64, impl Fn(u32) -> f64) {
    let near = move |i: u32| {
        let other = i.checked_add(distance);
        f64::from(u8::from(i < distance && other.is_some_and(|other| other < p)))
    };
    let far = move |i: u32| f64::from(u8::from(i >= distance && i - distance < distance));
    (near, far)
}

fn size(send: &Send, scope: &Scope) -> Result<f64, NoValue> {
    match scope.value(&send.bytes)? {
        bytes if bytes >= 0.0 => Ok(bytes),
        bytes => {
            Err(reported(codes::VALUE, &send.bytes, format!("{bytes} bytes {}", scope.here())))
        }
    }
}

/// Each processor sends to one other, or to none if the expression gives none.
fn by_expression(
    send: &Send,
    to: &super::expression::Expression,
    scope: &Scope,
    p: u32,
) -> Result<(Traffic, TrafficPattern, Partners), NoValue> {
    let mut messages = Vec::new();
    let mut each = vec![(0.0, 0.0); p as usize];
    let mut scope = scope.clone();
    for pid in 0..p {
        scope.set("pid", f64::from(pid));
        let other = scope.value(to)?;
        let exists = other.fract() == 0.0 && other >= 0.0 && other < f64::from(p);
        if !exists || other == f64::from(pid) {
            continue;
        }
        let bytes = size(send, &scope)?;
        let other = other as u32;
        each[pid as usize].1 += bytes;
        each[other as usize].0 += bytes;
        // A message with less than one byte is still a message.
        messages.push(Message { from: pid, to: other, bytes: Bytes(bytes.ceil() as u64) });
    }
    if messages.is_empty() {
        return Ok((Traffic::None, TrafficPattern::Empty, Partners::None));
    }
    let mut lists: Vec<Vec<u32>> = vec![Vec::new(); p as usize];
    messages.iter().for_each(|message| lists[message.to as usize].push(message.from));
    let partners = Partners::Sets(Arc::new(Sets::new(lists)));
    Ok((Traffic::Each(each.into()), traffic_pattern(p, &messages), partners))
}
