import SockeyeHTTP
import Testing

@Suite("The redirect machine") struct RedirectMachineTests {
    private func follow(
        _ status: Int, _ location: String, from url: String = "http://a.example/dir/page?q#part",
        method: String = "GET",
        allowsDowngrade: Bool = false
    ) throws -> Redirect? {
        var machine = RedirectMachine(limit: 10, allowsDowngrade: allowsDowngrade)
        return try machine.follow(status, to: [location], from: HTTPURL(url), method: method, setsState: false)
    }

    @Test("the machine follows five statuses and no other", arguments: 300...399)
    func statuses(status: Int) {
        #expect(RedirectMachine.isRedirect(status) == [301, 302, 303, 307, 308].contains(status))
    }

    @Test(
        "the target is resolved against the URL and inherits its fragment",
        arguments: [
            ("next", "http://a.example/dir/next#part"), ("/next", "http://a.example/next#part"),
            ("?r", "http://a.example/dir/page?r#part"), ("#new", "http://a.example/dir/page?q#new"),
            ("../up", "http://a.example/up#part"), ("//b.example/x", "http://b.example/x#part"),
            ("http://b.example", "http://b.example/#part"), ("HTTP://B.EXAMPLE:80/", "http://b.example/#part"),
            ("https://a.example/#own", "https://a.example/#own"), ("x y", "http://a.example/dir/x%20y#part"),
        ])
    func targets(location: String, expected: String) throws {
        #expect(try follow(302, location)?.url.description == expected)
    }

    @Test(
        "status and method decide if a redirect keeps method and content or becomes a GET without content",
        arguments: [
            (301, "GET", "GET", true), (301, "POST", "GET", false), (301, "PUT", "PUT", true),
            (301, "DELETE", "DELETE", true), (302, "POST", "GET", false), (302, "PATCH", "PATCH", true),
            (302, "HEAD", "HEAD", true), (303, "POST", "GET", false), (303, "PUT", "GET", false),
            (303, "DELETE", "GET", false), (303, "HEAD", "HEAD", true), (303, "GET", "GET", true),
            (307, "POST", "POST", true), (308, "POST", "POST", true), (308, "DELETE", "DELETE", true),
        ])
    func methods(status: Int, method: String, expected: String, keepsBody: Bool) throws {
        let redirect = try follow(status, "/next", method: method)
        #expect(redirect?.method == expected)
        #expect(redirect?.keepsBody == keepsBody)
    }

    @Test(
        "a redirect reports a change of origin",
        arguments: [
            ("http://a.example/", false), ("http://a.example:80/", false), ("http://A.example/", false),
            ("http://a.example:8080/", true), ("https://a.example/", true), ("http://sub.a.example/", true),
            ("http://a.example./", true),
        ])
    func origins(location: String, leaves: Bool) throws {
        #expect(try follow(302, location)?.leavesOrigin == leaves)
    }

    @Test("user information is kept for the same origin, and user information of a target is ignored")
    func userInformation() throws {
        let url = "http://ada:secret@a.example/"
        #expect(try follow(302, "/next", from: url)?.url.user == "ada")
        #expect(try follow(302, "http://eve:x@a.example/next", from: url)?.url.user == "ada")
        #expect(try follow(302, "http://b.example/", from: url)?.url.user == nil)
        #expect(try follow(302, "http://eve:x@b.example/", from: url)?.url.user == nil)
    }

    @Test(
        "a target that is not an http or https URL is refused",
        arguments: [
            "file:///etc/passwd", "ftp://a.example/", "javascript:alert(1)", "data:,x", "invalidurl:", "http://",
            "http://a b/", "http://a.example:99999/", "http://[::1", "http://a@b@c/", "a\0b", "http://%00/",
            "http://256.256.256.256/", "unix:/var/run/docker.sock",
        ])
    func badTargets(location: String) {
        let error = #expect(throws: RedirectFault.self) { try follow(302, location) }
        guard case .badTarget = error else {
            Issue.record("\(location): \(error.debugDescription)")
            return
        }
    }

    @Test("a redirect from https to http is followed only if allowed")
    func downgrade() throws {
        #expect(throws: RedirectFault.downgrade) { try follow(302, "http://a.example/x", from: "https://a.example/") }
        let redirect = try follow(302, "http://a.example/x", from: "https://a.example/", allowsDowngrade: true)
        #expect(redirect?.leavesOrigin == true)
    }

    @Test("several Location fields must agree, and a response without one is not a redirect")
    func locations() throws {
        var machine = RedirectMachine(limit: 10, allowsDowngrade: false)
        let url = try HTTPURL("http://a.example/")
        #expect(throws: RedirectFault.ambiguous) {
            try machine.follow(302, to: ["/a", "/b"], from: url, method: "GET", setsState: false)
        }
        #expect(try machine.follow(302, to: ["/a", "/a"], from: url, method: "GET", setsState: false) != nil)
        #expect(try machine.follow(302, to: [], from: url, method: "GET", setsState: false) == nil)
        #expect(machine.count == 1)
    }

    /// Follows the targets in turn, each relative to the previous one.
    private func follow(
        _ locations: [String], setsState: Bool = false, _ machine: inout RedirectMachine
    ) throws -> HTTPURL {
        try locations.reduce(HTTPURL("http://a.example/0")) { url, location in
            try #require(
                try machine.follow(302, to: [location], from: url, method: "GET", setsState: setsState)
            ).url
        }
    }

    @Test(
        "a loop of any length is found when it closes for the second time, whatever the fragment",
        arguments: [["/0"], ["/1", "/0"], ["/1", "/2#x", "/0#y"]])
    func loops(locations: [String]) throws {
        var machine = RedirectMachine(limit: 100, allowsDowngrade: false)
        #expect(throws: RedirectFault.loop) { try follow(locations + locations, &machine) }
        #expect(machine.count == locations.count * 2)
        machine = RedirectMachine(limit: 100, allowsDowngrade: false)
        #expect(try follow(locations, &machine).path == "/0")
    }

    @Test("the same URL is not a loop after another method or after a cookie was set")
    func returning() throws {
        var machine = RedirectMachine(limit: 100, allowsDowngrade: false)
        let url = try HTTPURL("http://a.example/login")
        #expect(try machine.follow(303, to: ["/login"], from: url, method: "POST", setsState: false)?.method == "GET")
        machine = RedirectMachine(limit: 10, allowsDowngrade: false)
        #expect(try follow(Array(repeating: "/0", count: 10), setsState: true, &machine).path == "/0")
    }

    @Test("the machine refuses more redirects than its limit", arguments: [0, 1, 10])
    func limit(limit: Int) throws {
        var machine = RedirectMachine(limit: limit, allowsDowngrade: false)
        var url = try HTTPURL("http://a.example/0")
        for step in 0..<limit {
            url = try #require(
                try machine.follow(302, to: ["/\(step + 1)"], from: url, method: "GET", setsState: false)
            ).url
        }
        #expect(throws: RedirectFault.tooMany(limit: limit)) {
            try machine.follow(302, to: ["/last"], from: url, method: "GET", setsState: false)
        }
    }
}
