#if Images
/// The parts of a JPEG file (T.81, annex B).
struct JPEGParts {
    /// The bytes before the first scan.
    private(set) var head: [UInt8] = []
    private(set) var scans: [[UInt8]] = []

    init(_ file: [UInt8]) {
        var position = 2
        var tables = Array(file[..<2])
        while position + 4 <= file.count {
            let marker = file[position + 1]
            var end = position + 2 + Int(file[position + 2]) << 8 + Int(file[position + 3])
            if marker == 0xDA {
                while file[end] != 0xFF || file[end + 1] == 0 { end += 1 }
                if scans.isEmpty {
                    head = tables
                    tables = []
                }
                scans.append(tables + file[position..<end])
                tables = []
            } else {
                tables += file[position..<end]
            }
            position = end
        }
    }

    /// Returns the same file with further scans.
    func file(with more: [[UInt8]] = []) -> [UInt8] {
        head + (scans + more).joined() + [0xFF, 0xD9]
    }

    /// Returns the same file with another size in its frame header.
    func sized(_ width: UInt16, _ height: UInt16) -> [UInt8] {
        var copy = self
        let frame = head.indices.dropLast().first { head[$0] == 0xFF && (0xC0...0xC2).contains(head[$0 + 1]) } ?? 0
        copy.head.replaceSubrange(
            frame + 5..<frame + 9, with: [height, width].flatMap { [UInt8($0 >> 8), UInt8($0 & 0xFF)] })
        return copy.file()
    }
}
#endif
