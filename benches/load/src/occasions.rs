//! Models of several quiet occasions, each beside what the other occasions measured.

use std::fs;

use anyhow::{Context, Result};
use serde_json::{Value, json};

use crate::arguments::{Occasions, User};
use crate::constants::{Agreement, compare};
use crate::load::Kind;
use crate::programs::Program;
use crate::record::{self, Record};
use crate::score::{Check, Score, checks, scores};
use crate::stop::Stop;
use crate::table;
use crate::tool::Tool;
use crate::truth::{self, Measured, truths};
use crate::works::{Settings, Works};

/// Where sizes lie: inside of the data, or beyond by a factor.
const PLACES: [(&str, u64); 3] = [("inside", 1), ("2 x beyond", 2), ("4 x beyond", 4)];

/// Makes the occasions that are missing and prints what all come to.
pub fn run(arguments: &Occasions) -> Result<()> {
    let common = &arguments.common;
    let (settings, cll) = Settings::of("occasions", common)?;
    let works = Works::open(common.out.as_deref(), &settings)?;
    let stop = Stop::listen()?;
    let tool = Tool::new(&cll, User::Own)?;
    for occasion in 1..=common.occasions {
        let kept = truth::kept(&works, &common.programs)?;
        if truth::complete(&kept, &common.programs) < occasion {
            let moment = truth::last(&kept) + arguments.apart.as_secs_f64();
            if !kept.iter().any(|measured| measured.occasion == occasion) {
                stop.wait_until(moment, &format!("occasion {occasion} (--apart)"));
            }
            if occasion == 1 {
                // So that the fastest of the machine is known.
                let program = common.programs.first().context("no programs")?;
                tool.model(
                    *program,
                    &program.fitted(),
                    &["--loaded", "accept", "--launches", "2"],
                )?;
            }
        }
        for &program in &common.programs {
            one(arguments, &works, &tool, &stop, (program, occasion))?;
        }
    }
    report(arguments, &settings, &works)
}

/// A program's model and direct measurement of one occasion, unless they are there.
fn one(
    arguments: &Occasions,
    works: &Works,
    tool: &Tool,
    stop: &Stop,
    (program, occasion): (Program, usize),
) -> Result<()> {
    let common = &arguments.common;
    let sizes = sizes(program);
    let name = record::name(User::Own, Kind::Idle, program, occasion);
    if !stop.is_wanted() && works.read::<Record>(&name)?.is_none() {
        let cell = (User::Own, Kind::Idle, program, occasion);
        let record = Record::make(works, tool, cell, common.budget.as_secs_f64(), &sizes);
        if !stop.is_wanted() {
            let record = record?;
            eprintln!("occasion {occasion} {:<8} model: {}", program.name(), record.words());
            works.write(&name, &record)?;
        }
    }
    if !stop.is_wanted() {
        truth::measure(works, tool, common, stop, (program, occasion), &sizes)?;
    }
    Ok(())
}

fn sizes(program: Program) -> Vec<u64> {
    let mut sizes = program.held_out();
    sizes.extend(program.beyond().map(|(_, size)| size));
    sizes
}

/// By how many times a size lies beyond the data; 1 inside.
fn factor(program: Program, size: u64) -> u64 {
    program.beyond().iter().find(|(_, at)| *at == size).map_or(1, |(factor, _)| *factor)
}

fn report(arguments: &Occasions, settings: &Settings, works: &Works) -> Result<()> {
    let common = &arguments.common;
    let measured = truth::kept(works, &common.programs)?;
    let mut records: Vec<Record> = Vec::new();
    for occasion in 1..=common.occasions {
        for &program in &common.programs {
            let name = record::name(User::Own, Kind::Idle, program, occasion);
            records.extend(works.read::<Record>(&name)?);
        }
    }
    println!();
    for record in &records {
        println!("occasion {} {:<8} {}", record.number, record.program.name(), record.words());
    }
    println!();
    table::truth(&measured);
    let mut tables = Vec::new();
    for (place, times) in PLACES {
        let trials = beside_others(&records, &measured, times);
        println!("\n{place}");
        table::heading(10, "program");
        let all = Score::of(
            trials.iter().map(|(record, checks)| (record, checks.as_slice())),
            Record::is_answer,
            common.seed,
        );
        let programs = scores(&trials, |record| record.program, Record::is_answer, common.seed);
        for (program, score) in &programs {
            table::line(10, program.name(), score);
        }
        table::line(10, "all", &all);
        let programs: Vec<Value> = programs
            .iter()
            .map(|(program, score)| json!({ "program": program, "score": score }))
            .collect();
        let checks: Vec<Value> = trials
            .iter()
            .map(|(record, checks)| json!({ "occasion": record.number, "program": record.program, "checks": checks }))
            .collect();
        tables.push(json!({
            "place": place, "factor": times, "all": all, "by_program": programs, "models": checks,
        }));
    }
    println!();
    table::legend();
    let agreement = agreement(works, &records)?;
    println!("\nconstants of two occasions whose 90 % intervals overlap: {agreement}");
    for what in &agreement.apart {
        println!("  {what}");
    }
    if let Some(file) = &common.json {
        let all = json!({
            "settings": settings, "seed": common.seed, "truth": measured, "models": records,
            "places": tables,
            "constants": { "compared": agreement.constants, "agreeing": agreement.agreeing },
        });
        fs::write(file, serde_json::to_vec_pretty(&all)?)
            .with_context(|| file.display().to_string())?;
    }
    Ok(())
}

/// Each model with its predictions of a kind beside the truth of the other occasions.
fn beside_others(
    records: &[Record],
    measured: &[Measured],
    times: u64,
) -> Vec<(Record, Vec<Check>)> {
    let one = |record: &Record| {
        let others = measured.iter().filter(|other| other.occasion != record.number);
        let is_of_kind = |size| factor(record.program, size) == times;
        (record.clone(), checks(record, &truths(others), is_of_kind))
    };
    records.iter().map(one).collect()
}

/// Compares all pairs of answers of a program.
fn agreement(works: &Works, records: &[Record]) -> Result<Agreement> {
    let mut agreement = Agreement::default();
    let answers: Vec<&Record> = records.iter().filter(|record| record.is_answer()).collect();
    for (k, a) in answers.iter().enumerate() {
        for b in &answers[k + 1..] {
            if a.program == b.program {
                let fit = |record: &Record| -> Result<Option<cll_fit::Fit>> {
                    let model: Option<Value> = works.read(&format!("{}.model", record.name()))?;
                    let fit = model.as_ref().and_then(|model| model.pointer("/experiments/0/fit"));
                    Ok(fit.map(|fit| serde_json::from_value(fit.clone())).transpose()?)
                };
                if let (Some(a), Some(b)) = (fit(a)?, fit(b)?) {
                    agreement.add(compare(&a, &b));
                }
            }
        }
    }
    Ok(agreement)
}
