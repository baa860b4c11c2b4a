package main

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"net"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

const (
	h2Window    = 1 << 28
	h2FrameSize = 16384
)

// h2Link is what both ends of an HTTP/2 connection share: framing, header compression and the connection's windows.
// Bodies are small: a stream's own window is never the limit.
type h2Link struct {
	framer     *http2.Framer
	writer     *bufio.Writer
	encoder    *hpack.Encoder
	encoded    bytes.Buffer
	decoder    *hpack.Decoder
	sendWindow int
	consumed   int
	waiting    []h2Message
}

type h2Message struct {
	id   uint32
	body []byte
}

func newH2Link(conn net.Conn, reader *bufio.Reader) *h2Link {
	link := &h2Link{writer: bufio.NewWriterSize(conn, 65536), sendWindow: 65535}
	link.framer = http2.NewFramer(link.writer, reader)
	link.framer.SetReuseFrames()
	link.encoder = hpack.NewEncoder(&link.encoded)
	link.decoder = hpack.NewDecoder(4096, nil)
	return link
}

func readFull(reader *bufio.Reader, into []byte) (int, error) { return io.ReadFull(reader, into) }

// encode takes names and values in turn. The block is valid until the next one.
func (l *h2Link) encode(fields ...string) []byte {
	l.encoded.Reset()
	for at := 0; at < len(fields); at += 2 {
		l.encoder.WriteField(hpack.HeaderField{Name: fields[at], Value: fields[at+1]})
	}
	return l.encoded.Bytes()
}

// decode reads a whole header block, continuations too.
func (l *h2Link) decode(frame *http2.HeadersFrame, emit func(hpack.HeaderField)) error {
	l.decoder.SetEmitFunc(emit)
	if _, err := l.decoder.Write(frame.HeaderBlockFragment()); err != nil {
		return err
	}
	if !frame.HeadersEnded() {
		return errors.New("a header block in several frames")
	}
	return l.decoder.Close()
}

// received gives back window once a good part of it is used.
func (l *h2Link) received(length int) {
	l.consumed += length
	if l.consumed > h2Window/4 {
		l.framer.WriteWindowUpdate(0, uint32(l.consumed))
		l.consumed = 0
	}
}

// send writes a message, or keeps its body until the other side gives window.
func (l *h2Link) send(id uint32, block, body []byte) {
	l.framer.WriteHeaders(http2.HeadersFrameParam{StreamID: id, BlockFragment: block, EndHeaders: true, EndStream: len(body) == 0})
	if len(body) > l.sendWindow || len(l.waiting) > 0 {
		l.waiting = append(l.waiting, h2Message{id, body})
	} else {
		l.sendBody(id, body)
	}
}

func (l *h2Link) sendBody(id uint32, body []byte) {
	l.sendWindow -= len(body)
	for len(body) > 0 {
		piece := body[:min(len(body), h2FrameSize)]
		body = body[len(piece):]
		l.framer.WriteData(id, len(body) == 0, piece)
	}
}

// housekeeping answers the frames that belong to no message. A GOAWAY or a broken stream is an error.
func (l *h2Link) housekeeping(frame http2.Frame) error {
	switch frame := frame.(type) {
	case *http2.SettingsFrame:
		if frame.IsAck() {
			return nil
		}
		if size, set := frame.Value(http2.SettingHeaderTableSize); set {
			l.encoder.SetMaxDynamicTableSizeLimit(size)
		}
		return l.framer.WriteSettingsAck()
	case *http2.PingFrame:
		if frame.IsAck() {
			return nil
		}
		return l.framer.WritePing(true, frame.Data)
	case *http2.WindowUpdateFrame:
		if frame.StreamID == 0 {
			l.sendWindow += int(frame.Increment)
			l.drain()
		}
	case *http2.GoAwayFrame:
		return fmt.Errorf("GOAWAY %v", frame.ErrCode)
	}
	return nil
}

func (l *h2Link) drain() {
	for len(l.waiting) > 0 && len(l.waiting[0].body) <= l.sendWindow {
		message := l.waiting[0]
		l.waiting = l.waiting[1:]
		l.sendBody(message.id, message.body)
	}
}
