/// How the files of one format are built.
protocol ImageStructure {
    /// What stands before the pixels.
    ///
    /// - Throws: ``ImageError/Kind-swift.struct/truncated`` if bytes are missing.
    static func header(_ reader: ImageReader) throws(ImageError) -> ImageInfo
    /// What the rest of the file adds to `header`, whose sizes have been checked.
    static func completed(
        _ header: ImageInfo, _ reader: ImageReader, _ limits: ImageLimits
    ) throws(ImageError) -> ImageInfo
}

extension ImageInfo.Format {
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
