//! Reads the request of a browser, and decides whether it is allowed.

/// The head of a request.
#[derive(Debug)]
pub(super) struct HttpRequest<'a> {
    pub(super) method: &'a str,
    target: &'a str,
    version: &'a str,
    /// Names in small letters, and values.
    fields: Vec<(String, &'a str)>,
}

/// The action that is requested.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Asked<'a> {
    /// Give the page.
    Page,
    /// Take a text of so many bytes, written for a version of the page.
    Take {
        /// The value of `If-Match`.
        version: &'a str,
        /// Bytes that follow.
        length: usize,
    },
}

impl<'a> HttpRequest<'a> {
    /// From its text, up to the empty line.
    pub(super) fn read(text: &'a str) -> Result<HttpRequest<'a>, &'static str> {
        let (head, _) = text.split_once("\r\n\r\n").ok_or("400 Bad Request")?;
        let mut lines = head.split("\r\n");
        let first: Vec<&str> = lines.next().unwrap_or_default().split(' ').collect();
        let [method, target, version] = first[..] else { return Err("400 Bad Request") };
        let fields = lines
            .filter_map(|line| line.split_once(':'))
            .map(|(name, value)| (name.to_ascii_lowercase(), value.trim()))
            .collect();
        Ok(HttpRequest { method, target, version, fields })
    }

    /// The values of a field.
    fn values<'b>(&'b self, name: &'b str) -> impl Iterator<Item = &'a str> + 'b {
        self.fields.iter().filter(move |(own, _)| own == name).map(|(_, value)| *value)
    }

    /// The value of a field that is there once.
    fn only(&self, name: &str) -> Option<&'a str> {
        let mut all = self.values(name);
        let first = all.next()?;
        all.next().is_none().then_some(first)
    }

    /// Returns the requested action, or the status that says why it is refused. Host reveals a name that another site
    /// lets resolve to this computer, and Origin reveals a page of another site. The token is a secret that other users
    /// of this computer do not know.
    pub(super) fn judge(
        &self,
        port: u16,
        token: &str,
        longest: usize,
    ) -> Result<Asked<'a>, &'static str> {
        let own = [format!("127.0.0.1:{port}"), format!("localhost:{port}")];
        let is_own = |host: &str| own.iter().any(|text| text == host);
        // Of two hosts a proxy may obey the other one.
        let host = self.only("host").ok_or("400 Bad Request")?;
        if !is_own(host) {
            return Err("421 Misdirected Request");
        }
        let is_ours = |origin: &str| origin.strip_prefix("http://").is_some_and(is_own);
        if !self.values("origin").all(is_ours) {
            return Err("403 Forbidden");
        }
        if !self.version.starts_with("HTTP/1.") {
            return Err("505 HTTP Version Not Supported");
        }
        let (path, query) = self.target.split_once('?').unwrap_or((self.target, ""));
        match self.method {
            "GET" | "HEAD" | "POST" if path != "/" => Err("404 Not Found"),
            "GET" | "HEAD" if !is_equal(query, token) => Err("403 Forbidden"),
            "GET" | "HEAD" => Ok(Asked::Page),
            "POST" => {
                // A browser names the origin of each POST, and sends this field only for a page of the same origin.
                let given = self.only("x-cll-token").unwrap_or_default();
                if self.values("origin").count() != 1 || !is_equal(given, token) {
                    return Err("403 Forbidden");
                }
                if self.values("transfer-encoding").next().is_some() {
                    return Err("411 Length Required");
                }
                let length = self.only("content-length").ok_or("411 Length Required")?;
                let is_number = !length.is_empty() && length.bytes().all(|b| b.is_ascii_digit());
                let length: usize = match length.parse() {
                    Ok(length) if length <= longest => length,
                    _ if is_number => return Err("413 Content Too Large"),
                    _ => return Err("400 Bad Request"),
                };
                let version = self.only("if-match").ok_or("428 Precondition Required")?;
                Ok(Asked::Take { version: version.trim_matches('"'), length })
            }
            _ => Err("405 Method Not Allowed"),
        }
    }
}

/// Whether two words are equal, in a time that does not say where they differ.
fn is_equal(a: &str, b: &str) -> bool {
    let differing = a.bytes().zip(b.bytes()).fold(0, |byte, (a, b)| byte | (a ^ b));
    a.len() == b.len() && differing == 0
}

#[cfg(test)]
mod tests {
    use super::*;

    const TOKEN: &str = "0f1e";

