// `import SockeyeTesting` also imports Sockeye. Tests of a cache store or of a WebSocket also import SockeyeCache or
// SockeyeWebSocket.
@_exported public import Sockeye
