/// Options of curl and httpie that this command does not have, with the way to do the same here.
package enum ForeignOption {
    /// Returns advice for an option; nil for an option that neither program has.
    package static func advice(_ option: String) -> String? { table[option] }

    /// The options with advice.
    package static var all: [String] { table.keys.sorted() }

    private static let table: [String: String] = {
        var table: [String: String] = [:]
        for (options, advice) in groups {
            for option in options.split(separator: " ") { table[String(option)] = advice }
        }
        return table
    }()

    private static let groups: [(options: String, advice: String)] = [
        ("--http2 --http2-prior-knowledge --http3 --http3-only --http1.0 -0", "Sockeye speaks HTTP/1.1"),
        ("--ipv4 --ipv6 -4 -6", "--resolve host:port:ADDRESS chooses the address"),
        ("--config -K", "options are given on the command line, or by a script"),
        ("--next -:", "requests with different options are commands of their own"),
        (
            "--parallel --parallel-max -Z",
            "'sockeye download --parallel' fetches one file in parts, and xargs -P runs several commands"
        ),
        ("--time-cond -z", "-H 'If-Modified-Since: DATE' asks for a newer version"),
        ("--trace --trace-ascii --trace-time", "-v shows the fields, and 'sockeye trace' the times"),
        ("--negotiate --ntlm --anyauth --aws-sigv4", "--user with Basic or --digest, and --bearer bring credentials"),
        ("--remote-name-all", "-O applies to every URL"),
        ("--output-dir --create-dirs", "-o names the path, and mkdir -p makes its folder"),
        ("--post301 --post302 --post303", "a redirect by 307 or 308 keeps the method (RFC 9110 15.4)"),
        ("--limit-rate --speed-limit --speed-time -Y -y", "--max-time limits the whole call"),
        ("--hsts --alt-svc --doh-url --interface --tlsv1.2 --tlsv1.3 --ciphers", "the library has its own defaults"),
        ("--netrc-optional -n", "--netrc reads ~/.netrc, if it exists"),
        ("--offline", "--curl prints the request and sends nothing"),
        ("--download", "'sockeye download URL', or -O"),
        ("--continue", "'sockeye download URL' goes on with a file, or -C -"),
        ("--headers -h", "-I asks for the head alone, and -i prints it with the content"),
        ("--body --print -p", "the content is printed; -i adds the head, and -v shows the fields of the request"),
        ("--meta", "--timing prints the times, and -w chosen ones"),
        ("--session --session-read-only", "-b FILE -c FILE read and keep cookies"),
        ("--auth-type -a", "--user, --digest and --bearer bring credentials"),
        ("--multipart", "-F name=text makes a multipart form"),
        ("--stream", "content is printed as it arrives; -N also does so with JSON on a terminal"),
        ("--quiet -q", "-s shows neither bars nor errors, and -o /dev/null discards the content"),
        ("--all --history-print", "-v shows every request of the call"),
        ("--chunked", "-T - sends standard input in chunks"),
        ("--compress", "the content is sent as it is; compress it before"),
        ("--style --format-options --sorted --unsorted", "--pretty chooses between all, colors, format and none"),
        ("--cert-key --cert-key-pass", "--key and --pass belong to --cert"),
        ("--ssl --path-as-is", "the library has its own defaults"),
        ("--default-scheme", "a URL begins with http:// or https://"),
    ]
}
