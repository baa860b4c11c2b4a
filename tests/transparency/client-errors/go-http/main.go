// Asks for each fault with Go's own HTTP client over HTTP/2, and prints the error that each one brings.
package main

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"os"
	"regexp"
	"syscall"
	"time"
)

// Go names ports and stream numbers, which differ with each connection.
var numbers = regexp.MustCompile(`(127\.0\.0\.1|localhost):\d+|stream ID \d+`)

func describe(err error) string {
	var asked *url.Error
	if errors.As(err, &asked) {
		err = asked.Err
	}
	if errors.Is(err, syscall.ECONNRESET) {
		return "connection reset"
	}
	var network *net.OpError
	if errors.As(err, &network) {
		return network.Err.Error()
	}
	return numbers.ReplaceAllString(err.Error(), "_")
}

func ask(origin, fault string, roots *x509.CertPool, proxy *url.URL) string {
	transport := &http.Transport{TLSClientConfig: &tls.Config{RootCAs: roots}, ForceAttemptHTTP2: true}
	if proxy != nil {
		transport.Proxy = http.ProxyURL(proxy)
	}
	defer transport.CloseIdleConnections()
	response, err := (&http.Client{Transport: transport, Timeout: 5 * time.Second}).Get(origin + "/" + fault)
	if err != nil {
		return describe(err)
	}
	defer response.Body.Close()
	body, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Sprintf("%d %s", response.StatusCode, describe(err))
	}
	return fmt.Sprintf("%d body of %d", response.StatusCode, len(body))
}

func main() {
	origin, ca, proxyURL, faults := os.Args[1], os.Args[2], os.Args[3], os.Args[4:]
	pem, err := os.ReadFile(ca)
	if err != nil {
		panic(err)
	}
	roots := x509.NewCertPool()
	roots.AppendCertsFromPEM(pem)
	var proxy *url.URL
	if proxyURL != "" {
		if proxy, err = url.Parse(proxyURL); err != nil {
			panic(err)
		}
	}
	for _, fault := range faults {
		fmt.Println(ask(origin, fault, roots, proxy))
	}
}
