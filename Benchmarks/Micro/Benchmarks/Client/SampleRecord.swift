/// An element of a list, as APIs send it.
struct SampleRecord: Codable {
    let id: Int
    let name: String
    let isActive: Bool
    let score: Double
    let tags: [String]
}

extension SampleRecord {
    /// Returns a list in JSON of about the given size.
    static func list(bytes size: Int) -> [UInt8] {
        let records = (0..<size / 90).map {
            let start = "{\"id\":\($0),\"name\":\"user number \($0)\",\"isActive\":\($0 % 3 == 0)"
            return start + ",\"score\":\(Double($0) / 8),\"tags\":[\"swift\",\"linux\"]}"
        }
        var list = "["
        for record in records where list.utf8.count + record.utf8.count < size {
            list += (list.utf8.count == 1 ? "" : ",") + record
        }
        return Array((list + "]").utf8)
    }
}
