// The names are computed properties, because a stored static property takes memory and checks at each access that it
// is initialized. "Owned by the client" means: only this library sets the field, and a caller's field is not sent
// (`FieldOwnership.client`).
extension Headers.Name {
    /// `Accept`: media types the client prefers (RFC 9110 12.5.1).
    public static var accept: Headers.Name { "Accept" }

    /// `Accept-Charset`: charsets the client prefers (RFC 9110 12.5.2).
    public static var acceptCharset: Headers.Name { "Accept-Charset" }

    /// `Accept-Encoding`: content codings the client understands (RFC 9110 12.5.3).
    public static var acceptEncoding: Headers.Name { "Accept-Encoding" }

    /// `Accept-Language`: languages the client prefers (RFC 9110 12.5.4).
    public static var acceptLanguage: Headers.Name { "Accept-Language" }

    /// `Accept-Ranges`: range units a resource supports (RFC 9110 14.3).
    public static var acceptRanges: Headers.Name { "Accept-Ranges" }

    /// `Age`: seconds a response spent in caches (RFC 9111 5.1).
    public static var age: Headers.Name { "Age" }

    /// `Allow`: methods a resource supports (RFC 9110 10.2.1).
    public static var allow: Headers.Name { "Allow" }

    /// `Authorization`: credentials for the origin (RFC 9110 11.6.2).
    public static var authorization: Headers.Name { "Authorization" }

    /// `Cache-Control`: directives to caches (RFC 9111 5.2).
    public static var cacheControl: Headers.Name { "Cache-Control" }

    /// `Connection`: options of this connection; owned by the client (RFC 9110 7.6.1).
    public static var connection: Headers.Name { "Connection" }

    /// `Content-Disposition`: presentation and file name of the content (RFC 6266).
    public static var contentDisposition: Headers.Name { "Content-Disposition" }

    /// `Content-Encoding`: codings applied to the content (RFC 9110 8.4).
    public static var contentEncoding: Headers.Name { "Content-Encoding" }

    /// `Content-Language`: languages of the content (RFC 9110 8.5).
    public static var contentLanguage: Headers.Name { "Content-Language" }

    /// `Content-Length`: length of the content; owned by the client (RFC 9110 8.6).
    public static var contentLength: Headers.Name { "Content-Length" }

    /// `Content-Location`: URI of the content itself (RFC 9110 8.7).
    public static var contentLocation: Headers.Name { "Content-Location" }

    /// `Content-Range`: position of partial content in the whole (RFC 9110 14.4).
    public static var contentRange: Headers.Name { "Content-Range" }

    /// `Content-Type`: media type of the content (RFC 9110 8.3).
    public static var contentType: Headers.Name { "Content-Type" }

    /// `Cookie`: cookies sent to the server (RFC 6265 5.4).
    public static var cookie: Headers.Name { "Cookie" }

    /// `Date`: when the message was made (RFC 9110 6.6.1).
    public static var date: Headers.Name { "Date" }

    /// `ETag`: entity tag of the representation (RFC 9110 8.8.3).
    public static var eTag: Headers.Name { "ETag" }

    /// `Expect`: behaviour the client expects; owned by the client (RFC 9110 10.1.1).
    public static var expect: Headers.Name { "Expect" }

    /// `Expires`: when a response becomes stale (RFC 9111 5.3).
    public static var expires: Headers.Name { "Expires" }

    /// `From`: mail address of the user (RFC 9110 10.1.2).
    public static var from: Headers.Name { "From" }

    /// `Host`: authority of the target; overrides that of the URL (RFC 9110 7.2).
    public static var host: Headers.Name { "Host" }

    /// `Idempotency-Key`: makes repeating an unsafe request harmless (IETF draft).
    public static var idempotencyKey: Headers.Name { "Idempotency-Key" }

    /// `If-Match`: perform the request only if the entity tag matches (RFC 9110 13.1.1).
    public static var ifMatch: Headers.Name { "If-Match" }

    /// `If-Modified-Since`: send the content only if it was modified after this date (RFC 9110 13.1.3).
    public static var ifModifiedSince: Headers.Name { "If-Modified-Since" }

    /// `If-None-Match`: perform the request only if no entity tag matches (RFC 9110 13.1.2).
    public static var ifNoneMatch: Headers.Name { "If-None-Match" }

