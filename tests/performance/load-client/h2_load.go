package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net"
	"strconv"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// h2Load keeps `streams` requests under way on one connection, each followed by the next as it ends.
type h2Load struct {
	plan    *loadPlan
	seen    *tally
	link    *h2Link
	fields  []string
	nextID  uint32
	streams map[uint32]*h2Stream
}

type h2Stream struct {
	began    time.Time
	counted  bool
	status   string
	received int
}

func (p *loadPlan) h2Fields() []string {
	fields := []string{
		":method", p.method, ":authority", p.target.Host, ":scheme", "https", ":path", p.target.RequestURI(),
		"user-agent", "load-client", "accept", "*/*", "accept-encoding", "gzip, br",
	}
	if len(p.body) > 0 {
		fields = append(fields, "content-type", "text/plain", "content-length", strconv.Itoa(len(p.body)))
	}
	return fields
}

func (p *loadPlan) runH2(conn net.Conn, seen *tally) error {
	reader := bufio.NewReaderSize(conn, 65536)
	load := &h2Load{plan: p, seen: seen, link: newH2Link(conn, reader), fields: p.h2Fields(), nextID: 1, streams: map[uint32]*h2Stream{}}
	load.link.writer.WriteString(http2.ClientPreface)
	load.link.framer.WriteSettings(
		http2.Setting{ID: http2.SettingEnablePush, Val: 0},
		http2.Setting{ID: http2.SettingInitialWindowSize, Val: h2Window},
	)
	load.link.framer.WriteWindowUpdate(0, h2Window)
	for range p.streams {
		load.begin()
	}
	for len(load.streams) > 0 {
		if reader.Buffered() == 0 {
			if err := load.link.writer.Flush(); err != nil {
				return err
			}
		}
		frame, err := load.link.framer.ReadFrame()
		if err != nil {
			return err
		}
		if err := load.take(frame); err != nil {
			return err
		}
	}
	return nil
}

func (l *h2Load) begin() {
	id := l.nextID
	l.nextID += 2
	l.streams[id] = &h2Stream{began: time.Now(), counted: l.plan.phase.Load() == measuring}
	l.link.send(id, l.link.encode(l.fields...), l.plan.body)
}

func (l *h2Load) take(frame http2.Frame) error {
	switch frame := frame.(type) {
	case *http2.HeadersFrame:
		stream := l.streams[frame.StreamID]
		if err := l.link.decode(frame, func(field hpack.HeaderField) {
			if stream != nil && field.Name == ":status" {
				stream.status = field.Value
			}
		}); err != nil {
			return err
		}
		if frame.StreamEnded() {
			return l.end(frame.StreamID)
		}
	case *http2.DataFrame:
		data := frame.Data()
		stream, known := l.streams[frame.StreamID]
		if !known || !bytes.HasPrefix(patternText[stream.received:], data) {
			return fmt.Errorf("a body of other bytes")
		}
		stream.received += len(data)
		l.link.received(int(frame.Length))
		if frame.StreamEnded() {
			return l.end(frame.StreamID)
		}
	case *http2.RSTStreamFrame:
		return fmt.Errorf("a stream was reset: %v", frame.ErrCode)
	default:
		return l.link.housekeeping(frame)
	}
	return nil
}

func (l *h2Load) end(id uint32) error {
	stream := l.streams[id]
	if stream == nil || stream.status == "100" {
		return nil
	}
	if stream.status != "200" || stream.received != l.plan.expect {
		return fmt.Errorf("status %s with %d bytes", stream.status, stream.received)
	}
	delete(l.streams, id)
	if stream.counted && l.plan.phase.Load() == measuring {
		l.seen.latencies.add(time.Since(stream.began))
	}
	if l.plan.phase.Load() != over {
		l.begin()
	}
	return nil
}
