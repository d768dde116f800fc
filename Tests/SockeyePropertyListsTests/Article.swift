import SockeyePropertyLists

/// The snippet of SockeyePropertyLists.md, which would need the host that it names: compiled, not run.
struct Article {
    struct Report: Decodable { var name: String }

    let client: HTTPClient

    func overview() async throws {
        let report = try await client.get("https://example.com/report", as: .propertyList(Report.self))
        let lists = client.scoped(requestSerializer: .propertyList, decoder: .propertyList)
        print(report.name, lists)
    }
}
