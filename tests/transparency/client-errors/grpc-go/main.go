// Calls a method for each fault with grpc-go, and prints the status that each one brings.
package main

import (
	"bufio"
	"context"
	"fmt"
	"net"
	"net/http"
	"net/url"
	"os"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/status"
)

// Messages as the bytes that they are.
type raw struct{}

func (raw) Marshal(v any) ([]byte, error) { return *v.(*[]byte), nil }
func (raw) Unmarshal(data []byte, v any) error {
	*v.(*[]byte) = data
	return nil
}
func (raw) Name() string { return "raw" }

// A CONNECT through the proxy: grpc-go's own reads the environment, which exempts localhost.
func tunnel(proxy string) func(context.Context, string) (net.Conn, error) {
	return func(ctx context.Context, address string) (net.Conn, error) {
		if proxy == "" {
			return (&net.Dialer{}).DialContext(ctx, "tcp", address)
		}
		at, err := url.Parse(proxy)
		if err != nil {
			return nil, err
		}
		connection, err := (&net.Dialer{}).DialContext(ctx, "tcp", at.Host)
		if err != nil {
			return nil, err
		}
		fmt.Fprintf(connection, "CONNECT %s HTTP/1.1\r\nHost: %s\r\n\r\n", address, address)
		response, err := http.ReadResponse(bufio.NewReader(connection), nil)
		if err != nil {
			return nil, err
		}
		if response.StatusCode != http.StatusOK {
			return nil, fmt.Errorf("CONNECT: %s", response.Status)
		}
		return connection, nil
	}
}

func ask(address, fault, ca, proxy string) string {
	credential, err := credentials.NewClientTLSFromFile(ca, "localhost")
	if err != nil {
		panic(err)
	}
	connection, err := grpc.NewClient(
		"passthrough:///"+address,
		grpc.WithTransportCredentials(credential),
		grpc.WithContextDialer(tunnel(proxy)),
		grpc.WithDefaultCallOptions(grpc.ForceCodec(raw{})),
		grpc.WithDisableRetry(),
	)
	if err != nil {
		panic(err)
	}
	defer connection.Close()
	ctx, cancel := context.WithTimeout(context.Background(), 10*time.Second)
	defer cancel()
	request, response := []byte("x"), []byte{}
	err = connection.Invoke(ctx, "/"+fault, &request, &response)
	return status.Code(err).String()
}

func main() {
	origin, ca, proxy, faults := os.Args[1], os.Args[2], os.Args[3], os.Args[4:]
	at, err := url.Parse(origin)
	if err != nil {
		panic(err)
	}
	for _, fault := range faults {
		fmt.Println(ask(at.Host, fault, ca, proxy))
	}
}
