//! The sets of a model's page: shown, and corrected where the page is served. What a browser makes of them is tested in
//! `viewer/tests`.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Stdio};

use serde_json::Value;

use crate::support::Place;
use crate::upsilon::{statement, with_sums};

/// A model of `src/sums.c`, by one run.
fn with_model() -> Place {
    let place = with_sums();
    place.cll(&["cc", "-O1", "-o", "sums", "src/sums.c"]).expect(0);
    place.cll(&["run", "./sums"]).expect(0);
    place.cll(&["fit", "sums.cll.0.dat", "-o", "sums.json"]).expect(0);
    place
}

/// The sets in a page.
fn sets(html: &str) -> Value {
    let (_, rest) = html.split_once("id=\"cll-data\">").expect("data");
    let (json, _) = rest.split_once("</script>").expect("their end");
    let data: Value = serde_json::from_str(json).expect("JSON");
    data["upsilon"].clone()
}

#[test]
fn the_source_of_a_page_has_the_sets_of_its_file() {
    let place = with_model();
    place.cll(&["page", "sums.json"]).expect(0);
    let html = place.read("sums.html");
    for part in ["Υ pairs", "pairs[1], pairs[2]", "in no set", "Proposed by the nesting of loops"]
    {
        assert!(html.contains(part), "{part}");
    }
    assert!(html.contains("default-src &#39;none&#39;; script-src"), "no network");
    let source_sets = &sets(&html)[0];
    assert_eq!((&source_sets["kept"], &source_sets["version"]), (&false.into(), &Value::Null));
    assert_eq!(statement(&source_sets["sets"], "pairs", "sum += x[j]")["constants"][0], "pairs[2]");
    assert_eq!(source_sets["constants"][0][2]["name"], "pairs[2]");
    let value = source_sets["constants"][0][2]["values"][0].as_str().unwrap();
    assert!(value.split(" for ").next().unwrap().ends_with('s'), "{source_sets}");
    let all = source_sets["statements"].as_array().unwrap();
    assert!(all.iter().any(|one| one[1] == "return sum"), "of the functions with sets");
    assert!(!all.iter().any(|one| one[2] == "main"));
    // Another file, which is corrected.
    place.cll(&["upsilon", "propose", "src/sums.c", "--out", "src/other.toml"]).expect(0);
    let file = place.read("src/other.toml");
    let text = "text = \"sum /= 2\", constants = [";
    place.write("src/other.toml", file.replace(text, &format!("{text}\"hidden[0]\"")));
    place.cll(&["page", "sums.json", "--upsilon", "src/other.toml"]).expect(0);
    let value = &sets(&place.read("sums.html"))[0];
    assert_eq!((&value["file"], &value["kept"]), (&"other.toml".into(), &true.into()));
    assert_eq!(statement(&value["sets"], "hidden", "sum /= 2")["constants"][0], "hidden[0]");
}

#[test]
fn a_file_that_is_wrong_is_named() {
    let place = with_model();
    place.write("src/sums.upsilon.toml", "cll-upsilon = 1\nsource = 3\n");
    place.cll(&["page", "sums.json"]).expect(0);
    let html = place.read("sums.html");
    assert!(html.contains(
        "sums.upsilon.toml is not used: src/sums.upsilon.toml:1:1: a Υ file has no crc32"
    ));
    assert_eq!(sets(&html), Value::Null);
    place
        .cll(&["page", "sums.json", "--upsilon", "src/sums.upsilon.toml"])
        .expect(3)
        .says(&["src/sums.upsilon.toml"]);
    place.cll(&["page", "sums.json", "--upsilon", "none.toml"]).expect(3).says(&["none.toml"]);
    place.write("new.c", "int x;\n");
    place.write("new.toml", "cll-upsilon = 1\nsource = \"new.c\"\ncrc32 = \"00000000\"\n");
    let other = place.cll(&["page", "sums.json", "--serve", "--upsilon", "new.toml"]).expect(2);
    other.says(&["new.c is no source of the page"]);
    let away = place.cll(&["page", "sums.json", "--serve", "--upsilon", "none.toml"]).expect(2);
    away.says(&["the file must be beside src/sums.c"]);
    place.cll(&["page", "sums.json", "sums.json", "--serve"]).expect(2).says(&["one model"]);
    place.cll(&["page", "sums.json", "--serve", "-o", "x.html"]).expect(2);
    std::fs::remove_file(place.path("src/sums.c")).unwrap();
    place.cll(&["page", "sums.json", "--serve"]).expect(3).says(&["no source with a region"]);
}

