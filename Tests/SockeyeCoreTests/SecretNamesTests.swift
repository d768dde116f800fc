import SockeyeCore
import Testing

@Suite("Names that mark a value as a secret")
struct SecretNamesTests {
    @Test(
        "a name of a secret is recognized in every spelling",
        arguments: [
            "Authorization", "proxy-authorization", "Cookie", "SET-COOKIE", "X-API-Key", "x_api_key", "xApiKey",
            "apikey",
            "Private-Token", "X-Vault-Token", "Ocp-Apim-Subscription-Key", "X-Session-Token", "jwt", "id_token",
            "access.token", "sig", "X-Amz-Signature", "AWSAccessKeyId", "clientSecret", "user[password]", "PHPSESSID",
            "hmac", "pwd", "csrfmiddlewaretoken", "DPoP", "X-Amz-Server-Side-Encryption-Customer-Key",
        ])
    func known(name: String) {
        #expect(SecretNames.isSecret(name))
        #expect(SecretNames.isSecretItem(name))
        #expect(SecretNames.isSecret(name.uppercased()))
        #expect(SecretNames.isSecret(name.lowercased()))
    }

    @Test("every field of the list of secret fields is a secret", arguments: SecretNames.fields)
    func fields(name: String) {
        #expect(SecretNames.isSecret(name))
    }

    @Test(
        "some names are secrets in queries and forms but ordinary in JSON",
        arguments: ["code", "key", "ticket", "sid", "PIN"])
    func items(name: String) {
        #expect(SecretNames.isSecretItem(name))
        #expect(!SecretNames.isSecret(name))
    }

    @Test(
        "an ordinary name is not a secret",
        arguments: [
            "", "-", "Accept", "Content-Type", "ETag", "Idempotency-Key", "Sec-WebSocket-Key",
            "Access-Control-Allow-Credentials",
            "X-RateLimit-Remaining-Tokens", "max_tokens", "total_tokens", "token_type", "page", "signal", "author",
            "keyword",
            "passenger", "encoding", "zip_code", "Date", "design",
        ])
    func ordinary(name: String) {
        #expect(!SecretNames.isSecret(name))
        #expect(!SecretNames.isSecretItem(name))
    }
}
