// Re-exports Sockeye: one `import SockeyeArchiving` is enough to call the client, too.
@_exported public import Sockeye
