//! The page as text: nothing is missing, and nothing in it is markup that is not ours. What it does
//! in a browser is tested in `viewer/tests`.

use crate::scenes::kept;
use cll_fit::{Data, Fit};
use cll_report::{AnswerOptions, Page, PageRegion, PageSource, Style, answer_report, page};
use cll_result::PredictionView;
use serde_json::{Value, json};

/// Names that would be markup, end an element, turn the text around, or ring a bell.
const HOSTILE: [&str; 6] = [
    "</script><script>alert(1)</script>",
    "<img src=x onerror=alert(1)>",
    "\"><svg onload=alert(1)>",
    "<!-- ]]> -->",
    "a\u{202e}b\0c\u{7}d\u{ffff}",
    "שלום 🦀 &lt;",
];

fn model(name: &str, fit: Option<&Fit>) -> Value {
    json!({
        "format": "cll-model", "version": 1, "tool": name, "created": name,
        "program": { "name": name, "model": name,
                     "compiled": { "command": name, "version": name } },
        "machine": { "host": name, "cpu": name, "processors": 2,
                     "caches": [{ "name": name, "bytes": 1024 }] },
        "clock": name, "seed": 1,
        "runs": [{ "arguments": [name], "order": name, "exit": 0, "time_s": 1.0 }],
        "experiments": [{ "name": name, "formula": name, "places": [name], "unit": "s",
                          "time": name, "observable": name, "samples": 10, "fit": fit,
                          "failure": name, "working_set": name, "variables": [name],
                          "counters": [{ "name": name, "unit": name, "samples": 1, "points": [
                              { "values": [1.0], "count": 1, "median": 1.0, "minimum": 1.0,
                                "maximum": 1.0 }] }],
                          "misses": [{ "misses": name, "accesses": name, "share": 0.5,
                              "points": [{ "values": [1.0], "time_s": null, "share": 0.5 }] }] }],
        "warnings": [{ "code": name, "text": name }],
        "sampling": {
            "wanted": [name], "stopped": "precise", "scheduler": name,
            "verdict": { "state": "disturbed", "reasons": [{ "code": name, "text": name }],
                         "advice": [name] },
            "rounds": [{ "round": 0, "runs": [0], "marked": ["regime"], "used": true }],
            "measuring": { "against": "gate", "because": name, "run": name, "pairs": 5,
                           "code": [{ "file": name, "line": 3, "with": 5, "without": 4 }] },
            "overhead": [{ "experiment": name }],
        },
    })
}

fn source(name: &str) -> PageSource {
    PageSource {
        file: name.to_owned(),
        text: Some(format!("{name}\n{name}\n")),
        note: name.to_owned(),
        regions: vec![PageRegion { experiment: 0, begin: 1, end: 2 }],
        sets: None,
    }
}

fn page_of(
    model: &Value,
    predictions: &[PredictionView],
    samples: Option<Data>,
    sources: &[PageSource],
    notes: &[String],
) -> String {
    let model = crate::scenes::models::model(model);
    page(&Page {
        model: &model,
        title: None,
        comparisons: &[],
        predicted: &crate::scenes::models::predicted(&model, &[predictions.to_vec()]),
        samples: &[samples],
        sources,
        notes,
        live: None,
    })
}

/// The page without the scripts and style sheets that are ours, and the data in it.
fn parts(html: &str) -> (String, Value) {
    let (before, rest) = html.split_once("id=\"cll-data\">").expect("data");
    let (data, after) = rest.split_once("</script>").expect("their end");
    let mut markup = String::new();
    let mut rest = before;
    for (open, close) in [("<style>", "</style>"), ("<script>", "</script>")] {
        let (before, inside) = rest.split_once(open).expect(open);
        markup += before;
        rest = inside.split_once(close).expect(close).1;
    }
    (markup + rest + after, serde_json::from_str(data).expect("JSON"))
}

