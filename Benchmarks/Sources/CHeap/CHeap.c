#include "CHeap.h"

#include <malloc.h>

unsigned long long bench_heap_in_use(void) {
    struct mallinfo2 heap = mallinfo2();
    return heap.uordblks + heap.hblkhd;
}
