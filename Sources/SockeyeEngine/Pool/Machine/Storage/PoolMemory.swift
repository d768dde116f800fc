/// How the tables of the pool deal with memory after a rush.
enum PoolMemory {
    /// A table that got empty gives its memory back if it had more places than this.
    static let kept = 1024
}
