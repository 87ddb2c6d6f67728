package setting

import (
	"reflect"
	"slices"
	"strings"
	"testing"
)

// Each row is complete, reads what it writes, and has a field of its own.
func TestRows(t *testing.T) {
	fields := map[string]bool{}
	for i := range Conditions {
		c := &Conditions[i]
		if c.Axis == "" || c.Column.Meaning == "" || c.Flag.Usage == "" || c.Flag.Group == "" || Find(c.Name) != c {
			t.Errorf("row %d, %q, lacks a text or its name is taken", i, c.Name)
		}
		field := changed(t, c)
		if fields[field] {
			t.Errorf("%s and another condition set the field %s", c.Name, field)
		}
		fields[field] = true
	}
}

// changed is the field of a setting that a condition sets, the only one.
func changed(t *testing.T, c *Condition) string {
	t.Helper()
	value := map[Kind]string{Truth: "false", Count: "7"}[c.Kind]
	if value == "" {
		value = "some words"
	}
	var s Setting
	if !c.Set(&s, value) || c.Get(&s) != value {
		t.Errorf("%s is %q after it was set to %q", c.Name, c.Get(&s), value)
	}
	var names []string
	for field, v := range reflect.ValueOf(s).Fields() {
		if !v.IsZero() {
			names = append(names, field.Name)
		}
	}
	if len(names) != 1 {
		t.Errorf("%s sets %q of a setting; want one field", c.Name, names)
	}
	return strings.Join(names, " ")
}

// What is not of the kind is refused.
func TestSetRefuses(t *testing.T) {
	var s Setting
	for name, value := range map[string]string{"n": "four", "fifo": "yes"} {
		if Find(name).Set(&s, value) {
			t.Errorf("%s took %q", name, value)
		}
	}
}

// Named conditions stand in the order of the names; each other one follows the condition
// before it in the table. None is lost, none is there twice.
func TestInOrder(t *testing.T) {
	var table []string
	for i := range Conditions {
		table = append(table, Conditions[i].Name)
	}
	names := func(all []*Condition) (names []string) {
		for _, c := range all {
			names = append(names, c.Name)
		}
		return names
	}
	if got := names(InOrder()); !slices.Equal(got, table) {
		t.Errorf("without names the order is %q, want that of the table", got)
	}
	got := names(InOrder("gst", "n", "variant"))
	if want := []string{"gst", "transport"}; !slices.Equal(got[:2], want) {
		t.Errorf("the order begins with %q, want %q", got[:2], want)
	}
	if n, variant := slices.Index(got, "n"), slices.Index(got, "variant"); got[n+1] != "placement" || variant != len(got)-1 {
		t.Errorf("the order is %q; want placement after n, and variant last", got)
	}
	slices.Sort(got)
	slices.Sort(table)
	if !slices.Equal(got, table) {
		t.Errorf("the order has %q, want %q", got, table)
	}
}
