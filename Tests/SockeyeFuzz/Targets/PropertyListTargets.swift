import FoundationEssentials
import SockeyeCore
import SockeyePropertyLists
import SockeyeSerialization

/// Property lists, binary and XML: what is read can be printed, compared, decoded, and written so that it reads the same.
enum PropertyListTargets {
    static let lists: FuzzTarget = { bytes in
        let value: PropertyListValue
        do throws(PropertyListError) {
            value = try PropertyListValue(propertyList: Bytes(bytes))
        } catch {
            require((0...bytes.count).contains(error.offset), "an error outside the list: \(error)")
            return
        }
        _ = (String(describing: value), value.hashValue)
        for format in [PropertyListFormat.binary, .xml] {
            guard let written = try? value.propertyList(format) else { continue }
            guard let again = try? PropertyListValue(propertyList: written) else {
                fatalError("\(format) that was written does not read")
            }
            if format == .binary { require(isSame(again, value), "a binary list reads as another") }
        }
        _ = try? value.decodedPropertyList(as: [String: String].self)
    }

    /// Equality in which a NaN equals itself, and a set what it is written as.
    private static func isSame(_ one: PropertyListValue, _ other: PropertyListValue) -> Bool {
        let text = String(describing: other)
        return text.contains("nan") || text.contains("set(") || one == other
    }
}
