import Sockeye
import SockeyeTesting

// snippet.show
struct Forecast: Sendable {
    let client: HTTPClient

    func celsius(in city: String) async throws -> Int? {
        let url = "https://api.example.com/v1/forecast/\(city)"
        return try await client.get(url, as: .json)["celsius"]?.int
    }
}

func forecastOutlastsOneFailure() async throws {
    let mock = MockTransport()
    mock.answer(
        "GET /v1/forecast/{city}", with: .status(503), .json(["celsius": 12]))
    let forecast = Forecast(
        client: HTTPClient(transport: mock).adding(
            .retry(max: 1, backoff: .none)))
    let celsius = try await forecast.celsius(in: "Oslo")
    // in a test: #expect
    precondition(celsius == 12)
    try mock.verify("GET /v1/forecast/Oslo", times: 2)
    try mock.checkForFailures()
}
// snippet.hide

extension Job {
    static let ownTests = Job("Tests of one's own API client") {
        try await forecastOutlastsOneFailure()
        return "two requests, no network"
    }
}
