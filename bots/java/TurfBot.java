import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * turf's bot protocol for Java 17: you write a function that answers a question, play does the
 * rest.
 *
 * <pre>
 * public class MyBot {
 *     public static void main(String[] args) {
 *         TurfBot.play(question -> TurfBot.move(question.list("moves").get(0)));
 *     }
 * }
 * </pre>
 */
public final class TurfBot {
    private TurfBot() {}

    /**
     * The JSON object of docs/protocol.md. Its values are Long, Double, Boolean, String, List, Map
     * or null.
     */
    public record Question(Map<?, ?> keys) {
        public boolean has(String key) { return keys.containsKey(key); }
        public String text(String key) { return (String) keys.get(key); }
        public int number(String key) { return ((Number) keys.get(key)).intValue(); }
        public List<?> list(String key) { return (List<?>) keys.get(key); }
    }

    /** The answer in War of Life, Amoeba Wars and SquirrelWar: one of the question's moves. */
    public static String move(Object move) {
        return "{\"move\":" + (move instanceof String ? "\"" + move + "\"" : move.toString()) + "}";
    }

    /**
     * The answer in AI Battleground: the cells to colonise, each a list of a row and a column from
     * 0.
     */
    public static String cells(List<List<Integer>> cells) {
        return "{\"cells\":" + cells + "}"; // Java writes a list of numbers as JSON does
    }

    /**
     * Answers one question after the other until the game is over. Java writes an exception to
     * standard error by itself and ends the program; turf then counts the game as lost, and shows
     * the last line of what was written there.
     */
    public static void play(Function<Question, String> choose) {
        PrintStream wire = System.out;
        System.setOut(System.err); // so that a forgotten println is not taken for an answer
        BufferedReader in =
                new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
        try {
            for (String line; (line = in.readLine()) != null;) { // null: the game has ended
                Question question = new Question((Map<?, ?>) new Reader(line).value());
                if (question.has("error")) { // turf says why we have lost
                    System.err.println("turf: " + question.text("error"));
                    break;
                }
                if (question.has("new_game")) continue; // with --reuse, and not a question
                wire.print(choose.apply(question) + "\n");
                wire.flush(); // or the answer would wait in a buffer, and turf for the answer
            }
        } catch (IOException problem) {
            throw new IllegalStateException("the question cannot be read", problem);
        }
    }

    /** Reads JSON from a line. */
    private static final class Reader {
        private final String line;
        private int at = 0;

        Reader(String line) { this.line = line; }

        Object value() {
            return switch (peek()) {
                case '{' -> object();
                case '[' -> array();
                case '"' -> string();
                default -> word();
            };
        }

        /** The next character that is not white space. */
        private char peek() {
            while (at < line.length() && " \t\r\n".indexOf(line.charAt(at)) >= 0) at++;
            if (at == line.length()) throw new IllegalArgumentException("the question breaks off");
            return line.charAt(at);
        }

        private void expect(char c) {
            if (peek() != c)
                throw new IllegalArgumentException("the question lacks a " + c + " at " + at);
            at++;
        }

        private Map<String, Object> object() {
            Map<String, Object> object = new LinkedHashMap<>();
            for (expect('{'); peek() != '}';) {
                if (!object.isEmpty()) expect(',');
                String key = string();
                expect(':');
                object.put(key, value());
            }
            expect('}');
            return object;
        }

        private List<Object> array() {
            List<Object> array = new ArrayList<>();
            for (expect('['); peek() != ']';) {
                if (!array.isEmpty()) expect(',');
                array.add(value());
            }
            expect(']');
            return array;
        }

        private String string() {
            StringBuilder text = new StringBuilder();
            for (expect('"'); line.charAt(at) != '"'; at++) {
                char c = line.charAt(at);
                if (c == '\\' && line.charAt(++at) == 'u') { // four hexadecimal digits
                    c = (char) Integer.parseInt(line.substring(at + 1, at + 5), 16);
                    at += 4;
                } else if (c == '\\') {
                    int which = "bfnrt".indexOf(line.charAt(at));
                    c = which >= 0 ? "\b\f\n\r\t".charAt(which) : line.charAt(at);
                }
                text.append(c);
            }
            at++;
            return text.toString();
        }

        /** A number, true, false or null. */
        private Object word() {
            int begin = at;
            while (at < line.length() && ",:]} \t\r\n".indexOf(line.charAt(at)) < 0) at++;
            String word = line.substring(begin, at);
            return switch (word) {
                case "true", "false" -> Boolean.valueOf(word);
                case "null" -> null;
                default -> word.matches("-?\\d{1,18}") ? (Object) Long.valueOf(word)
                    : (Object) Double.valueOf(word);
            };
        }
    }
}
