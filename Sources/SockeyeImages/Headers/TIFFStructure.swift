#if Images
/// The structure of TIFF (TIFF 6.0): a chain of directories, anywhere in the file, one for each page.
enum TIFFStructure: ImageStructure {
    static func header(_ reader: ImageReader) throws(ImageError) -> ImageInfo {
        let directory = try TIFFDirectory(reader)
        let size = try size(directory, reader)
        return ImageInfo(
            .tiff, [size], frameCount: directory.next == 0 ? 1 : nil, orientation: directory.orientation)
    }

    static func completed(
        _ header: ImageInfo, _ reader: ImageReader, _ limits: ImageInfo.Limits
    ) throws(ImageError) -> ImageInfo {
        var info = header
        info.sizes = []
        // The number of bytes left for directories and for their tables, which list the offsets and lengths of strips
        // or tiles. It runs out only if directories or tables overlap, or if the chain is circular.
        var budget = reader.count
        var next: Int?
        repeat {
            let directory = try TIFFDirectory(reader, at: next)
            budget -= 12 * directory.entryCount
            guard info.sizes.count < limits.maximumFrames else { throw ImageError(tooManyFrames: .tiff, limits) }
            info.sizes.append(try size(directory, reader))
            try directory.checkExtent()
            try checkPixels(directory, reader, &budget)
            guard budget >= 0 else {
                throw reader.malformed("directories or tables of strips overlap, or the directories form a circle")
            }
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

    /// Checks that all strips or tiles lie in the file.
    private static func checkPixels(
        _ directory: TIFFDirectory, _ reader: ImageReader, _ budget: inout Int
    ) throws(ImageError) {
        typealias Tag = TIFFDirectory.Tag
        for (offsetTag, lengthTag) in [(Tag.stripOffsets, Tag.stripLengths), (Tag.tileOffsets, Tag.tileLengths)] {
            guard let offsets = try directory.field(offsetTag), let lengths = try directory.field(lengthTag) else {
                continue
            }
            guard offsets.count == lengths.count else {
                throw reader.malformed("the numbers of offsets and lengths of strips or tiles differ")
            }
            // Each strip or tile takes at least two bytes in each of the two tables. Up to two values may lie in the
            // directory entry, which `completed` has counted already.
            if offsets.count > 2 { budget -= 4 * offsets.count }
            guard budget >= 0 else { return }
            for index in 0..<offsets.count {
                try reader.require(try directory.number(offsets, index) + directory.number(lengths, index))
            }
        }
    }
}

/// An image file directory (TIFF 6.0, 2), as in TIFF files and Exif fields.
struct TIFFDirectory {
    enum Tag {
        static let width = 256
        static let height = 257
        static let stripOffsets = 273
        static let orientation = 274
        static let stripLengths = 279
        static let tileOffsets = 324
        static let tileLengths = 325
    }

    struct Field {
        let type: Int
        let count: Int
        /// The offset of the values, which are in the entry itself if they fit into four bytes.
        let offset: Int

        /// The number of bytes of a value; 1 for unknown types.
        var valueLength: Int {
            switch type {
            case 3, 8: 2  // SHORT, SSHORT
            case 4, 9, 11: 4  // LONG, SLONG, FLOAT
            case 5, 10, 12: 8  // RATIONAL, SRATIONAL, DOUBLE
            default: 1
            }
        }
        var end: Int { offset + count * valueLength }
    }

    private let reader: ImageReader
    private let isBigEndian: Bool
    private let start: Int
    let entryCount: Int
    /// The offset of the next directory; 0 if this is the last.
    let next: Int

    /// Parses the directory at `start`, or the first one of the file.
    init(_ reader: ImageReader, at start: Int? = nil) throws(ImageError) {
        self.reader = reader
        isBigEndian = try reader.byte(0) == UInt8(ascii: "M")
        let isOther = !isBigEndian
        func word(_ offset: Int) throws(ImageError) -> Int {
            isOther ? try reader.little32(offset) : try reader.big32(offset)
        }
        self.start = if let start { start } else { try word(4) }
        guard self.start >= 8 else { throw reader.malformed("a directory would lie inside the header") }
        entryCount = isBigEndian ? try reader.big16(self.start) : try reader.little16(self.start)
        guard entryCount > 0 else { throw reader.malformed("a directory is empty") }
        next = try word(self.start + 2 + 12 * entryCount)
    }

    func field(_ tag: Int) throws(ImageError) -> Field? {
        for index in 0..<entryCount {
            let entry = start + 2 + 12 * index
            if try short(entry) == tag { return try field(at: entry) }
        }
        return nil
    }

    private func field(at entry: Int) throws(ImageError) -> Field {
        let inside = Field(type: try short(entry + 2), count: try long(entry + 4), offset: entry + 8)
        guard inside.count * inside.valueLength > 4 else { return inside }
        return Field(type: inside.type, count: inside.count, offset: try long(entry + 8))
    }

    /// Checks that all values lie in the file.
    func checkExtent() throws(ImageError) {
        for index in 0..<entryCount { try reader.require(try field(at: start + 2 + 12 * index).end) }
    }

    /// Returns one of the numbers in a field; throws unless the field's type is SHORT or LONG.
    func number(_ field: Field, _ index: Int = 0) throws(ImageError) -> Int {
        switch field.type {
        case 3: return try short(field.offset + 2 * index)
        case 4: return try long(field.offset + 4 * index)
        default: throw reader.malformed("a field has the type \(field.type) instead of SHORT or LONG")
        }
    }

    func number(tag: Int) throws(ImageError) -> Int? {
        guard let field = try field(tag) else { return nil }
        return try number(field)
    }

    /// The orientation; ``ImageInfo/Orientation/up`` if it is missing, damaged or unknown. Damaged metadata does not
    /// make an image unusable.
    var orientation: ImageInfo.Orientation {
        guard let number = try? number(tag: Tag.orientation) else { return .up }
        return ImageInfo.Orientation(rawValue: number) ?? .up
    }

    private func short(_ offset: Int) throws(ImageError) -> Int {
        isBigEndian ? try reader.big16(offset) : try reader.little16(offset)
    }

    private func long(_ offset: Int) throws(ImageError) -> Int {
        isBigEndian ? try reader.big32(offset) : try reader.little32(offset)
    }
}

/// Reads the orientation from Exif fields, which have the form of a TIFF file (Exif 2.32, 4.5).
enum ExifOrientation {
    /// Returns the orientation; ``ImageInfo/Orientation/up`` if the fields have no orientation or are damaged.
    static func read(_ fields: ImageReader) -> ImageInfo.Orientation {
        (try? TIFFDirectory(fields))?.orientation ?? .up
    }
}
#endif
