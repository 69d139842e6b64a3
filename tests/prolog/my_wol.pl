% What a student might hand in: strategies on top of war_of_life.pl, for SICStus 4, with a test run left in the file.

:- use_module(library(system)), ensure_loaded(war_of_life).
:- use_module(library(ordsets)).
:- set_prolog_flag(toplevel_print_options, [max_depth(100)]).
:- dynamic n_asked/1.
:- assert(n_asked(0)).

test_strategy(N, First, Second) :-
    now(Begin),
    findall(Winner-Moves, ( between(1, N, _), play(quiet, First, Second, Moves, Winner) ), Games),
    now(End),
    findall(Moves, member(_-Moves, Games), Lengths),
    sumlist(Lengths, Sum),
    Average is Sum / N,
    Seconds is (End - Begin) / N,
    format("~w games of ~w moves and ~w s~n", [N, Average, Seconds]).

% SICStus has these in libraries; SWI-Prolog has them built in.
between(Low, High, Low) :- Low =< High.
between(Low, High, N) :- Low < High, Next is Low + 1, between(Next, High, N).
forall(Condition, Action) :- \+ ( Condition, \+ Action ).

possible(Own, Other, [A,B,C,D]) :-
    member([A,B], Own),
    neighbour_position(A, B, [C,D]),
    \+ member([C,D], Own),
    \+ member([C,D], Other).

own_first(b, [Blues, Reds], Blues, Reds).
own_first(r, [Blues, Reds], Reds, Blues).

bloodlust(Colour, Board, NewBoard, Move) :- best(bloodlust, Colour, Board, NewBoard, Move).
self_preservation(Colour, Board, NewBoard, Move) :- best(self_preservation, Colour, Board, NewBoard, Move).
land_grab(Colour, Board, NewBoard, Move) :- best(land_grab, Colour, Board, NewBoard, Move).
minimax(Colour, Board, NewBoard, Move) :- best(minimax, Colour, Board, NewBoard, Move).

% Every best move in turn, the first at first.
best(Strategy, Colour, Board, NewBoard, Move) :-
    retract(n_asked(N)), M is N + 1, assert(n_asked(M)),
    own_first(Colour, Board, Own, Other),
    findall(Worth-Candidate, ( possible(Own, Other, Candidate), worth(Strategy, Colour, Board, Candidate, Worth) ), Valued),
    findall(Worth, member(Worth-_, Valued), Worths),
    remove_dups(Worths, Distinct),
    max_member(Most, Distinct),
    write('question '), write(M), write(', worth '), print(Most), nl,
    member(Most-Move, Valued),
    alter_board(Move, Own, NewOwn),
    own_first(Colour, NewBoard, NewOwn, Other).

worth(Strategy, Colour, Board, Move, Worth) :-
    own_first(Colour, Board, Own, Other),
    alter_board(Move, Own, NewOwn),
    own_first(Colour, Moved, NewOwn, Other),
    next_generation(Moved, Turned),
    own_first(Colour, Turned, Mine, Theirs),
    measure(Strategy, Colour, Mine, Theirs, Worth).

measure(bloodlust, _, _, Theirs, Worth) :- length(Theirs, N), Worth is -N.
measure(self_preservation, _, Mine, _, Worth) :- length(Mine, Worth).
measure(land_grab, _, Mine, Theirs, Worth) :- length(Mine, M), length(Theirs, T), Worth is M - T.
measure(minimax, Colour, Mine, Theirs, Worth) :-
    own_first(Colour, Board, Mine, Theirs),
    other(Colour, Opponent),
    findall(Answer, ( possible(Theirs, Mine, Move), worth(land_grab, Opponent, Board, Move, Answer) ), Answers),
    if(( Mine \== [], max_member(Most, Answers) ),
       Worth is -Most,
       measure(land_grab, Colour, Mine, Theirs, Worth)).

other(b, r).
other(r, b).

:- test_strategy(1000, random, random).
:- initialization(test_strategy(1000, minimax, minimax)).
:- write('my_wol is loaded'), nl.
