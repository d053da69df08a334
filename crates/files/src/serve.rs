//! One page for browsers of this computer, which may send one text back.

mod request;

use std::fs::File;
use std::io::{self, Read, Write};
use std::net::{Ipv4Addr, TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;

use crate::Error;
use request::{Asked, HttpRequest};

/// A request of a browser is smaller.
const MAX_HEAD: usize = 16 << 10;
/// A longer text is not taken.
const MAX_BODY: usize = 4 << 20;
/// Who is slower is left.
const PATIENCE: Duration = Duration::from_secs(5);
/// Bytes of a token.
const TOKEN_BYTES: usize = 16;

/// A page that is served.
pub trait Site: Sync {
    /// The page.
    fn page(&self) -> Arc<str>;

    /// The secret that the query of the address, and `X-Cll-Token` of a POST, must contain: other users of this
    /// computer do not know it.
    fn token(&self) -> &str;

    /// The state of the page: another one when it has changed. It is the `ETag` of answers; empty: there is none.
    fn version(&self) -> String {
        String::new()
    }

    /// A browser has the page of this version.
    fn sent(&self, _version: &str) {}

    /// Takes a text, which was written for the version of the page in `If-Match`.
    fn take(&self, _version: &str, _text: &[u8]) -> Reply {
        Reply { status: "405 Method Not Allowed", text: String::new() }
    }
}

/// An answer in plain text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reply {
    /// Number and words of HTTP.
    pub status: &'static str,
    /// The text of the reply.
    pub text: String,
}

/// A port of this computer's loopback.
#[derive(Debug)]
pub struct Server {
    listener: TcpListener,
    port: u16,
}

impl Server {
    /// Takes a port; 0: any that is free.
    ///
    /// # Errors
    /// If the port is in use or not allowed.
    pub fn bind(port: u16) -> Result<Server, Error> {
        let failed = |source| Error::NotServed { port, source };
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, port)).map_err(failed)?;
        let port = listener.local_addr().map_err(failed)?.port();
        Ok(Server { listener, port })
    }

    /// The address of the page, with the token in its query.
    pub fn address(&self, site: &dyn Site) -> String {
        format!("http://127.0.0.1:{}/?{}", self.port, site.token())
    }

    /// Serves the page until this process is ended.
    pub fn run(&self, site: &dyn Site) {
        // Browsers open connections that they do not use at first: these keep none of the others waiting. One that
        // fails is that browser's affair.
        std::thread::scope(|scope| {
            for stream in self.listener.incoming().flatten() {
                scope.spawn(move || answer(stream, site, self.port));
            }
        });
    }
}

/// A word that nobody can guess, for [`Site::token`].
///
/// # Errors
/// If the system has no random numbers.
pub fn token() -> Result<String, Error> {
    let source = Path::new("/dev/urandom");
    let mut bytes = [0; TOKEN_BYTES];
    let read = File::open(source).and_then(|mut file| file.read_exact(&mut bytes));
    read.map_err(|error| Error::refused("read", source, error))?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

fn answer(mut stream: TcpStream, site: &dyn Site, port: u16) -> io::Result<()> {
    stream.set_read_timeout(Some(PATIENCE))?;
    stream.set_write_timeout(Some(PATIENCE))?;
    let mut received = Vec::new();
    let mut piece = [0; 4096];
    let head = loop {
        if let Some(end) = received.windows(4).position(|end| end == b"\r\n\r\n") {
            break Some(end + 4);
        }
        if received.len() >= MAX_HEAD {
            break None;
        }
        match stream.read(&mut piece)? {
            0 => break None,
            size => received.extend_from_slice(&piece[..size]),
        }
    };
    let text = head.map(|end| String::from_utf8_lossy(&received[..end]).into_owned());
    let request = text.as_deref().ok_or("400 Bad Request").and_then(HttpRequest::read);
    let asked = request.as_ref().map_err(|status| *status);
    let asked = asked.and_then(|request| request.judge(port, site.token(), MAX_BODY));
    // Before the page: a page that is newer than its version is only asked for again.
    let version = if asked == Ok(Asked::Page) { site.version() } else { String::new() };
    let (kind, status, body): (&str, &str, Arc<str>) = match asked {
        Err(status) => ("text/plain", status, status.into()),
        Ok(Asked::Page) => ("text/html", "200 OK", site.page()),
        Ok(Asked::Take { version, length }) => {
            received.drain(..head.unwrap_or_default());
            let missing = (length as u64).saturating_sub(received.len() as u64);
            (&stream).take(missing).read_to_end(&mut received)?;
            let reply = if received.len() == length {
                site.take(version, &received)
            } else {
                Reply { status: "400 Bad Request", text: "it is incomplete".to_owned() }
            };
            ("text/plain", reply.status, reply.text.into())
        }
    };
    write!(
        stream,
        "HTTP/1.1 {status}\r\nContent-Type: {kind}; charset=utf-8\r\nContent-Length: {}\r\n\
         X-Content-Type-Options: nosniff\r\nCross-Origin-Resource-Policy: same-origin\r\n\
         Content-Security-Policy: frame-ancestors 'none'\r\nReferrer-Policy: no-referrer\r\n\
         Cache-Control: no-store\r\n{}Connection: close\r\n\r\n",
        body.len(),
        if version.is_empty() { String::new() } else { format!("ETag: \"{version}\"\r\n") }
    )?;
    let is_whole = !request.is_ok_and(|request| request.method == "HEAD");
    if is_whole {
        stream.write_all(body.as_bytes())?;
    }
    stream.flush()?;
    if is_whole && !version.is_empty() {
        site.sent(&version);
    }
    Ok(())
}
