% Stands in for the course's war_of_life.pl in the tests: the predicates that the coursework names and that students
% build on, written for the tests, with the habits of a program for SICStus 4.

:- use_module(library(lists)).
:- use_module(library(random)).

% ---- the game ----

play(Show, First, Second, NumberOfMoves, Winner) :-
    start_config(Board),
    turns(Show, 0, b-First, r-Second, Board, NumberOfMoves, Winner).

turns(_, N, _, _, Board, N, Winner) :- ended(N, Board, Winner), !.
turns(Show, N, Colour-Strategy, Next, Board, Total, Winner) :-
    move_piece(Colour, Strategy, Board, Moved, _), !,
    next_generation(Moved, Turned),
    ( Show == verbose -> draw_board(Turned) ; true ),
    M is N + 1,
    turns(Show, M, Next, Colour-Strategy, Turned, Total, Winner).
turns(_, N, _, _, _, N, stalemate).

ended(_, [[], []], draw) :- !.
ended(_, [[], _], r).
ended(_, [_, []], b).
ended(250, _, exhaust).

move_piece(Colour, random, Board, NewBoard, Move) :-
    sides(Colour, Board, Own, Other, NewOwn, NewBoard),
    findall([A,B,C,D], ( member([A,B], Own), neighbour_position(A, B, [C,D]),
                         \+ member([C,D], Own), \+ member([C,D], Other) ), Moves),
    length(Moves, N),
    Beyond is N + 1,
    random(1, Beyond, Which),  % with no move at all, random(1, 1, Which) is to fail
    nth1(Which, Moves, Move),
    alter_board(Move, Own, NewOwn).
move_piece(Colour, bloodlust, Board, NewBoard, Move) :- bloodlust(Colour, Board, NewBoard, Move).
move_piece(Colour, self_preservation, Board, NewBoard, Move) :- self_preservation(Colour, Board, NewBoard, Move).
move_piece(Colour, land_grab, Board, NewBoard, Move) :- land_grab(Colour, Board, NewBoard, Move).
move_piece(Colour, minimax, Board, NewBoard, Move) :- minimax(Colour, Board, NewBoard, Move).

sides(b, [Blues, Reds], Blues, Reds, NewBlues, [NewBlues, Reds]).
sides(r, [Blues, Reds], Reds, Blues, NewReds, [Blues, NewReds]).

alter_board([A,B,C,D], Alive, NewAlive) :-
    append(Before, [[A,B]|After], Alive),
    append(Before, [[C,D]|After], NewAlive).

start_config([Blues, Reds]) :-
    findall([A,B], cell(A, B), Cells),
    random_permutation(Cells, Mixed),
    length(Blues, 12), length(Reds, 12),
    append(Blues, Rest, Mixed),
    append(Reds, _, Rest).

cell(A, B) :- Numbers = [1,2,3,4,5,6,7,8], member(A, Numbers), member(B, Numbers).

neighbour_position(A, B, [C,D]) :-
    member(Down, [-1,0,1]), C is A + Down, C > 0, C < 9,
    member(Right, [-1,0,1]), D is B + Right, D > 0, D < 9,
    \+ ( Down = 0, Right = 0 ).

% ---- the crank: every piece marks the cells around it, and the marks of each cell are counted ----

next_generation([Blues, Reds], [NewBlues, NewReds]) :-
    findall(Cell-b, ( member([A,B], Blues), neighbour_position(A, B, Cell) ), ByBlues),
    findall(Cell-r, ( member([A,B], Reds), neighbour_position(A, B, Cell) ), ByReds),
    append(ByBlues, ByReds, Marks),
    keysort(Marks, Sorted),
    counted(Sorted, Counts),
    findall(Cell-Colour, ( member(count(Cell, NBlue, NRed), Counts), content([Blues, Reds], Cell, Now),
                           then(Now, NBlue, NRed, Colour) ), Living),
    findall(Cell, member(Cell-b, Living), NewBlues),
    findall(Cell, member(Cell-r, Living), NewReds).

counted([], []).
counted([Cell-Colour|Marks], [count(Cell, NBlue, NRed)|Counts]) :-
    marks_of(Cell, [Cell-Colour|Marks], 0, NBlue, 0, NRed, Rest),
    counted(Rest, Counts).

marks_of(Cell, [Cell-b|Marks], N0, N, M0, M, Rest) :- !, N1 is N0 + 1, marks_of(Cell, Marks, N1, N, M0, M, Rest).
marks_of(Cell, [Cell-r|Marks], N0, N, M0, M, Rest) :- !, M1 is M0 + 1, marks_of(Cell, Marks, N0, N, M1, M, Rest).
marks_of(_, Rest, N, N, M, M, Rest).

content([Blues, _], Cell, b) :- memberchk(Cell, Blues), !.
content([_, Reds], Cell, r) :- memberchk(Cell, Reds), !.
content(_, _, '.').

then('.', NBlue, NRed, Colour) :- !, 3 =:= NBlue + NRed, ( NBlue > NRed -> Colour = b ; Colour = r ).
then(Colour, NBlue, NRed, Colour) :- N is NBlue + NRed, ( N =:= 2 ; N =:= 3 ), !.

draw_board([Blues, Reds]) :-
    cell(A, B),
    content([Blues, Reds], [A,B], What),
    write(What), ( B = 8 -> nl ; write(' ') ),
    fail.
draw_board(_).
