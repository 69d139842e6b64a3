"""turf worksheet: every question is answered, and the figures are consistent."""
import os
import re
import tempfile
from html import unescape

import harness
from harness import oracle, refused, turf


def page(*options):
    return turf("worksheet", "-n", "60", "--quiet", "--no-times", *options).out


def section(text, question):
    return re.search(rf"## Question {question}\n(.*?)(?=\n## |\Z)", text, re.DOTALL).group(1)


def rows(text):
    """The cells of every table row of a piece of Markdown."""
    return [[cell.strip() for cell in line.strip("|").split("|")] for line in text.split("\n")
            if line.startswith("|") and not line.startswith("|-")]


def test_page_does_not_depend_on_thread_count():
    assert page("--jobs", "1") == page("--jobs", "2") == page("--jobs", "2", "--seed", "1")
    assert page("--seed", "1") != page("--seed", "2")


def test_questions_1_and_2_agree_with_the_oracle():
    drawn = re.findall(r"```\n  1 2 3 4 5 6 7 8\n(.*?)\n```", page(), re.DOTALL)
    boards = ["\n".join("".join(line.split()[1:]) for line in board.split("\n")) for board in drawn]
    with open(oracle("war-of-life", "question1.txt")) as file:
        wanted = re.findall(r"(?:^[br.]{8}\n?){8}", file.read(), re.MULTILINE)
    assert boards == [board.strip() for board in wanted]


def test_prolog_board_is_the_drawn_board():
    text = page()
    prolog = re.search(r"```\n(\[\[.*)\n```", text).group(1)
    first = turf("perft", "wol", "2", "--start", prolog,
                 "--json").out.split("\n")[2].split('"seconds"')[0]
    board = re.search(r"The board given:\n\n```\n.*?\n(.*?)\n```", text, re.DOTALL).group(1)
    written = "/".join("".join(line.split()[1:]) for line in board.split("\n"))
    again = turf("perft", "wol", "2", "--start", written,
                 "--json").out.split("\n")[2].split('"seconds"')[0]
    assert first == again and '"positions"' in first


def test_question_3_adds_up():
    figures = {row[0]: row[1] for row in rows(section(page(), 3))}
    assert figures["Games played"] == "60"
    kinds = sum(int(figures[f"of them: {kind}"]) for kind in ("draw", "stalemate", "exhausted"))
    wins = sum(int(value) for name, value in figures.items() if name.startswith("Wins for player"))
    assert kinds == int(figures["Draws"]) and kinds + wins == 60
    assert {"Longest game (not exhausted)", "Shortest game",
            "Average game length (with exhausted)"} <= set(figures)


def test_question_4_follows_from_its_p_value():
    text = section(page(), 4)
    table = [row for row in rows(text) if row[-1] != "p"]
    assert len(table) == 2
    few_p = float(table[0][-1].replace("<", ""))
    assert ("**Yes:**" in text) == (few_p < 0.05) and ("**No:**" in text) == (few_p >= 0.05)
    for _, games, first, second, share, interval, _ in table:
        low, high = (float(x) for x in re.findall(r"[\d.]+", interval))
        assert int(first) + int(second) <= int(games)
        assert abs(float(share.split()[0]) - 100 * int(first) / (int(first) + int(second))) < 0.01
        assert low <= float(share.split()[0]) <= high


def test_question_5_has_the_tournament_of_the_seed_twice():
    tournament = turf("tournament", "wol", "-n", "60", "--no-times").out.split("\n\n")[1]
    wanted = [line.split() for line in tournament.split("\n")[2:]]
    table = [row for row in rows(section(page(), 5)) if len(row) == 7 and row[0] != "P1 strategy"]
    assert len(table) == 50
    assert table[:25] == wanted
    for row in table:
        assert int(row[3]) + int(row[4]) + int(row[5]) == int(row[2]) == 60


def test_question_6_names_each_strategy_once_per_tie_rule():
    conclusions = re.findall(r"Playing first is an advantage for: \*\*(.*?)\*\*"
                             r".*?for: \*\*(.*?)\*\*.*?for: \*\*(.*?)\*\*",
                             section(page(), 6))
    assert len(conclusions) == 2
    for lists in conclusions:
        names = sorted(name for group in lists for name in group.split(", ") if name != "none")
        assert names == sorted(["random", "bloodlust", "self-preservation", "land-grab", "minimax"])


