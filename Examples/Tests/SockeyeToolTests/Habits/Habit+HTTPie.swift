extension Habit {
    /// httpie's items and standard input.
    static let items: [Habit] = [
        Habit(
            "http --ignore-stdin {url}/p name=coast depth:=12 q==3 X-A:v", .equal,
            [
                Arrival(
                    method: "POST", target: "/p?q=3", content: #"{"name":"coast","depth":12}"#,
                    fields: [
                        "Content-Type": "application/json", "Accept": "application/json, */*;q=0.5", "X-A": "v",
                    ])
            ]),
        Habit(
            "http --ignore-stdin put {url}/p a=1", .equal,
            [
                Arrival(
                    method: "PUT", target: "/p", content: #"{"a": "1"}"#,
                    fields: ["Content-Type": "application/json"])
            ]),
        Habit("http --ignore-stdin {url}/p 'a[b]==1'", .equal, [.get("/p?a%5Bb%5D=1")]),
        Habit(
            "http --ignore-stdin get {url}/p a=1", .equal,
            [
                Arrival(
                    method: "GET", target: "/p", content: #"{"a": "1"}"#,
                    fields: ["Content-Type": "application/json"])
            ]),
        Habit("http --ignore-stdin POST {url}/p", .equal, [.post("/p", "", nil)]),
        .refused("http --ignore-stdin foo {url}/p", "'foo' is no known method"),
        Habit("http --ignore-stdin {url}/p 'a=@{dir}/f.txt'", .equal, [json(#"{"a": "a=1\r\nb=2\n"}"#)]),
        Habit("http --ignore-stdin {url}/p 'a:=@{dir}/j.json'", .equal, [json(#"{"a": {"x": [1]}}"#)]),
        Habit("http --ignore-stdin {url}/p 'a\\:b=1'", .equal, [json(#"{"a:b": "1"}"#)]),
        Habit("http --ignore-stdin {url}/p 'u=http://h/?a=b'", .equal, [json(#"{"u": "http://h/?a=b"}"#)]),
        Habit("http --ignore-stdin {url}/p 'X-A;'", .equal, [.get("/p", ["X-A": ""])]),
        Habit("http --ignore-stdin {url}/p User-Agent:", .equal, [.get("/p", ["User-Agent": nil])]),
        Habit(
            "http --ignore-stdin {url}/p a=1 Content-Type:", .equal, [.post("/p", #"{"a":"1"}"#, nil)],
            isComparable: false),
        Habit(
            "http --ignore-stdin {url}/p a=1 Accept:", .different("any type is accepted either way (RFC 9110 12.5.1)"),
            [
                Arrival(
                    method: "POST", target: "/p", content: #"{"a":"1"}"#,
                    fields: ["Content-Type": "application/json", "Accept": "*/*"])
            ]),
        Habit("http post {url}/p Content-Type:", .equal, [.post("/p", "{}", nil)], input: "{}"),
        Habit(
            "http --ignore-stdin {url}/p @{dir}/f.txt", .different("the type is not guessed: --content-type gives it"),
            [.post("/p", "a=1\r\nb=2\n", nil)]),
        Habit(
            "http --ignore-stdin {url}/1 {url}/2", .different("a second URL is fetched: it is never a field"),
            [.get("/1"), .get("/2")], output: "okok"),
        .refused("http --ignore-stdin {url}/p 'a[b]=1'", "nested name"),
        .refused("http --ignore-stdin {url}/p 'a:={'", "is no JSON"),
        .refused("http --ignore-stdin {url}/p word", "is not an item"),
        .refused("http --ignore-stdin {url}/p f@{dir}/f.txt", "--form f=@"),
        .refused("http --ignore-stdin :8080/p", "did you mean http://localhost:8080/p", status: 3),
        Habit("http post {url}/p", .equal, [json(#"{"x":1}"#)], input: #"{"x":1}"#),
        Habit("http put {url}/p", .equal, [Arrival(method: "PUT", target: "/p", content: "text")], input: "text"),
        Habit(
            "http {url}/p", .different("without a method before the URL, standard input belongs to the script"),
            [.get("/p")], input: "{}"),
        Habit(
            "http post {url}/p a=1", .different("items take precedence over standard input"), [json(#"{"a": "1"}"#)],
            input: "text"),
        Habit("http --ignore-stdin post {url}/p", .equal, [.post("/p", "", nil)], input: "text"),
    ]

    /// httpie's options, and options of both programs that do not exist here.
    static let otherOptions: [Habit] = [
        Habit("http --ignore-stdin --auth ada:pw {url}/p", .equal, [.get("/p", ["Authorization": "Basic YWRhOnB3"])]),
        Habit("http --ignore-stdin --follow {url}/302", .equal, [.get("/302"), .get("/ok")], output: "ok"),
        Habit("http --ignore-stdin --timeout 20 {url}/p", .equal, [.get("/p")], output: "ok"),
        Habit("http --ignore-stdin --pretty none {url}/json", .equal, [.get("/json")], output: #"{"a":1}"#),
        Habit(
            "http --ignore-stdin -f {url}/p a=1", .different("-f is curl's --fail; --data-urlencode a=1 sends a form"),
            [json(#"{"a": "1"}"#)]),
        .refused("http --ignore-stdin --form {url}/p a=1", "is not a part of a form"),
        .refused("http --ignore-stdin --offline {url}/p a=1", "--curl prints the request"),
        .refused("http --ignore-stdin --download {url}/p", "sockeye download"),
        .refused("http --ignore-stdin --session s {url}/p", "-b FILE -c FILE"),
        .refused("http --ignore-stdin --headers {url}/p", "-I asks for the head"),
        .refused("http --ignore-stdin --print h {url}/p", "-v shows"),
        .refused("http --ignore-stdin --multipart {url}/p a=1", "-F name=text"),
        .refused("curl --http2 {url}/p", "HTTP/1.1"),
        .refused("curl -Z {url}/1 {url}/2", "xargs -P"),
        .refused("curl -K {dir}/f.txt {url}/p", "given on the command line"),
        .refused("curl --limit-rate 1k {url}/p", "--max-time"),
        .refused("curl -4 {url}/p", "--resolve"),
        .refused("curl --frobnicate {url}/p", "--frobnicate"),
    ]

    private static func json(_ content: String) -> Arrival { .post("/p", content, "application/json") }
}