/// `cll page --serve`, ended when it is dropped.
struct Served {
    child: Child,
    port: u16,
    token: String,
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl Served {
    fn start(place: &Place) -> Served {
        let mut command = place.command(env!("CARGO_BIN_EXE_cll"));
        command.args(["page", "sums.json", "--serve"]).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut lines = BufReader::new(child.stderr.take().unwrap()).lines();
        let address = lines
            .find_map(|line| Some(line.unwrap().split_once("http://127.0.0.1:")?.1.to_owned()));
        let address = address.unwrap();
        let (port, rest) = address.split_once("/?").unwrap();
        let token = rest.split(' ').next().unwrap().to_owned();
        Served { child, port: port.parse().unwrap(), token }
    }

    fn ask(&self, request: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        stream.write_all(request.as_bytes()).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        let (head, body) = answer.split_once("\r\n\r\n").unwrap();
        assert!(head.contains("frame-ancestors 'none'"), "{head}");
        (head.split(' ').nth(1).unwrap().parse().unwrap(), body.to_owned())
    }

    fn page(&self) -> String {
        let Served { port, token, .. } = self;
        let (status, html) =
            self.ask(&format!("GET /?{token} HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n"));
        assert_eq!(status, 200, "{html}");
        html
    }

    /// A POST as the page sends it, with other words instead of these.
    fn post(&self, version: &str, body: &str, (from, to): (&str, &str)) -> (u16, String) {
        let Served { port, token, .. } = self;
        let head = format!(
            "POST / HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n\
             X-Cll-Token: {token}\r\nIf-Match: \"{version}\"\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        assert!(head.contains(from), "{from}");
        self.ask(&(head.replace(from, to) + body))
    }
}

#[test]
fn a_served_page_writes_its_file_and_nothing_else() {
    let place = with_model();
    place.cll(&["upsilon", "propose", "src/sums.c"]).expect(0);
    let file = place.read("src/sums.upsilon.toml");
    let served = Served::start(&place);
    let html = served.page();
    assert!(html.contains("default-src &#39;none&#39;; connect-src &#39;self&#39;; "));
    assert!(!html.contains(&served.token), "who has the page need not have the token");
    let version = sets(&html)[0]["version"].as_str().unwrap().to_owned();
    let text = "text = \"sum /= 2\", constants = [";
    let corrected = file.replace(text, &format!("{text}\"hidden[0]\""));
    let same = ("POST", "POST");
    // Whoever is not the page: another name, another origin, another user, another file.
    let port = served.port;
    let token = served.token.clone();
    for ((from, to), expected) in [
        ((format!("Host: 127.0.0.1:{port}"), "Host: evil.example".to_owned()), 421),
        ((format!("http://127.0.0.1:{port}"), "http://evil.example".to_owned()), 403),
        ((format!("Origin: http://127.0.0.1:{port}\r\n"), String::new()), 403),
        ((token, "0".repeat(32)), 403),
        (("POST /".to_owned(), "POST /src/sums.c".to_owned()), 404),
        (("POST /".to_owned(), "PUT /".to_owned()), 405),
        (("If-Match: \"".to_owned(), "If-Match: \"x".to_owned()), 412),
    ] {
        let (status, why) = served.post(&version, &corrected, (&from, &to));
        assert_eq!(status, expected, "{from} {to}: {why}");
    }
    let host = format!("HTTP/1.1\r\nHost: 127.0.0.1:{port}\r\n\r\n");
    assert_eq!(served.ask(&format!("GET / {host}")).0, 403);
    assert_eq!(served.ask(&format!("GET /src/sums.c {host}")).0, 404);
    // What is no file of the sets.
    for (body, words) in [
        (corrected.replace("\"hidden[0]\"", "\"hiden[0]\""), "no constant `hiden[0]`"),
        ("rm -rf".to_owned(), "src/sums.upsilon.toml:1:"),
        (corrected.replace("text = \"sum /= 2\"", "text = \"sum /= 3\""), "has no statement"),
    ] {
        let (status, why) = served.post(&version, &body, same);
        assert_eq!(status, 422, "{why}");
        assert!(why.contains(words), "{why}");
    }
    assert_eq!(place.read("src/sums.upsilon.toml"), file, "nothing of this has changed the file");
    // The page itself: the file, and what commands and the next page say.
    let (status, next) = served.post(&version, &corrected, same);
    assert_eq!(status, 200, "{next}");
    let shown = place.cll(&["upsilon", "show", "src/sums.c", "--json"]).expect(0).json();
    let hidden = statement(&shown, "hidden", "sum /= 2");
    assert_eq!((&hidden["constants"][0], &hidden["by"]), (&"hidden[0]".into(), &"hand".into()));
    assert_eq!(sets(&served.page())[0]["version"], next.as_str());
    // A page from before does not undo it; one that is loaded again sees what an editor has written.
    assert_eq!(served.post(&version, &file, same).0, 412);
    place.write("src/sums.upsilon.toml", &file);
    let page_sets = sets(&served.page());
    assert_eq!(page_sets[0]["version"], version.as_str());
    let value = statement(&page_sets[0]["sets"], "hidden", "sum /= 2");
    assert_eq!(value["constants"].as_array().unwrap().len(), 0);
    drop(served);
    assert!(!place.exists("sums.html"));
}
