import CSockeyeImages
import SockeyeCore
import SockeyeSerialization

extension ImageInfo.Format {
    /// The pixels of a file whose headers have been checked.
    func decodePixels(_ bytes: Bytes, _ size: ImageInfo.Size) throws(ImageError) -> Bytes {
        switch self {
        case .png: try decode(bytes, size, with: sockeye_image_decode_png)
        case .jpeg: try decode(bytes, size, with: sockeye_image_decode_jpeg)
        case .webp: try decode(bytes, size, with: sockeye_image_decode_webp)
        case .gif: try decode(bytes, size, with: sockeye_image_decode_gif)
        case .bmp: try BMPDecoder(bytes, size).decode()
        case .ico, .cur, .tiff: throw ImageError(.unsupported, self, "the pixels of this format cannot be decoded")
        }
    }

    /// Lets a C function fill as much memory as `size` takes. It gets both pointers for as long as it runs only.
    private func decode(
        _ bytes: Bytes, _ size: ImageInfo.Size,
        with function: (UnsafeMutablePointer<sockeye_image>) -> sockeye_image_result
    ) throws(ImageError) -> Bytes {
        guard let width = UInt32(exactly: size.width), let height = UInt32(exactly: size.height),
            Int32(exactly: size.width * 4) != nil
        else { throw ImageError(.tooLarge, self, "\(size.width) pixels in a row are more than can be decoded") }
        var image = sockeye_image()
        image.width = width
        image.height = height
        var result = SOCKEYE_IMAGE_MALFORMED
        let pixels = bytes.withUnsafeBytes { source in
            image.bytes = source.bindMemory(to: UInt8.self).baseAddress
            image.count = source.count
            return Bytes(count: size.width * size.height * 4) { target in
                image.pixels = target.bindMemory(to: UInt8.self).baseAddress
                result = function(&image)
            }
        }
        // What was not decoded is thrown away, so nobody sees memory that was never written.
        if let kind = result.errorKind { throw ImageError(kind, self, result.reason + Self.message(of: image)) }
        return pixels
    }

    private static func message(of image: sockeye_image) -> String {
        let text = withUnsafeBytes(of: image.message) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
        return text.isEmpty ? "" : ": \(text)"
    }
}

extension sockeye_image_result {
    /// Nil if there was no error.
    fileprivate var errorKind: ImageError.Kind? {
        switch self {
        case SOCKEYE_IMAGE_DECODED: nil
        case SOCKEYE_IMAGE_TRUNCATED: .truncated
        case SOCKEYE_IMAGE_UNSUPPORTED, SOCKEYE_IMAGE_TOO_COSTLY: .unsupported
        default: .malformed
        }
    }

    fileprivate var reason: String {
        switch self {
        case SOCKEYE_IMAGE_TRUNCATED: "the pixels end too early"
        case SOCKEYE_IMAGE_UNSUPPORTED: "an image of this kind cannot be decoded"
        case SOCKEYE_IMAGE_TOO_COSTLY: "decoding the image would take too many passes"
        case SOCKEYE_IMAGE_OTHER_SIZE: "the pixels are of another size than the header says"
        default: "the pixels are damaged"
        }
    }
}
