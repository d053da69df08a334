//! A page that is served to browsers of this computer.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use cll_files::Error;
use cll_files::serve::{Reply, Server, Site, token};

use crate::parts;

/// A page with a token, which keeps what is sent.
struct Kept(Mutex<Vec<(String, Vec<u8>)>>);

impl Site for Kept {
    fn page(&self) -> Arc<str> {
        "<html>größe</html>".into()
    }

    fn token(&self) -> &str {
        "0f1e"
    }

    fn take(&self, version: &str, text: &[u8]) -> Reply {
        self.0.lock().unwrap().push((version.to_owned(), text.to_vec()));
        Reply { status: "200 OK", text: "taken".to_owned() }
    }
}

#[test]
fn a_page_is_served_and_takes_a_text() {
    let kept: &'static Kept = Box::leak(Box::new(Kept(Mutex::new(Vec::new()))));
    let server: &'static Server = Box::leak(Box::new(Server::bind(0).unwrap()));
    let address = server.address(kept);
    let port: u16 = address
        .strip_prefix("http://127.0.0.1:")
        .unwrap()
        .strip_suffix("/?0f1e")
        .unwrap()
        .parse()
        .unwrap();
    // It ends with the process.
    thread::spawn(move || server.run(kept));
    let ask = |pieces: &[&[u8]]| {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        for piece in pieces {
            stream.write_all(piece).unwrap();
            stream.flush().unwrap();
        }
        stream.shutdown(std::net::Shutdown::Write).unwrap();
        let mut answer = String::new();
        stream.read_to_string(&mut answer).unwrap();
        answer
    };
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    let idle = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
    let page = ask(&[b"GET /?0f1e HTTP/1.1\r\n", format!("{host}\r\n").as_bytes()]);
    assert!(
        page.starts_with(
            "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\nContent-Length: 20\r\n"
        ),
        "{page}"
    );
    assert!(page.ends_with("\r\n\r\n<html>größe</html>"), "{page}");
    for header in [
        "Cache-Control: no-store",
        "frame-ancestors 'none'",
        "nosniff",
        "Referrer-Policy: no-referrer",
    ] {
        assert!(page.contains(header), "{header}: {page}");
    }
    let head = ask(&[format!("HEAD /?0f1e HTTP/1.1\r\n{host}\r\n").as_bytes()]);
    assert!(head.contains("Content-Length: 20") && head.ends_with("\r\n\r\n"), "{head}");
    assert!(
        ask(&[format!("GET / HTTP/1.1\r\n{host}\r\n").as_bytes()]).starts_with("HTTP/1.1 403 ")
    );
    assert!(ask(&[b"nothing"]).starts_with("HTTP/1.1 400 "));
    assert!(ask(&[&[b'x'; 16 << 10]]).starts_with("HTTP/1.1 400 "));
    let post = |length: usize| {
        format!(
            "POST / HTTP/1.1\r\n{host}Origin: http://127.0.0.1:{port}\r\nX-Cll-Token: 0f1e\r\nIf-Match: \"v1\"\r\n\
             Content-Length: {length}\r\n\r\n"
        )
    };
    let taken = ask(&[post(9).as_bytes(), b"new ", b"texts"]);
    assert!(taken.starts_with("HTTP/1.1 200 OK") && taken.ends_with("taken"), "{taken}");
    let half = ask(&[post(9).as_bytes(), b"new"]);
    assert!(half.starts_with("HTTP/1.1 400 ") && half.ends_with("it is incomplete"), "{half}");
    assert_eq!(*kept.0.lock().unwrap(), [("v1".to_owned(), b"new texts".to_vec())]);
    drop(idle);
    let (error, message, help) = parts(Server::bind(port));
    assert!(matches!(error, Error::NotServed { .. }), "{error:?}");
    assert!(message.starts_with(&format!("cannot listen at 127.0.0.1:{port}: ")), "{message}");
    assert_eq!(help, ["without --port a free one is taken"]);
}

#[test]
fn tokens_are_words_that_nobody_guesses() {
    let (first, second) = (token().unwrap(), token().unwrap());
    assert_ne!(first, second);
    assert!(first.len() == 32 && first.bytes().all(|byte| byte.is_ascii_hexdigit()), "{first}");
}
