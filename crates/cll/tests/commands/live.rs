//! `cll model --live`: the page while it is measured. The program waits for a file, so that the test knows what has ended.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, ChildStderr, Stdio};

use serde_json::Value;

use crate::support::Place;

/// Sums N numbers. Its second run of the smallest size, which is in the second round, waits for the file `go`.
const WAITING: &str = r#"
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static double a[300000];
int main(int count, char **words)
{
    int N = count > 1 ? atoi(words[1]) : 1;
    double sum = 0;
    if (N == 1000) {
        FILE *runs = fopen(FOLDER "/runs", "a");
        fputc('x', runs);
        int is_second = ftell(runs) > 1;
        fclose(runs);
        while (is_second && access(FOLDER "/go", F_OK) != 0) usleep(10000);
    }
#pragma cll sum sum[0] + sum[1]*N
    for (int i = 0; i < N; i++) sum += a[i];
#pragma cll end sum
    printf("%g\n", sum);
    return 0;
}
"#;

/// A measurement of which the page is served. The program goes on when this is dropped.
struct Watched<'a> {
    place: &'a Place,
    child: Child,
    err: BufReader<ChildStderr>,
    port: u16,
    token: String,
}

impl Drop for Watched<'_> {
    fn drop(&mut self) {
        self.place.write("go", "");
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

impl<'a> Watched<'a> {
    fn start(place: &'a Place) -> Watched<'a> {
        let folder = format!("#define FOLDER \"{}\"\n", place.path("").display());
        place.write("sum.c", folder + WAITING);
        let mut command = place.command(env!("CARGO_BIN_EXE_cll"));
        command.args(["model", "sum.c", "--vary", "N=1000,3000,10000,30000,100000,300000"]);
        command.args(["--launches", "2", "--live", "--predict", "N=600000"]);
        command.args(["--loaded", "accept", "--", "{N}"]);
        command.stdout(Stdio::null()).stderr(Stdio::piped());
        let mut child = command.spawn().unwrap();
        let mut err = BufReader::new(child.stderr.take().unwrap());
        let mut output = String::new();
        let address = loop {
            let mut line = String::new();
            assert!(err.read_line(&mut line).unwrap() > 0, "no address: {output}");
            output += &line;
            if let Some((_, address)) = line.split_once("http://127.0.0.1:") {
                break address.to_owned();
            }
        };
        let (port, rest) = address.split_once("/?").unwrap();
        let token = rest.split(' ').next().unwrap().to_owned();
        Watched { place, child, err, port: port.parse().unwrap(), token }
    }

    /// Head and body; `None` if nobody listens.
    fn ask(&self, method: &str, query: &str, host: &str) -> Option<(String, String)> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).ok()?;
        let request = format!("{method} /?{query} HTTP/1.1\r\nHost: {host}\r\n\r\n");
        stream.write_all(request.as_bytes()).ok()?;
        let mut answer = String::new();
        stream.read_to_string(&mut answer).ok()?;
        let (head, body) = answer.split_once("\r\n\r\n")?;
        Some((head.to_owned(), body.to_owned()))
    }

    fn page(&self) -> Option<(String, String)> {
        self.ask("GET", &self.token, &format!("127.0.0.1:{}", self.port))
    }

    /// The first page with this property. If the command ends before, there is none.
    fn wait_for(&mut self, is_wanted: impl Fn(&str) -> bool) -> (String, String) {
        loop {
            let has_ended = self.child.try_wait().unwrap().is_some();
            match self.page() {
                Some((head, html)) if is_wanted(&html) => return (head, html),
                _ => assert!(!has_ended, "the command has ended"),
            }
            std::thread::sleep(std::time::Duration::from_millis(20));
        }
    }
}

/// The points of the first experiment in a page.
fn points(html: &str) -> usize {
    let (_, rest) = html.split_once("id=\"cll-data\">").expect("data");
    let (json, _) = rest.split_once("</script>").expect("their end");
    let data: Value = serde_json::from_str(json).expect("JSON");
    let points = &data["model"]["experiments"][0]["fit"]["residuals"];
    points.as_array().map_or(0, Vec::len)
}

