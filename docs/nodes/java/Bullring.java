import java.io.*;
import java.lang.reflect.*;
import java.nio.charset.StandardCharsets;
import java.util.*;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A process in Java 11 or later, for `bullring run --node` and for Maelstrom. See docs/nodes.md.
 *
 * A process is a subclass with a method on_TYPE(String source, Map&lt;String, Object&gt; message) for each type
 * of message that it takes. on_start makes it an initiator, and on_timeout tells that a timer has expired. In a
 * message a whole number is a Long, a list a List, and an object a Map.
 */
public abstract class Bullring {
	protected String name;
	protected List<String> names, neighbors;
	protected long rank;
	protected boolean restarted;
	protected Map<String, Object> stored, params;
	protected Object input, f, bound; // null if the algorithm has none

	protected void on_init(String source, Map<String, Object> m) {
		name = (String) m.get("node_id");
		names = texts(m.get("node_ids"));
		int here = names.indexOf(name);
		neighbors = texts(m.get("neighbors"));
		if (neighbors == null) {
			neighbors = new ArrayList<>(names.subList(here + 1, names.size()));
			neighbors.addAll(names.subList(0, here));
		}
		rank = (Long) m.getOrDefault("rank", here + 1L);
		restarted = (Boolean) m.getOrDefault("restarted", false);
		stored = object(m.getOrDefault("stored", new LinkedHashMap<>()));
		params = object(m.get("params"));
		input = m.get("input");
		f = m.get("f");
		bound = m.get("bound");
		send(source, "init_ok", "in_reply_to", m.get("msg_id"), "reusable", true);
	}

	/** Sends a message to a node or a service. */
	protected void send(String dest, Map<String, Object> body) {
		out.append(json(fields("src", name, "dest", dest, "body", body))).append('\n');
	}

	/** Sends a message of a type, with fields: their names and values. */
	protected void send(String dest, String type, Object... more) {
		Map<String, Object> body = fields("type", type);
		body.putAll(fields(more));
		send(dest, body);
	}

	/** Sets the timer of a label, from 0 on, to a duration such as "1.5ms". */
	protected void setTimer(long label, String after) { send("timer", "set", "label", label, "after", after); }

	protected void stopTimer(long label) { send("timer", "stop", "label", label); }

	/** Stores what `stored` is after a restart: names and values. */
	protected void store(Object... value) { send("storage", "write", "value", fields(value)); }

	/** A random number from 0 to n-1. */
	protected long intn(long n) { return (Long) ask("random", "intn", "n", n).get("value"); }

	/** Whether the failure detector takes a node for dead. */
	protected boolean suspects(String node) { return (Boolean) ask("detector", "suspects", "node", node).get("suspects"); }

	/** What the clock of the process shows, in nanoseconds. */
	protected long now() { return (Long) ask("clock", "now").get("now"); }

	/** The names of those to which there is a link now. */
	protected List<String> near() { return texts(ask("links", "neighbors").get("neighbors")); }

	/** Sends one message of a type, with fields, to all of them. */
	protected void broadcast(String type, Object... more) {
		Map<String, Object> body = fields("type", type);
		body.putAll(fields(more));
		send("links", "broadcast", "message", body);
	}

	/** The link to the node that the message names has come up. */
	protected void on_link_up(String source, Map<String, Object> m) { }

	protected void on_link_down(String source, Map<String, Object> m) { }

	/** Tells the judge a word, with fields: say("decide", "value", 1L). */
	protected void say(String word, Object... more) { send("c0", word, more); }

	/** Tells the leader's rank, and whether this process is the leader. */
	protected void decide(long leader, boolean elected) { say("decide", "leader", leader, "elected", elected); }

	/** Writes a line in the trace. */
	protected void log(Object... words) {
		say("log", "text", Arrays.stream(words).map(String::valueOf).collect(Collectors.joining(" ")));
	}

	/** What the process is, as JSON: its fields, in the order of their names. For explore. */
	protected Map<String, Object> getState() throws ReflectiveOperationException {
		Map<String, Object> state = new TreeMap<>();
		for (Field field : fieldsOf(getClass()))
			state.put(field.getName(), plain(field.get(this), field.getType(), field.getName()));
		return state;
	}

	/** A new object becomes what getState has told. */
	protected void setState(Map<String, Object> state) throws ReflectiveOperationException {
		for (Field field : fieldsOf(getClass()))
			field.set(this, whole(state.get(field.getName()), field.getType()));
	}

	// ---- The loop.

