import Foundation
import Sockeye
import SockeyeTesting

// snippet.show
enum SortOrder: String, ParameterConvertible { case name, newest }

struct FishFilter: Encodable {
    var min: Int
    var max: Int?
    var rivers: [String]
}

func find(_ text: String?, _ order: SortOrder, in api: HTTPClient) async throws
    -> String
{
    try await api.get(
        "fish",
        query: [
            "q": text, "sort": order, "photos": .null, "tags": ["sea", "lake"],
            "in": ["kind": "salmon", "min": 1, "max": nil],
        ], as: .text)
}

func find(_ filter: FishFilter, in api: HTTPClient) async throws -> String {
    let rails = api.scoped(requestSerializer: .form(.init(arrays: .brackets)))
    return try await rails.get(
        "fish", query: RequestParameters(filter), as: .text)
}
// snippet.hide

extension Job {
    static let queries = Job("Queries with nil, null, arrays and nested values") {
        try await withTestServer { request in
            .text((request.query ?? "").removingPercentEncoding ?? "")
        } run: { server in
            let api = HTTPClient().scoped(baseURL: server.url())
            let first = try await find(nil, .newest, in: api)
            let second = try await find(FishFilter(min: 3, max: nil, rivers: ["Tana", "Alta"]), in: api)
            return "\(first) and \(second)"
        }
    }
}
