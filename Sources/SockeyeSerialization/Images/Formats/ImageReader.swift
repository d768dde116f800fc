package import SockeyeCore

/// Reads numbers anywhere in a file; whatever lies beyond its end is ``ImageError/Kind-swift.struct/truncated``.
package struct ImageReader {
    private let bytes: Bytes
    package let format: ImageInfo.Format

    package init(_ bytes: Bytes, format: ImageInfo.Format) {
        self.bytes = bytes
        self.format = format
    }

    package var count: Int { bytes.count }

    package func byte(_ offset: Int) throws(ImageError) -> UInt8 {
        try require(offset + 1)
        return bytes[offset]
    }

    package func little16(_ offset: Int) throws(ImageError) -> Int {
        try require(offset + 2)
        return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    func little24(_ offset: Int) throws(ImageError) -> Int {
        try require(offset + 3)
        return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2]) << 16
    }

    package func little32(_ offset: Int) throws(ImageError) -> Int {
        try little16(offset) | little16(offset + 2) << 16
    }

    func big16(_ offset: Int) throws(ImageError) -> Int {
        try require(offset + 2)
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    func big32(_ offset: Int) throws(ImageError) -> Int {
        try big16(offset) << 16 | big16(offset + 2)
    }

    /// Whether `text` stands at `offset`.
    func has(_ text: StaticString, at offset: Int) throws(ImageError) -> Bool {
        try require(offset + text.utf8CodeUnitCount)
        return (0..<text.utf8CodeUnitCount).allSatisfy { unsafe bytes[offset + $0] == text.utf8Start[$0] }
    }

    /// The part of the file from `start` to `end`, read from 0 on.
    func part(_ start: Int, _ end: Int) throws(ImageError) -> ImageReader {
        try require(end)
        return ImageReader(bytes.slice(start..<max(start, end)), format: format)
    }

    /// - Throws: ``ImageError/Kind-swift.struct/truncated`` unless the file has `end` bytes.
    func require(_ end: Int) throws(ImageError) {
        guard end <= bytes.count else {
            throw ImageError(.truncated, format, "\(bytes.count) bytes are there, and byte \(end) is needed")
        }
    }

    package func malformed(_ message: String) -> ImageError {
        ImageError(.malformed, format, message)
    }
}
