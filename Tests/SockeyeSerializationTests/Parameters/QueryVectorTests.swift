import Foundation
import SockeyeSerialization
import SockeyeTestSupport
import Testing

@Suite("Query vectors")
struct QueryVectorTests {
    private struct Row: Decodable {
        let id: String
        let parameters: RequestParameters
        let query: String
    }

    private static let path = "acceptance/query-parameters.json"

    @Test("parameters are encoded as in AFNetworking and Alamofire", .enabled(if: Vectors.exist(path), Vectors.absence))
    func vectors() throws {
        let rows = Vectors.load(Self.path, as: Row.self, keepingNames: true)
        #expect(rows.count >= 16)
        for row in rows {
            #expect(try RequestParameters.Style.afNetworking.encode(row.parameters) == row.query, "\(row.id)")
        }
    }
}
