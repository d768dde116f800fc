#if Images
import SockeyeCore

/// A bounds-checked reader of integers at any offset of a file; reading past the end throws
/// ``ImageError/Kind-swift.struct/truncated``.
struct ImageReader {
    private let bytes: Bytes
    let format: ImageInfo.Format

    init(_ bytes: Bytes, format: ImageInfo.Format) {
        self.bytes = bytes
        self.format = format
    }

    var count: Int { bytes.count }

    func byte(_ offset: Int) throws(ImageError) -> UInt8 {
        try require(offset + 1)
        return bytes[offset]
    }

    func little16(_ offset: Int) throws(ImageError) -> Int {
        try require(offset + 2)
        return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8
    }

    func little24(_ offset: Int) throws(ImageError) -> Int {
        try require(offset + 3)
        return Int(bytes[offset]) | Int(bytes[offset + 1]) << 8 | Int(bytes[offset + 2]) << 16
    }

    func little32(_ offset: Int) throws(ImageError) -> Int {
        try little16(offset) | little16(offset + 2) << 16
    }

    func big16(_ offset: Int) throws(ImageError) -> Int {
        try require(offset + 2)
        return Int(bytes[offset]) << 8 | Int(bytes[offset + 1])
    }

    func big32(_ offset: Int) throws(ImageError) -> Int {
        try big16(offset) << 16 | big16(offset + 2)
    }

    /// Returns true if `text` is at `offset`.
    func has(_ text: StaticString, at offset: Int) throws(ImageError) -> Bool {
        try require(offset + text.utf8CodeUnitCount)
        return (0..<text.utf8CodeUnitCount).allSatisfy { unsafe bytes[offset + $0] == text.utf8Start[$0] }
    }

    /// Returns a reader of the bytes in `start..<end`. The offsets of the new reader count from `start`.
    func part(_ start: Int, _ end: Int) throws(ImageError) -> ImageReader {
        try require(end)
        return ImageReader(bytes.slice(start..<max(start, end)), format: format)
    }

    /// - Throws: ``ImageError/Kind-swift.struct/truncated`` if the file has fewer than `end` bytes.
    func require(_ end: Int) throws(ImageError) {
        guard end <= bytes.count else {
            throw ImageError(.truncated, format, "the file has \(bytes.count) bytes, but \(end) are needed")
        }
    }

    func malformed(_ message: String) -> ImageError {
        ImageError(.malformed, format, message)
    }
}

/// The header parser of one image format.
protocol ImageStructure {
    /// Parses the bytes before the pixels.
    ///
    /// - Throws: ``ImageError/Kind-swift.struct/truncated`` if bytes are missing.
    static func header(_ reader: ImageReader) throws(ImageError) -> ImageInfo
    /// Parses the rest of the file and completes `header`, which is already known to satisfy `limits`. The parser
    /// checks the number of frames against `limits` if it has to count them.
    static func completed(
        _ header: ImageInfo, _ reader: ImageReader, _ limits: ImageInfo.Limits
    ) throws(ImageError) -> ImageInfo
}
#endif
