/// Which of the two tasks of an exchange is asking; each may wait for either readiness without taking the other's wake.
package enum Side: Sendable {
    case reader, writer
}
