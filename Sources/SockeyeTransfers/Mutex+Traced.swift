#if SOCKEYE_TSAN
import SockeyeCore

typealias Mutex<Value: ~Copyable> = TracedMutex<Value>
#endif