	private static final BufferedReader in = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));
	private static final OutputStream stdout = new FileOutputStream(FileDescriptor.out);
	private static final StringBuilder out = new StringBuilder();
	private static final Deque<Map<String, Object>> kept = new ArrayDeque<>(); // they came while a handler waited
	private static long number;

	/** Runs processes, a new one at each init: run(LCR::new). */
	public static void run(Supplier<? extends Bullring> kind) {
		try {
			for (Bullring node = null; ; ) {
				Map<String, Object> line = kept.isEmpty() ? read() : kept.poll(), body = object(line.get("body"));
				String source = (String) line.get("src"), type = (String) body.get("type");
				boolean driver = source.equals("c0"), loads = driver && type.equals("load");
				if (type.equals("init") || loads) node = kind.get();
				if (loads) {
					node.name = (String) line.get("dest");
					node.setState(object(body.get("state")));
					node.send(source, "load_ok", "in_reply_to", body.get("msg_id"));
				} else if (driver && type.equals("state")) {
					node.send(source, "state_ok", "in_reply_to", body.get("msg_id"), "state", node.getState());
				} else if (!node.refuse(line)) {
					Method handler = node.handler(type);
					if (handler == null) throw new NoSuchMethodException(node.getClass().getName() + ".on_" + type);
					handler.invoke(node, source, body);
				}
			}
		} catch (ReflectiveOperationException e) {
			(e instanceof InvocationTargetException ? e.getCause() : e).printStackTrace();
			System.exit(1);
		}
	}

	private Map<String, Object> ask(String service, String type, Object... more) {
		Map<String, Object> question = fields("type", type, "msg_id", ++number);
		question.putAll(fields(more));
		send(service, question);
		for (; ; ) {
			Map<String, Object> line = read(), body = object(line.get("body"));
			if (Objects.equals(body.get("in_reply_to"), number)) return body;
			if (!refuse(line)) kept.add(line);
		}
	}

	/** Answers a request of an unknown type. */
	private boolean refuse(Map<String, Object> line) {
		Map<String, Object> body = object(line.get("body"));
		if (!body.containsKey("msg_id") || handler((String) body.get("type")) != null) return false;
		send((String) line.get("src"), "error", "in_reply_to", body.get("msg_id"), "code", 10, "text", "not supported");
		return true;
	}

	private final transient Map<String, Optional<Method>> handlers = new HashMap<>();

	private Method handler(String type) { return handlers.computeIfAbsent(type, this::find).orElse(null); }

	private Optional<Method> find(String type) {
		for (Class<?> c = getClass(); c != Object.class; c = c.getSuperclass())
			for (Method m : c.getDeclaredMethods())
				if (m.getName().equals("on_" + type)) {
					m.setAccessible(true);
					return Optional.of(m);
				}
		return Optional.empty();
	}

	private static Map<String, Object> read() {
		try {
			if (!in.ready()) {
				stdout.write(out.toString().getBytes(StandardCharsets.UTF_8));
				out.setLength(0);
			}
			String line = in.readLine();
			if (line == null) System.exit(0);
			return object(new Parser(line).value());
		} catch (IOException e) {
			throw new UncheckedIOException(e);
		}
	}

	// ---- The state.

	private static List<Field> fieldsOf(Class<?> kind) {
		List<Field> all = new ArrayList<>();
		for (Class<?> c = kind; c != Object.class; c = c.getSuperclass())
			for (Field field : c.getDeclaredFields())
				if (!field.isSynthetic() && (field.getModifiers() & (Modifier.STATIC | Modifier.TRANSIENT)) == 0) {
					field.setAccessible(true);
					all.add(field);
				}
		return all;
	}

	private static final Map<String, Supplier<Object>> KINDS = new HashMap<>();

	static {
		List<Supplier<Object>> kinds = List.of(ArrayList::new, LinkedList::new, ArrayDeque::new, HashSet::new, LinkedHashSet::new,
			TreeSet::new, HashMap::new, LinkedHashMap::new, TreeMap::new);
		for (Supplier<Object> kind : kinds) KINDS.put(kind.get().getClass().getSimpleName(), kind);
	}

	/** A value as JSON. What the field's type does not tell is an object {kind: [items]}. */
	private static Object plain(Object value, Class<?> type, String field) {
		if (value == null || value instanceof Boolean || value instanceof Long || value instanceof Double || value instanceof String) return value;
		if (value instanceof Integer) return type == int.class || type == Integer.class ? value : fields("Integer", List.of(value));
		List<Object> items = new ArrayList<>();
		if (type.isArray()) {
			for (int i = 0; i < Array.getLength(value); i++) items.add(plain(Array.get(value, i), type.getComponentType(), field));
			return items;
		}
		String kind = value.getClass().getSimpleName();
		if (!KINDS.containsKey(kind) || KINDS.get(kind).get().getClass() != value.getClass())
			throw new IllegalArgumentException("getState does not know the " + value.getClass().getName() + " in " + field
				+ ": numbers (int, long, double), texts, arrays, and of java.util " + new TreeSet<>(KINDS.keySet()));
		if (value instanceof Map)
			for (Map.Entry<?, ?> e : ((Map<?, ?>) value).entrySet())
				items.add(List.of(Optional.ofNullable(plain(e.getKey(), Object.class, field)), Optional.ofNullable(plain(e.getValue(), Object.class, field))));
		else
			for (Object item : (Collection<?>) value) items.add(plain(item, Object.class, field));
		if (kind.startsWith("Hash")) items.sort(Comparator.comparing(Bullring::json));
		return fields(kind, items);
	}

	/** The value that plain has made plain. */
	private static Object whole(Object value, Class<?> type) {
		if (value instanceof Long && (type == int.class || type == Integer.class)) return ((Long) value).intValue();
		if (value instanceof List) {
			List<?> items = (List<?>) value;
			Object array = Array.newInstance(type.getComponentType(), items.size());
			for (int i = 0; i < items.size(); i++) Array.set(array, i, whole(items.get(i), type.getComponentType()));
			return array;
		}
		if (!(value instanceof Map)) return value;
		Map.Entry<String, Object> only = object(value).entrySet().iterator().next();
		List<?> items = (List<?>) only.getValue();
		if (only.getKey().equals("Integer")) return ((Long) items.get(0)).intValue();
		Object made = KINDS.get(only.getKey()).get();
		for (Object item : items)
			if (made instanceof Map) put(made, (List<?>) item);
			else add(made, whole(item, Object.class));
		return made;
	}

	@SuppressWarnings("unchecked")
	private static void put(Object map, List<?> pair) {
		((Map<Object, Object>) map).put(whole(pair.get(0), Object.class), whole(pair.get(1), Object.class));
	}

	@SuppressWarnings("unchecked")
	private static void add(Object collection, Object item) { ((Collection<Object>) collection).add(item); }

	// ---- JSON.

	/** Names and values as an object. */
	protected static Map<String, Object> fields(Object... pairs) {
		Map<String, Object> all = new LinkedHashMap<>();
		for (int i = 0; i < pairs.length; i += 2) all.put((String) pairs[i], pairs[i + 1]);
		return all;
	}

	@SuppressWarnings("unchecked")
	private static Map<String, Object> object(Object value) { return (Map<String, Object>) value; }

	@SuppressWarnings("unchecked")
	private static List<String> texts(Object value) { return (List<String>) value; }

	private static String json(Object value) {
		if (value instanceof Optional) return json(((Optional<?>) value).orElse(null));
		if (value instanceof Collection) return ((Collection<?>) value).stream().map(Bullring::json).collect(Collectors.joining(",", "[", "]"));
		if (value instanceof Map) return ((Map<?, ?>) value).entrySet().stream().map(e -> quoted(String.valueOf(e.getKey())) + ":" + json(e.getValue())).collect(Collectors.joining(",", "{", "}"));
		return value == null || value instanceof Boolean || value instanceof Number ? String.valueOf(value) : quoted(String.valueOf(value));
	}

	private static String quoted(String text) {
		StringBuilder b = new StringBuilder("\"");
		for (char c : text.toCharArray())
			if (c == '"' || c == '\\') b.append('\\').append(c);
			else if (c < ' ') b.append(String.format("\\u%04x", (int) c));
			else b.append(c);
		return b.append('"').toString();
	}

	/** Reads a line of JSON. */
	private static final class Parser {
		private final String text;
		private int at;

		Parser(String text) { this.text = text; }

		Object value() {
			switch (next()) {
				case '{': return members();
				case '[': return items();
				case '"': return string();
			}
			int from = at;
			while (at < text.length() && ",]} \t\r".indexOf(text.charAt(at)) < 0) at++;
			String word = text.substring(from, at);
			switch (word) {
				case "null": return null;
				case "true": case "false": return Boolean.valueOf(word);
			}
			if (word.matches("-?[0-9]{1,18}")) return Long.valueOf(word);
			return Double.valueOf(word);
		}

		private char next() {
			while (Character.isWhitespace(text.charAt(at))) at++;
			return text.charAt(at);
		}

		private Map<String, Object> members() {
			Map<String, Object> all = new LinkedHashMap<>();
			for (at++; next() != '}'; ) {
				if (next() == ',') at++;
				next();
				String key = string();
				next();
				at++; // the colon
				all.put(key, value());
			}
			at++;
			return all;
		}

		private List<Object> items() {
			List<Object> all = new ArrayList<>();
			for (at++; next() != ']'; ) {
				if (next() == ',') at++;
				all.add(value());
			}
			at++;
			return all;
		}

		private String string() {
			StringBuilder b = new StringBuilder();
			for (at++; text.charAt(at) != '"'; at++) {
				char c = text.charAt(at);
				if (c == '\\') {
					c = text.charAt(++at);
					int simple = "bfnrt".indexOf(c);
					if (simple >= 0) c = "\b\f\n\r\t".charAt(simple);
					else if (c == 'u') {
						c = (char) Integer.parseInt(text.substring(at + 1, at + 5), 16);
						at += 4;
					}
				}
				b.append(c);
			}
			at++;
			return b.toString();
		}
	}
}
