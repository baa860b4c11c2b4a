package main

import (
	"bytes"
	"crypto/tls"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"sync"
	"time"
)

// The ordinary stack: net/http on both ends, which costs several times what the hand-made framing does. Ratios to
// `direct` depend on what the ends cost: both kinds are measured.

func handleOrdinary(writer http.ResponseWriter, request *http.Request) {
	wanted, err := orderOf(request.URL.Path)
	if err != nil {
		http.Error(writer, err.Error(), http.StatusBadRequest)
		return
	}
	body, err := io.ReadAll(request.Body)
	if err != nil || !bytes.Equal(body, bodyOf(len(body))) {
		http.Error(writer, "a body of other bytes", http.StatusBadRequest)
		return
	}
	time.Sleep(wanted.delay)
	header := writer.Header()
	header.Set("Content-Type", "text/plain; charset=utf-8")
	header.Set("Content-Length", strconv.Itoa(wanted.size))
	header.Set("Cache-Control", "no-store")
	writer.Write(bodyOf(wanted.size))
}

// serveOrdinary listens on a port of 127.0.0.1 and says which. No protocols: plain HTTP.
func serveOrdinary(authority *authority, handler http.Handler, protocols ...string) (int, error) {
	listener, err := net.Listen("tcp4", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	server := &http.Server{Handler: handler, ErrorLog: log.New(io.Discard, "", 0)}
	if len(protocols) == 0 {
		go server.Serve(listener)
	} else {
		server.TLSConfig = &tls.Config{GetCertificate: authority.leafFor, NextProtos: protocols}
		go server.ServeTLS(listener, "", "")
	}
	return listener.Addr().(*net.TCPAddr).Port, nil
}

// ordinaryTransport has one connection.
func (p *loadPlan) ordinaryTransport() *http.Transport {
	transport := &http.Transport{
		TLSClientConfig:    &tls.Config{InsecureSkipVerify: true},
		DialContext:        clientDialer.DialContext,
		ForceAttemptHTTP2:  p.http2,
		MaxConnsPerHost:    1,
		DisableCompression: true,
	}
	if p.proxy != "" {
		transport.Proxy = http.ProxyURL(&url.URL{Scheme: "http", Host: p.proxy})
	}
	return transport
}

func (p *loadPlan) runOrdinary(seen *tally) error {
	transport := p.ordinaryTransport()
	defer transport.CloseIdleConnections()
	// The first alone: HTTP/2 streams then find the connection that they share.
	if err := p.fetchOrdinary(transport, seen); err != nil {
		return err
	}
	var running sync.WaitGroup
	var lock sync.Mutex
	var failures []error
	for range p.streams {
		running.Go(func() {
			for p.phase.Load() != over {
				counted := p.phase.Load() == measuring
				began := time.Now()
				err := p.fetchOrdinary(transport, nil)
				took := time.Since(began)
				lock.Lock()
				if err != nil {
					failures = append(failures, err)
				} else if counted && p.phase.Load() == measuring {
					seen.latencies.add(took)
				}
				lock.Unlock()
				if err != nil {
					return
				}
			}
		})
	}
	running.Wait()
	return errors.Join(failures...)
}

// fetchOrdinary does one request. `seen`, where given, learns of the connection.
func (p *loadPlan) fetchOrdinary(transport *http.Transport, seen *tally) error {
	request, err := http.NewRequest(p.method, p.target.String(), bytes.NewReader(p.body))
	if err != nil {
		return err
	}
	response, err := transport.RoundTrip(request)
	if err != nil {
		return err
	}
	body, err := io.ReadAll(response.Body)
	response.Body.Close()
	if err != nil {
		return err
	}
	if response.StatusCode != 200 || !bytes.Equal(body, bodyOf(p.expect)) {
		return fmt.Errorf("status %d with %d bytes, %.300q", response.StatusCode, len(body), body)
	}
	if p.http2 != (response.ProtoMajor == 2) {
		return fmt.Errorf("it spoke %s", response.Proto)
	}
	if seen != nil && response.TLS != nil {
		seen.issuer = response.TLS.PeerCertificates[0].Issuer.CommonName
		seen.protocol = response.TLS.NegotiatedProtocol
	}
	return nil
}
