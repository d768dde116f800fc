import Sockeye
import SockeyeTesting

// snippet.show
struct Order: Codable, Sendable {
    var item: String
    var count: Int
}

struct Refusal: Codable, Error {
    var field: String
    var reason: String
}

func place(_ order: Order, at api: HTTPClient) async throws -> Order {
    do {
        return try await api.post("orders", .json(order), as: Order.self)
    } catch {
        guard let response = error.response,
            response.status == .unprocessableContent
        else { throw error }
        throw try response.decoded(as: Refusal.self)
    }
}
// snippet.hide

extension Job {
    static let postAndRefusal = Job("POST with a 422 and its body") {
        try await withTestServer { request in
            let order = try await request.json(Order.self)
            let refusal = Refusal(field: "count", reason: "must be positive")
            return order.count > 0 ? .json(order, status: 201) : .json(refusal, status: 422)
        } run: { server in
            let api = HTTPClient().scoped(baseURL: server.url())
            let made = try await place(Order(item: "net", count: 2), at: api)
            do {
                _ = try await place(Order(item: "net", count: 0), at: api)
                throw Unexpected("the second order was not refused")
            } catch let refusal as Refusal {
                return "\(made.count) ordered; \(refusal.field) \(refusal.reason)"
            }
        }
    }
}
