// Regions in constructors and destructors of objects, in handlers of exit, and in a
// destructor of a thread's own object.
#include <cstdlib>
#include <thread>
#include "marked.h"

static void once()
{
    FRAME(f);
    BEGIN(f, 0, 1, 1);
    END(f);
}

struct Region {
    Region() { once(); }
    ~Region() { once(); }
};

static Region global;
static thread_local Region own;

int main()
{
    std::atexit(once);
    std::thread([] { (void)&own; }).join();
    return 0;
}
