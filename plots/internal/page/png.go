package page

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"image/png"
	"io"
	"math"
	"strings"

	"gonum.org/v1/plot/vg/vgimg"
)

// dpi is the resolution of PNG files, in dots per inch.
const dpi = 300

// PNG writes a PNG image of 300 dpi.
func (s *Sheet) PNG(w io.Writer) error {
	c := vgimg.NewWith(vgimg.UseWH(s.Width, s.Height), vgimg.UseDPI(dpi))
	s.Paint(c)
	var image bytes.Buffer
	if err := png.Encode(&image, c.Image()); err != nil {
		return fmt.Errorf("png: %w", err)
	}
	_, err := w.Write(insertChunks(image.Bytes(), s.pngChunks()))
	return err
}

// pngChunks returns the chunks that image/png cannot write: resolution and metadata.
func (s *Sheet) pngChunks() []byte {
	perMetre := uint32(math.Round(dpi / 0.0254))
	resolution := binary.BigEndian.AppendUint32(nil, perMetre)
	resolution = binary.BigEndian.AppendUint32(resolution, perMetre)
	resolution = append(resolution, 1) // the unit is the metre
	chunks := appendChunk(nil, "pHYs", resolution)
	for _, m := range s.Meta {
		chunks = appendText(chunks, m)
	}
	return chunks
}

// longText is the length in bytes from which a text is compressed.
const longText = 1 << 10

// appendText appends a tEXt chunk, which holds ASCII here, or an iTXt chunk for
// long or any other text.
func appendText(chunks []byte, m Meta) []byte {
	switch {
	case len(m.Value) > longText:
		return appendChunk(chunks, "iTXt", append([]byte(m.Key+"\x00"+compressedText), deflated(m.Value)...))
	case isASCII(m.Value):
		return appendChunk(chunks, "tEXt", []byte(m.Key+"\x00"+m.Value))
	}
	return appendChunk(chunks, "iTXt", []byte(m.Key+"\x00"+plainUTF8+m.Value))
}

// The fields of an iTXt chunk between key and text: compressed or not, the method, no
// language and no translated key.
const (
	plainUTF8      = "\x00\x00\x00\x00"
	compressedText = "\x01\x00\x00\x00"
)

// isASCII reports whether a text is ASCII. DEL, its last character, does not count.
func isASCII(s string) bool { return strings.IndexFunc(s, func(r rune) bool { return r > '~' }) < 0 }

// deflated compresses a text with zlib. The same text gives the same bytes.
func deflated(s string) []byte {
	var b bytes.Buffer
	// Writing to a buffer cannot fail.
	w, _ := zlib.NewWriterLevel(&b, zlib.BestCompression)
	_, _ = io.WriteString(w, s)
	_ = w.Close()
	return b.Bytes()
}

// appendChunk appends a PNG chunk: length, type, data, checksum.
func appendChunk(b []byte, kind string, data []byte) []byte {
	b = binary.BigEndian.AppendUint32(b, uint32(len(data)))
	start := len(b)
	b = append(b, kind...)
	b = append(b, data...)
	return binary.BigEndian.AppendUint32(b, crc32.ChecksumIEEE(b[start:]))
}

// insertChunks inserts chunks after the header of a PNG file: the resolution has to come
// before the image.
func insertChunks(image, chunks []byte) []byte {
	const header = 8 + 4 + 4 + 13 + 4 // signature and IHDR chunk
	out := make([]byte, 0, len(image)+len(chunks))
	out = append(out, image[:header]...)
	out = append(out, chunks...)
	return append(out, image[header:]...)
}
