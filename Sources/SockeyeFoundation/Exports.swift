// Re-exports Sockeye: one `import SockeyeFoundation` is enough to call the client, too.
@_exported public import Sockeye
