// Package value copies, compares and prints values by walking their fields, exported or not.
// So the processes and messages of an algorithm need no methods for that.
//
// Everything that a value reaches is part of its state, except a field with the tag
//
//	explore:"-"
//
// which is copied, but neither compared nor printed. The tag is for what an observer keeps for a
// report, such as a count of events.
//
// The walk does not see the capacity of a slice, that two slices share an array, that a pointer
// leads into the middle of another value, and which of two pointers with equal contents is the
// key of a map. A process whose handlers distinguish such states cannot be explored.
package value

import "reflect"

// Flat reports whether a value shares no memory that can change with a plain copy of it.
func Flat(v any) bool { return flatValue(reflect.ValueOf(v)) }

func flatValue(v reflect.Value) bool {
	switch v.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return v.IsNil()
	case reflect.Interface:
		return v.IsNil() || flatValue(v.Elem())
	case reflect.Struct:
		for _, f := range shapeOf(v.Type()).compared {
			if !flatValue(v.Field(f.index)) {
				return false
			}
		}
	case reflect.Array:
		for i := range v.Len() {
			if !flatValue(v.Index(i)) {
				return false
			}
		}
	}
	return true
}