    fn judged(request: &str) -> Result<String, &'static str> {
        let text = request.replace('\n', "\r\n");
        let request = HttpRequest::read(&text)?;
        request.judge(8000, TOKEN, 1000).map(|asked| format!("{asked:?}"))
    }

    #[test]
    fn only_this_computer_and_this_page() {
        let page = Ok("Page".to_owned());
        assert_eq!(judged("GET /?0f1e HTTP/1.1\nHost: 127.0.0.1:8000\n\n"), page);
        assert_eq!(judged("HEAD /?0f1e HTTP/1.1\nhost: localhost:8000\n\n"), page);
        let own = "GET /?0f1e HTTP/1.1\nHost: 127.0.0.1:8000\nOrigin: http://127.0.0.1:8000\n\n";
        assert_eq!(judged(own), page);
        for (request, status) in [
            ("GET /?0f1e HTTP/1.1\nHost: evil.example:8000\n\n", "421"),
            ("GET /?0f1e HTTP/1.1\nHost: 127.0.0.1:8000\nHost: evil.example\n\n", "400"),
            ("GET /?0f1e HTTP/1.1\nHost: 127.0.0.1:8000\nHost: 127.0.0.1:8000\n\n", "400"),
            ("GET /?0f1e HTTP/1.1\n\n", "400"),
            ("GET /?0f1e HTTP/1.1\nHost: 127.0.0.1\n\n", "421"),
            ("GET /?0f1e HTTP/1.1\nHost: 127.0.0.1:8000\nOrigin: http://evil.example\n\n", "403"),
            ("GET /?0f1e HTTP/1.1\nHost: 127.0.0.1:8000\nOrigin: null\n\n", "403"),
            ("GET /../etc/passwd HTTP/1.1\nHost: 127.0.0.1:8000\n\n", "404"),
            ("POST / HTTP/1.1\nHost: 127.0.0.1:8000\n\n", "403"),
            ("GET /?0f1e HTTP/2\nHost: 127.0.0.1:8000\n\n", "505"),
            ("GET /\n\n", "400"),
            ("GET /?0f1e HTTP/1.1\nHost: 127.0.0.1:8000", "400"),
            ("\u{fffd}\n\n", "400"),
        ] {
            let text = judged(request).expect_err(request);
            assert!(text.starts_with(status), "{request}: {text}");
        }
    }

    #[test]
    fn only_who_knows_the_token_reads_and_writes() {
        let get =
            |target: &str| judged(&format!("GET {target} HTTP/1.1\nHost: 127.0.0.1:8000\n\n"));
        assert_eq!(get("/?0f1e"), Ok("Page".to_owned()));
        for target in ["/", "/?", "/?0f1f", "/?0f1e0", "/?0f1"] {
            assert_eq!(get(target), Err("403 Forbidden"), "{target}");
        }
        let post = "POST / HTTP/1.1\nHost: 127.0.0.1:8000\nOrigin: http://127.0.0.1:8000\n\
                    X-Cll-Token: 0f1e\nContent-Length: 12\nIf-Match: \"abc\"\n\n";
        let taken = Ok("Take { version: \"abc\", length: 12 }".to_owned());
        assert_eq!(judged(post), taken);
        for (from, to, status) in [
            ("Host: 127.0.0.1:8000", "Host: evil.example:8000", "421"),
            ("http://127.0.0.1:8000", "http://evil.example", "403"),
            ("Origin: http://127.0.0.1:8000\n", "", "403"),
            ("Token: 0f1e", "Token: 0f1f", "403"),
            ("X-Cll-Token: 0f1e\n", "", "403"),
            ("X-Cll-Token: 0f1e\n", "X-Cll-Token: 0f1e\nX-Cll-Token: 1\n", "403"),
            ("POST /", "POST /etc/passwd", "404"),
            ("POST /", "PUT /", "405"),
            ("POST /", "OPTIONS /", "405"),
            ("Length: 12", "Length: 1001", "413"),
            ("Length: 12", "Length: 99999999999999999999999", "413"),
            ("Length: 12", "Length: -1", "400"),
            ("Content-Length: 12\n", "", "411"),
            ("Content-Length: 12\n", "Transfer-Encoding: chunked\nContent-Length: 12\n", "411"),
            ("If-Match: \"abc\"\n", "", "428"),
        ] {
            let text = judged(&post.replacen(from, to, 1)).expect_err(to);
            assert!(text.starts_with(status), "{to}: {text}");
        }
    }
}
