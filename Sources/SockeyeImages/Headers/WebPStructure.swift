#if Images
/// The structure of WebP (RFC 9649): chunks in a RIFF container.
enum WebPStructure: ImageStructure {
    private static let animationFlag: UInt8 = 0x02

    static func header(_ reader: ImageReader) throws(ImageError) -> ImageInfo {
        if try reader.has("VP8X", at: 12) {
            let isAnimated = try reader.byte(20) & animationFlag != 0
            let size = ImageInfo.Size(width: try reader.little24(24) + 1, height: try reader.little24(27) + 1)
            return ImageInfo(.webp, [size], frameCount: isAnimated ? nil : 1)
        }
        guard let size = try bitstreamSize(reader, at: 12) else {
            throw reader.malformed("the first chunk is not VP8, VP8L or VP8X")
        }
        return ImageInfo(.webp, [size], frameCount: 1)
    }

    /// Parses the size from a chunk of pixels; nil if the chunk at `offset` contains no pixels.
    private static func bitstreamSize(_ reader: ImageReader, at offset: Int) throws(ImageError) -> ImageInfo.Size? {
        if try reader.has("VP8 ", at: offset) {
            // RFC 6386, 9.1: a key frame, its start code, and 14 bits each for width and height.
            guard try reader.byte(offset + 8) & 1 == 0, try reader.little24(offset + 11) == 0x2A_019D else {
                throw reader.malformed("the pixels do not start with a key frame")
            }
            let (width, height) = (try reader.little16(offset + 14), try reader.little16(offset + 16))
            return ImageInfo.Size(width: width & 0x3FFF, height: height & 0x3FFF)
        }
        guard try reader.has("VP8L", at: offset) else { return nil }
        // RFC 9649, 3.4: a signature, 14 bits each for width minus 1 and height minus 1, and a version that must be 0.
        let bits = try reader.little32(offset + 9)
        guard try reader.byte(offset + 8) == 0x2F, bits >> 29 == 0 else {
            throw reader.malformed("the lossless pixels have an invalid signature or version")
        }
        return ImageInfo.Size(width: bits & 0x3FFF + 1, height: bits >> 14 & 0x3FFF + 1)
    }

    static func completed(
        _ header: ImageInfo, _ reader: ImageReader, _ limits: ImageInfo.Limits
    ) throws(ImageError) -> ImageInfo {
        var info = header
        let end = try reader.little32(4) + 8
        try reader.require(end)
        let image = try reader.part(0, end)
        var frames = 0
        var pictures = 0
        var position = 12
        while position < end {
            let length = try image.little32(position + 4)
            guard position + 8 + length <= end else {
                throw image.malformed("a chunk extends past the end of the RIFF container")
            }
            if try image.has("ANMF", at: position) {
                frames += 1
                guard frames <= limits.maximumFrames else { throw ImageError(tooManyFrames: .webp, limits) }
                try checkFrame(position + 8, header.size, image)
            } else if try image.has("EXIF", at: position) {
                info.orientation = try orientation(image, position + 8, length)
            } else if let size = try bitstreamSize(image, at: position) {
                pictures += 1
                guard size == header.size else {
                    throw image.malformed("the size of the pixels differs from the header's")
                }
            }
            position += 8 + length + length % 2
        }
        let isAnimated = header.frameCount == nil
        guard isAnimated ? frames > 0 : pictures == 1 && frames == 0 else {
            throw image.malformed("the number of pictures does not match the header")
        }
        info.frameCount = isAnimated ? frames : 1
        return info
    }

    /// Reads the orientation from an EXIF chunk. Some encoders write the identifier of JPEG's Exif segments before the
    /// TIFF header.
    private static func orientation(
        _ image: ImageReader, _ start: Int, _ length: Int
    ) throws(ImageError) -> ImageInfo.Orientation {
        let end = start + length
        if length >= 6, try image.has("Exif\0\0", at: start) {
            return ExifOrientation.read(try image.part(start + 6, end))
        }
        return ExifOrientation.read(try image.part(start, end))
    }

    private static func checkFrame(_ offset: Int, _ size: ImageInfo.Size, _ image: ImageReader) throws(ImageError) {
        let (left, top) = (try image.little24(offset) * 2, try image.little24(offset + 3) * 2)
        let (width, height) = (try image.little24(offset + 6) + 1, try image.little24(offset + 9) + 1)
        guard left + width <= size.width, top + height <= size.height else {
            throw image.malformed("a frame lies outside the canvas")
        }
    }
}
#endif
