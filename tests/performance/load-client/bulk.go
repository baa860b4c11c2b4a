package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// A piece that holds the pattern a whole number of times: each piece begins alike.
var bulkPiece = patternText[:len(pattern)*4096]

// bulkReader gives `left` bytes of the pattern.
type bulkReader struct {
	at   int64
	left int64
}

func (r *bulkReader) Read(into []byte) (int, error) {
	if r.left == 0 {
		return 0, io.EOF
	}
	phase := int(r.at % int64(len(pattern)))
	count := copy(into[:min(int64(len(into)), r.left)], bulkPiece[phase:])
	r.at += int64(count)
	r.left -= int64(count)
	return count, nil
}

// checkBulk reads to the end, and says how many bytes of the pattern came.
func checkBulk(from io.Reader) (int64, error) {
	buffer := make([]byte, 128*1024)
	var total int64
	for {
		count, err := from.Read(buffer)
		phase := int(total % int64(len(pattern)))
		if !bytes.Equal(buffer[:count], bulkPiece[phase:phase+count]) {
			return total, errors.New("a body of other bytes")
		}
		total += int64(count)
		if err == io.EOF {
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}

// handleBulk serves `/bulk/SIZE`: a body of that size for a GET, and how many bytes came for a POST.
func handleBulk(writer http.ResponseWriter, request *http.Request) {
	if request.Method == http.MethodPost {
		count, err := checkBulk(request.Body)
		if err != nil {
			http.Error(writer, err.Error(), http.StatusBadRequest)
			return
		}
		fmt.Fprint(writer, count)
		return
	}
	size, err := strconv.ParseInt(strings.TrimPrefix(request.URL.Path, "/bulk/"), 10, 64)
	if err != nil {
		http.Error(writer, err.Error(), http.StatusBadRequest)
		return
	}
	writer.Header().Set("Content-Type", "application/octet-stream")
	writer.Header().Set("Content-Length", strconv.FormatInt(size, 10))
	io.CopyBuffer(struct{ io.Writer }{writer}, struct{ io.Reader }{&bulkReader{left: size}}, make([]byte, len(bulkPiece)))
}

// runBulk moves one large body, down or up, and says how long that took.
func runBulk(args []string) error {
	plan, flags, target := newPlan("bulk")
	size := flags.Int64("size", 1<<30, "bytes")
	if err := plan.parse(flags, args, target); err != nil {
		return err
	}
	transport := plan.ordinaryTransport()
	address := fmt.Sprintf("%s://%s/bulk/%d", plan.target.Scheme, plan.target.Host, *size)
	var body io.Reader
	if plan.method == http.MethodPost {
		body = &bulkReader{left: *size}
	}
	request, err := http.NewRequest(plan.method, address, body)
	if err != nil {
		return err
	}
	if body != nil {
		request.ContentLength = *size
	}
	began := time.Now()
	response, err := transport.RoundTrip(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("status %d", response.StatusCode)
	}
	if err := checkMoved(response.Body, plan.method, *size); err != nil {
		return err
	}
	took := time.Since(began).Seconds()
	say(map[string]any{"seconds": took, "bytesPerSecond": float64(*size) / took})
	return nil
}

func checkMoved(body io.Reader, method string, size int64) error {
	if method != http.MethodPost {
		count, err := checkBulk(body)
		if err == nil && count != size {
			err = fmt.Errorf("%d bytes came, not %d", count, size)
		}
		return err
	}
	text, err := io.ReadAll(body)
	if err == nil && string(text) != strconv.FormatInt(size, 10) {
		err = fmt.Errorf("%s bytes arrived, not %d", text, size)
	}
	return err
}
