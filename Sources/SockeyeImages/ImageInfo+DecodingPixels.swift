#if Images
import CSockeyeImages
import SockeyeCore

extension ImageInfo.Format {
    /// The maximum number of pixels to decode, even if ``ImageInfo/Limits`` allow more. A pixel takes 4 bytes, so up
    /// to this number all byte offsets fit into signed 32-bit integers of C.
    private static let maximumPixels = (1 << 29) - 1

    /// Decodes the pixels of a file with checked headers.
    func decodePixels(_ bytes: Bytes, _ size: ImageInfo.Size) throws(ImageError) -> Bytes {
        let (pixels, overflows) = size.width.multipliedReportingOverflow(by: size.height)
        guard !overflows, pixels <= Self.maximumPixels else {
            throw ImageError(
                .tooLarge, self, "\(size.width) × \(size.height) pixels are more than can be decoded")
        }
        switch self {
        case .png: return try unsafe decode(bytes, size, with: sockeye_image_decode_png)
        case .jpeg: return try unsafe decode(bytes, size, with: sockeye_image_decode_jpeg)
        case .webp: return try unsafe decode(bytes, size, with: sockeye_image_decode_webp)
        case .gif: return try unsafe decode(bytes, size, with: sockeye_image_decode_gif)
        case .bmp: return try BMPDecoder(bytes, size).decode()
        case .ico, .cur, .tiff: throw ImageError(.unsupported, self, "the pixels of this format cannot be decoded")
        }
    }

    /// Lets a C function decode the pixels into new memory for an image of this size. The pointers to the file and to
    /// the memory are valid only during the call.
    private func decode(
        _ bytes: Bytes, _ size: ImageInfo.Size,
        with function: (UnsafeMutablePointer<sockeye_image>) -> sockeye_image_result
    ) throws(ImageError) -> Bytes {
        var image = unsafe sockeye_image()
        // Neither exceeds UInt32: both are at least 1 (checked with the headers), and `decodePixels` has limited their
        // product.
        unsafe image.width = UInt32(size.width)
        unsafe image.height = UInt32(size.height)
        var result = SOCKEYE_IMAGE_MALFORMED
        let pixels = unsafe bytes.withUnsafeBytes { source in
            unsafe image.bytes = unsafe source.bindMemory(to: UInt8.self).baseAddress
            unsafe image.count = source.count
            return unsafe Bytes(count: size.width * size.height * 4) { target in
                unsafe image.pixels = unsafe target.bindMemory(to: UInt8.self).baseAddress
                result = unsafe function(&image)
            }
        }
        // After an error the memory is discarded, so that uninitialised bytes never become visible.
        if let kind = result.errorKind { throw unsafe ImageError(kind, self, result.reason + Self.message(of: image)) }
        return pixels
    }

    private static func message(of image: sockeye_image) -> String {
        let text = unsafe withUnsafeBytes(of: image.message) {
            unsafe String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self)
        }
        return text.isEmpty ? "" : ": \(text)"
    }
}

extension sockeye_image_result {
    /// Nil for success.
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
        case SOCKEYE_IMAGE_TOO_COSTLY: "decoding the image would take too much time or memory"
        case SOCKEYE_IMAGE_OTHER_SIZE: "the size of the pixels differs from the header's"
        default: "the pixels are damaged"
        }
    }
}
#endif
