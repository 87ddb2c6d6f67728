/* The election of Dolev, Klawe and Rodeh on a ring of N processes with the identities
 * 3 2 1 N N-1 ... 4, all of which have started. A reaction to a message is one
 * transition, as it is for the explorer: so both find the same states and transitions,
 * but for the first state of init and its two transitions. See spin_test.go.
 */
mtype = { one, two, winner };
chan link[N] = [4] of { mtype, byte };

proctype process(chan in, out; byte held) {
	byte neighbour, came;
	bool relay, decided;
end:	do
	:: d_step { in?one(came) ->
		if
		:: relay -> out!one(came)
		:: !relay && came != held -> neighbour = came; out!two(came)
		:: !relay && came == held && !decided -> decided = true; out!winner(came)
		:: !relay && came == held && decided
		fi;
		came = 0 }
	:: d_step { in?two(came) ->
		if
		:: relay -> out!two(came)
		:: !relay && neighbour > held && neighbour > came -> held = neighbour; out!one(held)
		:: else -> relay = true
		fi;
		came = 0 }
	:: d_step { in?winner(came) ->
		if
		:: !decided -> decided = true; out!winner(came)
		:: decided
		fi;
		came = 0 }
	od
}

init {
	byte i, rank;
	atomic {
		do
		:: i < N ->
			rank = (i < 3 -> 3 - i : N + 3 - i);
			run process(link[(i + N - 1) % N], link[i], rank);
			link[i]!one(rank);
			i++
		:: else -> break
		od;
		i = 0; rank = 0
	}
}
