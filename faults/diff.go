package faults

import "strings"

// Diff is the smallest set of changes that turns plan a into plan b: in order, a line
// with "- " for each fault to remove and "+ " for each to add. It is empty if the plans
// are equal.
func Diff(a, b Plan) string {
	s, t := a.lines(), b.lines()
	common := commonTails(s, t)
	var text strings.Builder
	for i, j := 0, 0; i < len(s) || j < len(t); {
		switch {
		case i < len(s) && j < len(t) && s[i] == t[j]:
			i, j = i+1, j+1
		case j == len(t) || i < len(s) && common[i+1][j] >= common[i][j+1]:
			text.WriteString("- " + s[i] + "\n")
			i++
		default:
			text.WriteString("+ " + t[j] + "\n")
			j++
		}
	}
	return text.String()
}

// commonTails has at [i][j] the length of the longest common subsequence of s[i:] and
// t[j:].
func commonTails(s, t []string) [][]int {
	common := make([][]int, len(s)+1)
	for i := range common {
		common[i] = make([]int, len(t)+1)
	}
	for i := len(s) - 1; i >= 0; i-- {
		for j := len(t) - 1; j >= 0; j-- {
			if s[i] == t[j] {
				common[i][j] = common[i+1][j+1] + 1
			} else {
				common[i][j] = max(common[i+1][j], common[i][j+1])
			}
		}
	}
	return common
}
