/// The media types of file name extensions. The table is fixed, so that every machine sends the same type:
/// `/etc/mime.types` differs between machines.
enum FileMediaTypes {
    /// Returns the type for the extension of a file name. Returns `application/octet-stream` if the extension is
    /// missing or not in the table.
    static func type(of filename: String) -> String {
        let last = FilePath.name(of: filename)
        guard let dot = last.lastIndex(of: "."), dot != last.startIndex else { return unknown }
        return types[last[last.index(after: dot)...].lowercased()] ?? unknown
    }

    private static let unknown = "application/octet-stream"

    /// For each extension, the type registered with IANA; if none is registered, the type in common use. No type has
    /// parameters such as `charset`.
    private static let types: [String: String] = [
        "7z": "application/x-7z-compressed", "aac": "audio/aac", "apng": "image/apng", "avi": "video/x-msvideo",
        "avif": "image/avif", "bin": "application/octet-stream", "bmp": "image/bmp", "bz2": "application/x-bzip2",
        "cbor": "application/cbor", "cer": "application/pkix-cert", "crt": "application/x-x509-ca-cert",
        "css": "text/css", "csv": "text/csv", "der": "application/x-x509-ca-cert",
        "doc": "application/msword",
        "docx": "application/vnd.openxmlformats-officedocument.wordprocessingml.document",
        "eml": "message/rfc822", "epub": "application/epub+zip", "flac": "audio/flac", "gif": "image/gif",
        "geojson": "application/geo+json", "gz": "application/gzip", "heic": "image/heic", "heif": "image/heif",
        "htm": "text/html", "html": "text/html", "ico": "image/vnd.microsoft.icon", "ics": "text/calendar",
        "jar": "application/java-archive", "jp2": "image/jp2", "jpeg": "image/jpeg", "jpg": "image/jpeg",
        "js": "text/javascript", "json": "application/json", "jsonld": "application/ld+json", "jxl": "image/jxl",
        "log": "text/plain", "m4a": "audio/mp4", "md": "text/markdown", "mjs": "text/javascript",
        "mkv": "video/matroska",
        "mov": "video/quicktime", "mp3": "audio/mpeg", "mp4": "video/mp4", "mpeg": "video/mpeg", "mpg": "video/mpeg",
        "ndjson": "application/x-ndjson", "odp": "application/vnd.oasis.opendocument.presentation",
        "ods": "application/vnd.oasis.opendocument.spreadsheet", "odt": "application/vnd.oasis.opendocument.text",
        "oga": "audio/ogg", "ogg": "audio/ogg", "ogv": "video/ogg", "opus": "audio/ogg", "otf": "font/otf",
        "p12": "application/x-pkcs12",
        "parquet": "application/vnd.apache.parquet", "pdf": "application/pdf", "pem": "application/x-pem-file",
        "plist": "application/x-plist", "png": "image/png", "ppt": "application/vnd.ms-powerpoint",
        "pptx": "application/vnd.openxmlformats-officedocument.presentationml.presentation",
        "rar": "application/vnd.rar", "rtf": "application/rtf", "sql": "application/sql", "svg": "image/svg+xml",
        "tar": "application/x-tar",
        "tgz": "application/gzip", "tif": "image/tiff", "tiff": "image/tiff", "toml": "application/toml",
        "ts": "video/mp2t", "ttf": "font/ttf",
        "txt": "text/plain", "vcf": "text/vcard", "vtt": "text/vtt", "wasm": "application/wasm", "wav": "audio/wav",
        "weba": "audio/webm", "webm": "video/webm", "webp": "image/webp", "woff": "font/woff", "woff2": "font/woff2",
        "xhtml": "application/xhtml+xml", "xls": "application/vnd.ms-excel",
        "xlsx": "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet", "xml": "application/xml",
        "xz": "application/x-xz",
        "yaml": "application/yaml", "yml": "application/yaml", "zip": "application/zip", "zst": "application/zstd",
    ]
}
