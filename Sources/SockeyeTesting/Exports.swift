// `import SockeyeTesting` also imports the modules with types that occur in its public declarations.
@_exported public import Sockeye
