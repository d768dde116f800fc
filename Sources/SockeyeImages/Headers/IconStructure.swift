#if Images
/// The structure of Windows icons and cursors: a directory, then an image for each entry, either a PNG or a bitmap
/// without file header.
enum IconStructure: ImageStructure {
    static func header(_ reader: ImageReader) throws(ImageError) -> ImageInfo {
        let count = try reader.little16(4)
        guard count > 0 else { throw reader.malformed("there is no image in the directory") }
        var sizes: [ImageInfo.Size] = []
        for index in 0..<count {
            let (width, height) = (try reader.byte(6 + 16 * index), try reader.byte(7 + 16 * index))
            // 0 means 256.
            sizes.append(ImageInfo.Size(width: width == 0 ? 256 : Int(width), height: height == 0 ? 256 : Int(height)))
        }
        try reader.require(6 + 16 * count)
        return ImageInfo(reader.format, sizes, frameCount: count)
    }

    /// Replaces the directory's sizes, which have only one byte for each dimension, by the sizes in the images.
    static func completed(
        _ header: ImageInfo, _ reader: ImageReader, _ limits: ImageInfo.Limits
    ) throws(ImageError) -> ImageInfo {
        var info = header
        for index in header.sizes.indices {
            let length = try reader.little32(14 + 16 * index)
            let offset = try reader.little32(18 + 16 * index)
            guard offset >= 6 + 16 * header.sizes.count else {
                throw reader.malformed("the offset of an image points into the directory")
            }
            info.sizes[index] = try imageSize(try reader.part(offset, offset + length))
        }
        return info
    }

    private static func imageSize(_ image: ImageReader) throws(ImageError) -> ImageInfo.Size {
        do throws(ImageError) {
            guard try image.byte(0) != 0x89 else {
                guard try image.has("PNG\r\n\u{1A}\n", at: 1) else {
                    throw image.malformed("an image has a damaged signature of a PNG")
                }
                return try PNGStructure.imageHeader(image)
            }
            // The height in the header is twice the image's height: it counts the rows of the pixels and of the mask.
            let size = try BMPStructure.Bitmap.read(image, at: 0).size
            return ImageInfo.Size(width: size.width, height: size.height / 2)
        } catch {
            // The image lies within the file, but its length in the directory is too short for its header.
            throw error.kind == .truncated ? image.malformed("an image is shorter than its header") : error
        }
    }
}
#endif
