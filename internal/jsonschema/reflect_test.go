package jsonschema_test

import (
	"encoding/json"
	"reflect"
	"testing"
	"time"

	"bullring/internal/jsonschema"
)

type inner struct {
	Even bool `json:"even"`
}

type colour string

type outer struct {
	inner
	Name    string          `json:"name"`
	Count   uint64          `json:"count"`
	Wait    time.Duration   `json:"wait_ns"`
	Share   *float64        `json:"share"`
	List    []inner         `json:"list"`
	Rows    [][]int         `json:"rows,omitempty"`
	Last    *inner          `json:"last,omitempty"`
	By      map[string]int8 `json:"by"`
	Colour  colour          `json:"colour"`
	Hidden  func()          `json:"-"`
	private int
}

// odd writes itself.
type odd int

func (odd) MarshalText() ([]byte, error) { return []byte("odd"), nil }

// even writes itself, and knows its schema.
type even int

func (even) MarshalText() ([]byte, error) { return []byte("even"), nil }

func (even) Shape(*jsonschema.Reflector) *jsonschema.Schema { return jsonschema.Words("even") }

func TestDocument(t *testing.T) {
	r := jsonschema.Reflector{Shapes: map[reflect.Type]*jsonschema.Schema{reflect.TypeFor[colour](): jsonschema.Words("red", "blue")}}
	got, err := json.Marshal(r.Document("urn:x", "X", reflect.TypeOf(outer{private: 1}), reflect.TypeFor[even]()))
	const want = `{"$schema":"https://json-schema.org/draft/2020-12/schema","$id":"urn:x","title":"X",` +
		`"anyOf":[{"$ref":"#/$defs/outer"},{"type":"string","enum":["even"]}],` +
		`"$defs":{"outer":{"type":"object","properties":{` +
		`"even":{"type":"boolean"},"name":{"type":"string"},"count":{"type":"integer","minimum":0},"wait_ns":{"type":"integer"},` +
		`"share":{"anyOf":[{"type":"number"},{"type":"null"}]},` +
		`"list":{"anyOf":[{"type":"array","items":{"$ref":"#/$defs/inner"}},{"type":"null"}]},` +
		`"rows":{"type":"array","items":{"anyOf":[{"type":"array","items":{"type":"integer"}},{"type":"null"}]}},` +
		`"last":{"$ref":"#/$defs/inner"},` +
		`"by":{"anyOf":[{"type":"object","additionalProperties":{"type":"integer"}},{"type":"null"}]},` +
		`"colour":{"type":"string","enum":["red","blue"]}},` +
		`"additionalProperties":false,"required":["even","name","count","wait_ns","share","list","by","colour"]},` +
		`"inner":{"type":"object","properties":{"even":{"type":"boolean"}},"additionalProperties":false,"required":["even"]}}}`
	if err != nil || string(got) != want {
		t.Errorf("%v\n%s\n%s", err, got, want)
	}
}

// A type whose JSON the schema cannot know is a mistake in the program.
func TestNoShape(t *testing.T) {
	type nameless struct{ Field int }
	type inner struct {
		B bool `json:"b"`
	} // as another type is called
	type twice struct {
		A inner `json:"a"`
	}
	for _, of := range []reflect.Type{reflect.TypeFor[odd](), reflect.TypeFor[any](), reflect.TypeFor[nameless](), reflect.TypeFor[twice](), reflect.TypeFor[[]odd]()} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%v has a schema", of)
				}
			}()
			r := jsonschema.Reflector{}
			r.Of(reflect.TypeFor[outer]())
			r.Of(of)
		}()
	}
}
