//! Models made beside other programs.

use std::collections::BTreeMap;
use std::fs;

use anyhow::{Context, Result};
use serde_json::json;

use crate::arguments::{Beside, User};
use crate::load::{Kind, Load};
use crate::programs::Program;
use crate::record::{self, Record};
use crate::score::{Check, Score, checks, scores};
use crate::stop::{Stop, now};
use crate::table;
use crate::tool::Tool;
use crate::truth::{self, Measured, truths};
use crate::works::{Settings, Works};

/// A place in the grid of trials.
type Cell = (User, Kind, Program, usize);

/// Runs the trials that are missing and prints what all come to.
pub fn run(arguments: &Beside) -> Result<()> {
    let common = &arguments.common;
    let (settings, cll) = Settings::of("beside", common)?;
    let works = Works::open(common.out.as_deref(), &settings)?;
    let stop = Stop::listen()?;
    let mut users = arguments.users.clone();
    users.retain(|&user| match Tool::lacks(user) {
        Some(why) => {
            println!("{} is left out: {why}", user.name());
            false
        }
        None => true,
    });
    // The truth is measured by the own user, whoever makes models.
    let mut tools = BTreeMap::from([(User::Own, Tool::new(&cll, User::Own)?)]);
    for &user in &users {
        if user != User::Own {
            tools.insert(user, Tool::new(&cll, user)?);
        }
    }
    let missing = missing(&works, &grid(arguments, &users))?;
    let kept = truth::kept(&works, &common.programs)?;
    let have = truth::complete(&kept, &common.programs);
    if !missing.is_empty() || have < common.occasions {
        for (user, tool) in &tools {
            // So that the fastest of the machine is known, as to a user who has used cll before.
            eprintln!("{}: cll gets to know the machine", user.name());
            let program = common.programs.first().context("no programs")?;
            tool.model(*program, &program.fitted(), &["--loaded", "accept", "--launches", "2"])?;
        }
        trials(arguments, &works, &tools, &stop, &missing, have)?;
    }
    report(arguments, &settings, &works, &users)
}

/// All trials: the first of all kinds, users and programs before the second.
fn grid(arguments: &Beside, users: &[User]) -> Vec<Cell> {
    let mut cells = Vec::new();
    for trial in 1..=arguments.trials {
        for &kind in &arguments.kinds {
            for &user in users {
                for &program in &arguments.common.programs {
                    cells.push((user, kind, program, trial));
                }
            }
        }
    }
    cells
}

fn missing(works: &Works, cells: &[Cell]) -> Result<Vec<Cell>> {
    let mut missing = Vec::new();
    for &(user, kind, program, number) in cells {
        let name = record::name(user, kind, program, number);
        if works.read::<Record>(&name)?.is_none() {
            missing.push((user, kind, program, number));
        }
    }
    Ok(missing)
}

/// Makes these trials, with occasions before, among and after them.
fn trials(
    arguments: &Beside,
    works: &Works,
    tools: &BTreeMap<User, Tool>,
    stop: &Stop,
    missing: &[Cell],
    have: usize,
) -> Result<()> {
    let common = &arguments.common;
    let budget = common.budget.as_secs_f64();
    let quiet = &tools[&User::Own];
    // Where all are there already, the machine is looked at again after new trials.
    let wanted = common.occasions.max(have + usize::from(!missing.is_empty()));
    let todo = wanted - have;
    // How many occasions there must be before a trial: they are spread evenly over the trials, the
    // last one comes after them all.
    let due = |done: usize| match (have, todo) {
        (0, 1) => 1,
        (0, _) => 1 + done * (todo - 1) / missing.len(),
        _ => have + done * todo / missing.len(),
    };
    let begin = now();
    let mut waited = 0.0;
    for (done, &(user, kind, program, number)) in missing.iter().enumerate() {
        let before = now();
        occasions(arguments, works, quiet, stop, due(done))?;
        waited += now() - before;
        if stop.is_wanted() {
            return Ok(());
        }
        let seed = common.seed ^ ((number as u64) << 32 | (program as u64) << 16 | kind as u64);
        let load = Load::begin(kind, seed)?;
        let cell = (user, kind, program, number);
        let record = Record::make(works, &tools[&user], cell, budget, &program.held_out());
        if stop.is_wanted() {
            // Ctrl-C has reached cll, too: whatever it made is not a trial.
            return Ok(());
        }
        let record = record?;
        load.end()?;
        works.write(&record.name(), &record)?;
        let left = (now() - begin - waited) / (done + 1) as f64 * (missing.len() - done - 1) as f64;
        eprintln!(
            "[{}/{}] {} {} {} {number}: {}; {:.0} min left",
            done + 1,
            missing.len(),
            user.name(),
            kind.name(),
            program.name(),
            record.words(),
            left / 60.0
        );
    }
    occasions(arguments, works, quiet, stop, wanted)
}

