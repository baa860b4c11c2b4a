package main

import (
	"bufio"
	"crypto/tls"
	"fmt"
	"net"
)

// clientDialer gives clients an address of loopback that no proxy connects from. Linux gives one port of an address to several
// connections that lead elsewhere, and mockttp takes a client at one of its own addresses and ports for itself in a loop (status 500):
// with 64 connections on either side every other run had one.
var clientDialer = net.Dialer{LocalAddr: &net.TCPAddr{IP: net.IPv4(127, 0, 0, 2)}}

// dial opens a connection on which requests to the target can be sent: direct, through a CONNECT, or to a forward proxy.
// Certificates are not verified, alike for all: what is measured is the proxy, and each signs by its own authority.
func (p *loadPlan) dial(seen *tally) (net.Conn, error) {
	address := p.target.Host
	if p.proxy != "" {
		address = p.proxy
	}
	conn, err := clientDialer.Dial("tcp", address)
	if err != nil {
		return nil, err
	}
	if p.proxy != "" && !p.forward {
		if err := connect(conn, p.target.Host); err != nil {
			return nil, err
		}
	}
	if p.target.Scheme != "https" {
		return conn, nil
	}
	return p.secure(conn, seen)
}

func connect(conn net.Conn, authority string) error {
	if _, err := fmt.Fprintf(conn, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", authority, authority); err != nil {
		return err
	}
	// The other side says nothing more before the TLS hello: this reader swallows nothing that is not its own.
	response, err := readHead(bufio.NewReader(conn))
	if err != nil {
		return fmt.Errorf("CONNECT: %w", err)
	}
	if response.status != 200 {
		return fmt.Errorf("CONNECT was answered with %d", response.status)
	}
	return nil
}

func (p *loadPlan) secure(conn net.Conn, seen *tally) (net.Conn, error) {
	protocol := "http/1.1"
	if p.http2 {
		protocol = "h2"
	}
	secured := tls.Client(conn, &tls.Config{
		ServerName:         p.target.Hostname(),
		InsecureSkipVerify: true,
		NextProtos:         []string{protocol},
	})
	if err := secured.Handshake(); err != nil {
		return nil, err
	}
	state := secured.ConnectionState()
	seen.issuer = state.PeerCertificates[0].Issuer.CommonName
	seen.protocol = state.NegotiatedProtocol
	if p.http2 && seen.protocol != "h2" {
		return nil, fmt.Errorf("no HTTP/2: %q was chosen", seen.protocol)
	}
	return secured, nil
}
