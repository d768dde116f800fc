// Re-exports Sockeye, so that `import SockeyeArchiving` also makes the client available.
@_exported public import Sockeye
