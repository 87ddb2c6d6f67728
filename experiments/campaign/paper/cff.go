package paper

import (
	"fmt"
	"strconv"
	"strings"

	"bullring/experiments/campaign/results"
	"bullring/experiments/trial"
	"bullring/internal/build"
	"bullring/internal/pattern"
)

// citationCFF returns a CITATION.cff, in version 1.2.0 of the Citation File Format, for the
// results of a program: a data set whose references are the program and papers. papers are
// entries of BibTeX. It leaves out a paper without author or title, and a DOI with
// characters that the format does not allow. The authors of the results are for the reader
// to fill in.
func citationCFF(title string, p build.Program, papers []string) string {
	var b strings.Builder
	fmt.Fprintf(&b, `cff-version: 1.2.0
message: If you use these data, please cite them as described here.
type: dataset
title: %s
authors:
%sreferences:
  - type: software
    title: bullring
    authors:
      - name: bullring
    version: %s
`, strconv.Quote(title), results.CitationAuthors, strconv.Quote(p.Version))
	if p.Revision != "" {
		fmt.Fprintf(&b, "    commit: %s\n", strconv.Quote(p.Revision))
	}
	if p.Modified {
		b.WriteString("    notes: the commit, and changes on top of it\n")
	}
	for _, entry := range papers {
		b.WriteString(cffReference(entry))
	}
	return b.String()
}

// cffTypes are the types of works by those of BibTeX; others are generic.
var cffTypes = map[string]string{
	"article": "article", "book": "book", "inproceedings": "conference-paper", "phdthesis": "thesis",
}

// cffFields are the fields of works that are copied, in this order.
var cffFields = []struct{ bibTeX, cff string }{
	{"journal", "journal"}, {"booktitle", "collection-title"}, {"year", "year"}, {"doi", "doi"},
}

// cffDOI is a DOI as the schema of version 1.2.0 allows it.
var cffDOI = pattern.Of(`^10\.\d{4,9}(\.\d+)?/[A-Za-z0-9:/_;\-.()\[\]\\]+$`)

// cffReference turns an entry of BibTeX into an item of references.
func cffReference(entry string) string {
	kind, _, _ := strings.Cut(strings.TrimPrefix(entry, "@"), "{")
	fields := bibTeXFields(entry)
	if fields["author"] == "" || fields["title"] == "" {
		return ""
	}
	work, ok := cffTypes[kind]
	if !ok {
		work = "generic"
	}
	var b strings.Builder
	fmt.Fprintf(&b, "  - type: %s\n    title: %s\n    authors:\n", work, strconv.Quote(untexed(fields["title"])))
	for author := range strings.SplitSeq(fields["author"], " and ") {
		family, given, person := strings.Cut(author, ", ")
		if !person {
			fmt.Fprintf(&b, "      - name: %s\n", strconv.Quote(untexed(author)))
			continue
		}
		fmt.Fprintf(&b, "      - family-names: %s\n        given-names: %s\n", strconv.Quote(untexed(family)), strconv.Quote(untexed(given)))
	}
	for _, f := range cffFields {
		value := fields[f.bibTeX]
		switch _, err := strconv.Atoi(value); {
		case value == "", f.cff == "doi" && !cffDOI().MatchString(value):
		case err == nil:
			fmt.Fprintf(&b, "    %s: %s\n", f.cff, value)
		default:
			fmt.Fprintf(&b, "    %s: %s\n", f.cff, strconv.Quote(untexed(value)))
		}
	}
	return b.String()
}

var bibTeXField = pattern.Of(`(\w+)\s*=\s*\{`)

// bibTeXFields are the fields of an entry whose values are in braces.
func bibTeXFields(entry string) map[string]string {
	fields := map[string]string{}
	for {
		at := bibTeXField().FindStringSubmatchIndex(entry)
		if at == nil {
			return fields
		}
		name, value := entry[at[2]:at[3]], entry[at[1]-1:]
		end := trial.ClosingBrace(value)
		if end < 0 {
			return fields
		}
		fields[strings.ToLower(name)] = value[1:end]
		entry = value[end:]
	}
}

// untex replaces the commands of LaTeX in names and titles by characters.
var untex = strings.NewReplacer(
	`\'a`, "á", `\'e`, "é", `\'i`, "í", `\'o`, "ó", `\'u`, "ú", "\\`a", "à", "\\`e", "è", `\"a`, "ä", `\"o`, "ö", `\"u`, "ü",
	`\"A`, "Ä", `\"O`, "Ö", `\"U`, "Ü", `{\ss}`, "ß", `{\o}`, "ø", `{\l}`, "ł", `\~n`, "ñ", `\c{c}`, "ç", `\v{c}`, "č", `\v{s}`, "š",
	`\sqrt`, "√", `\log`, "log", `\&`, "&", `\%`, "%", `\_`, "_", "--", "–", "$", "", "{", "", "}", "", "~", " ",
)

func untexed(s string) string { return untex.Replace(s) }
