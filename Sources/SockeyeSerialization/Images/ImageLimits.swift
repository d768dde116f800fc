import SockeyeCore

/// What an image may claim before it is refused, so that whoever allocates by its word is not led astray.
public struct ImageLimits: Sendable, Hashable {
    /// The most pixels that a picture may have, width times height: 268,435,456 by default, 1 GiB in RGBA.
    public var maximumPixels = 1 << 28
    /// The most frames, pages or images that a file may have: 16,384 by default.
    public var maximumFrames = 1 << 14

    /// Makes limits; see the properties.
    public init(maximumPixels: Int = 1 << 28, maximumFrames: Int = 1 << 14) {
        self.maximumPixels = maximumPixels
        self.maximumFrames = maximumFrames
    }
}

extension ImageLimits: Codable {
    private enum CodingKeys: CodingKey { case maximumPixels, maximumFrames }

    /// Reads limits; what is missing is the default.
    public init(from decoder: any Decoder) throws {
        self.init()
        let container = try decoder.container(keyedBy: CodingKeys.self)
        try container.read(.maximumPixels, into: &maximumPixels)
        try container.read(.maximumFrames, into: &maximumFrames)
    }
}
