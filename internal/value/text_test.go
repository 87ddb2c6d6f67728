package value

import "testing"

// A field of size zero is not part of a value.
func TestFieldsWithoutASize(t *testing.T) {
	type methods struct{}
	v := struct {
		methods
		x int
	}{x: 3}
	if got := Text(v); got != "{x:3}" {
		t.Errorf("%s, want {x:3}", got)
	}
}
