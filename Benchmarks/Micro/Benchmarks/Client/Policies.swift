import Benchmark
import MicroKit
import Sockeye

/// Steps of a request with policies that have no work: without policies, with each policy alone, and with all of them,
/// over a transport that has the response in memory. The cost of a policy is its step minus `policies-none`.
func benchmarkPolicies() {
    let bare = HTTPClient(transport: SampleTransport(json: Array("{}".utf8))).removing(.redirects)
    let (jar, elsewhere) = (CookiePolicy.Jar(), CookiePolicy.Jar())
    require("there is a cookie for the host, and one for another") {
        try jar.set("session=4f1d8a2b6c9e", from: HTTPURL(url)) != nil
            && elsewhere.set("session=4f1d8a2b6c9e", from: HTTPURL("https://other.example.com/")) != nil
    }
    let redirects = RedirectPolicy.following
    let retries = RetryPolicy.retry(breaker: .opening())
    let bearer = AuthenticationPolicy.bearer("2YotnFZFEjr1zCsicMWpAA")
    let digest = AuthenticationPolicy.digest(user: "ada", password: "lovelace")
    let cookies = CookiePolicy(jar)
    benchmarkCall("policies-none", bare)
    benchmarkCall("policies-redirects", bare.adding(redirects))
    benchmarkCall("policies-retries", bare.adding(retries))
    benchmarkCall("policies-bearer", bare.adding(bearer))
    benchmarkCall("policies-digest-unasked", bare.adding(digest))
    benchmarkCall("policies-cookies", bare.adding(cookies))
    benchmarkCall("policies-cookies-elsewhere", bare.adding(CookiePolicy(elsewhere)))
    benchmarkCall("policies-all", bare.adding(redirects, retries, bearer, cookies))
}

private func benchmarkCall(_ name: String, _ client: HTTPClient) {
    Benchmark(name) { benchmark in
        let request = try OutgoingRequest(url: url)
        benchmark.startMeasurement()
        for _ in benchmark.scaledIterations {
            blackHole(try await client.send(request))
        }
        benchmark.stopMeasurement()
    }
}

private let url = "https://api.example.com/v1/records"
