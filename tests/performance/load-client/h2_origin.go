package main

import (
	"bufio"
	"bytes"
	"net"
	"strconv"
	"sync"
	"time"

	"golang.org/x/net/http2"
	"golang.org/x/net/http2/hpack"
)

// h2Origin serves one HTTP/2 connection. Responses are written as requests end, and flushed before it waits for more.
type h2Origin struct {
	lock    sync.Mutex
	link    *h2Link
	streams map[uint32]*h2Request
}

type h2Request struct {
	path     string
	received int
	right    bool
}

func serveH2(conn net.Conn) {
	defer conn.Close()
	reader := bufio.NewReaderSize(conn, 65536)
	preface := make([]byte, len(http2.ClientPreface))
	if _, err := readFull(reader, preface); err != nil || string(preface) != http2.ClientPreface {
		return
	}
	origin := &h2Origin{link: newH2Link(conn, reader), streams: map[uint32]*h2Request{}}
	origin.link.framer.WriteSettings(
		http2.Setting{ID: http2.SettingMaxConcurrentStreams, Val: 1000},
		http2.Setting{ID: http2.SettingInitialWindowSize, Val: h2Window},
	)
	origin.link.framer.WriteWindowUpdate(0, h2Window)
	for {
		if reader.Buffered() == 0 && origin.flush() != nil {
			return
		}
		frame, err := origin.link.framer.ReadFrame()
		if err != nil {
			return
		}
		origin.lock.Lock()
		err = origin.take(frame)
		origin.lock.Unlock()
		if err != nil {
			return
		}
	}
}

func (o *h2Origin) flush() error {
	o.lock.Lock()
	defer o.lock.Unlock()
	return o.link.writer.Flush()
}

func (o *h2Origin) take(frame http2.Frame) error {
	switch frame := frame.(type) {
	case *http2.HeadersFrame:
		request := &h2Request{right: true}
		if err := o.link.decode(frame, func(field hpack.HeaderField) {
			if field.Name == ":path" {
				request.path = field.Value
			}
		}); err != nil {
			return err
		}
		// Trailers come as a second block of a stream that is known.
		if _, known := o.streams[frame.StreamID]; !known {
			o.streams[frame.StreamID] = request
		}
		if frame.StreamEnded() {
			o.respond(frame.StreamID)
		}
	case *http2.DataFrame:
		if request, known := o.streams[frame.StreamID]; known {
			data := frame.Data()
			request.right = request.right && bytes.Equal(data, patternText[request.received:request.received+len(data)])
			request.received += len(data)
		}
		o.link.received(int(frame.Length))
		if frame.StreamEnded() {
			o.respond(frame.StreamID)
		}
	case *http2.RSTStreamFrame:
		delete(o.streams, frame.StreamID)
	default:
		return o.link.housekeeping(frame)
	}
	return nil
}

func (o *h2Origin) respond(id uint32) {
	request, known := o.streams[id]
	if !known {
		return
	}
	delete(o.streams, id)
	wanted, err := orderOf(request.path)
	status := "200"
	if err != nil || !request.right {
		status, wanted.size = "400", 0
	}
	if wanted.delay == 0 {
		o.write(id, status, wanted.size)
		return
	}
	time.AfterFunc(wanted.delay, func() {
		o.lock.Lock()
		defer o.lock.Unlock()
		o.write(id, status, wanted.size)
		o.link.writer.Flush()
	})
}

func (o *h2Origin) write(id uint32, status string, size int) {
	block := o.link.encode(
		":status", status,
		"content-type", "text/plain; charset=utf-8",
		"content-length", strconv.Itoa(size),
		"cache-control", "no-store",
		"server", "origin",
	)
	o.link.send(id, block, bodyOf(size))
}
