import Testing

/// A server program of `SweepTests`, which sends the same requests to many servers: its start command and its expected
/// behavior.
struct SweptServer: Sendable, CustomTestStringConvertible {
    /// The server's treatment of a CGI program's response, whose lines end in LF only.
    enum Program: Sendable {
        case none
        /// The server rewrites the head.
        case rewritten
        /// The server passes the response on unchanged.
        case passedThrough
    }

    let name: String
    /// The executable; nil if it is not installed.
    let executable: String?
    /// Shell lines that start the server in the background, with `$program`, `$port`, `$folder` and `$beside`, which is
    /// the folder `Servers/sweep`.
    let command: String
    /// True if the server keeps connections alive.
    var keepsAlive = true
    /// The status for a range request, and the one for a conditional request (If-Modified-Since); nil if the server
    /// does not serve files.
    var range: Int?
    var unmodifiedStatus: Int?
    /// True if the server returns posted bodies, both with a length and chunked.
    var echoesBodies = false
    var program = Program.none
    /// True if it speaks TLS, with `$folder/server.pem` and `$folder/server.key`; both.pem contains both.
    var isSecure = false

    var testDescription: String { name }
}

extension SweptServer {
    static let installed = all.filter { $0.executable != nil }
    static let missing = all.filter { $0.executable == nil }.map(\.name)

    private static let all = files + programs + secure

