extension Habit {
    private static let okHead = "HTTP/1.1 200 OK\nContent-Type: text/plain; charset=utf-8\nContent-Length: 2\n\n"
    private static let included = okHead + "ok"

    /// What is printed and written.
    static let outputs: [Habit] = [
        Habit("curl -i {url}/p", .equal, [.get("/p")], output: included),
        Habit(
            "curl -i -o {dir}/out {url}/p", .different("the lines of the head end with LF"), [.get("/p")], output: "",
            files: ["out": included]),
        Habit(
            "curl -sfi -o {dir}/out {url}/404", .different("the lines of the head end with LF"), [.get("/404")],
            output: "", status: 22,
            files: [
                "out": "HTTP/1.1 404 Not Found\nContent-Type: text/plain; charset=utf-8\nContent-Length: 7\n\n"
            ]),
        Habit(
            "curl -sI -o /dev/null -w '%{http_code}' {url}/p", .equal, [Arrival(method: "HEAD", target: "/p")],
            output: "200"),
        Habit("curl -o {dir}/out {url}/p", .equal, [.get("/p")], output: "", files: ["out": "ok"]),
        Habit("curl -sSo {dir}/out {url}/p", .equal, [.get("/p")], output: "", files: ["out": "ok"]),
        Habit("curl -o - {url}/p", .equal, [.get("/p")], output: "ok"),
        Habit("curl -o {dir}/missing/out {url}/p", .equal, [.get("/p")], error: "cannot be written", status: 23),
        Habit(
            "curl -O {url}/dir/name.txt?q=1", .equal,
            [.get("/dir/name.txt?q=1")], files: ["name.txt": "ok"], usesFolder: true),
        Habit(
            "curl -O {url}/1 -O {url}/2", .equal,
            [.get("/1"), .get("/2")], files: ["1": "ok", "2": "ok"], usesFolder: true),
        Habit("curl -OJ {url}/name", .equal, [.get("/name")], files: ["server.txt": "ok"], usesFolder: true),
        .refused("curl -o {dir}/out {url}/1 {url}/2", "--output is for one URL"),
        Habit("curl -O {url}/", .equal, error: "no file name", status: 23, isComparable: false),
        Habit("curl -s {url}/404", .equal, [.get("/404")], output: "missing"),
        Habit("curl -f {url}/404", .equal, [.get("/404")], output: "", error: "404", status: 22),
        Habit("curl -sf {url}/404", .equal, [.get("/404")], output: "", status: 22),
        Habit("curl -sSf {url}/404", .equal, [.get("/404")], output: "", error: "404", status: 22),
        Habit("curl --fail-with-body {url}/404", .equal, [.get("/404")], output: "missing", error: "404", status: 22),
        Habit("curl -s -o /dev/null -w '%{http_code}' {url}/404", .equal, [.get("/404")], output: "404"),
        Habit(
            "curl -sw '\\n%{response_code} %{size_download} %{content_type} %{num_redirects}\\n' {url}/json", .equal,
            [.get("/json")], output: "{\"a\":1}\n200 7 application/json 0\n"),
        Habit(
            "curl -sLw '%{url_effective} %{method} %{num_redirects} %{num_connects}' {url}/302", .equal,
            [.get("/302"), .get("/ok")], output: "ok{url}/ok GET 1 1"),
        Habit(
            "curl -sw '%{exitcode} %{http_code} %{remote_port}' http://127.0.0.1:9/", .equal, output: "7 000 0",
            status: 7, isComparable: false),
        Habit("curl -w '%{stderr}%{http_code}%{stdout}!' {url}/p", .equal, [.get("/p")], output: "ok!", error: "200"),
        Habit(
            "curl -w '%header{content-type} 100%%' {url}/json", .equal,
            [.get("/json")], output: "{\"a\":1}application/json 100%"),
        Habit("curl -w '%{bogus}' {url}/p", .refused, error: "no variable 'bogus'", status: 2),
        Habit("curl -D - {url}/p -o /dev/null", .different("lines end with LF"), [.get("/p")], isComparable: false),
        Habit(
            "curl -s -D {dir}/out {url}/p {url}/q", .different("the lines of the head end with LF"),
            [.get("/p"), .get("/q")], output: "okok", files: ["out": okHead + okHead]),
        Habit(
            "curl -D {dir}/missing/out {url}/p", .equal, [.get("/p")], error: "cannot be written", status: 23,
            isComparable: false),
        Habit(
            "curl -v {url}/p -u ada:pw", .equal,
            [.get("/p", ["Authorization": "Basic YWRhOnB3"])], error: "> GET /p HTTP/1.1"),
        Habit("curl -v {url}/cookie", .equal, [.get("/cookie")], error: "< Set-Cookie: ***"),
        Habit("curl -N {url}/p", .equal, [.get("/p")], output: "ok"),
        Habit("curl -# {url}/p", .equal, [.get("/p")], output: "ok"),
    ]

