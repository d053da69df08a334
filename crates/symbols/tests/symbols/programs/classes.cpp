extern "C" void probe(void);

static volatile int count;

namespace solver {

template <class T> struct Grid {
    __attribute__((noinline)) void step(T value, int times)
    {
        if (times > 0 && value > 0)
            probe(); // the call
        count = count + 1;
    }
};

namespace {
__attribute__((noinline)) void local()
{
    Grid<double>().step(1.5, 1); // of step
    count = count + 1;
}
}

void run()
{
    auto lambda = []() __attribute__((noinline)) {
        local(); // of local
        count = count + 1;
    };
    lambda();
    count = count + 1;
}

}

int main()
{
    solver::run();
    return 0;
}