    /// Servers of files in a folder.
    private static let files = [
        SweptServer(
            name: "lighttpd", executable: Programs.find("lighttpd"),
            command: #"""
                cat >"$folder/conf" <<END
                server.document-root = "$folder/www"
                server.port = $port
                server.bind = "127.0.0.1"
                server.modules = ("mod_cgi")
                mimetype.assign = (".txt" => "text/plain")
                \$HTTP["url"] =~ "^/cgi-bin/" { cgi.assign = ("" => "") }
                END
                "$program" -D -f "$folder/conf" >&2 &
                """#,
            range: 206, unmodifiedStatus: 304, program: .rewritten),
        SweptServer(
            name: "busybox httpd", executable: Programs.find("busybox"),
            command: #""$program" httpd -f -p "127.0.0.1:$port" -h "$folder/www" >&2 &"#,
            keepsAlive: false, range: 206, unmodifiedStatus: 200, program: .passedThrough),
        SweptServer(
            name: "mini_httpd", executable: Programs.find("mini_httpd"),
            command: #""$program" -D -p $port -h 127.0.0.1 -d "$folder/www" -c 'cgi-bin/*' -l /dev/null >&2 &"#,
            keepsAlive: false, range: 200, unmodifiedStatus: 304, program: .passedThrough),
        SweptServer(
            name: "webfsd", executable: Programs.find("webfsd"),
            command: #""$program" -F -p $port -i 127.0.0.1 -r "$folder/www" >&2 &"#, range: 206, unmodifiedStatus: 304),
        SweptServer(
            name: "h2o", executable: Programs.find("h2o"),
            command: #"""
                cat >"$folder/conf" <<END
                listen:
                  host: 127.0.0.1
                  port: $port
                num-threads: 1
                hosts:
                  default:
                    paths:
                      /:
                        file.dir: $folder/www
                END
                "$program" -c "$folder/conf" >&2 &
                """#,
            range: 206, unmodifiedStatus: 304),
        SweptServer(
            name: "caddy", executable: Programs.find("caddy"),
            command: #"HOME=$folder "$program" file-server --listen "127.0.0.1:$port" --root "$folder/www" >&2 &"#,
            range: 206, unmodifiedStatus: 304),
        SweptServer(
            name: "Python's http.server", executable: Programs.find("python3"),
            command: #""$program" -m http.server --cgi --bind 127.0.0.1 --directory "$folder/www" $port >&2 &"#,
            keepsAlive: false, range: 200, unmodifiedStatus: 304, program: .passedThrough),
    ]

    /// Servers that run a program to answer.
    private static let programs = [
        SweptServer(
            name: "node", executable: Programs.find("node"), command: #""$program" "$beside/echo.js" $port >&2 &"#,
            echoesBodies: true),
        SweptServer(
            name: "gunicorn", executable: Programs.module("gunicorn"),
            command:
                #"PYTHONPATH=$beside "$program" -m gunicorn --no-control-socket -b "127.0.0.1:$port" echo_app:wsgi >&2 &"#,
            keepsAlive: false, echoesBodies: true),
        SweptServer(
            name: "waitress", executable: Programs.module("waitress"),
            command: #""$program" "$beside/echo_app.py" $port >&2 &"#, echoesBodies: true),
        SweptServer(
            name: "uvicorn", executable: Programs.module("uvicorn"),
            command:
                #"PYTHONPATH=$beside "$program" -m uvicorn --host 127.0.0.1 --port $port echo_app:asgi >&2 &"#,
            echoesBodies: true),
        SweptServer(
            name: "haproxy, to node", executable: Programs.find("haproxy", with: "node"),
            command: #"""
                node "$beside/echo.js" $((port + 1)) >&2 &
                behind=$!
                cat >"$folder/conf" <<END
                defaults
                    mode http
                    timeout connect 5s
                    timeout client 30s
                    timeout server 30s
                listen sweep
                    bind 127.0.0.1:$port
                    server node 127.0.0.1:$((port + 1))
                END
                "$program" -db -f "$folder/conf" >&2 &
                """#,
            echoesBodies: true),
        SweptServer(
            name: "tinyproxy, to node", executable: Programs.find("tinyproxy", with: "node"),
            command: #"""
                node "$beside/echo.js" $((port + 1)) >&2 &
                behind=$!
                printf 'Port %s\nListen 127.0.0.1\nTimeout 30\nMaxClients 50\nLogFile "%s"\n' \
                    $port "$folder/tinyproxy.log" >"$folder/conf"
                "$program" -d -c "$folder/conf" >&2 &
                """#,
            keepsAlive: false, echoesBodies: true),
    ]

    /// TLS servers; they differ more in how they end connections than in their responses.
    private static let secure = [
        SweptServer(
            name: "h2o over TLS", executable: Programs.find("h2o"),
            command: #"""
                cat >"$folder/conf" <<END
                listen:
                  host: 127.0.0.1
                  port: $port
                  ssl:
                    certificate-file: $folder/server.pem
                    key-file: $folder/server.key
                num-threads: 1
                hosts:
                  default:
                    paths:
                      /:
                        file.dir: $folder/www
                END
                "$program" -c "$folder/conf" >&2 &
                """#,
            range: 206, unmodifiedStatus: 304, isSecure: true),
        SweptServer(
            name: "gunicorn over TLS", executable: Programs.module("gunicorn"),
            command: #"""
                PYTHONPATH=$beside "$program" -m gunicorn --no-control-socket -b "127.0.0.1:$port" \
                    --certfile "$folder/server.pem" --keyfile "$folder/server.key" echo_app:wsgi >&2 &
                """#,
            keepsAlive: false, echoesBodies: true, isSecure: true),
        SweptServer(
            name: "uvicorn over TLS", executable: Programs.module("uvicorn"),
            command: #"""
                PYTHONPATH=$beside "$program" -m uvicorn --host 127.0.0.1 --port $port \
                    --ssl-certfile "$folder/server.pem" --ssl-keyfile "$folder/server.key" echo_app:asgi >&2 &
                """#,
            echoesBodies: true, isSecure: true),
        SweptServer(
            name: "haproxy over TLS, to node", executable: Programs.find("haproxy", with: "node"),
            command: #"""
                node "$beside/echo.js" $((port + 1)) >&2 &
                behind=$!
                cat >"$folder/conf" <<END
                defaults
                    mode http
                    timeout connect 5s
                    timeout client 30s
                    timeout server 30s
                listen sweep
                    bind 127.0.0.1:$port ssl crt $folder/both.pem
                    server node 127.0.0.1:$((port + 1))
                END
                "$program" -db -f "$folder/conf" >&2 &
                """#,
            echoesBodies: true, isSecure: true),
    ]

    /// True if the server is a proxy. Its origin listens on the next port.
    var isProxy: Bool { name.hasPrefix("tinyproxy") }
}
