% A bridge between turf and a strategy of the War of Life coursework, for SWI-Prolog. It loads the
% course's war_of_life.pl and the student's file unchanged, and for each question of turf calls the
% chosen strategy, such as
%     bloodlust(+Colour, +[Blues, Reds], -NewBoard, -[R1, C1, R2, C2])
% The first solution is the answer.

:- module(wol, []).
:- use_module(library(http/json)).
:- use_module(library(lists)).
:- use_module(library(readutil)).
:- use_module(library(unix)).

:- dynamic folder/1, is_theirs/0.

main :-
    current_prolog_flag(os_argv, Command),
    append(_, [--, File, Strategy], Command),
    take_the_wire(Questions, Answers),
    at_halt(( is_theirs -> cancel_halt('only the bot may end itself') ; true )),
    load(File),
    ( is_there(Strategy) -> true ; not_there(File, Strategy) ),
    play(Strategy, Questions, Answers),
    halt(0).

% The coursework's output goes to standard error and its input is empty: only the bridge uses the
% protocol's streams.
take_the_wire(Questions, Answers) :-
    open('/dev/null', read, Questions, [encoding(utf8)]),
    open('/dev/null', read, Nothing),
    open('/dev/null', write, Answers),
    dup(user_input, Questions),
    dup(Nothing, user_input),
    dup(user_output, Answers),
    dup(user_error, user_output),
    prompt(_, '').

die(Status, Format, Arguments) :-
    format(user_output, '~N', []),
    flush_output(user_output),  % what the coursework printed comes before: turf shows the last line
    format(user_error, 'wol: ~@~n', [format(Format, Arguments)]),
    halt(Status).

% Runs a goal of the coursework once. It must not end Prolog: halt fails.
theirs(Goal) :-
    setup_call_cleanup(assertz(is_theirs), once(Goal), retractall(is_theirs)).

% Loading. The coursework was written for SICStus 4: its libraries (lists, system, timeout, ...) come
% from SWI-Prolog's SICStus dialect, and text in double quotes is a list of codes.
load(File) :-
    ( exists_file(File) -> true ; die(2, 'there is no file ~w', [File]) ),
    absolute_file_name(File, Path),
    file_directory_name(Path, Folder),
    directory_file_path(Folder, 'war_of_life.pl', Course),
    ( exists_file(Course) -> true ; die(2, 'put the course\'s war_of_life.pl into ~w, beside ~w', [Folder, File]) ),
    assertz(folder(Folder)),
    working_directory(_, Folder),
    set_prolog_flag(user:double_quotes, codes),
    theirs(load_files(user:[Course, Path], [dialect(sicstus4)])).

% The course's program detects that there is no move by random(1, 1, X), which fails in SICStus and
% throws in SWI-Prolog.
user:random(From, Beyond, Number) :-
    From < Beyond,
    random:random(From, Beyond, Number).

% Style warnings are suppressed; errors are printed.
:- multifile user:message_hook/3, user:term_expansion/2.
user:message_hook(_, warning, _) :- folder(_).

% Directives that set something up are run. Those that start what the files define (a test, a
% tournament) or end Prolog are ignored: they were meant for interactive use.
user:term_expansion(Directive, []) :-
    folder(Folder),
    ( Directive = (:- Goal) ; Directive = (?- Goal) ),
    prolog_load_context(source, Source),
    file_directory_name(Source, Folder),
    called_by(Goal, Called),
    starts_something(Called),
    format(user_error, 'wol: not obeyed: ~q~n', [Directive]).

called_by(Goal, Goal) :- callable(Goal).
called_by(Goal, Called) :-
    compound(Goal),
    predicate_property(user:Goal, meta_predicate(Modes)),
    arg(I, Modes, Mode),
    ( integer(Mode) ; Mode == (^) ),
    arg(I, Goal, Inner),
    called_by(Inner, Called).

