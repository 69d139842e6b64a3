import java.util.ArrayList;
import java.util.List;
import java.util.function.ToIntFunction;

/** An example bot with a simple strategy for each of the four games. Copy it and improve it. */
public final class Example {
    private static final int[][] STEPS = {{-1, -1}, {-1, 0}, {-1, 1}, {0, -1},
                                          {0, 1},   {1, -1}, {1, 0},  {1, 1}};

    private Example() {}

    public static void main(String[] args) {
        TurfBot.play(Example::choose);
    }

    private static String choose(TurfBot.Question question) {
        if (question.has("field"))
            return TurfBot.cells(new Field(question.list("field")).choose(question));
        ToIntFunction<Object> judge = move -> judgeWarOfLife(question, (List<?>) move);
        if (question.has("values"))
            judge = move -> judgeSquirrelWar(question, (String) move);
        else if (question.has("killed"))
            judge = move -> judgeAmoebaWars(question, (String) move);
        Object best = null;
        for (Object move : question.list("moves"))
            if (best == null || judge.applyAsInt(move) > judge.applyAsInt(best))
                best = move; // the first of the best
        return TurfBot.move(best);
    }

    /**
     * The mark at a cell, or a blank outside the board. The boards of the three games with moves
     * are square.
     */
    private static char markAt(TurfBot.Question question, int row, int col) {
        int size = question.list("board").size();
        boolean isInside = row >= 0 && row < size && col >= 0 && col < size;
        return isInside ? ((String) question.list("board").get(row)).charAt(col) : ' ';
    }

    private static int numberAt(Object list, int index) {
        return ((Number) ((List<?>) list).get(index)).intValue();
    }

    /**
     * War of Life: a piece lives on with two or three friends around it, so move to where they
     * are.
     */
    private static int judgeWarOfLife(TurfBot.Question question, List<?> move) {
        int friends = 0;
        for (int[] step : STEPS) {
            int row = numberAt(move, 2) + step[0], col = numberAt(move, 3) + step[1]; // from 1
            boolean isLeft = row == numberAt(move, 0) && col == numberAt(move, 1); // now empty
            if (!isLeft && markAt(question, row - 1, col - 1) == question.text("you").charAt(0))
                friends++;
        }
        return friends == 2 || friends == 3 ? 1 : 0;
    }

    /** Amoeba Wars: kill if you can. A move is "B12", and row 1 is at the bottom. */
    private static int judgeAmoebaWars(TurfBot.Question question, String move) {
        int row = question.list("board").size() - Integer.parseInt(move.substring(1)),
            col = move.charAt(0) - 'A';
        return "OX".indexOf(markAt(question, row, col)) >= 0 ? 1 : 0;
    }

    /** SquirrelWar: the value of the square, plus twice that of the pieces it takes. */
    private static int judgeSquirrelWar(TurfBot.Question question, String move) {
        List<?> values = question.list("values");
        int row = move.charAt(1) - '1', col = move.charAt(0) - 'A', taken = 0;
        boolean isRaid = false;
        for (int[] step : STEPS) {
            if (step[0] != 0 && step[1] != 0) continue; // diagonals do not count
            char mark = markAt(question, row + step[0], col + step[1]);
            if (mark == question.text("you").charAt(0)) isRaid = true;
            else if (mark == 'X' || mark == 'O')
                taken += numberAt(values.get(row + step[0]), col + step[1]);
        }
        return numberAt(values.get(row), col) + (isRaid ? 2 * taken : 0);
    }

    /**
     * AI Battleground. A cell is a number, row * nCols + col; its owner is 1 for us, -1 for the
     * enemy, 0 if dead.
     */
    private static final class Field {
        private final int nRows, nCols;
        private final int[] owner;
        private final int[] lead; // our number of neighbours minus the enemy's
        private final int[] stepsAway; // from our nearest live cell, or -1 if there is none

        Field(List<?> rows) {
            nRows = rows.size();
            nCols = ((String) rows.get(0)).length();
            owner = new int[nRows * nCols];
            lead = new int[nRows * nCols];
            stepsAway = new int[nRows * nCols];
            for (int cell = 0; cell < owner.length; cell++) {
                char mark = ((String) rows.get(cell / nCols)).charAt(cell % nCols);
                owner[cell] = "O.#".indexOf(mark) - 1;
            }
            List<Integer> queue = new ArrayList<>();
            for (int cell = 0; cell < owner.length; cell++) {
                for (int way = 0; way < 8; way++) lead[cell] += owner[neighbour(cell, way)];
                stepsAway[cell] = owner[cell] == 1 ? 0 : -1;
                if (owner[cell] == 1) queue.add(cell);
            }
            for (int i = 0; i < queue.size(); i++) // breadth-first search from our cells
                for (int way = 0; way < 8; way++) {
                    int near = neighbour(queue.get(i), way);
                    if (stepsAway[near] >= 0) continue;
                    stepsAway[near] = stepsAway[queue.get(i)] + 1;
                    queue.add(near);
                }
        }

        /** The neighbour of a cell in a direction from 0 to 7; the edges are glued together. */
        private int neighbour(int cell, int way) {
            int row = cell / nCols + STEPS[way][0] + nRows,
                col = cell % nCols + STEPS[way][1] + nCols;
            return row % nRows * nCols + col % nCols;
        }

        /** Who owns a cell after the step. */
        private static int fate(int owner, int lead) {
            if (owner == 0) return lead == 3 || lead == -3 ? lead / 3 : 0; // born
            return owner * lead == 2 || owner * lead == 3 ? owner : 0; // lives on or dies
        }

        /** The effect of colonising a dead cell, on itself and on its neighbours. */
        private int gain(int cell) {
            int change = fate(1, lead[cell]) - fate(0, lead[cell]);
            for (int way = 0; way < 8; way++) {
                int near = neighbour(cell, way);
                change += fate(owner[near], lead[near] + 1) - fate(owner[near], lead[near]);
            }
            return change;
        }

        /** Takes the cells that add the most to our lead: first those that add four, then fewer. */
        List<List<Integer>> choose(TurfBot.Question question) {
            int distance = question.number("maxColonisationDistance");
            int budget = Math.min(question.number("cellsRemaining"), 1000); // 64 KiB at most
            List<List<Integer>> chosen = new ArrayList<>();
            for (int wanted = 4; wanted >= 1; wanted--)
                for (int cell = 0; cell < owner.length && chosen.size() < budget; cell++) {
                    boolean isInReach = stepsAway[cell] > 0 && stepsAway[cell] <= distance;
                    if (owner[cell] != 0 || !isInReach || gain(cell) < wanted) continue;
                    chosen.add(List.of(cell / nCols, cell % nCols));
                    owner[cell] = 1;
                    for (int way = 0; way < 8; way++) lead[neighbour(cell, way)]++;
                }
            return chosen;
        }
    }
}