def test_question_7_splits_all_starts_and_concludes():
    text = section(page(), 7)
    for name, starts, *shares in [row for row in rows(text) if len(row) == 7
                                  and row[0] != "Players"]:
        assert starts == "60"
        by_chance = float(shares.pop(2).split()[0])
        assert 0 <= by_chance <= 100
        if name == "random and random":
            assert 25 < by_chance < 60, "half of the decided games, for equal players"
        assert abs(sum(float(share.split()[0]) for share in shares) - 100) < 0.25, (name, shares)
    assert "**So " in text
    share, low, high = map(
        float,
        re.search(r"the start explains ([\d.]+) % \(([\d.]+) to ([\d.]+)\)", text).groups())
    assert 0 <= low < share < high <= 100


def test_html_has_the_figures_and_boards_of_the_markdown():
    markdown = page()
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sheet.html")
        turf("worksheet", "-n", "60", "--quiet", "--no-times", "-o", path)
        with open(path) as file:
            html = file.read()
    assert html.startswith("<!doctype html>") and "http" not in html and "<script" not in html
    assert html.count("<svg") == 4
    pieces = sum(cell in "br" for board in re.findall(r"```\n  1 2.*?```", markdown, re.DOTALL)
                 for cell in board)
    assert html.count("<circle") == pieces
    cells = re.findall(r"<td[^>]*>(.*?)</td>", html)
    wanted = [cell for row in rows(markdown) for cell in row]
    assert len(cells) > 300
    for cell in cells:
        assert unescape(cell.strip()) in wanted, cell


def test_failed_write_leaves_the_old_file():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sheet.md")
        with open(path, "w") as file:
            file.write("mine")
        refused("worksheet", "-n", "1", "--quiet", "--format", "rtf", "-o", path,
                saying="markdown, html or pdf")
        with open(path) as file:
            assert file.read() == "mine"
        assert os.listdir(folder) == ["sheet.md"]
    refused("worksheet", "-n", "10", "--quiet", "-o", "/dev/full", saying=["/dev/full", "No space"])


def test_endings_other_than_markdown_html_and_text_are_rejected():
    with tempfile.TemporaryDirectory() as folder:
        for name in ("sheet.doc", "sheet.md.gz", "sheet."):
            refused("worksheet", "-n", "1", "--quiet", "-o", os.path.join(folder, name),
                    saying=[".md", ".html", ".pdf", ".txt"])
        assert os.listdir(folder) == []
        for name in ("sheet.md", "sheet.markdown", "sheet.htm", "sheet.txt", "sheet"):
            turf("worksheet", "-n", "1", "--quiet", "-o", os.path.join(folder, name))
            with open(os.path.join(folder, name)) as file:
                assert file.read().startswith("<!doctype html>") == name.endswith(".htm"), name
        turf("worksheet", "-n", "1", "--quiet", "--format", "html", "-o",
             os.path.join(folder, "sheet.xhtml"))


def test_pdf_is_printed_by_the_browser_or_refused_before_any_game():
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "sheet.pdf")
        nobody = {**os.environ, "PATH": folder}
        refused("worksheet", "-n", "1", "-o", path, saying=["chromium", "worksheet.html"],
                env=nobody)
        refused("worksheet", "-n", "1", "--format", "pdf", saying="-o worksheet.pdf")
        assert os.listdir(folder) == []
        # A browser that fails, and one that prints what it was given.
        browser = os.path.join(folder, "chromium")
        for script, status in (("exit 1", 2), ('for word; do case "$word" in\n'
                                               '--print-to-pdf=*) to="${word#*=}" ;;\n'
                                               'file://*) from="${word#file://}" ;;\n'
                                               'esac; done; cat "$from" > "$to"', 0)):
            with open(browser, "w") as file:
                file.write("#!/bin/sh\nPATH=/usr/bin:/bin\n" + script + "\n")
            os.chmod(browser, 0o755)
            turf("worksheet", "-n", "1", "--quiet", "-o", path, status=status,
                 env={**nobody, "TMPDIR": folder})
            assert os.path.exists(path) == (status == 0)
        with open(path) as file:
            page = file.read()
        assert page.startswith("<!doctype html>") and "@media print" in page
        assert sorted(os.listdir(folder)) == ["chromium", "sheet.pdf"]


if __name__ == "__main__":
    harness.main()
