import Foundation
import SockeyeFoundation

/// The snippets of SockeyeFoundation.md, which would need the host and the file that they name: compiled, not run.
struct Article {
    let client: HTTPClient
    let url: String
    let path: String

    func once(stream: sending InputStream, count: Int) async throws {
        try await client.put(url, .inputStream(stream, length: count))
    }

    func anew() async throws {
        let path = path
        try await client.put(url, .inputStream { InputStream(fileAtPath: path)! })
    }

    func part(count: Int) async throws {
        try await client.post(
            url,
            .multipart { form in
                let stream = InputStream(fileAtPath: path)!
                form.inputStream("raw", stream, length: count, filename: "coast.raw")
            })
    }

    func write() async throws {
        let image = try await client.get("https://example.com/coast.raw")
        try await image.body.write(to: OutputStream(toFileAtPath: path, append: false)!)
        let text = try await client.get("https://example.com/coast.txt")
        try await text.body.write(to: FileHandle.standardOutput)
    }
}
