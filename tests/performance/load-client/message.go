package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"strconv"
)

// head is what both sides need to know of an HTTP/1.1 message.
type head struct {
	status        int
	path          string
	contentLength int
	chunked       bool
	close         bool
}

var errHead = errors.New("malformed head")

func fieldIs(line []byte, name string) bool {
	return len(line) > len(name) && line[len(name)] == ':' && bytes.EqualFold(line[:len(name)], []byte(name))
}

func fieldValue(line []byte, name string) []byte { return bytes.TrimSpace(line[len(name)+1:]) }

// readHead reads one head. A clean end before its first byte is io.EOF.
func readHead(reader *bufio.Reader) (head, error) {
	message := head{contentLength: -1}
	first, err := reader.ReadSlice('\n')
	if err != nil {
		if err == io.EOF && len(first) > 0 {
			err = io.ErrUnexpectedEOF
		}
		return message, err
	}
	parts := bytes.SplitN(bytes.TrimSpace(first), []byte(" "), 3)
	if len(parts) < 2 {
		return message, errHead
	}
	if bytes.HasPrefix(parts[0], []byte("HTTP/1.")) {
		if message.status, err = strconv.Atoi(string(parts[1])); err != nil {
			return message, errHead
		}
	} else {
		message.path = string(parts[1])
	}
	return message, message.readFields(reader)
}

func (message *head) readFields(reader *bufio.Reader) error {
	for {
		line, err := reader.ReadSlice('\n')
		if err != nil {
			return io.ErrUnexpectedEOF
		}
		line = bytes.TrimRight(line, "\r\n")
		switch {
		case len(line) == 0:
			return nil
		case fieldIs(line, "content-length"):
			if message.contentLength, err = strconv.Atoi(string(fieldValue(line, "content-length"))); err != nil {
				return errHead
			}
		case fieldIs(line, "transfer-encoding"):
			message.chunked = bytes.EqualFold(fieldValue(line, "transfer-encoding"), []byte("chunked"))
		case fieldIs(line, "connection"):
			message.close = bytes.EqualFold(fieldValue(line, "connection"), []byte("close"))
		}
	}
}

// checkBody reads the message's body and reports whether it is `size` bytes of the pattern. Size -1: any size.
func (message *head) checkBody(reader *bufio.Reader, size int) error {
	if message.chunked {
		return checkChunked(reader, size)
	}
	length := max(message.contentLength, 0)
	if size >= 0 && length != size {
		return fmt.Errorf("a body of %d bytes, not %d", message.contentLength, size)
	}
	return checkPiece(reader, 0, length)
}

func checkChunked(reader *bufio.Reader, size int) error {
	total := 0
	for {
		line, err := reader.ReadSlice('\n')
		if err != nil {
			return io.ErrUnexpectedEOF
		}
		length, err := strconv.ParseInt(string(bytes.TrimSpace(line)), 16, 32)
		if err != nil {
			return fmt.Errorf("malformed chunk: %w", err)
		}
		if err := checkPiece(reader, total, int(length)); err != nil {
			return err
		}
		total += int(length)
		if _, err := reader.Discard(2); err != nil {
			return err
		}
		if length > 0 {
			continue
		}
		if size >= 0 && total != size {
			return fmt.Errorf("a body of %d bytes, not %d", total, size)
		}
		return nil
	}
}

// checkPiece reads `length` bytes that have to be the pattern's from `from` on.
func checkPiece(reader *bufio.Reader, from, length int) error {
	for length > 0 {
		piece, err := reader.Peek(min(length, reader.Size()))
		if err != nil {
			return io.ErrUnexpectedEOF
		}
		if from+len(piece) > largestBody || !bytes.Equal(piece, patternText[from:from+len(piece)]) {
			return errors.New("a body of other bytes")
		}
		if _, err := reader.Discard(len(piece)); err != nil {
			return err
		}
		from += len(piece)
		length -= len(piece)
	}
	return nil
}
