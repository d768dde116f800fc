// Fault injection: takes the place of the functions that allocate memory and open descriptors, and fails chosen calls.
#ifndef CSHORTAGE_H
#define CSHORTAGE_H

// Calls that may fail are those of the C libraries and of the program itself, but not those of the Swift runtime and of the C
// library, which end the process without memory.

// Counts the calls of all threads that may fail, from 1, and fails one of them: the `nth`, or none if that is 0.
void shortage_begin(long nth);

// Ends that, and returns the number of calls.
long shortage_end(void);

// How many allocations of the counted calls have not been freed.
long shortage_live(void);

// How many times a descriptor was closed that was not open.
long shortage_bad_closes(void);

#endif