starts_something(Goal) :- functor(Goal, Name, _), memberchk(Name, [halt, initialization]), !.
starts_something(Goal) :-
    predicate_property(user:Goal, defined),
    \+ predicate_property(user:Goal, built_in),
    \+ predicate_property(user:Goal, imported_from(_)).

% A strategy is a predicate of the student's, or random, which is in the course's move_piece/5.
goal(Strategy, Colour, Board, NewBoard, Move, Goal) :-
    ( current_predicate(user:Strategy/4) -> Parts = [Strategy, Colour] ; Parts = [move_piece, Colour, Strategy] ),
    append(Parts, [Board, NewBoard, Move], Words),
    Goal =.. Words.

is_there(Strategy) :- current_predicate(user:Strategy/4).
is_there(random) :- current_predicate(user:move_piece/5).

not_there(File, Strategy) :-
    findall(Name, ( member(Name, [random, bloodlust, self_preservation, land_grab, minimax]), is_there(Name) ), Names),
    atomic_list_concat(Names, ', ', There),
    die(2, '~w does not define ~w/4; there are: ~w', [File, Strategy, There]).

% Playing. Failing back to repeat frees the memory of each turn.
play(Strategy, Questions, Answers) :-
    repeat,
    read_line_to_string(Questions, Line),
    (   Line == end_of_file
    ->  !
    ;   catch(atom_json_dict(Line, Question, []), _, true),
        reply(Strategy, Line, Question, Answers),
        fail
    ).

reply(_, _, Question, _) :-
    is_dict(Question),
    get_dict(error, Question, Why),
    format(user_error, 'turf: ~w~n', [Why]),
    halt(0).
reply(_, _, Question, _) :- is_dict(Question), get_dict(new_game, Question, _), !.  % --reuse
reply(Strategy, _, Question, Answers) :-
    catch(colour_and_board(Question, Colour, Board), _, fail),
    !,
    answer(Strategy, Colour, Board, Answers).
reply(_, Line, _, _) :- die(1, 'not a question of War of Life: ~w', [Line]).

answer(Strategy, Colour, Board, Answers) :-
    goal(Strategy, Colour, Board, _, Move, Goal),
    goal(Strategy, Colour, Board, 'NewBoard', 'Move', Asked),  % as it can be typed at the prompt of Prolog
    (   catch(theirs(user:Goal), Error, true) -> true ; die(1, 'no move (failed): ~w', [Asked]) ),
    (   nonvar(Error)
    ->  in_words(Error, Words), die(1, 'no move (~w): ~w', [Words, Asked])
    ;   is_list(Move), length(Move, 4), maplist(integer, Move)
    ->  format(Answers, '{"move":[~d,~d,~d,~d]}~n', Move), flush_output(Answers)
    ;   term_variables(Move, Unbound), maplist(=('_'), Unbound), die(1, 'no move (Move = ~w): ~w', [Move, Asked])
    ).

colour_and_board(Question, Colour, [Blues, Reds]) :-
    atom_string(Colour, Question.get(you)),
    memberchk(Colour, [b, r]),
    pieces(Question.get(board), "b", Blues),
    pieces(Question.get(board), "r", Reds).

% Row by row, as the course's next_generation/2 lists them.
pieces(Rows, Mark, Pieces) :-
    findall([R, C], ( nth1(R, Rows, Row), sub_string(Row, Before, 1, _, Mark), C is Before + 1 ), Pieces).

% The first line of Prolog's own words: the others guess at what was meant.
in_words(error(Formal, Context), Words) :-
    '$messages':translate_message(error(Formal, Context), Lines, []),
    !,
    ( append(First, [nl|_], Lines) -> true ; First = Lines ),
    with_output_to(string(Text), print_message_lines(current_output, '', First)),
    normalize_space(atom(Words), Text).
in_words(Ball, Words) :- format(atom(Words), 'threw ~w', [Ball]).
