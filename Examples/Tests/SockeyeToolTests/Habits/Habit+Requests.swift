extension Habit {
    /// Methods, URLs, queries and fields.
    static let requests: [Habit] = [
        Habit("curl {url}/p", .equal, [.get("/p", ["Accept": "*/*"])], output: "ok"),
        Habit("curl --url {url}/p", .equal, [.get("/p")], output: "ok"),
        Habit("curl {url}", .equal, [.get("/")]),
        Habit("curl -XDELETE {url}/p", .equal, [Arrival(method: "DELETE", target: "/p")]),
        Habit("curl -X get {url}/p", .equal, [Arrival(method: "get", target: "/p")]),
        Habit("curl --request PUT {url}/p", .equal, [Arrival(method: "PUT", target: "/p")]),
        Habit("curl -X POST {url}/p", .equal, [.post("/p", "", nil)]),
        Habit("curl -I {url}/p -o /dev/null", .equal, [Arrival(method: "HEAD", target: "/p")], output: ""),
        Habit("curl {url}/1 {url}/2", .equal, [.get("/1"), .get("/2")], output: "okok"),
        Habit("curl {url}/404 {url}/2 -f", .equal, [.get("/404"), .get("/2")], output: "ok", error: "404"),
        Habit("curl '{url}/a/../b/./c?q=1#frag'", .equal, [.get("/b/c?q=1")]),
        Habit("curl '{url}/a%20b?c=%2F'", .equal, [.get("/a%20b?c=%2F")]),
        Habit("curl '{url}/a b'", .different("blanks are percent-encoded, as in browsers"), [.get("/a%20b")]),
        .refused("curl {host}/p", "did you mean {url}/p?", status: 3),
        .refused("curl", "the URL is missing"),
        .refused("curl ftp://127.0.0.1:9/f", "neither http nor https", status: 3),
        Habit(
            "curl '{url}/{a,b}[1-2]'", .different("a shell can expand braces and ranges"),
            [.get("/%7Ba,b%7D[1-2]")]),
        Habit("curl -G -d a=1 -d b=2 {url}/p", .equal, [.get("/p?a=1&b=2")]),
        Habit("curl -G '{url}/p?x=1' --data-urlencode 'q=a b&c'", .equal, [.get("/p?x=1&q=a+b%26c")]),
        Habit("curl -H 'X-A: 1' -H 'X-B:2' {url}/p", .equal, [.get("/p", ["X-A": "1", "X-B": "2"])]),
        Habit("curl -H 'X-A;' {url}/p", .equal, [.get("/p", ["X-A": ""])]),
        Habit("curl -H 'User-Agent:' {url}/p", .equal, [.get("/p", ["User-Agent": nil])]),
        Habit("curl -A '' {url}/p", .equal, [.get("/p", ["User-Agent": nil])]),
        Habit("curl -A agent/1 {url}/p", .equal, [.get("/p", ["User-Agent": "agent/1"])]),
        Habit("curl -H @{dir}/fields {url}/p", .equal, [.get("/p", ["X-A": "1", "X-B": "2"])]),
        Habit("curl -e http://r.example/ {url}/p", .equal, [.get("/p", ["Referer": "http://r.example/"])]),
        Habit("curl -H 'Host: other.example' {url}/p", .equal, [.get("/p", ["Host": "other.example"])]),
        Habit(
            "curl -H 'Accept:' {url}/p", .different("any type is accepted either way (RFC 9110 12.5.1)"),
            [.get("/p", ["Accept": "*/*"])]),
        .refused("curl -H 'Host:' {url}/p", "Host cannot be omitted"),
        .refused("curl -H 'no field' {url}/p", "is not a field"),
    ]

    /// Content that is no form of several parts.
    static let contents: [Habit] = [
        Habit("curl -d a=1 -d b=2 {url}/p", .equal, [.post("/p", "a=1&b=2")]),
        Habit("curl -da=1 {url}/p", .equal, [.post("/p", "a=1")]),
        Habit("curl -d '' {url}/p", .equal, [.post("/p", "")]),
        Habit("curl -d -1 {url}/p", .equal, [.post("/p", "-1")]),
        Habit("curl -d @{dir}/f.txt {url}/p", .equal, [.post("/p", "a=1b=2")]),
        Habit("curl -d @- {url}/p", .equal, [.post("/p", "a=1")], input: "a=1\n"),
        Habit(
            "curl -d @{dir}/f.txt -H 'Content-Type: Application/X-WWW-Form-Urlencoded; charset=utf-8' {url}/p", .equal,
            [.post("/p", "a=1b=2", "Application/X-WWW-Form-Urlencoded; charset=utf-8")]),
        .refused("curl -X GET -d a=1 -H 'Content-Type: application/x-www-form-urlencoded;a=b' {url}/p", "no form"),
        Habit(
            "curl -d @{dir}/f.txt -H 'Content-Type: text/csv' {url}/p",
            .different("line breaks of a file are removed only in a form, because they belong to other content"),
            [.post("/p", "a=1\r\nb=2\n", "text/csv")]),
        Habit("curl --data-raw @x {url}/p", .equal, [.post("/p", "@x")]),
        Habit("curl --data-binary @{dir}/f.txt {url}/p", .equal, [.post("/p", "a=1\r\nb=2\n")]),
        Habit("curl --data-ascii a=1 {url}/p", .equal, [.post("/p", "a=1")]),
        Habit("curl --data-urlencode 'n=a b&c' {url}/p", .equal, [.post("/p", "n=a+b%26c")]),
        Habit("curl --data-urlencode '=a b' {url}/p", .equal, [.post("/p", "a+b")]),
        Habit("curl --data-urlencode n@{dir}/f.txt {url}/p", .equal, [.post("/p", "n=a%3D1%0D%0Ab%3D2%0A")]),
        Habit(
            "curl --data-urlencode 'a=1 2' -d b=3 {url}/p",
            .different("options are collected by name: --data comes first"), [.post("/p", "b=3&a=1+2")]),
        Habit("curl -d a,b -H 'Content-Type: text/csv' {url}/p", .equal, [.post("/p", "a,b", "text/csv")]),
        Habit("curl -d a=1 -H 'Content-Type:' {url}/p", .equal, [.post("/p", "a=1", nil)]),
        Habit("curl -X PUT -d a=1 {url}/p", .equal, [Arrival(method: "PUT", target: "/p", content: "a=1")]),
        Habit(
            "curl -X GET -d '{}' -H 'Content-Type: application/json' {url}/p", .equal,
            [Arrival(method: "GET", target: "/p", content: "{}")]),
        .refused("curl -X GET -d a=1 {url}/p", "--get sends --data in the query"),
        .refused("curl -I -d a=1 {url}/p", "HEAD request has no form"),
        Habit(
            "curl --json '{\"a\": 1}' {url}/p", .equal,
            [
                Arrival(
                    method: "POST", target: "/p", content: "{\"a\": 1}",
                    fields: ["Content-Type": "application/json", "Accept": "application/json"])
            ]),
        Habit(
            "curl --json '{}' -H 'Accept:' {url}/p", .different("any type is accepted either way (RFC 9110 12.5.1)"),
            [
                Arrival(
                    method: "POST", target: "/p", content: "{}",
                    fields: ["Content-Type": "application/json", "Accept": "*/*"])
            ]),
        Habit("curl --json '{\"a\":' --json 1} {url}/p", .equal, [.post("/p", "{\"a\":1}", "application/json")]),
        Habit("curl --json @{dir}/j.json {url}/p", .equal, [.post("/p", "{\"x\": [1]}\n", "application/json")]),
        Habit("curl --json '{broken' {url}/p", .equal, [.post("/p", "{broken", "application/json")]),
        Habit("curl -T {dir}/f.txt {url}/p", .equal, [Arrival(method: "PUT", target: "/p", content: "a=1\r\nb=2\n")]),
        Habit(
            "curl -T {dir}/f.txt {url}/d/", .equal,
            [Arrival(method: "PUT", target: "/d/f.txt", content: "a=1\r\nb=2\n")]),
        Habit(
            "curl -T - {url}/p", .equal,
            [Arrival(method: "PUT", target: "/p", content: "text", fields: ["Transfer-Encoding": "chunked"])],
            input: "text"),
        .refused("curl -T {dir}/missing {url}/p", "missing", status: 26),
        Habit(
            "curl -d @{dir}/missing {url}/p", .different("older versions of curl send nothing instead"),
            error: "cannot be read", status: 26, isComparable: false),
        .refused("curl -d a=1 -T {dir}/f.txt {url}/p", "more than one content"),
    ]

    /// Multipart forms.
    static let forms: [Habit] = [
        Habit(
            "curl -F a=1 {url}/p", .equal,
            [multipart("Content-Disposition: form-data; name=\"a\"\r\n\r\n1")]),
        Habit(
            "curl -F 'f=@{dir}/f.txt;type=text/csv;filename=g.csv' {url}/p", .equal,
            [
                multipart(
                    "Content-Disposition: form-data; name=\"f\"; filename=\"g.csv\"\r\nContent-Type: text/csv\r\n\r\n"
                        + "a=1\r\nb=2\n")
            ]),
        Habit(
            "curl -F 'f=@\"{dir}/f.txt\";filename=\"g;h.txt\"' {url}/p", .equal,
            [
                multipart(
                    "Content-Disposition: form-data; name=\"f\"; filename=\"g;h.txt\"\r\nContent-Type: text/plain\r\n\r\n"
                        + "a=1\r\nb=2\n")
            ]),
        Habit(
            "curl -F 'j={};type=application/json;charset=utf-8' {url}/p", .equal,
            [
                multipart(
                    "Content-Disposition: form-data; name=\"j\"\r\n"
                        + "Content-Type: application/json;charset=utf-8\r\n\r\n{}")
            ]),
        Habit(
            "curl -F 't=<{dir}/f.txt' {url}/p", .equal,
            [multipart("Content-Disposition: form-data; name=\"t\"\r\n\r\na=1\r\nb=2\n")]),
        Habit(
            "curl -F 'j={};type=application/json' {url}/p", .equal,
            [multipart("Content-Disposition: form-data; name=\"j\"\r\nContent-Type: application/json\r\n\r\n{}")]),
        Habit(
            "curl --form-string 't=@x;type=y' {url}/p", .equal,
            [multipart("Content-Disposition: form-data; name=\"t\"\r\n\r\n@x;type=y")]),
        Habit(
            "curl -F 't=a;b' {url}/p", .different("the text after an unknown semicolon stays"),
            [multipart("Content-Disposition: form-data; name=\"t\"\r\n\r\na;b")]),
        .refused("curl -F f=@{dir}/missing {url}/p", "missing", status: 26),
        .refused("curl -F 'f=@a,b' {url}/p", "a part of its own"),
        .refused("curl -X GET -F a=1 {url}/p", "a GET request has no form"),
        .refused("curl -F a {url}/p", "is not a part of a form"),
    ]

    /// A form with one part, whose boundary is `B`.
    static func multipart(_ part: String) -> Arrival {
        .post("/p", "--B\r\n\(part)\r\n--B--\r\n", "multipart/form-data; boundary=B")
    }
}
