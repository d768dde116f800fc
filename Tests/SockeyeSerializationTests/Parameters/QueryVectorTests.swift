import Foundation
import SockeyeSerialization
import SockeyeTestSupport
import Testing

@Suite("Query strings of AFNetworking and Alamofire")
struct QueryVectorTests {
    private struct Row: Decodable {
        let id: String
        let parameters: RequestParameters
        let query: String
    }

    @Test("parameters are encoded as in AFNetworking and Alamofire")
    func vectors() throws {
        let files = ["acceptance/query-parameters.json"]
        for row in Vectors.load(own: "queries.json", public: files, as: Row.self, keepingNames: true) {
            #expect(try RequestParameters.Style.afNetworking.encode(row.parameters) == row.query, "\(row.id)")
        }
    }
}
