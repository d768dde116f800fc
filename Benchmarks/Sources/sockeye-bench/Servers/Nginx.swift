import Foundation

/// One nginx process on random loopback ports, configured for as little work as possible.
final class Nginx {
    let plain: Int
    let tls: Int
    /// The port without TLS that closes each connection after one response.
    let closing: Int
    /// The ports with TLS that close each connection after one response, with and without resumption of sessions.
    let resuming: Int
    let forgetting: Int
    /// The log of handshakes on these two ports.
    let handshakes: HandshakeLog
    let process: ChildProcess

    /// - Parameter holding: The port of the server that withholds responses; nginx terminates TLS for it.
    init(folder: URL, certificate: Certificate, holding: Int) throws {
        (plain, tls, closing) = (try FreePort.find(), try FreePort.find(), try FreePort.find())
        (resuming, forgetting) = (try FreePort.find(), try FreePort.find())
        handshakes = try HandshakeLog(folder: folder)
        let configuration = folder.appending(path: "nginx.conf")
        let text = Self.configuration(
            folder: folder.path, plain: plain, tls: tls, closing: closing, certificate: certificate,
            more: [Self.handshakeServers(resuming, forgetting, handshakes)], holding: holding)
        try text.write(to: configuration, atomically: true, encoding: .utf8)
        let program = FileManager.default.isExecutableFile(atPath: "/usr/sbin/nginx") ? "/usr/sbin/nginx" : "nginx"
        process = try ChildProcess(
            program, ["-p", folder.path, "-c", configuration.path, "-e", folder.path + "/error.log"])
        try FreePort.waitForListener(on: closing, of: process)
        try handshakes.removeName()
    }

    func stop() { process.end(signal: SIGTERM) }

    /// Returns the configuration. It has one process, so that one core is the limit in every run. Bodies of downloads
    /// come from the page cache.
    ///
    /// nginx looks for gzip files only in their own folder. Elsewhere, a client that accepts gzip by default would cost
    /// it a look-up in the file system for each request, and other clients would seem faster.
    private static func configuration(
        folder: String, plain: Int, tls: Int, closing: Int, certificate: Certificate, more: [String], holding: Int
    ) -> String {
        let temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"]
            .map { "    \($0)_temp_path \(folder)/temporary;" }.joined(separator: "\n")
        return """
            daemon off;
            master_process off;
            pid \(folder)/nginx.pid;
            error_log \(folder)/error.log warn;
            worker_rlimit_nofile 65536;
            events { worker_connections 16384; }
            http {
            \(temporary)
                access_log off;
                types { application/json json; text/plain txt; }
                default_type application/octet-stream;
                sendfile on;
                sendfile_max_chunk 2m;
                tcp_nopush on; tcp_nodelay on; open_file_cache max=64;
                keepalive_requests 1000000000;
                keepalive_timeout 600s;
                ssl_certificate \(certificate.chain);
                ssl_certificate_key \(certificate.key);
                ssl_protocols TLSv1.2 TLSv1.3;
                root \(folder)/files;
                server {
                    listen 127.0.0.1:\(plain) backlog=8192;
                    listen 127.0.0.1:\(tls) ssl backlog=8192;
                    \(ResponseFields.locations)
                    location /\(ServedFile.gzipFolder)/ { gzip_static on; }
                    \(codedLocations)
                    location /gather/ { proxy_pass http://127.0.0.1:\(holding); }
                }
                server { listen 127.0.0.1:\(closing) backlog=8192; keepalive_timeout 0; }
            \(more.joined(separator: "\n"))
            }

            """
    }

    /// The locations of files that are served with their coding, whatever the client accepts.
    private static var codedLocations: String {
        ServedFile.Coding.allCases
            .map { "location /\($0.folder)/ { add_header Content-Encoding \($0.rawValue); }" }
            .joined(separator: "\n        ")
    }

    /// Returns two servers: one resumes sessions by tickets and by a session cache, the other never does.
    private static func handshakeServers(_ resuming: Int, _ forgetting: Int, _ log: HandshakeLog) -> String {
        """
            log_format resumption '$ssl_session_reused';
            server {
                listen 127.0.0.1:\(resuming) ssl backlog=8192;
                keepalive_timeout 0;
                ssl_session_cache shared:sessions:10m;
                ssl_session_tickets on;
                \(log.configuration(format: "resumption"))
            }
            server {
                listen 127.0.0.1:\(forgetting) ssl backlog=8192;
                keepalive_timeout 0;
                ssl_session_cache off;
                ssl_session_tickets off;
                \(log.configuration(format: "resumption"))
            }
        """
    }
}
