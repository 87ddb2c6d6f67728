package page

import (
	"bytes"
	"encoding/xml"
	"fmt"
	"io"

	"gonum.org/v1/plot/vg/vgsvg"
)

// SVG writes an SVG document.
func (s *Sheet) SVG(w io.Writer) error {
	c := vgsvg.NewWith(vgsvg.UseWH(s.Width, s.Height))
	s.Paint(c)
	var document bytes.Buffer
	if _, err := c.WriteTo(&document); err != nil {
		return fmt.Errorf("svg: %w", err)
	}
	out, err := s.addSVGHead(document.Bytes())
	if err != nil {
		return fmt.Errorf("svg: %w", err)
	}
	_, err = w.Write(out)
	return err
}

// addSVGHead adds to the root element what vgsvg cannot write: round joins, since a mitre
// at a sharp peak would overshoot the value; a title for readers who cannot see the
// picture; and the metadata.
func (s *Sheet) addSVGHead(document []byte) ([]byte, error) {
	root := bytes.Index(document, []byte("<svg "))
	if root < 0 {
		return nil, fmt.Errorf("no root element")
	}
	end := bytes.IndexByte(document[root:], '>')
	if end < 0 {
		return nil, fmt.Errorf("root element without end")
	}
	end += root

	var head bytes.Buffer
	head.WriteString("\n\tstroke-linejoin=\"round\" role=\"img\">\n<title>")
	escapeXML(&head, s.About)
	head.WriteString("</title>\n<metadata>\n")
	for _, m := range s.Meta {
		head.WriteString("<meta xmlns=\"" + xhtml + "\" name=\"")
		escapeXML(&head, m.Key)
		head.WriteString("\" content=\"")
		escapeXML(&head, m.Value)
		head.WriteString("\"/>\n")
	}
	head.WriteString("</metadata>")
	return bytes.Join([][]byte{document[:end], head.Bytes(), document[end+1:]}, nil), nil
}

func escapeXML(b *bytes.Buffer, s string) {
	// Writing to a buffer cannot fail.
	_ = xml.EscapeText(b, []byte(s))
}
