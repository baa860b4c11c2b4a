package main

import (
	"bufio"
	"fmt"
	"net"
	"time"
)

func (p *loadPlan) h1Request() []byte {
	target := p.target.RequestURI()
	if p.forward {
		target = p.target.String()
	}
	text := fmt.Sprintf("%s %s HTTP/1.1\r\nHost: %s\r\nUser-Agent: load-client\r\nAccept: */*\r\nAccept-Encoding: gzip, br\r\n",
		p.method, target, p.target.Host)
	if len(p.body) > 0 {
		text += fmt.Sprintf("Content-Type: text/plain\r\nContent-Length: %d\r\n", len(p.body))
	}
	return append([]byte(text+"\r\n"), p.body...)
}

// runH1 sends one request after the other. A request that began in the measured time and ended in it counts.
func (p *loadPlan) runH1(conn net.Conn, seen *tally) error {
	request := p.h1Request()
	reader := bufio.NewReaderSize(conn, 16384)
	for p.phase.Load() != over {
		counted := p.phase.Load() == measuring
		began := time.Now()
		if _, err := conn.Write(request); err != nil {
			return err
		}
		response, err := readHead(reader)
		if err != nil {
			return err
		}
		if response.status != 200 {
			return fmt.Errorf("status %d", response.status)
		}
		if err := response.checkBody(reader, p.expect); err != nil {
			return err
		}
		if counted && p.phase.Load() == measuring {
			seen.latencies.add(time.Since(began))
		}
		if response.close {
			return fmt.Errorf("the connection is not kept alive")
		}
	}
	return nil
}
