// Re-exports Sockeye, so that `import SockeyeXML` also makes the client available.
@_exported public import Sockeye
