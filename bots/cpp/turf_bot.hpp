// turf's bot protocol for C++17: you write a function that answers a question, turf::play does the
// rest.
//
//     #include "turf_bot.hpp"
//     std::string choose(const turf::Json &question) { return turf::move(question["moves"][0]); }
//     int main() { return turf::play(choose); }
//
// A question is the JSON object of docs/protocol.md.
#ifndef TURF_BOT_HPP
#define TURF_BOT_HPP

#include <algorithm>
#include <iostream>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace turf
{

struct Json {
    std::string       text;   // of a string, without quotes; otherwise as it stands in the line
    std::string       source; // as it stands in the line
    std::vector<Json> items;  // of an array or an object
    std::vector<std::string> keys; // of an object, beside the items

    int number() const { return std::stoi(text); }
    int size() const { return static_cast<int>(items.size()); }

    const Json &operator[](int index) const { return items.at(static_cast<size_t>(index)); }
    bool        has(const std::string &key) const
    {
        return std::find(keys.begin(), keys.end(), key) != keys.end();
    }
    const Json &operator[](const char *key) const
    {
        if (has(key))
            return items[static_cast<size_t>(std::find(keys.begin(), keys.end(), key) -
                                             keys.begin())];
        throw std::runtime_error(std::string("the question has no '") + key + "'");
    }
};

// Reads one value after the other from a line.
class Reader
{
  public:
    explicit Reader(const std::string &read_line) : line(read_line) {}

    Json value()
    {
        Json value;
        skip_space();
        size_t begin = at;
        if (peek() == '"') {
            value.text = string();
        } else if (peek() == '[' || peek() == '{') {
            char close = line[at++] == '[' ? ']' : '}';
            for (skip_space(); peek() != close; skip_space()) {
                if (!value.items.empty())
                    expect(',');
                if (close == '}') {
                    skip_space();
                    value.keys.push_back(string());
                    expect(':');
                }
                value.items.push_back(this->value());
            }
            at++;
        } else { // a number, true, false or null
            at = std::min(line.find_first_of(",:]} \t\r\n", at), line.size());
            value.text = line.substr(begin, at - begin);
            if (value.text.empty())
                throw std::runtime_error("a value is missing in the question");
        }
        value.source = line.substr(begin, at - begin);
        return value;
    }

  private:
    const std::string &line;
    size_t             at = 0;

    char peek() const { return line.at(at); } // throws at the end of the line
    void skip_space() { at = std::min(line.find_first_not_of(" \t\r\n", at), line.size()); }

    void expect(char c)
    {
        skip_space();
        if (peek() != c)
            throw std::runtime_error(std::string("the question lacks a ") + c);
        at++;
    }

    // Turns the short escapes into what they mean, and leaves \u0041 as it is: turf's boards and
    // moves have none.
    std::string string()
    {
        static const std::string letters = "bfnrt", meanings = "\b\f\n\r\t";
        std::string              text;
        for (expect('"'); peek() != '"'; at++) {
            if (peek() != '\\' || line.at(at + 1) == 'u') {
                text += peek();
            } else {
                size_t which = letters.find(line.at(++at));
                text += which == std::string::npos ? peek() : meanings[which];
            }
        }
        at++;
        return text;
    }
};

// The answer in War of Life, Amoeba Wars and SquirrelWar: one of the question's moves.
inline std::string move(const Json &chosen) { return "{\"move\":" + chosen.source + "}"; }

// The answer in AI Battleground: the cells to colonise, each a row and a column from 0.
inline std::string cells(const std::vector<std::pair<int, int>> &chosen)
{
    std::string list;
    for (auto [row, col] : chosen)
        list += (list.empty() ? "[" : ",[") + std::to_string(row) + "," + std::to_string(col) + "]";
    return "{\"cells\":[" + list + "]}";
}

// Answers one question after the other until the game is over. An exception ends the program with
// its message on standard error, which turf shows.
template <typename Choose> int play(Choose choose)
try {
    std::ostream wire(std::cout.rdbuf(
        std::cerr.rdbuf())); // so that a forgotten std::cout << is not taken for an answer
    for (std::string line; std::getline(std::cin, line);) {
        Json question = Reader(line).value();
        if (question.has("error")) { // turf says why we have lost
            std::cerr << "turf: " << question["error"].text << std::endl;
            break;
        }
        if (question.has("new_game")) // with --reuse, and not a question
            continue;
        wire << choose(question) << std::endl; // endl also sends it off
    }
    return 0;
} catch (const std::exception &problem) {
    std::cerr << "turf_bot: " << problem.what() << std::endl;
    return 1;
}

} // namespace turf

#endif
