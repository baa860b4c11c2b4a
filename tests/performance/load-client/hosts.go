package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"net"
	"net/url"
	"os"
	"sync"
	"time"
)

// Hosts that no proxy has seen before are addresses of 127.1.0.0/16: they need no resolver.
func hostAddress(index int) string { return fmt.Sprintf("127.1.%d.%d", index/250, 1+index%250) }

// listenAsHosts serves on the same port of `count` more addresses, their certificates signed beforehand.
func listenAsHosts(count, port int, authority *authority, serve func(net.Conn)) error {
	for index := range count {
		listener, err := net.Listen("tcp4", fmt.Sprintf("%s:%d", hostAddress(index), port))
		if err != nil {
			return err
		}
		if _, err := authority.leafNamed(hostAddress(index)); err != nil {
			return err
		}
		go accept(listener, serve)
	}
	return nil
}

func (p loadPlan) forHost(index int) *loadPlan {
	p.target = &url.URL{Scheme: p.target.Scheme, Host: net.JoinHostPort(hostAddress(index), p.target.Port()), Path: p.target.Path}
	return &p
}

// once opens a connection, does one request on it, and says how long both took together.
func (p *loadPlan) once() (net.Conn, time.Duration, error) {
	began := time.Now()
	conn, err := p.dial(&tally{})
	if err != nil {
		return nil, 0, err
	}
	reader := bufio.NewReader(conn)
	if _, err = conn.Write(p.h1Request()); err == nil {
		var response head
		if response, err = readHead(reader); err == nil && response.status != 200 {
			err = fmt.Errorf("status %d", response.status)
		}
		if err == nil {
			err = response.checkBody(reader, p.expect)
		}
	}
	if err != nil {
		conn.Close()
		return nil, 0, err
	}
	return conn, time.Since(began), nil
}

// runHosts sends the first request to `count` new hosts, one after the other or all at once.
func runHosts(args []string) error {
	plan, flags, target := newPlan("hosts")
	from := flags.Int("from", 0, "the first host's index")
	count := flags.Int("count", 20, "hosts")
	together := flags.Bool("together", false, "all at once")
	if err := plan.parse(flags, args, target); err != nil {
		return err
	}
	latencies := histogram{}
	var lock sync.Mutex
	var failures []error
	fetch := func(index int) {
		conn, took, err := plan.forHost(index).once()
		lock.Lock()
		defer lock.Unlock()
		if err != nil {
			failures = append(failures, err)
			return
		}
		conn.Close()
		latencies.add(took)
	}
	began := time.Now()
	var running sync.WaitGroup
	for index := *from; index < *from+*count; index++ {
		if *together {
			running.Go(func() { fetch(index) })
		} else {
			fetch(index)
		}
	}
	running.Wait()
	took := time.Since(began)
	if len(failures) > 0 {
		return fmt.Errorf("%d of %d hosts failed: %w", len(failures), *count, errors.Join(failures[:1]...))
	}
	say(map[string]any{"p50": latencies.quantile(0.5), "max": latencies.largest.Microseconds(), "all": took.Microseconds()})
	return nil
}

// runIdle opens connections, does one request on each, says so, and holds them until its standard input ends.
func runIdle(args []string) error {
	plan, flags, target := newPlan("idle")
	if err := plan.parse(flags, args, target); err != nil {
		return err
	}
	held := make([]net.Conn, 0, plan.connections)
	for range plan.connections {
		conn, _, err := plan.once()
		if err != nil {
			return fmt.Errorf("after %d connections: %w", len(held), err)
		}
		held = append(held, conn)
	}
	say(map[string]int{"held": len(held)})
	io.Copy(io.Discard, os.Stdin)
	return nil
}
