package results

import "strconv"

// ShortNumber prints a number with four digits.
func ShortNumber(v float64) string { return strconv.FormatFloat(v, 'g', 4, 64) }
