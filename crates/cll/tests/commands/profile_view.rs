//! `cll profile view`: the page of real logs. What a browser makes of it is tested in `viewer/tests`.

use std::collections::HashMap;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::Stdio;

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::Value;

use crate::profile::logged;

/// All data of a profile in a page: the head of the first part, the columns of all.
pub fn profile(html: &str) -> (Value, HashMap<String, Vec<f64>>) {
    let (head, mut columns) = data(html, "p0");
    for part in ["graph", "each"] {
        let (own, more) = data(html, &format!("p0-{part}"));
        assert_eq!(own["part"], part);
        columns.extend(more);
    }
    (head, columns)
}

/// The data of a name in a page: head, and columns as numbers.
pub fn data(html: &str, name: &str) -> (Value, HashMap<String, Vec<f64>>) {
    let (_, rest) = html.split_once(&format!("id=\"cll-{name}\"")).expect("data");
    let (_, rest) = rest.split_once('>').expect("their begin");
    let (text, _) = rest.split_once("</script>").expect("their end");
    let packed = STANDARD.decode(text).expect("base64");
    let bytes = miniz_oxide::inflate::decompress_to_vec_zlib(&packed).expect("zlib");
    assert_eq!(&bytes[..4], b"CLLC");
    let size = u32::from_le_bytes(bytes[4..8].try_into().unwrap()) as usize;
    let head: Value = serde_json::from_slice(&bytes[8..8 + size]).expect("JSON");
    let data = &bytes[8 + size..];
    let mut columns = HashMap::new();
    for column in head["columns"].as_array().unwrap() {
        let number = |name: &str| column[name].as_u64().unwrap() as usize;
        let (offset, length) = (number("offset"), number("length"));
        let width = match column["type"].as_str().unwrap() {
            "f64" => 8,
            "u8" => 1,
            _ => 4,
        };
        let all = data[offset..offset + length * width].chunks(width);
        let values = all.map(|bytes| match column["type"].as_str().unwrap() {
            "f64" => f64::from_le_bytes(bytes.try_into().unwrap()),
            "f32" => f64::from(f32::from_le_bytes(bytes.try_into().unwrap())),
            "u32" => f64::from(u32::from_le_bytes(bytes.try_into().unwrap())),
            "i32" => f64::from(i32::from_le_bytes(bytes.try_into().unwrap())),
            _ => f64::from(bytes[0]),
        });
        columns.insert(column["name"].as_str().unwrap().to_owned(), values.collect());
    }
    (head, columns)
}

pub fn near(a: f64, b: f64) -> bool {
    (a - b).abs() <= 1e-4 * a.abs().max(b.abs()) + 1e-12
}

#[test]
fn the_page_has_what_show_has_and_every_superstep() {
    let place = logged();
    let json = place.cll(&["profile", "show", "b.cll.0.log", "--json"]).expect(0).json();
    place.cll(&["profile", "view", "b.cll.0.log"]).expect(0).says(&["the page is b.cll.0.html"]);
    let html = place.read("b.cll.0.html");
    assert!(html.contains("default-src &#39;none&#39;"), "a policy");
    let (head, columns) = profile(&html);
    let nodes = json["profile"]["nodes"].as_array().unwrap();
    assert_eq!(head["nodes"], nodes.len());
    for metric in 0..4 {
        for (index, node) in nodes.iter().enumerate() {
            let cost = |what: &str| node["costs"]["metrics"][metric][what].as_f64().unwrap();
            assert_eq!(columns[&format!("t.max{metric}")][index], cost("maximum"));
            assert_eq!(columns[&format!("t.avg{metric}")][index], cost("average"));
        }
        // The supersteps add up to the program; its start is none of them.
        let start = nodes.iter().find(|node| node["kind"]["kind"] == "start").unwrap();
        let without = start["costs"]["metrics"][metric]["maximum"].as_f64().unwrap();
        let root = nodes[0]["costs"]["metrics"][metric]["maximum"].as_f64().unwrap();
        let sum: f64 = columns[&format!("s.max{metric}")].iter().sum();
        assert!(near(sum + without, root), "{metric}: {sum} + {without}, {root}");
        // So do those of each processor.
        let (_, values) = data(&html, &format!("p0-values{metric}"));
        let each = nodes[0]["each"][metric].as_array().unwrap();
        let begun = start["each"][metric].as_array().unwrap();
        for (processor, all) in each.iter().enumerate() {
            let own: f64 = values["values"].iter().skip(processor).step_by(4).sum();
            let own = own + begun[processor].as_f64().unwrap();
            let all = all.as_f64().unwrap();
            assert!((own - all).abs() <= 1e-3 * all.abs() + 1e-9, "{metric}: {own}, {all}");
        }
    }
    // 32 supersteps: registration, 10 of one stage, 20 of two, the end.
    assert_eq!(columns["s.count"].iter().sum::<f64>(), 32.0);
    // From processor 0 to each other one: 10 times n, 10 times a quarter of it, and in the second stage again.
    let traffic = &columns["traffic"];
    assert_eq!(traffic[1], 10.0 * 8000.0 + 20.0 * 2000.0);
    assert_eq!(traffic[4], 10.0 * 2000.0);
    assert_eq!(traffic[0], 0.0);
    // The source is there, and its places have lines of it.
    let source = &head["sources"][0];
    assert!(source["text"].as_str().unwrap().contains("static void"), "{source}");
}

