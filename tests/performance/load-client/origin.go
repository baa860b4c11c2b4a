package main

import (
	"bufio"
	"crypto/tls"
	"flag"
	"fmt"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"
)

// order is what a path asks the origin for: `/DELAY/SIZE`, milliseconds and bytes.
type order struct {
	delay time.Duration
	size  int
}

func orderOf(path string) (order, error) {
	if at := strings.Index(path, "://"); at >= 0 {
		path = path[at+3:]
		path = path[strings.IndexByte(path, '/'):]
	}
	parts := strings.Split(strings.TrimPrefix(path, "/"), "/")
	if len(parts) != 2 {
		return order{}, fmt.Errorf("%s is not /DELAY/SIZE", path)
	}
	delay, err := strconv.Atoi(parts[0])
	if err != nil {
		return order{}, err
	}
	size, err := strconv.Atoi(parts[1])
	if err != nil || size < 0 || size > largestBody {
		return order{}, fmt.Errorf("%s has no size", path)
	}
	return order{time.Duration(delay) * time.Millisecond, size}, nil
}

var h1Responses sync.Map

func h1Response(size int) []byte {
	if known, found := h1Responses.Load(size); found {
		return known.([]byte)
	}
	text := fmt.Sprintf("HTTP/1.1 200 OK\r\nDate: %s\r\nContent-Type: text/plain; charset=utf-8\r\n"+
		"Content-Length: %d\r\nCache-Control: no-store\r\nServer: origin\r\n\r\n",
		time.Now().UTC().Format("Mon, 02 Jan 2006 15:04:05 GMT"), size)
	response := append([]byte(text), bodyOf(size)...)
	h1Responses.Store(size, response)
	return response
}

func serveH1(conn net.Conn) {
	defer conn.Close()
	reader := bufio.NewReaderSize(conn, 16384)
	for {
		request, err := readHead(reader)
		if err != nil {
			return
		}
		wanted, err := orderOf(request.path)
		if err == nil {
			err = request.checkBody(reader, -1)
		}
		if err != nil {
			fmt.Fprintf(conn, "HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\nConnection: close\r\nX-Why: %s\r\n\r\n", err)
			return
		}
		if wanted.delay > 0 {
			time.Sleep(wanted.delay)
		}
		if _, err := conn.Write(h1Response(wanted.size)); err != nil || request.close {
			return
		}
	}
}

func serveTLS(conn *tls.Conn) {
	if conn.Handshake() != nil {
		conn.Close()
		return
	}
	if conn.ConnectionState().NegotiatedProtocol == "h2" {
		serveH2(conn)
	} else {
		serveH1(conn)
	}
}

// listenLoopback listens on a port of 127.0.0.1, and of ::1 where that is `localhost` too, and says which.
func listenLoopback(serve func(net.Conn)) (int, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	port := listener.Addr().(*net.TCPAddr).Port
	listeners := []net.Listener{listener}
	// Only where the name leads there: mockttp takes ::1 if anyone listens on it, and then fails to look it up.
	if addresses, err := net.LookupHost("localhost"); err == nil && slices.Contains(addresses, "::1") {
		if six, err := net.Listen("tcp6", fmt.Sprintf("[::1]:%d", port)); err == nil {
			listeners = append(listeners, six)
		}
	}
	for _, each := range listeners {
		go accept(each, serve)
	}
	return port, nil
}

func accept(listener net.Listener, serve func(net.Conn)) {
	for {
		conn, err := listener.Accept()
		if err != nil {
			return
		}
		go serve(conn)
	}
}

func runOrigin(args []string) error {
	flags := flag.NewFlagSet("origin", flag.ContinueOnError)
	ca := flags.String("ca", "", "where to write the CA's certificate, PEM")
	hosts := flags.Int("hosts", 0, "how many more addresses to serve HTTP/1.1 on")
	leaf := flags.String("leaf", "", "where to write a key and its certificates for localhost, PEM")
	if err := flags.Parse(args); err != nil {
		return err
	}
	authority, err := newAuthority(*ca)
	if err != nil {
		return err
	}
	if *leaf != "" {
		if err := authority.writeLeaf("localhost", *leaf); err != nil {
			return err
		}
	}
	secure := func(protocols ...string) func(net.Conn) {
		config := &tls.Config{GetCertificate: authority.leafFor, NextProtos: protocols}
		return func(conn net.Conn) { serveTLS(tls.Server(conn, config)) }
	}
	ports := map[string]int{}
	for name, serve := range map[string]func(net.Conn){
		"plain": serveH1,
		"h1":    secure("http/1.1"),
		"h2":    secure("h2", "http/1.1"),
	} {
		if ports[name], err = listenLoopback(serve); err != nil {
			return err
		}
	}
	if err := listenAsHosts(*hosts, ports["h1"], authority, secure("http/1.1")); err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.HandleFunc("/", handleOrdinary)
	mux.HandleFunc("/bulk/", handleBulk)
	mux.HandleFunc("/events/", handleEvents)
	mux.HandleFunc("/page/", handlePage)
	mux.HandleFunc("/image/", handlePage)
	for name, protocols := range map[string][]string{
		"ordinaryPlain": nil,
		"ordinaryH1":    {"http/1.1"},
		"ordinaryH2":    {"h2", "http/1.1"},
	} {
		if ports[name], err = serveOrdinary(authority, mux, protocols...); err != nil {
			return err
		}
	}
	say(ports)
	select {}
}
