package page

import (
	"bytes"
	"compress/zlib"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"
)

const pngSignature = "\x89PNG\r\n\x1a\n"

var errCutShort = errors.New("it is cut short")

// pngMeta returns the texts in a PNG file.
func pngMeta(data []byte) ([]Meta, error) {
	rest, ok := bytes.CutPrefix(data, []byte(pngSignature))
	if !ok {
		return nil, errors.New("it is no PNG image")
	}
	var entries []Meta
	room := largestReceipt
	for {
		kind, content, after, err := nextChunk(rest)
		if err != nil {
			return nil, err
		}
		if kind == "IEND" {
			return entries, nil
		}
		if kind == "tEXt" || kind == "zTXt" || kind == "iTXt" {
			m, err := readText(kind, content, room)
			if err != nil {
				return nil, fmt.Errorf("its %s chunk is damaged: %w", kind, err)
			}
			room -= len(m.Value)
			entries = append(entries, m)
		}
		rest = after
	}
}

// nextChunk splits off the first chunk.
func nextChunk(data []byte) (kind string, content, after []byte, err error) {
	const frame = 4 + 4 + 4 // length, type and checksum
	if len(data) < frame {
		return "", nil, nil, errCutShort
	}
	length := uint64(binary.BigEndian.Uint32(data))
	if uint64(len(data)) < frame+length {
		return "", nil, nil, errCutShort
	}
	end := 8 + int(length)
	kind = string(data[4:8])
	if crc32.ChecksumIEEE(data[4:end]) != binary.BigEndian.Uint32(data[end:]) {
		return "", nil, nil, fmt.Errorf("it is damaged: the checksum of its chunk %q is wrong", kind)
	}
	return kind, data[8:end], data[end+4:], nil
}

// readText reads a tEXt, zTXt or iTXt chunk with a text of at most room bytes.
func readText(kind string, content []byte, room int) (Meta, error) {
	key, text, ok := bytes.Cut(content, []byte{0})
	if !ok {
		return Meta{}, errors.New("no key")
	}
	switch kind {
	case "tEXt":
		return Meta{string(key), latin1(text)}, nil
	case "zTXt":
		if len(text) == 0 || text[0] != 0 {
			return Meta{}, errors.New("unknown compression")
		}
		text, err := inflate(text[1:], room)
		return Meta{string(key), latin1(text)}, err
	}
	if len(text) < 2 || text[0] > 1 || text[0] == 1 && text[1] != 0 {
		return Meta{}, errors.New("unknown compression")
	}
	compressed := text[0] == 1
	text = text[2:]
	for range 2 { // the language and the translated key
		if _, text, ok = bytes.Cut(text, []byte{0}); !ok {
			return Meta{}, errors.New("no text")
		}
	}
	if compressed {
		var err error
		if text, err = inflate(text, room); err != nil {
			return Meta{}, err
		}
	}
	return Meta{string(key), string(text)}, nil
}

// latin1 decodes ISO 8859-1.
func latin1(text []byte) string {
	runes := make([]rune, len(text))
	for i, b := range text {
		runes[i] = rune(b)
	}
	return string(runes)
}

// inflate decompresses a text of at most room bytes.
func inflate(data []byte, room int) ([]byte, error) {
	r, err := zlib.NewReader(bytes.NewReader(data))
	if err != nil {
		return nil, err
	}
	text, err := io.ReadAll(io.LimitReader(r, int64(room)+1))
	if err == nil && len(text) > room {
		err = fmt.Errorf("the texts have more than %d MB", largestReceipt>>20)
	}
	return text, err
}
