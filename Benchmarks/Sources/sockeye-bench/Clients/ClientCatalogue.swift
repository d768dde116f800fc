import Foundation

/// All clients, the one that the others are compared with first.
enum ClientCatalogue {
    static func all(programs: URL) -> [any Client] {
        let sockeye = programs.appending(path: "client-sockeye")
        return [
            KitClient(name: "sockeye", program: sockeye),
            KitClient(name: "sockeye-loop", program: sockeye, variant: "loop"),
            KitClient(name: "async-http-client", program: programs.appending(path: "client-ahc")),
            KitClient(
                name: "URLSession", program: programs.appending(path: "client-urlsession"), uploads: .onlyFiles,
                keepsConnections: false, trust: .systemRoots),
            KitClient(name: "libcurl", program: programs.appending(path: "client-curl"), decodesJSON: false),
            WrkClient(),
        ]
    }
}
