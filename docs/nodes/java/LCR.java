import java.util.Map;

/** LCR: the largest identity survives the ring. */
class LCR extends Bullring {
	void on_start(String source, Map<String, Object> m) { send(neighbors.get(0), "probe", "rank", rank); }

	void on_probe(String source, Map<String, Object> m) {
		long his = (Long) m.get("rank");
		if (his > rank) send(neighbors.get(0), m);
		else if (his == rank) decide(rank, true);
	}

	public static void main(String[] args) { run(LCR::new); }
}
