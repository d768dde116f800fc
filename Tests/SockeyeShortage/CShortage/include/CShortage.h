// Fault injection: replaces the functions that allocate memory and open descriptors, and makes chosen calls fail.
#ifndef CSHORTAGE_H
#define CSHORTAGE_H

// Calls from the C libraries and from the program itself may fail. Calls from the Swift runtime and the C library never
// fail, because those end the process if an allocation fails.

// Starts counting the calls that may fail, in all threads. The `nth` call fails, counted from 1, or none if `nth` is 0.
void shortage_begin(long nth);

// Stops counting, and returns the number of calls.
long shortage_end(void);

// Returns the number of allocations by counted calls that have not been freed.
long shortage_live(void);

// Returns the number of attempts to close a descriptor that was not open.
long shortage_bad_closes(void);

#endif