#[test]
fn two_runs_are_compared() {
    let place = logged();
    place.cll(&["run", "-n", "4", "--log", "./b", "4000"]).expect(0);
    place
        .cll(&["profile", "view", "b.cll.0.log", "b.cll.1.log", "-o", "c.html"])
        .expect(0)
        .says(&["the page is c.html"]);
    let html = place.read("c.html");
    let (head, columns) = data(&html, "diff");
    // A sum of shares.
    let matched = head["matched"].as_f64().expect("a share");
    assert!((matched - 1.0).abs() < 1e-9, "{matched}");
    let h = |when: &str| columns[&format!("max3.{when}")][0];
    assert_eq!(h("before"), 2.0 * h("after"));
    let (before, _) = profile(&html);
    let (after, _) = data(&html, "p1");
    assert_eq!(before["nodes"], after["nodes"]);
    // Each row leads to a node of both.
    assert!(columns["before"].iter().chain(&columns["after"]).all(|&node| node >= 0.0));
    place.cll(&["profile", "view", "b.cll.0.log", "b.cll.1.log", "b.cll.0.log"]).expect(2);
}

#[test]
fn several_runs_of_each_side_have_intervals() {
    let place = logged();
    for _ in 0..3 {
        place.cll(&["run", "-n", "4", "--log", "./b"]).expect(0);
    }
    let log = |run: usize| format!("b.cll.{run}.log");
    let (a, b, c, d) = (log(0), log(1), log(2), log(3));
    place.cll(&["profile", "view", &a, &b, "--with", &c, &d, "-o", "with.html"]).expect(0);
    let (head, columns) = data(&place.read("with.html"), "diff");
    assert_eq!(head["runs"], serde_json::json!([2, 2]));
    // h has no noise; the interval of the time is around the difference of the means.
    assert_eq!((columns["max3.low"][0], columns["max3.high"][0]), (0.0, 0.0));
    let difference = columns["time.after"][0] - columns["time.before"][0];
    assert!(columns["time.low"][0] < difference && difference < columns["time.high"][0]);
    // One run on a side: no interval. The log after is no page to write to.
    place.cll(&["profile", "view", &a, "--with", &c, &d, "-o", "one.html"]).expect(0);
    let (head, columns) = data(&place.read("one.html"), "diff");
    assert_eq!(head["runs"], serde_json::json!([1, 2]));
    assert!(!columns.contains_key("time.low"));
    place.cll(&["profile", "view", &a, "--with", &c, "-o", &c]).expect(2);
}

