import FoundationEssentials
import SockeyeCore

extension PropertyListValue {
    /// What Foundation's decoder makes of this value.
    ///
    /// It goes through a list written anew, because that decoder traps on some of those that peers may send; see
    /// ``init(propertyList:)``. As everywhere with Foundation, the string `$null` means nil.
    ///
    /// - Throws: `DecodingError`.
    public func decodedPropertyList<Decoded: Decodable>(as type: Decoded.Type = Decoded.self) throws -> Decoded {
        switch self {
        case .array, .set, .dictionary:
            return try PropertyListDecoder().decode(type, from: Data(propertyList(.binary)))
        default:
            // Its encoder refuses lists that are no container.
            return try PropertyListDecoder().decode(
                [Decoded].self, from: Data(Self.array([self]).propertyList(.binary)))[0]
        }
    }
}