#[test]
fn points_appear_before_the_end_and_the_finished_page_at_the_end() {
    let place = Place::new();
    let mut watched = Watched::start(&place);
    let own = format!("127.0.0.1:{}", watched.port);
    // The second round cannot end: its program waits.
    let (head, html) = watched.wait_for(|html| points(html) > 0);
    assert_eq!(points(&html), 6);
    assert!(head.contains("ETag: \"1\""), "{head}");
    assert!(
        html.contains("data-live=\"1\"") && html.contains("1 round has ended; measuring goes on.")
    );
    assert!(html.contains("connect-src &#39;self&#39;"), "it may ask where it is from");
    assert!(!place.exists("sum.cll/sum.html"), "the page is written at the end");
    let (head, body) = watched.ask("HEAD", &watched.token, &own).unwrap();
    assert!(head.starts_with("HTTP/1.1 200 ") && head.contains("ETag: \"1\""), "{head}");
    assert_eq!(body, "", "a question costs no page");
    for (query, host, status) in [
        ("", own.as_str(), "403"),
        ("0123456789abcdef0123456789abcdef", &own, "403"),
        (&watched.token, "evil.example", "421"),
        (&watched.token, "192.168.0.1:80", "421"),
    ] {
        let (head, body) = watched.ask("GET", query, host).unwrap();
        assert!(head.starts_with(&format!("HTTP/1.1 {status} ")), "{query} {host}: {head}");
        assert!(!head.contains("ETag") && !body.contains("cll-data"), "{head}");
    }
    place.write("go", "");
    let (head, html) = watched.wait_for(|html| !html.contains("data-live="));
    assert!(head.contains("ETag: \"finished\""), "{head}");
    assert_eq!(points(&html), 6);
    let mut output = String::new();
    watched.err.read_to_string(&mut output).unwrap();
    assert!(watched.child.wait().unwrap().success(), "{output}");
    assert_eq!(place.read("sum.cll/sum.html"), html, "the page that is written");
    assert!(watched.page().is_none(), "the server ends with the command");
}

#[test]
fn a_measurement_that_is_interrupted_shows_what_it_has() {
    let place = Place::new();
    let mut watched = Watched::start(&place);
    watched.wait_for(|html| points(html) > 0);
    let number = watched.child.id().to_string();
    let sent = place.command("kill").args(["-INT", &number]).status().unwrap();
    assert!(sent.success());
    let (_, html) = watched.wait_for(|html| !html.contains("data-live="));
    assert_eq!(points(&html), 6);
    watched.child.wait().unwrap();
    assert!(watched.page().is_none());
    assert!(place.exists("sum.cll/sum.html"));
}

#[test]
fn a_port_in_use_is_named_before_anything_is_done() {
    let place = Place::new();
    place.write("sum.c", "#define FOLDER \".\"\n".to_owned() + WAITING);
    let taken = TcpListener::bind(("127.0.0.1", 0)).unwrap();
    let port = taken.local_addr().unwrap().port().to_string();
    let line = ["model", "sum.c", "--vary", "N=1000,3000", "--live", "--port", &port, "--", "{N}"];
    let done = place.cll(&line).expect(7);
    done.says(&[
        &format!("cannot listen at 127.0.0.1:{port}"),
        "without --port a free one is taken",
    ]);
    assert!(!place.exists("sum.cll"));
    place.cll(&["model", "sum.c", "--port", &port]).expect(2).says(&["--live"]);
    place.cll(&["model", "sum.c", "--live", "--port", "70000"]).expect(2);
}

#[test]
fn without_a_browser_the_command_ends_as_ever() {
    let place = Place::with_walk();
    let line = ["model", "walk.c", "--vary", "N=1000:64000:*2", "--launches", "1", "--live"];
    let done = place.cll(&[&line[..], &["--loaded", "accept", "--", "{N}"]].concat()).expect(0);
    done.says(&["the page is http://127.0.0.1:", "until this command ends"]);
    assert!(!place.read("walk.cll/walk.html").contains("data-live="));
}