    /// Parts of files, codings, errors of the network.
    static let transfers: [Habit] = [
        Habit("curl -r 2-4 {url}/bytes", .equal, [.get("/bytes", ["Range": "bytes=2-4"])], output: "234"),
        Habit("curl -r -3 {url}/bytes", .equal, [.get("/bytes", ["Range": "bytes=-3"])], output: "789"),
        Habit("curl -r 7 {url}/bytes", .equal, [.get("/bytes", ["Range": "bytes=7-"])], output: "789"),
        Habit("curl -r x {url}/bytes", .refused, error: "not a range", status: 2),
        Habit(
            "curl -C - -o {dir}/part {url}/bytes", .equal, [.get("/bytes", ["Range": "bytes=5-"])],
            files: ["part": "0123456789"]),
        Habit(
            "curl -C - -o {dir}/link {url}/bytes", .equal, [.get("/bytes", ["Range": "bytes=5-"])],
            files: ["part": "0123456789"]),
        Habit(
            "curl -C 5 -o {dir}/link {url}/bytes", .equal, [.get("/bytes", ["Range": "bytes=5-"])],
            files: ["part": "0123456789"]),
        Habit(
            "curl -C - -o {dir}/new {url}/bytes", .equal,
            [.get("/bytes", ["Range": nil])], files: ["new": "0123456789"]),
        Habit(
            "curl -C - -o {dir}/done {url}/bytes", .equal, [.get("/bytes", ["Range": "bytes=10-"])],
            files: ["done": "0123456789"]),
        Habit(
            "curl -f -C - -o {dir}/done {url}/bytes", .equal, [.get("/bytes", ["Range": "bytes=10-"])],
            files: ["done": "0123456789"], isComparable: false),
        Habit(
            "curl -f -C - -o {dir}/f.txt {url}/404", .equal, [.get("/404", ["Range": "bytes=9-"])],
            error: "404", status: 22, files: ["f.txt": "a=1\r\nb=2\n"]),
        Habit(
            "curl -C - -o {dir}/part {url}/whole", .equal, [.get("/whole", ["Range": "bytes=5-"])],
            error: "but the whole of it", status: 33, files: ["part": "01234"]),
        Habit(
            "curl -C - -o {dir}/f.txt {url}/bytes", .equal, [.get("/bytes", ["Range": "bytes=9-"])],
            files: ["f.txt": "a=1\r\nb=2\n9"]),
        Habit(
            "curl -i -C - -o {dir}/part {url}/bytes",
            .different("no head is written into the middle of a continued file"),
            [.get("/bytes", ["Range": "bytes=5-"])], files: ["part": "0123456789"]),
        Habit("curl -C 8 {url}/bytes", .equal, [.get("/bytes", ["Range": "bytes=8-"])], output: "89"),
        Habit("curl -C - {url}/bytes", .refused, error: "belongs to --output", status: 2),
        .refused("curl -C 8 -OJ {url}/bytes", "--remote-header-name"),
        .refused("curl -C - -OJ {url}/bytes", "--remote-header-name"),
        Habit("curl --compressed {url}/gzip", .equal, [.get("/gzip")], output: "unpacked"),
        Habit(
            "curl {url}/gzip", .different("codings are asked for and undone without --compressed, too"),
            [.get("/gzip", ["Accept-Encoding": "gzip, deflate, br, zstd"])], output: "unpacked"),
        Habit(
            "curl -H 'Accept-Encoding:' {url}/gzip", .equal,
            [.get("/gzip", ["Accept-Encoding": nil])], output: "unpacked"),
        Habit("curl {url}/cut", .equal, [.get("/cut")], output: "01234", error: "5 of 10", status: 18),
        Habit("curl http://127.0.0.1:9/", .equal, error: "Connection refused", status: 7),
        Habit(
            "curl --retry 2 --retry-delay 0.001 {url}/flaky", .equal, [.get("/flaky"), .get("/flaky")], output: "ok",
            isComparable: false),
        Habit(
            "curl -d a=1 --retry 2 --retry-delay 0.001 {url}/503",
            .different("a POST is not repeated: it may have been carried out (RFC 9110 9.2.2)"), [.post("/503", "a=1")],
            isComparable: false),
        Habit("curl --retry 2 http://127.0.0.1:9/", .equal, error: "Connection refused", status: 7),
        Habit(
            "curl --retry 2 --retry-delay 0.001 --retry-connrefused http://127.0.0.1:9/", .equal,
            error: "Connection refused", status: 7, isComparable: false),
        .refused("curl --retry -1 {url}/p", "Missing value for '--retry"),
        .refused("curl --retry 2000 {url}/p", "--retry is from 0"),
        Habit(
            "curl --retry 5 --retry-delay 0.001 --retry-max-time 0.000001 {url}/503", .equal, [.get("/503")],
            isComparable: false),
        Habit(
            "curl -s -m 0 --connect-timeout 0 --retry 1 --retry-delay 0 --retry-max-time 0 {url}/soon", .equal,
            [.get("/soon"), .get("/soon")], output: "ok"),
        Habit("curl -s --retry 2 --retry-max-time 2 {url}/later", .equal, [.get("/later")]),
        Habit(
            "curl --retry 1 --retry-max-time 1.9 {url}/soon {url}/soon", .equal,
            [.get("/soon"), .get("/soon"), .get("/soon"), .get("/soon")], output: "okok", isComparable: false),
    ]