/// Measures the truth until there are so many occasions, each some time after the one before.
fn occasions(
    arguments: &Beside,
    works: &Works,
    tool: &Tool,
    stop: &Stop,
    until: usize,
) -> Result<()> {
    let common = &arguments.common;
    loop {
        let kept = truth::kept(works, &common.programs)?;
        let have = truth::complete(&kept, &common.programs);
        if have >= until || stop.is_wanted() {
            return Ok(());
        }
        let is_begun = kept.iter().any(|measured| measured.occasion > have);
        if !is_begun {
            let moment = truth::last(&kept) + arguments.apart.as_secs_f64();
            stop.wait_until(moment, &format!("quiet occasion {} (--apart)", have + 1));
        }
        for &program in &common.programs {
            let at = (program, have + 1);
            if stop.is_wanted()
                || truth::measure(works, tool, common, stop, at, &program.held_out())?.is_none()
            {
                return Ok(());
            }
        }
    }
}

/// Prints and writes what is there, of the kinds, users, programs and trials that were asked for.
fn report(arguments: &Beside, settings: &Settings, works: &Works, users: &[User]) -> Result<()> {
    let common = &arguments.common;
    let measured: Vec<Measured> = truth::kept(works, &common.programs)?;
    let truths = truths(&measured);
    let mut trials: Vec<(Record, Vec<Check>)> = Vec::new();
    for (user, kind, program, number) in grid(arguments, users) {
        if let Some(record) = works.read::<Record>(&record::name(user, kind, program, number))? {
            let checks = checks(&record, &truths, |_| true);
            trials.push((record, checks));
        }
    }
    let by_kind = |record: &Record| (record.user, record.kind);
    let by_program = |record: &Record| (record.user, record.kind, record.program);
    let kinds = scores(&trials, by_kind, Record::is_answer, common.seed);
    let programs = scores(&trials, by_program, Record::is_answer, common.seed);
    let held_back = scores(&trials, by_kind, Record::is_held_back, common.seed);
    println!();
    for (record, _) in &trials {
        let Record { user, kind, program, number, .. } = record;
        let (user, kind, program) = (user.name(), kind.name(), program.name());
        println!("{user:<6} {kind:<7} {program:<7} {number:>2}  {}", record.words());
    }
    println!();
    table::truth(&measured);
    println!();
    table::heading(24, "user   load");
    for ((user, kind), score) in &kinds {
        table::line(24, &format!("{:<6} {}", user.name(), kind.name()), score);
    }
    println!();
    table::heading(24, "user   load    program");
    for ((user, kind, program), score) in &programs {
        let name = format!("{:<6} {:<7} {}", user.name(), kind.name(), program.name());
        table::line(24, &name, score);
    }
    println!("\nthe same of the numbers that cll model held back (exit code 8), had it given them");
    table::heading(24, "user   load");
    for ((user, kind), score) in &held_back {
        table::line(24, &format!("{:<6} {}", user.name(), kind.name()), score);
    }
    println!();
    table::legend();
    if let Some(file) = &common.json {
        let trials: Vec<_> = trials
            .iter()
            .map(|(record, checks)| json!({ "model": record, "checks": checks }))
            .collect();
        let of_kinds = |scores: BTreeMap<(User, Kind), Score>| -> Vec<_> {
            scores
                .iter()
                .map(|((user, kind), score)| json!({ "user": user, "kind": kind, "score": score }))
                .collect()
        };
        let programs: Vec<_> = programs
            .iter()
            .map(|((user, kind, program), score)| {
                json!({ "user": user, "kind": kind, "program": program, "score": score })
            })
            .collect();
        let all = json!({
            "settings": settings, "seed": common.seed, "truth": measured, "trials": trials,
            "by_kind": of_kinds(kinds), "by_program": programs, "held_back": of_kinds(held_back),
        });
        fs::write(file, serde_json::to_vec_pretty(&all)?)
            .with_context(|| file.display().to_string())?;
    }
    Ok(())
}
