import Foundation
import Sockeye
import SockeyeTesting
import Testing

@testable import Jobs

@Suite("Twenty common jobs", .timeLimit(.minutes(2)))
struct JobsTests {
    /// The expected result of each job, in the order of the jobs.
    private static let outcomes = [
        "Ada, then nil",
        "2 ordered; count must be positive",
        "200000000 bytes, progress to 1.0",
        "a field, coast.jpeg and notes.txt",
        "asked for all, then bytes=100000-",
        "401, 503, 302, 200 with seen=yes",
        "1 client certificate; with another pin pinMismatch",
        "by proxy: http://example.com/x",
        "WHERE DO SALMON GO in 4 events",
        "495 pages, 5 errors, told up to 500 of 500",
        "two requests, no network",
        "info HTTP call answered; spans GET and HTTPClient.send; 1 duration",
        "image/jpeg of coast, the same: true, ended in order",
        "Signature=5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31",
        "in[kind]=salmon&in[min]=1&photos&sort=newest&tags=sea&tags=lake and min=3&rivers[]=Tana&rivers[]=Alta",
        "/fish kind=red from the second region",
        "7: Ada, stored",
        "report of acme, charged acme: 2 exchanges",
        "20 answers over 4 connections, for which 16 requests waited",
        "2 amounts; decodingFailed: the serializer failed: line 2 has no amount",
    ]

    private static let page = URL(filePath: #filePath)
        .appending(path: "../../../../Sources/Sockeye/Documentation.docc/Jobs.md").standardizedFileURL

    @Test("each job has the expected result", arguments: zip(Job.all, outcomes))
    func outcome(of job: Job, is outcome: String) async throws {
        #expect(try await job.run() == outcome)
    }

    @Test("the article shows the compiled code of each job, in order, with the number of its lines")
    func article() throws {
        let sections = try String(contentsOf: Self.page, encoding: .utf8).split(separator: "\n## ").dropFirst(2)
        #expect(sections.count == Job.all.count)
        for (section, (index, job)) in zip(sections, Job.all.enumerated()) {
            #expect(section.hasPrefix("\(index + 1). \(job.title)\n\n\(try job.lines()) lines. "))
            let code = section.split(separator: "```swift\n").dropFirst().first?.split(separator: "\n```").first
            #expect(try code ?? "" == job.code())
        }
    }

    // Vectors from github.com/awslabs/aws-c-auth, tests/aws-signing-test-suite/v4. The vector with content is an
    // earlier version, before fields of S3 were added to it.
    @Test(
        "the signer makes the signatures of Amazon's published test vectors",
        arguments: [
            (HTTPRequest.Method.get, "", "", "5fa00fa31553b73ebf1942676e86291e8372ff2a2260956d9b8aae1d763fbf31"),
            (.post, "", "", "5da7c1a2acd57cee7505fc6676e4e544621c30862966e37dddb68e92efbe5d6b"),
            (
                .get, "?Param2=value2&Param1=value1", "",
                "b97d918cfa904a5beff61c982a1b6f458b799221646efd99d3219ec94cdf2500"
            ),
            (.post, "", "Param1=value1", "ff11897932ad3f4e8b18135d722051e5ac45fc38421b1da7b9d196a0fe09473a"),
        ])
    func signature(method: HTTPRequest.Method, query: String, form: String, signature: String) async throws {
        let mock = MockTransport { _ in .status(200) }
        let client = signed(HTTPClient(transport: mock), by: .ofVectors) { SigV4.momentOfVectors }
        let content = HTTPClient.Content.text(form, contentType: "application/x-www-form-urlencoded")
        try await client.request(
            method, "https://example.amazonaws.com/\(query)", form.isEmpty ? .none : content)
        let names = form.isEmpty ? "host;x-amz-date" : "content-type;host;x-amz-date"
        #expect(
            mock.requests.first?[.authorization]
                == "AWS4-HMAC-SHA256 Credential=AKIDEXAMPLE/20150830/us-east-1/service/aws4_request, "
                + "SignedHeaders=\(names), Signature=\(signature)")
    }
}