    /// Redirects, credentials, cookies, proxies.
    static let policies: [Habit] = [
        Habit("curl -L {url}/302", .equal, [.get("/302"), .get("/ok")], output: "ok"),
        Habit(
            "curl {url}/302", .different("redirects are followed; --no-redirects shows them"),
            [.get("/302"), .get("/ok")], output: "ok"),
        Habit(
            "curl -L -d a=1 {url}/302", .equal,
            [.post("/302", "a=1"), .get("/ok", ["Content-Type": nil])], output: "ok"),
        Habit("curl -L -d a=1 {url}/307", .equal, [.post("/307", "a=1"), .post("/ok", "a=1")], output: "ok"),
        Habit("curl -L --max-redirs 0 {url}/302", .equal, [.get("/302")], error: "--max-redirs", status: 47),
        Habit("curl -u ada:pw {url}/p", .equal, [.get("/p", ["Authorization": "Basic YWRhOnB3"])]),
        Habit("curl --oauth2-bearer token {url}/p", .equal, [.get("/p", ["Authorization": "Bearer token"])]),
        Habit(
            "curl --digest -u ada:pw {url}/digest", .equal,
            [.get("/digest", ["Authorization": nil]), .get("/digest")], output: "ok"),
        Habit(
            "curl --netrc-file {dir}/netrc {url}/basic", .equal,
            [.get("/basic", ["Authorization": "Basic YWRhOnB3"])], output: "ok"),
        .refused("curl -u ada:pw http://192.0.2.1/", "--plaintext-credentials", status: 94),
        .refused("curl -u ada {url}/p", "NAME:PASSWORD"),
        Habit("curl -b 'a=1; b=2' {url}/p", .equal, [.get("/p", ["Cookie": "a=1; b=2"])]),
        Habit(
            "curl -c {dir}/jar -b '' {url}/cookie {url}/p", .equal,
            [.get("/cookie"), .get("/p", ["Cookie": "s=secret"])]),
        Habit(
            "curl -b {dir}/missing {url}/cookie {url}/p", .equal,
            [.get("/cookie"), .get("/p", ["Cookie": "s=secret"])]),
        .refused("curl -c - {url}/p", "--cookie-jar take files"),
        .refused("curl -b - {url}/p", "--cookie-jar take files"),
        Habit("curl -x {url} http://example.com/p", .equal, [.get("http://example.com/p")], output: "ok"),
        Habit(
            "curl --resolve socks.test:{port}:127.0.0.1 -x socks.test:{port} http://example.com/p", .equal,
            [.get("http://example.com/p")], output: "ok"),
        Habit("curl -x HTTP://{host} http://example.com/p", .equal, [.get("http://example.com/p")], output: "ok"),
        Habit(
            "curl -x {url} -U ada:p@w http://example.com/p", .equal,
            [.get("http://example.com/p", ["Proxy-Authorization": "Basic YWRhOnBAdw=="])]),
        Habit("curl -x http://127.0.0.1:9 --noproxy '*' {url}/p", .equal, [.get("/p")], output: "ok"),
        Habit("curl -x http://127.0.0.1:9 --noproxy 127.0.0.1,b.example {url}/p", .equal, [.get("/p")], output: "ok"),
        .refused("curl -x http://127.0.0.1:9 --noproxy 127.0.0.0/8 {url}/p", "no network"),
        .refused("curl -U ada:pw {url}/p", "--proxy-user belongs to --proxy"),
        Habit(
            "curl --resolve example.com:{port}:127.0.0.1 http://example.com:{port}/p", .equal,
            [.get("/p")], output: "ok"),
    ]
}
