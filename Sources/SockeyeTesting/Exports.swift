// `import SockeyeTesting` also imports Sockeye. It does not import SockeyeCache, which tests of a cache store need, or
// SockeyeWebSocket, which tests of a WebSocket need.
@_exported public import Sockeye
