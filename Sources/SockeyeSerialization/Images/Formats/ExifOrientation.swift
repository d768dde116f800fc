/// The orientation in Exif fields, which have the form of a TIFF file (Exif 2.32, 4.5).
enum ExifOrientation {
    /// ``ImageInfo/Orientation/up`` if they are damaged: fields about an image do not spoil it.
    static func read(_ fields: ImageReader) -> ImageInfo.Orientation {
        (try? TIFFDirectory(fields).orientation()) ?? .up
    }
}
