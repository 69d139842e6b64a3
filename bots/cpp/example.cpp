// An example bot with a simple strategy for each of the four games. Copy it and improve it.
#include "turf_bot.hpp"

using turf::Json;

static const int STEPS[8][2] = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1},
                                {0, 1},   {1, -1}, {1, 0},  {1, 1}};

// The mark at a cell, or a blank outside the board. The boards of the three games with moves are
// square.
static char mark_at(const Json &board, int row, int col)
{
    bool is_inside = row >= 0 && row < board.size() && col >= 0 && col < board.size();
    return is_inside ? board[row].text.at(static_cast<size_t>(col)) : ' ';
}

// War of Life: a piece lives on with two or three friends around it, so move to where they are.
static int judge_war_of_life(const Json &question, const Json &move)
{
    int friends = 0;
    for (auto [down, right] : STEPS) {
        int row = move[2].number() + down,
            col = move[3].number() + right;                     // rows and columns count from 1
        if (row != move[0].number() || col != move[1].number()) // it has left its old cell
            friends += mark_at(question["board"], row - 1, col - 1) == question["you"].text[0];
    }
    return friends == 2 || friends == 3;
}

// Amoeba Wars: kill if you can. A move is "B12", and row 1 is at the bottom.
static int judge_amoeba_wars(const Json &question, const Json &move)
{
    const Json &board = question["board"];
    int         row = board.size() - std::stoi(move.text.substr(1)), col = move.text[0] - 'A';
    return mark_at(board, row, col) == 'O' || mark_at(board, row, col) == 'X';
}

// SquirrelWar: the value of the square, plus twice that of the pieces it takes.
static int judge_squirrel_war(const Json &question, const Json &move)
{
    int  row = move.text.at(1) - '1', col = move.text.at(0) - 'A', taken = 0;
    bool is_raid = false;
    for (auto [down, right] : STEPS) {
        bool is_straight = down == 0 || right == 0; // diagonals do not count
        char mark = is_straight ? mark_at(question["board"], row + down, col + right) : ' ';
        if (mark == question["you"].text[0])
            is_raid = true;
        else if (mark == 'X' || mark == 'O')
            taken += question["values"][row + down][col + right].number();
    }
    return question["values"][row][col].number() + (is_raid ? 2 * taken : 0);
}

// AI Battleground. A cell is a number, row * n_cols + col; its owner is 1 for us, -1 for the enemy
// and 0 if dead.
struct Field {
    int              n_rows = 0, n_cols = 0;
    std::vector<int> owner;
    std::vector<int> lead;       // our number of neighbours minus the enemy's
    std::vector<int> steps_away; // from our nearest live cell, or -1 if there is none

    explicit Field(const Json &rows) : n_rows(rows.size())
    {
        for (const Json &row : rows.items)
            for (char mark : row.text)
                owner.push_back(mark == '#' ? 1 : mark == 'O' ? -1 : 0);
        n_cols = n_rows > 0 ? static_cast<int>(rows[0].text.size()) : 0;
        lead.assign(owner.size(), 0);
        steps_away.assign(owner.size(), -1);
        std::vector<int> queue;
        for (int cell = 0; cell < n_rows * n_cols; cell++) {
            for (int near : around(cell))
                at(lead, cell) += at(owner, near);
            if (at(owner, cell) == 1) {
                at(steps_away, cell) = 0;
                queue.push_back(cell);
            }
        }
        for (size_t i = 0; i < queue.size();
             i++) // first our cells, then those around them, and so on
            for (int near : around(queue[i]))
                if (at(steps_away, near) < 0) {
                    at(steps_away, near) = at(steps_away, queue[i]) + 1;
                    queue.push_back(near);
                }
    }

    static int &at(std::vector<int> &list, int cell) { return list[static_cast<size_t>(cell)]; }

    // The eight neighbours of a cell; the edges are glued together.
    std::vector<int> around(int cell) const
    {
        std::vector<int> near;
        for (auto [down, right] : STEPS)
            near.push_back((cell / n_cols + down + n_rows) % n_rows * n_cols +
                           (cell % n_cols + right + n_cols) % n_cols);
        return near;
    }

    // Who owns a cell after the step.
    static int fate(int who, int ahead)
    {
        if (who == 0)
            return ahead == 3 || ahead == -3 ? ahead / 3 : 0;  // born
        return who * ahead == 2 || who * ahead == 3 ? who : 0; // lives on or dies
    }

    // The effect of colonising a dead cell, on itself and on its neighbours.
    int gain(int cell)
    {
        int change = fate(1, at(lead, cell)) - fate(0, at(lead, cell));
        for (int near : around(cell))
            change +=
                fate(at(owner, near), at(lead, near) + 1) - fate(at(owner, near), at(lead, near));
        return change;
    }

    void colonise(int cell)
    {
        at(owner, cell) = 1;
        for (int near : around(cell))
            at(lead, near)++;
    }
};

// Takes the cells that add the most to our lead: first those that add four, then three...
static std::string choose_cells(const Json &question)
{
    Field  field(question["field"]);
    int    distance = question["maxColonisationDistance"].number();
    size_t budget = static_cast<size_t>(
        std::min(question["cellsRemaining"].number(), 1000)); // it must fit into 64 KiB
    std::vector<std::pair<int, int>> chosen;
    for (int wanted = 4; wanted >= 1; wanted--)
        for (int cell = 0; cell < field.n_rows * field.n_cols && chosen.size() < budget; cell++) {
            int steps = field.at(field.steps_away, cell);
            if (field.at(field.owner, cell) == 0 && steps > 0 && steps <= distance &&
                field.gain(cell) >= wanted) {
                chosen.emplace_back(cell / field.n_cols, cell % field.n_cols);
                field.colonise(cell);
            }
        }
    return turf::cells(chosen);
}

static std::string choose(const Json &question)
{
    if (question.has("field"))
        return choose_cells(question);
    auto judge = question.has("values")   ? judge_squirrel_war
                 : question.has("killed") ? judge_amoeba_wars
                                          : judge_war_of_life;
    auto is_worse = [&](const Json &one, const Json &other) {
        return judge(question, one) < judge(question, other);
    };
    return turf::move(*std::max_element(question["moves"].items.begin(),
                                        question["moves"].items.end(), is_worse));
}

int main() { return turf::play(choose); }
