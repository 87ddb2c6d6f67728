package conjecture

import (
	"fmt"
	"math/big"
	"math/rand"
	"os"
	"slices"
	"strings"
	"testing"
)

// The page lists the functions of one size.
func TestFunctionsOfThePage(t *testing.T) {
	page, err := os.ReadFile("../../../docs/conjecture.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(page), "The functions of a size n are\n\n```text\n")
	block, _, _ := strings.Cut(rest, "```")
	var says, has []string
	for line := range strings.Lines(block) {
		says = append(says, strings.Split(strings.TrimSpace(line), "   ")...)
	}
	for _, f := range functions([]string{"n"}) {
		has = append(has, f.String())
	}
	slices.Sort(says)
	slices.Sort(has)
	if !slices.Equal(says, has) {
		t.Errorf("the page lists %q, and there are %q", says, has)
	}
}

// The sets come in order, each once.
func TestSubsets(t *testing.T) {
	var got []string
	for s := range subsets(4, 2) {
		got = append(got, fmt.Sprint(s))
	}
	if want := []string{"[0 1]", "[0 2]", "[1 2]", "[0 3]", "[1 3]", "[2 3]"}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	for k, want := range map[int]int{0: 1, 1: 6, 3: 20, 6: 1, 7: 0} {
		count := 0
		for range subsets(6, k) {
			count++
		}
		if count != want {
			t.Errorf("%d sets of %d, want %d", count, k, want)
		}
	}
}

// What is contradicted modulo the prime is contradicted, and here also the other way round.
func TestResiduesSortOutWhatIsContradicted(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	verdicts := map[bool]int{}
	for range 2000 {
		k := 1 + random.Intn(3)
		x := make([]*big.Rat, k) // a solution of the equations, but of those that are made wrong
		for j := range x {
			x[j] = big.NewRat(random.Int63n(9)-4, 1+random.Int63n(4))
		}
		var exact system[rational]
		var modulo system[residue]
		wrong, screened := false, false
		for range k + 3 {
			row, y := make([]*big.Rat, k+1), new(big.Rat)
			for j := range k {
				row[j] = big.NewRat(random.Int63n(7)-3, 1+random.Int63n(3))
				y.Add(y, new(big.Rat).Mul(row[j], x[j]))
			}
			if random.Intn(6) == 0 {
				y.Add(y, big.NewRat(1, 7))
			}
			row[k] = y
			rationals, residues := make([]rational, k+1), make([]residue, k+1)
			for j, v := range row {
				rationals[j] = rational{v}
				residues[j], _ = residueOf(v)
			}
			wrong = wrong || exact.add(rationals) == contradicted
			screened = screened || modulo.add(residues) == contradicted
		}
		if wrong != screened {
			t.Fatalf("contradicted %v, modulo the prime %v", wrong, screened)
		}
		verdicts[wrong]++
	}
	if verdicts[true] < 100 || verdicts[false] < 100 {
		t.Errorf("too few of a kind: %v", verdicts)
	}
	if _, ok := residueOf(big.NewRat(1, prime)); ok {
		t.Error("a denominator that is the prime has a residue")
	}
}
