extension ImageInfo {
    /// How stored pixels are to be turned for display, by the number that TIFF 6.0 and Exif have for it.
    public enum Orientation: Int, Sendable, Hashable, Codable {
        /// As stored.
        case up = 1
        /// Mirrored left to right.
        case upMirrored
        /// Turned by 180°.
        case down
        /// Turned by 180° and mirrored left to right.
        case downMirrored
        /// Mirrored left to right, then turned by 90° counter-clockwise.
        case leftMirrored
        /// Turned by 90° clockwise.
        case right
        /// Mirrored left to right, then turned by 90° clockwise.
        case rightMirrored
        /// Turned by 90° counter-clockwise.
        case left

        /// Whether width and height change places.
        public var swapsSides: Bool { rawValue >= 5 }
    }
}
