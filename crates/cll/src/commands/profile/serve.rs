//! `cll profile view --serve`: the page from memory, for browsers of this computer.

use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::time::Duration;

use crate::failure::Failure;
use crate::terminal::Terminal;

/// A request of a browser is smaller.
const MAX_REQUEST: usize = 16 << 10;
/// Who is slower is left.
const PATIENCE: Duration = Duration::from_secs(5);

/// Serves the page until this process is ended.
pub fn serve(html: &str, port: u16, terminal: &Terminal) -> Result<u8, Failure> {
    let failed = |error: &io::Error| {
        Failure::system(format!("cannot listen at 127.0.0.1:{port}: {error}"))
            .help("without --port a free one is taken")
    };
    let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(|e| failed(&e))?;
    let port = listener.local_addr().map_err(|e| failed(&e))?.port();
    terminal.note(&format!("the page is http://127.0.0.1:{port}/ until Ctrl-C"));
    // Browsers open connections that they do not use at first: these keep none of the others waiting. One that fails is
    // that browser's affair.
    std::thread::scope(|scope| {
        for stream in listener.incoming().flatten() {
            scope.spawn(move || answer(stream, html, port));
        }
    });
    Ok(0)
}

fn answer(mut stream: TcpStream, html: &str, port: u16) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut request = Vec::new();
    let mut piece = [0; 2048];
    while !request.windows(4).any(|end| end == b"\r\n\r\n") && request.len() < MAX_REQUEST {
        match stream.read(&mut piece)? {
            0 => break,
            size => request.extend_from_slice(&piece[..size]),
        }
    }
    let request = String::from_utf8_lossy(&request);
    let (status, body) = match judge(&request, port) {
        Ok(()) => ("200 OK", html),
        Err(status) => (status, status),
    };
    let kind = if body == html { "text/html" } else { "text/plain" };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n\
         X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Referrer-Policy: no-referrer\r\nCache-Control: no-store\r\nConnection: close\r\n\r\n",
        body.len()
    )?;
    if !request.starts_with("HEAD ") {
        stream.write_all(body.as_bytes())?;
    }
    stream.flush()
}

/// Whether the page may be given, or the status that says why not. A name that another site lets resolve to this
/// computer is in Host, and another site's page is in Origin.
fn judge(request: &str, port: u16) -> Result<(), &'static str> {
    let (head, _) = request.split_once("\r\n\r\n").ok_or("400 Bad Request")?;
    let mut lines = head.split("\r\n");
    let first: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
    let [method, path, version] = first[..] else { return Err("400 Bad Request") };
    let fields: Vec<(String, &str)> = lines
        .filter_map(|line| line.split_once(':'))
        .map(|(name, value)| (name.to_ascii_lowercase(), value.trim()))
        .collect();
    let of = |name: &str| {
        fields.iter().filter(|(own, _)| own == name).map(|(_, value)| *value).collect::<Vec<_>>()
    };
    let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
    let is_own = |host: &str| own.iter().any(|one| one == host);
    let (hosts, origins) = (of("host"), of("origin"));
    if hosts.len() != 1 || !is_own(hosts[0]) {
        return Err("421 Misdirected Request");
    }
    if origins.iter().any(|origin| !origin.strip_prefix("http://").is_some_and(is_own)) {
        return Err("403 Forbidden");
    }
    match (method, path) {
        _ if !version.starts_with("HTTP/1.") => Err("505 HTTP Version Not Supported"),
        ("GET" | "HEAD", "/") => Ok(()),
        ("GET" | "HEAD", _) => Err("404 Not Found"),
        _ => Err("405 Method Not Allowed"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(request: &str) -> Result<(), &'static str> {
        judge(&request.replace('\n', "\r\n"), 8000)
    }

    #[test]
    fn only_this_computer_and_this_page() {
        assert_eq!(judged("GET / HTTP/1.1\nHost: 127.0.0.1:8000\n\n"), Ok(()));
        assert_eq!(judged("HEAD / HTTP/1.1\nhost: localhost:8000\n\n"), Ok(()));
        let own = "GET / HTTP/1.1\nHost: 127.0.0.1:8000\nOrigin: http://127.0.0.1:8000\n\n";
        assert_eq!(judged(own), Ok(()));
        for (request, status) in [
            ("GET / HTTP/1.1\nHost: evil.example:8000\n\n", "421"),
            ("GET / HTTP/1.1\nHost: 127.0.0.1:8000\nHost: evil.example\n\n", "421"),
            ("GET / HTTP/1.1\n\n", "421"),
            ("GET / HTTP/1.1\nHost: 127.0.0.1\n\n", "421"),
            ("GET / HTTP/1.1\nHost: 127.0.0.1:8000\nOrigin: http://evil.example\n\n", "403"),
            ("GET / HTTP/1.1\nHost: 127.0.0.1:8000\nOrigin: null\n\n", "403"),
            ("GET /../etc/passwd HTTP/1.1\nHost: 127.0.0.1:8000\n\n", "404"),
            ("POST / HTTP/1.1\nHost: 127.0.0.1:8000\n\n", "405"),
            ("GET / HTTP/2\nHost: 127.0.0.1:8000\n\n", "505"),
            ("GET /\n\n", "400"),
            ("GET / HTTP/1.1\nHost: 127.0.0.1:8000", "400"),
            ("\u{fffd}\n\n", "400"),
        ] {
            let found = judged(request).expect_err(request);
            assert!(found.starts_with(status), "{request}: {found}");
        }
    }
}
