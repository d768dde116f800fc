import BenchmarkKit

extension Scenario {
    /// Scenarios that decode an array of users, plain and compressed with gzip.
    static var json: [Scenario] {
        [false, true].flatMap { gzip in
            [("2k", 5), ("64k", 160), ("1m", 2560)].map { size, users in
                let file = ServedFile.users(users, gzip: gzip)
                return Scenario(
                    name: "json-\(size)\(gzip ? "-gzip" : "")", server: .plain(file), job: .json(users: users),
                    connections: 16, measure: .requests, isQuick: size == "64k" && !gzip)
            }
        }
    }

    /// A scenario that inflates the same bytes without decoding JSON, so that libcurl can take part.
    static var inflation: [Scenario] {
        let file = ServedFile.users(160, gzip: true)
        return [
            Scenario(
                name: "get-64k-gzip-c16", server: .plain(file), job: .get(expecting: file.bytes), connections: 16,
                measure: .requests, isQuick: false)
        ]
    }
}
