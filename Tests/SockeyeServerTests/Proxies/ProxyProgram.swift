import Foundation
import SockeyeTesting
import Testing

/// A proxy program from Debian.
///
/// If it authenticates clients, its user is `ada` with the password `pass word`, for tinyproxy `password`. The realm of
/// squid is `office`.
struct ProxyProgram: Sendable, CustomTestStringConvertible {
    let name: String
    /// The executable; nil if it is not installed.
    let executable: String?
    let command: String
    /// True if it speaks TLS at its port, with a certificate of ``RunningServer/authority``.
    var isSecure = false

    var testDescription: String { name }

    static let all = [squidBasic, squidDigest, squidSecure, tinyproxy, microsocks, dante, haproxy, nginx]
    static let missing = all.filter { $0.executable == nil }.map(\.name)

    func start() throws -> ListeningProgram {
        try ListeningProgram(name, executable, command: command) { folder in
            if isSecure { try RunningServer.certify(folder) }
        }
    }

    /// Returns the command that configures and starts squid.
    ///
    /// - Parameters:
    ///   - listen: The line for the listening port.
    ///   - authentication: The lines for the authentication of clients.
    private static func squid(_ listen: String, _ authentication: String) -> String {
        #"""
        printf 'ada:%s\n' "$(openssl passwd -apr1 'pass word')" >"$folder/passwords"
        printf 'ada:office:%s\n' "$(printf 'ada:office:pass word' | md5sum | cut -d' ' -f1)" >"$folder/digests"
        cat >"$folder/conf" <<END
        \#(listen)
        \#(authentication)
        acl known proxy_auth REQUIRED
        http_access allow known
        http_access deny all
        pid_filename none
        cache deny all
        access_log none
        cache_log /dev/null
        shutdown_lifetime 0 seconds
        END
        "$program" -N -f "$folder/conf" >&2 &
        """#
    }

    static let squidBasic = ProxyProgram(
        name: "squid with Basic", executable: Program.find("squid"),
        command: squid(
            "http_port 127.0.0.1:$port",
            "auth_param basic program /usr/lib/squid/basic_ncsa_auth $folder/passwords\nauth_param basic realm office"))

    static let squidDigest = ProxyProgram(
        name: "squid with Digest", executable: Program.find("squid"),
        command: squid(
            "http_port 127.0.0.1:$port",
            "auth_param digest program /usr/lib/squid/digest_file_auth -c $folder/digests\nauth_param digest realm office"
        ))

    static let squidSecure = ProxyProgram(
        name: "squid over TLS", executable: Program.find("squid"),
        command: squid(
            "https_port 127.0.0.1:$port tls-cert=$folder/server.pem tls-key=$folder/server.key",
            "auth_param digest program /usr/lib/squid/digest_file_auth -c $folder/digests\nauth_param digest realm office"
        ),
        isSecure: true)

    static let tinyproxy = ProxyProgram(
        name: "tinyproxy", executable: Program.find("tinyproxy"),
        command: #"""
            printf 'Port %s\nListen 127.0.0.1\nTimeout 30\nMaxClients 50\nLogFile "%s"\nBasicAuth ada password\n' \
                $port "$folder/tinyproxy.log" >"$folder/conf"
            "$program" -d -c "$folder/conf" >&2 &
            """#)

    static let microsocks = ProxyProgram(
        name: "microsocks", executable: Program.find("microsocks"),
        command: #""$program" -i 127.0.0.1 -p $port -u ada -P 'pass word' >&2 &"#)

    static let dante = ProxyProgram(
        name: "dante", executable: Program.find("danted"),
        command: #"""
            cat >"$folder/conf" <<END
            logoutput: stderr
            internal: 127.0.0.1 port = $port
            external: 127.0.0.1
            clientmethod: none
            socksmethod: none
            client pass { from: 0.0.0.0/0 to: 0.0.0.0/0 }
            socks pass { from: 0.0.0.0/0 to: 0.0.0.0/0 }
            END
            "$program" -f "$folder/conf" >&2 &
            """#)

    /// Expects the PROXY protocol, and answers with the client address it announces.
    static let haproxy = ProxyProgram(
        name: "haproxy", executable: Program.find("haproxy"),
        command: #"""
            cat >"$folder/conf" <<END
            defaults
                mode http
                timeout connect 5s
                timeout client 30s
                timeout server 30s
            frontend told
                bind 127.0.0.1:$port accept-proxy
                http-request return status 200 content-type text/plain lf-string "%ci %cp"
            END
            "$program" -db -f "$folder/conf" >&2 &
            """#)

    /// Terminates TLS in front of a tinyproxy.
    static let nginx = ProxyProgram(
        name: "nginx's stream in front of tinyproxy",
        executable: FileManager.default.fileExists(atPath: "/usr/lib/nginx/modules/ngx_stream_module.so")
            && Program.find("tinyproxy") != nil ? Program.nginx : nil,
        command: #"""
            printf 'Port %s\nListen 127.0.0.1\nTimeout 30\nMaxClients 50\nLogFile "%s"\nBasicAuth ada password\n' \
                $((port + 1)) "$folder/tinyproxy.log" >"$folder/tinyproxy.conf"
            tinyproxy -d -c "$folder/tinyproxy.conf" >&2 &
            behind=$!
            cat >"$folder/conf" <<END
            load_module /usr/lib/nginx/modules/ngx_stream_module.so;
            daemon off;
            worker_processes 1;
            pid $folder/nginx.pid;
            error_log stderr;
            events {}
            stream {
                server {
                    listen 127.0.0.1:$port ssl;
                    ssl_certificate $folder/server.pem;
                    ssl_certificate_key $folder/server.key;
                    proxy_pass 127.0.0.1:$((port + 1));
                }
            }
            END
            "$program" -c "$folder/conf" -e stderr >&2 &
            """#,
        isSecure: true)
}
