"""The engine, ``overrun engine``: the planner driven by another program, as chess engines are.

The protocol (version 1) is JSON-RPC 2.0 over standard input and output, one message a line:

- A line is UTF-8 text of at most 1 MiB, ended by a line feed, and nested at most 24 levels deep.
  Blank lines are passed over. Parameters go by name. Batches are refused: a line holds one request.
- Everything the engine writes is one line of plain ASCII for each message, sent at once. Nothing
  else comes on standard output; what libraries may have to say goes to the standard error stream.
- ``id`` is text of up to 200 characters or a whole number of up to 2**53 - 1 in size. A request
  whose id is still waiting for its answer is refused, with the id null.
- A notification (a request without ``id``) gets no answer, not even an error. ``stop`` and ``quit``
  are carried out when they come so; any other is passed over, as nobody would know what came of it.
- Results may get new keys in later versions: pass over those you don't know.

Requests:

==================  ================================================================================
``hello``           name, versions, limits, methods, options with type, default, min and max
``set_option``      ``name``, ``value``: a usual value for requests that say nothing else
``position``        ``scenario``: a shipped scenario's name, or a whole scenario file as an object;
                    ``rules``: shipped rules by name, or a whole rules file as an object, in place
                    of those that the scenario names; ``actions``: what has been done since.
                    A scenario may be in the middle of a move (``under_way``)
``go``              search; limits ``seconds`` and ``work``; ``plans``: how many; ``differ``: they
                    must, in ``overruns`` or in any of the ``moves``; ``own_loss``: the own-loss
                    weight; ``wishes``: ``only``, ``stay``, ``target``, ``avoid``. Answered once,
                    when the search has ended, with the best so far
``decide``          the bot decides at this moment, in the middle of a move too, for whichever side
                    decides: what it does, why, and what that is worth. Limits as of ``go``;
                    ``level`` of strength, ``own_loss``; ``choices``: the value of every legal
                    action too. Answered once
``stop``            end the search: its answer comes at once, and then the answer to this
``evaluate``        ``moves``, ``defender``, ``own_loss``: the exact value of moves in that order
``lines``           ``unit``: every legal overrun line
``why``             ``unit``, ``target``, ``direction``: whether that overrun is legal, why not
``legal``           every legal action at this moment, and who decides
``apply``           ``action``; ``totals`` of the dice, or a ``seed`` for the engine's own (the same
                    one all through a game): carries out an action, in the position that the engine
                    has; what happened is told, how the game stands, and each side's score
``scenario``        the position as a scenario file, to be saved or given back to ``position``
``ping``            answered at once, whatever else is going on
``quit``            as ``stop``, then the engine ends
==================  ================================================================================

In ``actions`` and ``apply`` an action is written as play writes it: ``T1 0304``, ``T1
x0404-0505 +S1:LMG``, ``T1 halt/NE``, ``fire G1:gun with L1``, ``hold``, ``end``. One that dice
decide is ``{"action": …, "totals": [7]}`` in ``actions``: the totals of the throws, unmodified, in
the order in which they are made. ``legal`` and ``decide`` give an action as ``parts`` too, for
programs that read no notation.

So a whole game is played by ``decide`` and ``apply`` in turn, until ``decider`` is null. The value
of a decision is that of the rest of the Movement Phase to the side whose phase it is
(``value_to``): the defender makes it as small as it can. It is ``exact`` where the moment is small
enough to be solved; else some way of going on attains it, and the best may be worth more. It is
null where nothing was worked out, as for the only legal action. Under ``work`` alone the same
position is decided the same way on any machine; what the bot remembers of its decisions since the
position was set only saves time.

While a ``go`` runs the engine sends ``info`` notifications with its id: the phase of the search,
the best plan so far with its value, what no plan is worth more than (null until a bound is
derived), work and seconds. None comes after the answer. Of a ``decide`` there are none: the bot
tells nothing before it has decided.

Order: requests are carried out one after the other, as they come. ``hello``, ``ping``, ``stop`` and
``quit`` do not wait. From the moment a ``go`` or ``decide`` comes until it is answered every
request but these four is refused (``searching``), a second search included. A ``go`` that is
stopped before its search has anything to say is answered by the error ``stopped``, and so is a
``decide`` that is stopped before its turn comes. A bot that is stopped does the best that it knows;
where it does not come to that in half a second the answer is to halt, to end the phase or to hold,
without a value.

The end of the input ends the engine: what was asked before is answered, a search being stopped
after one second more. So does Ctrl-C, at once, with the exit status 130. When nobody reads the
output any more it ends with 141.

Errors carry ``data``: ``kind``, a name for the code, and ``faults``, each with its place in the
message (or in the ``file`` named beside it), what is wrong and what would be right.

======  ====================  ======================================================================
-32700  ``parse_error``       no JSON: not UTF-8, too long, bad syntax, NaN, a key twice
-32600  ``invalid_request``   JSON, but no request: a batch, no method, a wrong or a waiting id
-32601  ``unknown_method``    there is no such method
-32602  ``invalid_params``    wrong parameters, or names that stand for nothing in the position
-32603  ``internal``          a bug in the engine, which goes on
-32000  ``searching``         a search runs: stop it, or wait for its answer
-32001  ``no_position``       a position has to be set first
-32002  ``bad_position``      the scenario or rules file given is wrong (``file``: which of them)
-32003  ``illegal``           moves or actions that break the rules; ``reasons`` has the clauses
-32004  ``too_large``         the moves lead to more states than fit in memory
-32005  ``busy``              more than a hundred requests wait
-32006  ``stopped``           the search was stopped before it had anything to say
-32007  ``move_under_way``    whole moves are planned between moves, and this is the middle of one
-32008  ``game_over``         nobody decides any more
======  ====================  ======================================================================

``overrun schema engine`` gives the JSON Schema of all messages;
`planner.interface.engine.client` is a client in Python.
"""