#[test]
fn communication_as_on_a_machine_replaces_the_measured_one() {
    let place = logged();
    fs::write(
        place.path("m.toml"),
        "cll-machine = 1\nname = \"round\"\n\n[origin]\nsource = \"a test\"\n\n[[classic]]\nprocessors = 4\ns = \"1 Mflop/s\"\n\
         g = \"4 flop/word\"\nl = \"500000 flop\"\n",
    )
    .unwrap();
    let machine = place.cll(&["machine", "check", "m.toml"]);
    assert_eq!(machine.code, 0, "{}{}", machine.out, machine.err);
    let show = |more: &[&str]| {
        let line = [&["profile", "show", "b.cll.0.log", "--json"], more].concat();
        place.cll(&line).expect(0).json()
    };
    let json = show(&["--as-on", "m.toml"]);
    let root = &json["profile"]["nodes"][0];
    // 31 supersteps with a synchronisation; h of the whole program.
    let h = root["costs"]["metrics"][3]["maximum"].as_f64().unwrap();
    let communication = root["costs"]["metrics"][1]["maximum"].as_f64().unwrap();
    assert!(near(communication, 1e-6 * h + 31.0 * 0.5), "{communication}");
    let measured = show(&[])["profile"]["nodes"][0]["costs"]["metrics"][1]["maximum"].clone();
    assert_eq!(json["as_on"]["measured_s"], measured);
    // In conditions, too: nothing of it is measured, so both are the same to the digit.
    place.cll(&["run", "-n", "4", "--log", "./b"]).expect(0);
    let same = ["--fail-if", "communication.max > +0%", "--as-on", "m.toml"];
    let runs = ["profile", "diff", "b.cll.0.log", "b.cll.1.log"];
    place.cll(&[&runs[..], &same].concat()).expect(0);
    let met = ["--fail-if", "communication.max > 15", "--as-on", "m.toml"];
    place.cll(&[&runs[..], &met].concat()).expect(9);
    // The page begins with it.
    place.cll(&["profile", "view", "b.cll.0.log", "--as-on", "m.toml", "-o", "m.html"]).expect(0);
    let html = place.read("m.html");
    assert!(html.contains("data-as-on=\"round\""));
    let (head, _) = profile(&html);
    assert_eq!(head["machines"][0]["name"], "round");
}

#[test]
fn a_served_page_is_for_this_computer_only() {
    let place = logged();
    let mut command = place.command(env!("CARGO_BIN_EXE_cll"));
    command.args(["profile", "view", "--serve", "b.cll.0.log"]).stderr(Stdio::piped());
    let mut child = command.spawn().unwrap();
    let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
    let address = lines.find_map(|line| {
        line.unwrap().split_once("http://127.0.0.1:").map(|halves| halves.1.to_owned())
    });
    let address = address.unwrap();
    let (port, token) = address.split_once("/?").expect("a token");
    let port: u16 = port.parse().unwrap();
    let token = token.split(' ').next().unwrap();
    assert_eq!(token.len(), 32, "{token}");
    let ask = |request: String| {
        let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let page = ask(format!("GET /?{token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"));
    assert!(page.starts_with("HTTP/1.1 200 OK\r\n"), "{}", &page[..100]);
    assert_eq!(data(&page, "p0").0["processors"], 4);
    let other = ask(format!("GET / HTTP/1.1\r\nHost: other.example:{port}\r\n\r\n"));
    assert!(other.starts_with("HTTP/1.1 421 ") && !other.contains("cll-p0"), "{other}");
    // Another user of this computer does not know the token.
    let stranger = ask(format!("GET / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"));
    assert!(stranger.starts_with("HTTP/1.1 403 ") && !stranger.contains("cll-p0"), "{stranger}");
    let own = format!("Host: 127.0.0.1:{port}\r\n");
    let twice = ask(format!("GET /?{token} HTTP/1.1\r\n{own}{own}\r\n"));
    assert!(twice.starts_with("HTTP/1.1 400 "), "{twice}");
    let file = ask(format!("GET /b.cll.0.log HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"));
    assert!(file.starts_with("HTTP/1.1 404 "), "{file}");
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!place.exists("b.cll.0.html"));
}

#[test]
fn the_page_is_no_log_and_logs_stay() {
    let place = logged();
    let log = place.bytes("b.cll.0.log");
    place.cll(&["profile", "view", "b.cll.0.log", "-o", "b.cll.0.log"]).expect(2);
    assert_eq!(place.bytes("b.cll.0.log"), log);
    place.cll(&["profile", "view", "nowhere.log"]).expect(3).says(&["nowhere.log"]);
    place.write("text.log", "no log\n");
    place.cll(&["profile", "view", "text.log"]).expect(3);
    assert!(!place.exists("text.html"));
}
