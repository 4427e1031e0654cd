#include <vector>

namespace mesh {

template <typename T>
class Grid {
public:
    Grid(int n) : cells(n) {}
    T sum() const
    {
        T total{};
        for (const auto &cell : cells)
            total += cell;
        return total;
    }
    T operator()(int i) const { return cells[i]; }

private:
    std::vector<T> cells;
};

template <typename T>
T solve(Grid<T> &grid)
{
    auto step = [&](int n) {
        for (int i = 0; i < n; ++i)
            grid(i);
    };
    while (true) {
        for (int i = 0; i < 3; ++i) {
            step(i);
        }
        break;
    }
    const char *raw = R"(for (;;) {)";
    return grid.sum();
}

} // namespace mesh

void mesh::Solver::run(int n) noexcept
{
    do { --n; } while (n > 0);
}
