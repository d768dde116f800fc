#if Images
public import SockeyeCore

extension ImageInfo {
    /// Parses a complete file: its headers and its structure up to the end.
    ///
    /// All bytes that the structure refers to must exist; pixels and checksums are not checked. Parsing takes time
    /// proportional to the number of bytes, and memory only for ``sizes``.
    ///
    /// - Throws: ``ImageError``.
    public init(_ bytes: Bytes, limits: ImageInfo.Limits = ImageInfo.Limits()) throws(ImageError) {
        let format = try Format(detecting: bytes)
        let reader = ImageReader(bytes, format: format)
        let header = try format.structure.header(reader)
        try header.check(limits)
        self = try format.structure.completed(header, reader, limits)
        try check(limits)
    }

    /// Parses the start of a file, up to the image's width and height. A PNG is parsed up to its pixels. Nil if more
    /// bytes are needed.
    ///
    /// For most files the first few hundred bytes suffice. A JPEG can have tens or hundreds of kilobytes of metadata
    /// before its size, and a PNG as much before its pixels. A TIFF may have its size at its end. If you call this
    /// repeatedly, double the number of bytes each time.
    ///
    /// ``frameCount`` may be unknown. For a TIFF, ``sizes`` may contain only the first page. For an ICO or CUR,
    /// ``sizes`` are those that the file's directory states, and may differ from those of the images. The Exif
    /// orientation of a WebP is not found, since it is stored after the pixels.
    ///
    /// - Throws: ``ImageError`` if the bytes are not the start of an acceptable image.
    public static func peek(_ prefix: Bytes, limits: ImageInfo.Limits = ImageInfo.Limits()) throws(ImageError)
        -> ImageInfo?
    {
        do throws(ImageError) {
            let format = try Format(detecting: prefix)
            let info = try format.structure.header(ImageReader(prefix, format: format))
            try info.check(limits)
            return info
        } catch {
            guard error.kind == .truncated else { throw error }
            return nil
        }
    }

    private func check(_ limits: ImageInfo.Limits) throws(ImageError) {
        for size in sizes {
            guard size.width > 0, size.height > 0 else {
                throw ImageError(
                    .emptyImage, format, "the image has the size \(size.width) × \(size.height)")
            }
            let (pixels, overflows) = size.width.multipliedReportingOverflow(by: size.height)
            guard !overflows, pixels <= limits.maximumPixels else {
                let message =
                    "\(size.width) × \(size.height) pixels exceed the limit of \(limits.maximumPixels) pixels"
                throw ImageError(.tooLarge, format, message)
            }
        }
        guard frameCount ?? 1 <= limits.maximumFrames else { throw ImageError(tooManyFrames: format, limits) }
    }
}

extension ImageInfo.Format {
    /// Detects the format by its signature.
    ///
    /// - Throws: ``ImageError/Kind-swift.struct/truncated`` if more bytes could complete a signature, otherwise
    ///   ``ImageError/Kind-swift.struct/unknownFormat``.
    init(detecting bytes: Bytes) throws(ImageError) {
        var isPossible = false
        for format in Self.allCases {
            for signature in format.signatures where Self.starts(bytes, signature) {
                if bytes.count >= signature.count {
                    self = format
                    return
                }
                isPossible = true
            }
        }
        throw isPossible
            ? ImageError(.truncated, nil, "there are too few bytes to detect the format")
            : ImageError(.unknownFormat, nil, "the first bytes match no known image format")
    }

    /// Returns true if the bytes and the signature agree up to the end of the shorter of the two.
    private static func starts(_ bytes: Bytes, _ signature: [UInt8?]) -> Bool {
        zip(bytes, signature).allSatisfy { $1 == nil || $0 == $1 }
    }

    var structure: any ImageStructure.Type {
        switch self {
        case .png: PNGStructure.self
        case .jpeg: JPEGStructure.self
        case .gif: GIFStructure.self
        case .bmp: BMPStructure.self
        case .ico, .cur: IconStructure.self
        case .tiff: TIFFStructure.self
        case .webp: WebPStructure.self
        }
    }
}
#endif