/// Names of all elements.
fn elements(markup: &str) -> Vec<&str> {
    let mut names: Vec<&str> = markup
        .split('<')
        .skip(1)
        .map(|rest| rest.split([' ', '>', '/', '\n']).next().unwrap_or_default())
        .filter(|name| !name.is_empty())
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

#[test]
fn names_are_never_markup() {
    let matrix = kept("matrix", crate::scenes::matrix);
    let plain =
        parts(&page_of(&model("plain", Some(&matrix)), &[], None, &[source("plain")], &[])).0;
    for name in HOSTILE {
        let mut fit = matrix.clone();
        fit.recorded.push(name.to_owned());
        fit.residuals.iter_mut().for_each(|residual| residual.values.push(1.0));
        fit.axis = Some(name.to_owned());
        fit.constants[0].constant = name.to_owned();
        let all = model(name, Some(&fit));
        let html = page_of(&all, &[], None, &[source(name)], &[name.to_owned()]);
        let (markup, data) = parts(&html);
        let new: Vec<&str> =
            elements(&markup).into_iter().filter(|e| !elements(&plain).contains(e)).collect();
        assert!(new.is_empty(), "{name}: {new:?}");
        assert!(!markup.contains("onerror=alert(1)>"), "{name}");
        assert!(!markup.contains(['\u{202e}', '\0', '\u{7}', '\u{ffff}']), "{name:?}");
        // What the viewer reads is the name as it was.
        assert_eq!(data["model"]["experiments"][0]["name"], name);
        assert_eq!(data["model"]["machine"]["cpu"], name);
    }
}

#[test]
fn a_formula_of_a_megabyte_is_whole_in_the_data_and_short_on_the_page() {
    let long = "N*".repeat(500_000) + "N";
    let html = page_of(&model(&long, None), &[], None, &[], &[]);
    let (markup, data) = parts(&html);
    assert_eq!(data["model"]["experiments"][0]["formula"], long.as_str());
    assert!(markup.len() < 200_000, "{}", markup.len());
    assert!(markup.contains("1000001 characters in all"));
}

#[test]
fn everything_that_is_known_is_there() {
    let fit = kept("matrix", crate::scenes::matrix);
    let predictions = [3000.0, 900_000.0].map(|n| PredictionView::new(&fit, &[n]));
    let mut all = model("matrix", Some(&fit));
    all["experiments"][0]["places"] = json!(["matrix.c:1"]);
    all["experiments"][0]["working_set"] = json!("8*N*N");
    all["sampling"]["verdict"]["state"] = json!("not-measurable");
    let sources = [PageSource { file: "matrix.c".into(), ..source("x = y;") }];
    let (markup, data) = parts(&page_of(&all, &predictions, None, &sources, &["a note".into()]));
    assert!(!markup.contains("no warnings"), "numbers that cannot be used have no clean bill");
    for part in [
        "Not measurable now: no number on this page can be trusted.",
        "N = 3000",
        "N = 900000",
        "beyond the data",
        "href=\"#s0-1\"",
        "init[2]",
        "N &gt; 1579",
        "lies somewhere between 1448 and 1722",
        "There the working set (8*N*N) is between",
        "lack of fit",
        "repetitions",
        "a note",
        "id=\"sampling\"",
        "id=\"environment\"",
        "the samples are not in this page",
    ] {
        assert!(markup.to_lowercase().contains(&part.to_lowercase()), "{part}");
    }
    for warning in &fit.warnings {
        assert!(markup.contains(warning.code()), "{}", warning.code());
    }
    assert_eq!(markup.matches("<svg").count(), 1, "a picture of the fit");
    let view = &data["experiments"][0]["views"][0];
    assert_eq!((&view["x"], view["markers"].as_array().unwrap().len()), (&json!("N"), 2));
    assert_eq!(view["boundaries"][0]["low"], 1448.0);
    assert!(view["slices"][0]["curves"].as_array().unwrap().len() >= 2);
}

/// The text that a browser shows of the part of an element with this identity, in one line.
fn text_of(markup: &str, id: &str) -> String {
    let (_, rest) = markup.split_once(&format!("id=\"{id}\"")).expect(id);
    let (part, _) = rest.split_once("</section>").expect("its end");
    // A picture is no text.
    let pieces: Vec<&str> = part.split("<svg").collect();
    let seen = pieces.iter().map(|piece| piece.split_once("</svg>").map_or(*piece, |(_, t)| t));
    let seen: String = seen.collect();
    let texts = seen.split('<').skip(1).filter_map(|tag| tag.split_once('>'));
    let all: Vec<&str> = texts.flat_map(|(_, text)| text.split_whitespace()).collect();
    let all = all.join(" ").replace("&#39;", "'").replace("&lt;", "<").replace("&gt;", ">");
    all.replace("&quot;", "\"").replace("&amp;", "&")
}

#[test]
fn the_first_screen_has_the_answer_of_the_terminal() {
    for (fit, sizes) in [
        (kept("matrix", crate::scenes::matrix), vec![vec![3000.0], vec![900_000.0], vec![-4.0]]),
        (kept("fft", crate::scenes::fft), vec![vec![65536.0, 8.0]]),
    ] {
        let predictions: Vec<PredictionView> =
            sizes.iter().map(|point| PredictionView::new(&fit, point)).collect();
        let mut all = model("m", Some(&fit));
        all["sampling"]["verdict"]["state"] = json!("quiet");
        let (markup, data) = parts(&page_of(&all, &predictions, None, &[], &[]));
        let page = text_of(&markup, "ask");
        let model = crate::scenes::models::model(&all);
        let predicted = crate::scenes::models::predicted(&model, &[predictions]);
        let wide = Style { width: 10_000, ..Style::default() };
        let text = answer_report(&model, &predicted, AnswerOptions::default(), &wide);
        let lines: Vec<&str> = text.lines().collect();
        assert!(lines.len() > 4, "{text}");
        let mut compared = 0;
        // The last one names a command.
        for piece in lines[..lines.len() - 1].iter().flat_map(|line| line.split("  ")) {
            let piece = piece.trim().trim_start_matches("! ").trim_start_matches("try: ");
            let piece = piece.trim_start_matches("error ");
            if piece.is_empty() || piece.ends_with("more: --details") {
                continue;
            }
            let is_there = page.contains(piece) || page.contains(&piece.replace('*', "·"));
            assert!(is_there, "{piece}\n{page}");
            compared += 1;
        }
        assert!(compared > 5, "{text}");
        let start: Vec<f64> = data["experiments"][0]["start"]
            .as_array()
            .unwrap()
            .iter()
            .map(|value| value[1].as_f64().unwrap())
            .collect();
        assert_eq!(start, sizes[0], "sliders begin at the first prediction");
    }
}

#[test]
fn without_a_prediction_sliders_begin_at_the_longest_measured_point() {
    let fit = kept("fft", crate::scenes::fft);
    let (_, data) = parts(&page_of(&model("fft", Some(&fit)), &[], None, &[], &[]));
    assert_eq!(data["experiments"][0]["start"], json!([["N", 131_072.0], ["P", 1.0]]));
}

#[test]
fn an_experiment_without_a_fit_says_why_on_the_first_screen() {
    let (markup, data) = parts(&page_of(&model("lost", None), &[], None, &[], &[]));
    assert!(text_of(&markup, "ask").contains("cannot be fitted: lost"));
    assert!(!markup.contains("data-island=\"try\""), "there is nothing to move");
    assert_eq!(data["experiments"][0]["start"], json!([]));
}

#[test]
fn several_experiments_begin_with_a_table() {
    let fit = kept("matrix", crate::scenes::matrix);
    let mut all = model("init", Some(&fit));
    let mut lost = all["experiments"][0].clone();
    lost["name"] = json!("lost");
    lost["fit"] = Value::Null;
    lost["failure"] = json!("it was never reached");
    let mut second = all["experiments"][0].clone();
    second["name"] = json!("second");
    second["doubts"] = json!([{ "code": "not-measurable", "text": "others ran" }]);
    let first = all["experiments"][0].clone();
    all["experiments"] = json!([lost, first, second]);
    let predictions = [PredictionView::new(&fit, &[3000.0])];
    let model = crate::scenes::models::model(&all);
    let each = [Vec::new(), predictions.to_vec(), predictions.to_vec()];
    let html = page(&Page {
        model: &model,
        title: None,
        comparisons: &[],
        predicted: &crate::scenes::models::predicted(&model, &each),
        samples: &[],
        sources: &[],
        notes: &[],
        live: None,
    });
    let (markup, _) = parts(&html);
    assert!(markup.find("id=\"experiments\"") < markup.find("id=\"ask\""));
    let table = text_of(&markup, "experiments");
    for part in ["no fit: it was never reached", "t = ", "(16.91 to 17.34) N = 3000", "? 17.12 ms"]
    {
        assert!(table.contains(part), "{part}: {table}");
    }
    // The first with a fit has the first screen, the others the same in their parts.
    let first = text_of(&markup, "ask");
    assert!(first.contains("init") && !first.contains("lost"), "{first}");
    let own: Vec<&str> = markup
        .split("data-island=\"try\" data-experiment=\"")
        .skip(1)
        .map(|rest| &rest[..1])
        .collect();
    assert_eq!(own, ["1", "2"]);
}

#[test]
fn each_variable_of_the_formula_has_its_curves() {
    let fit = kept("fft", crate::scenes::fft);
    let html = page_of(&model("fft", Some(&fit)), &[], None, &[], &[]);
    let (_, data) = parts(&html);
    let views = data["experiments"][0]["views"].as_array().unwrap();
    let names: Vec<&str> = views.iter().map(|view| view["x"].as_str().unwrap()).collect();
    assert_eq!(names, ["N", "P"]);
    for (view, (slices, other)) in views.iter().zip([(6, "P"), (8, "N")]) {
        let all = view["slices"].as_array().unwrap();
        assert_eq!(all.len(), slices);
        assert!(all.iter().all(|slice| slice["at"][other].is_number()));
        for curve in all.iter().flat_map(|slice| slice["curves"].as_array().unwrap()) {
            let length = |name: &str| curve[name].as_array().unwrap().len();
            assert!(length("x") > 2 && length("x") == length("y"));
            assert!(length("low") == length("high"));
        }
    }
}

#[test]
fn samples_are_kept_to_the_last() {
    let fit = kept("matrix", crate::scenes::matrix);
    let points = (0..3).map(|k| (vec![f64::from(k)], vec![0.5, 0.25]));
    let data = crate::scenes::data(&["N"], points);
    let html = page_of(&model("m", Some(&fit)), &[], Some(data), &[], &[]);
    let (_, data) = parts(&html);
    let samples = &data["experiments"][0]["samples"];
    assert_eq!(samples["measured"], 6);
    // 0.5 and 0.25 in 32 bits, three times.
    assert_eq!(samples["data"], "AAAAPwAAgD4AAAA/AACAPgAAAD8AAIA+");
}

#[test]
fn processors_that_are_not_alike_are_shown() {
    let fit = kept("fft", crate::scenes::fft);
    let mut uneven = model("fft", Some(&fit));
    assert!(!page_of(&uneven, &[], None, &[], &[]).contains("times the mean"));
    uneven["experiments"][0]["imbalance"] =
        json!({ "processors": 4, "passages": 12, "slowest": 1.25, "fastest": 0.5 });
    let html = page_of(&uneven, &[], None, &[], &[]);
    for wanted in [
        "up to 4 together, in 12 passages",
        "1.25 times the mean",
        "0.50 times the mean",
        "80 % of the processors&#39; time until the slowest is done",
    ] {
        assert!(html.contains(wanted), "{wanted}");
    }
}

#[test]
fn how_processors_began_together_is_shown() {
    let fit = kept("fft", crate::scenes::fft);
    let mut synced = model("fft", Some(&fit));
    assert!(!page_of(&synced, &[], None, &[], &[]).contains("Begun together"));
    synced["experiments"][0]["sync"] =
        json!({ "barrier": 0, "window": 48, "late": 3, "left_out": 6, "within_ns": 1500 });
    let html = page_of(&synced, &[], None, &[], &[]);
    for wanted in ["48 samples; their clocks are known within 1.5 µs", "3; 6 samples of passages"]
    {
        assert!(html.contains(wanted), "{wanted}");
    }
    assert!(!html.contains("behind a barrier"));
}

#[test]
fn counters_are_reported_with_those_that_are_missing() {
    let fit = kept("matrix", crate::scenes::matrix);
    let mut all = model("matrix", Some(&fit));
    let run = |counters: &[&str]| json!({ "counters": counters });
    all["runs"] = json!([run(&["faults", "r01"]), run(&["loads", "misses"]), run(&["loads"])]);
    let point = |n: f64, median: f64| json!({ "values": [n], "count": 2, "median": median, "minimum": median, "maximum": median });
    let counter = |name: &str, unit: &str, samples: u64, points: &[Value]| json!({ "name": name, "unit": unit, "samples": samples, "points": points });
    let value = &mut all["experiments"][0];
    (value["variables"], value["samples"], value["observable"]) =
        (json!(["N"]), json!(12), "time".into());
    value["counters"] = json!([
        counter("faults", "faults", 4, &[point(64.0, 12_345_678.0), point(8.0, 3.5)]),
        counter("loads", "events", 8, &[point(64.0, 640.0)]),
        counter("r01", "events", 0, &[]),
        counter("peak", "B", 12, &[point(64.0, 65536.0)]),
        counter("cpu-time", "s", 12, &[point(64.0, 0.5e-3)]),
    ]);
    value["misses"] = json!([{ "misses": "misses", "accesses": "loads", "share": 0.25,
                             "points": [{ "values": [64.0], "time_s": 1.0, "share": 0.025 }] }]);
    let (markup, data) = parts(&page_of(&all, &[], None, &[], &[]));
    let part = markup.split_once("<h3>Counters").expect("a part").1;
    let part = part.split_once("<h3>").expect("another part").0;
    let rows: Vec<String> = part
        .split("<tr>")
        .skip(1)
        .map(|row| {
            let cells = row.split("</td>").filter_map(|cell| cell.split_once("<bdi>"));
            cells.map(|(_, text)| text.replace("</bdi>", "")).collect::<Vec<_>>().join("|")
        })
        .collect();
    let wanted = [
        "",
        "faults|faults|4 of 12|1 of 3||",
        "loads|events|8 of 12|2 of 3||",
        "r01|events|0 of 12|1 of 3||not counted: no sample has it",
        "peak|B|12 of 12|||",
        "cpu-time|s|12 of 12|||",
        "misses||||25 % of loads|",
        "",
        "8|3.5||||",
        "64|12345678|640|64 KiB|500.0 µs|2.5 %",
    ];
    assert_eq!(rows.iter().map(|row| row.trim_end()).collect::<Vec<_>>(), wanted, "{part}");
    assert_eq!(data["model"]["experiments"][0]["counters"][3]["unit"], "B");
    // What is fitted is seen with the fit.
    all["experiments"][0]["observable"] = "peak".into();
    let (markup, _) = parts(&page_of(&all, &[], None, &[], &[]));
    assert!(!markup.contains("64 KiB"));
    // Without a fit it is there all the same, without counters nothing is.
    all["experiments"][0]["fit"] = Value::Null;
    assert!(parts(&page_of(&all, &[], None, &[], &[])).0.contains("25 % of loads"));
    all["experiments"][0]["counters"] = json!([]);
    all["experiments"][0]["misses"] = json!([]);
    assert!(!parts(&page_of(&all, &[], None, &[], &[])).0.contains("<h3>Counters"));
}

#[test]
fn the_same_values_give_the_same_bytes() {
    let fit = kept("fft", crate::scenes::fft);
    let all = model("fft", Some(&fit));
    assert_eq!(page_of(&all, &[], None, &[], &[]), page_of(&all, &[], None, &[], &[]));
}

#[test]
fn models_without_anything_have_pages() {
    for text in ["{}", "{\"experiments\":[]}", "{\"experiments\":[{}],\"sampling\":{}}"] {
        let model = crate::scenes::models::model(&serde_json::from_str(text).expect("JSON"));
        let page = Page {
            model: &model,
            title: None,
            comparisons: &[],
            predicted: &[],
            samples: &[],
            sources: &[],
            notes: &[],
            live: None,
        };
        assert!(cll_report::page(&page).contains("</html>"), "{text}");
    }
}
