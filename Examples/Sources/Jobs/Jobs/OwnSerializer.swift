import Sockeye
import SockeyeTesting

// snippet.show
struct BadLine: Error, CustomStringConvertible {
    let number: Int
    var description: String { "line \(number) has no amount" }
}

extension ResponseSerializer where Self == BodySerializer<[String: Int]> {
    static var amounts: Self {
        BodySerializer(
            accept: "text/csv",
            handling: BodyHandling(contentTypes: ["text/csv"])
        ) { body, _ in
            var amounts: [String: Int] = [:]
            let lines = String(decoding: body, as: UTF8.self)
                .split(separator: "\n")
            for (index, line) in lines.enumerated() {
                let cells = line.split(separator: ",")
                guard cells.count == 2, let amount = Int(cells[1]) else {
                    throw BadLine(number: index + 1)
                }
                amounts[String(cells[0])] = amount
            }
            return amounts
        }
    }
}
// snippet.hide

extension Job {
    static let ownSerializer = Job("A format of one's own, and the text of its error") {
        try await withTestServer { request in
            .bytes(Bytes(request.path == "/good" ? "cod,3\neel,4\n" : "cod,3\neel\n"), contentType: "text/csv")
        } run: { server in
            let api = HTTPClient().scoped(baseURL: server.url())
            let good = try await api.get("good", as: .amounts)
            do {
                _ = try await api.get("bad", as: .amounts)
                throw Unexpected("the bad line was accepted")
            } catch let error as SockeyeError {
                return "\(good.count) amounts; \(error.code): \(error.message)"
            }
        }
    }
}
