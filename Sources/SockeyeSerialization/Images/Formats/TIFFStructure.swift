/// TIFF (TIFF 6.0): a chain of directories, anywhere in the file, one for each page.
enum TIFFStructure: ImageStructure {
    static func header(_ reader: ImageReader) throws(ImageError) -> ImageInfo {
        let directory = try TIFFDirectory(reader)
        let size = try size(directory, reader)
        return ImageInfo(
            .tiff, [size], frameCount: directory.next == 0 ? 1 : nil, orientation: try directory.orientation())
    }

    static func completed(
        _ header: ImageInfo, _ reader: ImageReader, _ limits: ImageLimits
    ) throws(ImageError) -> ImageInfo {
        var info = header
        info.sizes = []
        // Directories and tables that overlap, or a chain that bites its tail, would cost more than the file has bytes.
        var budget = reader.count
        var next: Int?
        repeat {
            let directory = try TIFFDirectory(reader, at: next)
            budget -= 12 * directory.entryCount
            guard info.sizes.count < limits.maximumFrames else { throw ImageError(tooManyFrames: .tiff, limits) }
            info.sizes.append(try size(directory, reader))
            try directory.checkExtent()
            try checkPixels(directory, reader, &budget)
            guard budget >= 0 else { throw reader.malformed("directories overlap, or lead in a circle") }
            next = directory.next
        } while next != 0
        info.frameCount = info.sizes.count
        return info
    }

    private static func size(_ directory: TIFFDirectory, _ reader: ImageReader) throws(ImageError) -> ImageInfo.Size {
        guard let width = try directory.number(tag: TIFFDirectory.Tag.width),
            let height = try directory.number(tag: TIFFDirectory.Tag.height)
        else { throw reader.malformed("a directory has no width or no height") }
        return ImageInfo.Size(width: width, height: height)
    }

    /// All strips or tiles must lie inside the file.
    private static func checkPixels(
        _ directory: TIFFDirectory, _ reader: ImageReader, _ budget: inout Int
    ) throws(ImageError) {
        typealias Tag = TIFFDirectory.Tag
        for (offsetTag, lengthTag) in [(Tag.stripOffsets, Tag.stripLengths), (Tag.tileOffsets, Tag.tileLengths)] {
            guard let offsets = try directory.field(offsetTag), let lengths = try directory.field(lengthTag) else {
                continue
            }
            guard offsets.count == lengths.count else {
                throw reader.malformed("there are not as many lengths of strips or tiles as offsets")
            }
            // Each has two bytes in either table at least, and the few inside an entry are paid for with it.
            if offsets.count > 2 { budget -= 4 * offsets.count }
            guard budget >= 0 else { return }
            for index in 0..<offsets.count {
                try reader.require(try directory.number(offsets, index) + directory.number(lengths, index))
            }
        }
    }
}
