import Sockeye
import SockeyeCore
import SockeyeEssentials
import SockeyeSerialization
import SockeyeTransfers

/// JSON: the parser, Foundation's decoder behind its guard, and the resume data of downloads.
enum JSONTargets {
    /// A value that was read and written must read as the same value, with every policy for duplicate keys.
    static let values: FuzzTarget = { bytes in
        for policy in [JSONValue.ReadingOptions.DuplicateKeys.lastWins, .firstWins, .error] {
            do throws(JSONError) {
                let value = try JSONValue(parsing: bytes, options: JSONValue.ReadingOptions(duplicateKeys: policy))
                for options in [[], .prettyPrinted, .sortedKeys] as [JSONValue.WritingOptions] {
                    let again = try? JSONValue(parsing: value.bytes(options: options))
                    require(
                        again == value && again?.hashValue == value.hashValue, "\(value) changed by writing and reading"
                    )
                }
            } catch {
                require((0...bytes.count).contains(error.offset), "an error outside the text")
                require(error.line >= 1 && error.column >= 1 && error.description.utf8.count < 2000, "\(error)")
            }
        }
    }

    /// Any JSON value, read through `Decodable`.
    private indirect enum Tree: Decodable {
        case list([Tree])
        case members([String: Tree])
        case other

        init(from decoder: any Decoder) throws {
            if let members = try? [String: Tree](from: decoder) {
                self = .members(members)
            } else if let list = try? [Tree](from: decoder) {
                self = .list(list)
            } else {
                _ = try? decoder.singleValueContainer().decode(Double.self)
                self = .other
            }
        }
    }

    private struct User: Codable, Equatable {
        var id: Int?
        var name: String?
        var tags: [String]?
        var score: Double?
        var friends: [User]?
    }

    /// Uses Foundation's decoder as responses do, also for JSON5.
    static let decoder: FuzzTarget = { bytes in
        var input = FuzzInput(bytes)
        let foundation = JSONDecoder()
        foundation.allowsJSON5 = input.flag()
        let decoder = JSONResponseDecoder(foundation)
        let body = Bytes(input.bytes)
        do {
            let user = try decoder.decode(User.self, from: body)
            let again = try decoder.decode(User.self, from: Bytes(try JSONEncoder().encode(user)))
            require(user == again, "\(user) decodes as \(again)")
        } catch {
            require((decoder.excerpt(of: body, for: error) ?? "").utf8.count < 4000, "a long excerpt")
        }
        _ = try? decoder.decode(Tree.self, from: body)
        _ = try? decoder.decode(JSONValue.self, from: body)
    }

    /// Reads the resume data of a download, which may come from a caller's storage.
    static let resume: FuzzTarget = { bytes in
        guard let data = try? JSONResponseDecoder().decode(ResumeData.self, from: Bytes(bytes)) else { return }
        require(data.bytesWritten >= 0 && data.bytesWritten <= data.totalBytes ?? .max, "\(data)")
        guard let encoded = try? JSONEncoder().encode(data) else { fatalError("\(data) is not encoded") }
        let again = try? JSONResponseDecoder().decode(ResumeData.self, from: Bytes(encoded))
        require(again == data && !data.description.contains("?"), "\(data) changed by writing and reading")
    }
}
