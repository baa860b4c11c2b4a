package main

import (
	"encoding/base64"
	"fmt"
	"net/http"
	"strings"
	"time"
)

const pageImages = 1000

// One pixel, a GIF of 43 bytes.
var pixel, _ = base64.StdEncoding.DecodeString("R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7")

// handlePage serves `/page/DELAY`, a document of 1,000 images, and `/image/DELAY/NUMBER`, each a different response.
func handlePage(writer http.ResponseWriter, request *http.Request) {
	parts := strings.Split(request.URL.Path, "/")
	delay, err := time.ParseDuration(parts[2] + "ms")
	if err != nil {
		http.Error(writer, err.Error(), http.StatusBadRequest)
		return
	}
	time.Sleep(delay)
	writer.Header().Set("Cache-Control", "no-store")
	if parts[1] == "image" {
		writer.Header().Set("Content-Type", "image/gif")
		writer.Write(pixel)
		return
	}
	writer.Header().Set("Content-Type", "text/html; charset=utf-8")
	fmt.Fprint(writer, `<!doctype html><title>Images</title><link rel="icon" href="data:,">`)
	for number := range pageImages {
		fmt.Fprintf(writer, `<img src="/image/%s/%d" width="4" height="4" alt="">`, parts[2], number)
	}
}
