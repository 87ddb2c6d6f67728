package grade

import (
	"bytes"
	"encoding/csv"
	"encoding/json"
	"encoding/xml"
)

// JSON is the report as JSON.
func (r *Grades) JSON() []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		panic(err) // texts and numbers
	}
	return b.Bytes()
}

// CSV is the table of points, a row a submission.
func (r *Grades) CSV() []byte {
	var b bytes.Buffer
	w := csv.NewWriter(&b)
	header := []string{"submission"}
	for _, p := range r.Parts {
		header = append(header, p.Name)
	}
	w.Write(append(header, "total", "of", "state"))
	for i := range r.Graded {
		g := &r.Graded[i]
		row := []string{g.Name}
		for k := range g.Marks {
			row = append(row, g.Marks[k].Cell())
		}
		w.Write(append(row, Text(g.Points), Text(g.Of), g.State()))
	}
	w.Flush()
	return b.Bytes()
}

// State is graded, or inconclusive.
func (g *Graded) State() string {
	if g.Inconclusive {
		return string(Inconclusive)
	}
	return "graded"
}

// suites, suite and testcase are JUnit's XML. A part without all of its points is a failure, and one of
// which nothing is known an error: JUnit's word for a test that came to no verdict.
type suites struct {
	XMLName xml.Name `xml:"testsuites"`
	Name    string   `xml:"name,attr"`
	Suites  []suite  `xml:"testsuite"`
}

type suite struct {
	Name     string     `xml:"name,attr"`
	Tests    int        `xml:"tests,attr"`
	Failures int        `xml:"failures,attr"`
	Errors   int        `xml:"errors,attr"`
	Skipped  int        `xml:"skipped,attr"`
	Cases    []testcase `xml:"testcase"`
}

type testcase struct {
	Name    string   `xml:"name,attr"`
	Class   string   `xml:"classname,attr"`
	Failure *problem `xml:"failure"`
	Error   *problem `xml:"error"`
}

type problem struct {
	Message string `xml:"message,attr"`
	Type    string `xml:"type,attr"`
	Text    string `xml:",chardata"`
}

// junit is the report as JUnit's XML: a suite for each submission, and a case for each part.
func (r *Grades) junit() []byte {
	all := suites{Name: r.Title}
	for i := range r.Graded {
		g := &r.Graded[i]
		s := suite{Name: g.Name, Tests: len(g.Marks)}
		for _, m := range g.Marks {
			c, p := testcase{Name: m.Part, Class: g.Name}, &problem{m.Why, string(m.Verdict), Text(m.Points) + " of " + Text(m.Of) + "\n" + m.Again}
			switch m.Verdict {
			case Right:
			case Inconclusive:
				c.Error = p
				s.Errors++
			default:
				c.Failure = p
				s.Failures++
			}
			s.Cases = append(s.Cases, c)
		}
		all.Suites = append(all.Suites, s)
	}
	text, err := xml.MarshalIndent(all, "", "  ")
	if err != nil {
		panic(err) // texts and numbers
	}
	return append([]byte(xml.Header), append(text, '\n')...)
}