    /// `If-Range`: send only the range if the content is unchanged, else all of it (RFC 9110 13.1.5).
    public static var ifRange: Headers.Name { "If-Range" }

    /// `If-Unmodified-Since`: perform the request only if the content is unmodified since this date (RFC 9110 13.1.4).
    public static var ifUnmodifiedSince: Headers.Name { "If-Unmodified-Since" }

    /// `Keep-Alive`: idle timeout and use count of a connection; owned by the client (RFC 2068 19.7.1.1).
    public static var keepAlive: Headers.Name { "Keep-Alive" }

    /// `Last-Modified`: when the representation last changed (RFC 9110 8.8.2).
    public static var lastModified: Headers.Name { "Last-Modified" }

    /// `Link`: typed links (RFC 8288).
    public static var link: Headers.Name { "Link" }

    /// `Location`: a created resource, or the target of a redirect (RFC 9110 10.2.2).
    public static var location: Headers.Name { "Location" }

    /// `Origin`: origin that caused the request (RFC 6454).
    public static var origin: Headers.Name { "Origin" }

    /// `Pragma`: deprecated cache directive (RFC 9111 5.4).
    public static var pragma: Headers.Name { "Pragma" }

    /// `Prefer`: optional behaviour the client would like (RFC 7240).
    public static var prefer: Headers.Name { "Prefer" }

    /// `Proxy-Authenticate`: challenges of a proxy (RFC 9110 11.7.1).
    public static var proxyAuthenticate: Headers.Name { "Proxy-Authenticate" }

    /// `Proxy-Authentication-Info`: data of a proxy after authentication, such as the next nonce (RFC 7615 section 4).
    public static var proxyAuthenticationInfo: Headers.Name { "Proxy-Authentication-Info" }

    /// `Proxy-Authorization`: credentials for a proxy (RFC 9110 11.7.2).
    public static var proxyAuthorization: Headers.Name { "Proxy-Authorization" }

    /// `Proxy-Connection`: never sent; old clients sent it to proxies (RFC 9112 C.2.2).
    public static var proxyConnection: Headers.Name { "Proxy-Connection" }

    /// `Range`: requested parts of the content (RFC 9110 14.2).
    public static var range: Headers.Name { "Range" }

    /// `Referer`: URL of the page with the link (RFC 9110 10.1.3).
    public static var referer: Headers.Name { "Referer" }

    /// `Retry-After`: when to try again (RFC 9110 10.2.3).
    public static var retryAfter: Headers.Name { "Retry-After" }

    /// `Server`: software of the server (RFC 9110 10.2.4).
    public static var server: Headers.Name { "Server" }

    /// `Set-Cookie`: a cookie to store; never joined by commas (RFC 6265 4.1).
    public static var setCookie: Headers.Name { "Set-Cookie" }

    /// `TE`: accepted transfer codings; owned by the client (RFC 9110 10.1.4).
    public static var te: Headers.Name { "TE" }

    /// `traceparent`: identity of the span that caused the request (W3C Trace Context).
    public static var traceparent: Headers.Name { "traceparent" }

    /// `tracestate`: vendor data that accompanies traceparent (W3C Trace Context).
    public static var tracestate: Headers.Name { "tracestate" }

    /// `Trailer`: names of fields in the trailer section (RFC 9110 6.6.2).
    public static var trailer: Headers.Name { "Trailer" }

    /// `Transfer-Encoding`: codings of the message framing; owned by the client (RFC 9112 6.1).
    public static var transferEncoding: Headers.Name { "Transfer-Encoding" }

    /// `Upgrade`: protocols to switch to; owned by the client (RFC 9110 7.8).
    public static var upgrade: Headers.Name { "Upgrade" }

    /// `User-Agent`: software of the client (RFC 9110 10.1.5).
    public static var userAgent: Headers.Name { "User-Agent" }

    /// `Vary`: request fields that selected the response (RFC 9110 12.5.5).
    public static var vary: Headers.Name { "Vary" }

    /// `Via`: intermediaries that the message passed (RFC 9110 7.6.3).
    public static var via: Headers.Name { "Via" }

    /// `WWW-Authenticate`: challenges of the origin (RFC 9110 11.6.1).
    public static var wwwAuthenticate: Headers.Name { "WWW-Authenticate" }
}
