import SockeyeCore
import SockeyeEssentials

#if Images
import SockeyeImages
#endif
#if XML
import SockeyeXML
#endif

/// Parsers of documents and images.
enum DocumentCases {
    /// - Parameter images: The path of a folder of image files.
    static func all(images: String) -> [OwnerCase] { rasters(in: images) + xml }

    private static func rasters(in images: String) -> [OwnerCase] {
        #if Images
        let names = (try? FileManager.default.contentsOfDirectory(atPath: images)) ?? []
        return names.sorted().compactMap { name in
            guard let data = FileManager.default.contents(atPath: "\(images)/\(name)") else { return nil }
            let bytes = Bytes(data)
            guard (try? Raster(decoding: bytes)) != nil else { return nil }
            return OwnerCase("image \(name)") { _ = try Raster(decoding: bytes) }
        }
        #else
        return []
        #endif
    }

    private static var xml: [OwnerCase] {
        #if XML
        [
            // libxml2 leaks when some of its own allocations fail.
            OwnerCase("XML", checksMemory: false) { _ = try XMLDocument(parsing: document) },
            OwnerCase("XML in a character set", checksMemory: false) {
                _ = try XMLDocument(parsing: document, charset: "iso-8859-1")
            },
            OwnerCase("XML in no character set") {
                guard (try? XMLDocument(parsing: document, charset: "x-none")) == nil else { throw Unexpected() }
            },
        ]
        #else
        []
        #endif
    }

    struct Unexpected: Error {}

    private static let document = Bytes(
        "<!DOCTYPE a [<!ENTITY e \"text\">]><a xmlns:n=\"urn:n\"><n:b c=\"d\">&e; text</n:b><![CDATA[data]]></a>")
}
