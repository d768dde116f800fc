#if Images
/// The structure of JPEG (ITU-T T.81, annex B): segments that start with a marker, with entropy-coded data between
/// them.
enum JPEGStructure: ImageStructure {
    private enum Marker {
        static let endOfImage: UInt8 = 0xD9
        static let startOfScan: UInt8 = 0xDA
        static let app1: UInt8 = 0xE1

        /// Returns true for a start of frame of any coding process: the markers from C0 to CF except DHT, JPG and DAC.
        static func isFrame(_ marker: UInt8) -> Bool {
            (0xC0...0xCF).contains(marker) && marker != 0xC4 && marker != 0xC8 && marker != 0xCC
        }

        /// Returns true for markers without length and content: restarts, start of image, TEM.
        static func isAlone(_ marker: UInt8) -> Bool {
            (0xD0...0xD8).contains(marker) || marker == 0x01
        }
    }

    static func header(_ reader: ImageReader) throws(ImageError) -> ImageInfo {
        var orientation: ImageInfo.Orientation?
        var position = 2
        while true {
            let (marker, content) = try nextMarker(reader, from: position)
            position = content
            if Marker.isAlone(marker) { continue }
            guard marker != Marker.endOfImage, marker != Marker.startOfScan else {
                throw reader.malformed("there is no frame header before the pixels")
            }
            let length = try segmentLength(reader, content)
            if Marker.isFrame(marker) {
                // Like most decoders, this parser does not support a height after the first scan (DNL).
                let size = ImageInfo.Size(width: try reader.big16(content + 5), height: try reader.big16(content + 3))
                return ImageInfo(.jpeg, [size], frameCount: 1, orientation: orientation ?? .up)
            }
            if marker == Marker.app1, orientation == nil, length >= 8, try reader.has("Exif\0\0", at: content + 2) {
                orientation = ExifOrientation.read(try reader.part(content + 8, content + length))
            }
            position += length
        }
    }

    static func completed(
        _ header: ImageInfo, _ reader: ImageReader, _ limits: ImageInfo.Limits
    ) throws(ImageError) -> ImageInfo {
        var hasScan = false
        var position = 2
        while true {
            let (marker, content) = try nextMarker(reader, from: position)
            position = content
            if Marker.isAlone(marker) { continue }
            if marker == Marker.endOfImage { break }
            hasScan = hasScan || marker == Marker.startOfScan
            position += try segmentLength(reader, content)
        }
        guard hasScan else { throw reader.malformed("there are no pixels") }
        return header
    }

    private static func segmentLength(_ reader: ImageReader, _ content: Int) throws(ImageError) -> Int {
        let length = try reader.big16(content)
        guard length >= 2 else { throw reader.malformed("a segment is shorter than its own length field") }
        return length
    }

    /// Returns the next marker and the offset of its content. Skips entropy-coded data, in which 00 follows each FF.
    /// Also skips stray bytes, as decoders do.
    private static func nextMarker(
        _ reader: ImageReader, from start: Int
    ) throws(ImageError) -> (marker: UInt8, content: Int) {
        var position = start
        while true {
            while try reader.byte(position) != 0xFF { position += 1 }
            while try reader.byte(position) == 0xFF { position += 1 }
            let marker = try reader.byte(position)
            position += 1
            if marker != 0 { return (marker, position) }
        }
    }
}
#endif
