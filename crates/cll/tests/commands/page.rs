//! `cll page`, and the page that `cll model` writes.

use serde_json::Value;

use crate::support::{Place, WALK};

/// The data in a page.
fn data(html: &str) -> Value {
    let (_, rest) = html.split_once("id=\"cll-data\">").expect("data");
    let (json, _) = rest.split_once("</script>").expect("their end");
    serde_json::from_str(json).expect("JSON")
}

fn with_model() -> Place {
    let place = Place::with_walk();
    place
        .cll(
            &["model", "walk.c", "--vary", "N=1000:8000:*2", "--launches", "3", "--predict"]
                .iter()
                .chain(&["N=9000", "--", "{N}"])
                .copied()
                .collect::<Vec<_>>(),
        )
        .expect(0)
        .says(&["page, traces, model and plots are in walk.cll"]);
    place
}

/// The traces of the rounds that were fitted: on a busy machine some are left out.
fn fitted_traces(place: &Place) -> Vec<String> {
    let model: Value = serde_json::from_str(&place.read("walk.cll/model.json")).unwrap();
    let rounds = model["sampling"]["rounds"].as_array().unwrap();
    let used = rounds.iter().filter(|round| round["used"] == true);
    let runs = used.flat_map(|round| round["runs"].as_array().unwrap());
    runs.map(|run| {
        let run = &model["runs"][run.as_u64().unwrap() as usize];
        run["trace"].as_str().unwrap().to_owned()
    })
    .collect()
}

#[test]
fn a_model_has_a_page_with_its_samples_and_its_source() {
    let place = with_model();
    let html = place.read("walk.cll/walk.html");
    for part in ["<h1", "N = 9000", "beyond the data", "walk.c:8", "id=\"s0-8\"", "sum += a[i]"] {
        assert!(html.contains(part), "{part}");
    }
    let data = data(&html);
    assert_eq!(data["format"], "cll-page");
    let model: Value = serde_json::from_str(&place.read("walk.cll/model.json")).unwrap();
    assert_eq!(data["model"]["experiments"], model["experiments"]);
    assert_eq!(data["model"]["predictions"][0]["at"]["N"], 9000.0);
    let samples = &data["experiments"][0]["samples"];
    // Without those that were interrupted.
    assert_eq!(samples["measured"], model["experiments"][0]["samples"]);
    assert_eq!(samples["variables"][0], "N");
    assert_eq!(samples["points"].as_array().unwrap().len(), 4);
    assert!(samples["points"][0]["count"].as_u64().unwrap() > 3);
    assert_eq!(data["experiments"][0]["views"][0]["x"], "N");
}

#[test]
fn a_page_is_made_anew_with_what_is_still_there() {
    let place = with_model();
    place.cll(&["page", "walk.cll", "--predict", "N=7000,12000", "-o", "a.html"]).expect(0);
    let html = place.read("a.html");
    assert!(html.contains("N = 12000") && html.contains("sum += a[i]"));
    let all = data(&html);
    assert_eq!(
        all["experiments"][0]["samples"]["measured"],
        all["model"]["experiments"][0]["samples"]
    );
    // The source is another by now, and a trace is gone.
    place.write("walk.c", format!("{WALK}\n"));
    let fitted = fitted_traces(&place);
    std::fs::remove_file(place.path(&format!("walk.cll/{}", fitted[0]))).unwrap();
    place.cll(&["page", "walk.cll"]).expect(0).says(&["walk.cll/walk.html"]);
    let html = place.read("walk.cll/walk.html");
    assert!(html.contains("It has changed since it was measured") && !html.contains("sum += a[i]"));
    assert!(html.contains(&format!("1 of {} traces", fitted.len())), "{}", html.len());
    let fewer = data(&html)["experiments"][0]["samples"]["measured"].as_u64().unwrap();
    assert!(fewer < all["experiments"][0]["samples"]["measured"].as_u64().unwrap());
}

#[test]
fn a_table_has_a_page_without_samples() {
    let place = Place::new();
    let rows: String = (1..9).map(|n| format!("{n},{}\n", 3 * n + 1)).collect();
    place.write("t.csv", format!("N,time\n{rows}"));
    place.cll(&["fit", "t.csv", "--formula", "f[0] + f[1]*N", "-o", "t.json"]).expect(0);
    place.cll(&["page", "t.json"]).expect(0).says(&["t.html"]);
    let html = place.read("t.html");
    assert!(html.contains("no trace was at hand"));
    assert!(data(&html)["experiments"][0]["samples"].is_null());
}

#[test]
fn several_models_have_one_page_and_each_is_named_by_its_file() {
    let place = Place::new();
    for (name, factor) in [("a", 3), ("b", 5)] {
        let rows: String = (1..9).map(|n| format!("{n},{}\n", factor * n + 1)).collect();
        place.write(&format!("{name}.csv"), format!("N,time\n{rows}"));
        let (table, model) = (format!("{name}.csv"), format!("{name}.json"));
        place.cll(&["fit", &table, "--formula", "f[0] + f[1]*N", "-o", &model]).expect(0);
    }
    place.cll(&["page", "a.json", "b.json", "--predict", "N=100"]).expect(0).says(&["models.html"]);
    let html = place.read("models.html");
    let data = data(&html);
    let all = data["model"]["experiments"].as_array().unwrap();
    assert_eq!(all.len(), 2);
    for (k, (name, value)) in [("a: f", 301.0), ("b: f", 501.0)].into_iter().enumerate() {
        assert!(all[k]["name"].as_str().unwrap().starts_with(name), "{}", all[k]["name"]);
        let prediction = data["model"]["predictions"][k]["value"].as_f64().unwrap();
        assert!((prediction - value).abs() < 1e-6, "{prediction}");
    }
    assert!(html.contains("data-island=\"together\"") && html.contains("id=\"cll-predict\""));
    assert!(html.contains("wasm-unsafe-eval"));
    place.cll(&["page", "a.json", "a.json"]).expect(2).says(&["given twice"]);
    place.cll(&["page", "a.json", "b.json", "-o", "b.json"]).expect(2);
    place.cll(&["page", "a.json", "none.json"]).expect(3).says(&["none.json"]);
}
