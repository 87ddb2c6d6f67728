package explore

// replies are the reactions of processes to events, by number.
type replies struct {
	*store
	list  list[*reply]
	known table // the reply, by event.key
}

// to is the reaction of a process in a state to an event.
func (rs *replies) to(process uint32, e event) *reply {
	key := e.key(process)
	i, ok := rs.known.find(key)
	if !ok {
		rs.lock.Lock()
		defer rs.lock.Unlock()
		if i, ok = rs.known.find(key); !ok {
			i = rs.add(rs.handlers.handle(process, e, nil))
			rs.put(&rs.known, key, i)
		}
	}
	return *rs.list.at(i)
}

// answered is the reaction of a process after the last of these answers.
func (rs *replies) answered(r *reply, process uint32, e event, answers []int) *reply {
	next := &r.next[answers[len(answers)-1]]
	if next.Load() == 0 {
		rs.lock.Lock()
		defer rs.lock.Unlock()
		if next.Load() == 0 {
			next.Store(rs.add(rs.handlers.handle(process, e, answers)))
		}
	}
	return *rs.list.at(next.Load())
}

// add numbers a reply.
func (rs *replies) add(r *reply) uint32 {
	rs.keeps(40*len(r.sends) + 4*len(r.next))
	return rs.list.add(r)
}
