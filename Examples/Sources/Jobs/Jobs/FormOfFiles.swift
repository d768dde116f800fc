import Foundation
import Sockeye
import SockeyeTesting

// snippet.show
func publish(photo: String, notes: String, to api: HTTPClient) async throws {
    let form = HTTPClient.Content.multipart { form in
        form.field("album", "coast")
        try form.file("photo", at: photo)
        try form.file("notes", at: notes)
    }
    try await api.post("photos", form, as: NoContent.self)
}
// snippet.hide

extension Job {
    static let formOfFiles = Job("A form of two files") {
        try await withFolder { folder in
            let (photo, notes) = (folder.appending(path: "coast.jpeg"), folder.appending(path: "notes.txt"))
            try Data(repeating: 0xFF, count: 100_000).write(to: photo)
            try Data("low tide".utf8).write(to: notes)
            let seen = TestSignal()
            return try await withTestServer { request in
                let body = try await request.body.collect()
                guard request[.contentLength] == "\(body.count)" else { throw Unexpected("not sent with its length") }
                let form = String(decoding: body, as: UTF8.self)
                let wanted = [
                    "name=\"album\"\r\n\r\ncoast\r\n", "name=\"photo\"; filename=\"coast.jpeg\"\r\n",
                    "Content-Type: image/jpeg\r\n", "name=\"notes\"; filename=\"notes.txt\"\r\n",
                    "\r\n\r\nlow tide\r\n",
                ]
                for part in wanted where !form.contains(part) { throw Unexpected("the form lacks \(part)") }
                seen.fire()
                return .status(204)
            } run: { server in
                let api = HTTPClient().scoped(baseURL: server.url())
                try await publish(photo: photo.path(), notes: notes.path(), to: api)
                try await seen.wait()
                return "a field, coast.jpeg and notes.txt"
            }
        }
    }
}
