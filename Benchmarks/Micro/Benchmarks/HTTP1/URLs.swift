import Benchmark
import SockeyeHTTP

/// Steps that parse URLs: a normalised one, one that has to be normalised, and one with a name outside of ASCII.
func benchmarkURLs() {
    let samples = [
        "clean": "https://api.example.com/v1/users?page=2&size=50",
        "unclean": "HTTPS://API.Example.COM:443/v1/./users/../items/caf\u{e9}?q=a b",
        "international": "https://b\u{fc}cher.example/katalog",
    ]
    for (name, url) in samples.sorted(by: { $0.key < $1.key }) {
        Benchmark("url-\(name)") { benchmark in
            for _ in benchmark.scaledIterations {
                blackHole(try HTTPURL(url))
            }
        }
    }
    let base = try? HTTPURL("https://api.example.com/v1/users/")
    Benchmark("url-relative") { benchmark in
        for _ in benchmark.scaledIterations {
            blackHole(try base?.resolving("../items/7?x=1"))
        }
    }
}
