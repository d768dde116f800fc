import SockeyeCore
public struct MediaType: Sendable { var charset: String? ; static func extract(from: [String]) -> MediaType? { nil } }
enum TextDecoder { static func decode(_ b: Bytes, label: String) -> String? { String(decoding: b, as: UTF8.self) } }
