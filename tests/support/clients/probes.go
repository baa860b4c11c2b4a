package main

import (
	"io"
	"log"
	"net/http"
	"os"
	"strings"
)

// Fetches an address as a client that accepts trailers, then posts a small body to it.
func main() {
	request, err := http.NewRequest("GET", os.Args[1], nil)
	if err != nil {
		log.Fatal(err)
	}
	request.Header.Set("TE", "trailers")
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		log.Fatal(err)
	}
	if _, err := io.Copy(io.Discard, response.Body); err != nil {
		log.Fatal(err)
	}
	if _, err := os.Stdout.WriteString(response.Trailer.Get("X-Sum")); err != nil {
		log.Fatal(err)
	}
	if _, err := http.Post(os.Args[1], "text/plain", strings.NewReader("small")); err != nil {
		log.Fatal(err)
	}
}
