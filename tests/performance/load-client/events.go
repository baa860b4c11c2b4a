package main

import (
	"bufio"
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const eventInterval = 5 * time.Millisecond

// handleEvents serves `/events/COUNT`: server-sent events, each the time at which it was written.
func handleEvents(writer http.ResponseWriter, request *http.Request) {
	count, err := strconv.Atoi(strings.TrimPrefix(request.URL.Path, "/events/"))
	if err != nil {
		http.Error(writer, err.Error(), http.StatusBadRequest)
		return
	}
	writer.Header().Set("Content-Type", "text/event-stream")
	flusher := writer.(http.Flusher)
	for range count {
		fmt.Fprintf(writer, "data: %d\n\n", time.Now().UnixNano())
		flusher.Flush()
		time.Sleep(eventInterval)
	}
}

// runEvents reads a stream of events and says how late each came.
func runEvents(args []string) error {
	plan, flags, target := newPlan("events")
	count := flags.Int("count", 400, "events")
	if err := plan.parse(flags, args, target); err != nil {
		return err
	}
	address := fmt.Sprintf("%s://%s/events/%d", plan.target.Scheme, plan.target.Host, *count)
	request, err := http.NewRequest(http.MethodGet, address, nil)
	if err != nil {
		return err
	}
	response, err := plan.ordinaryTransport().RoundTrip(request)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	delays := histogram{}
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		sent, found := bytes.CutPrefix(lines.Bytes(), []byte("data: "))
		if !found {
			continue
		}
		nanoseconds, err := strconv.ParseInt(string(sent), 10, 64)
		if err != nil {
			return err
		}
		delays.add(time.Since(time.Unix(0, nanoseconds)))
	}
	if delays.total != uint64(*count) {
		return fmt.Errorf("%d events came, not %d: %v", delays.total, *count, lines.Err())
	}
	say(map[string]any{"p50": delays.quantile(0.5), "p99": delays.quantile(0.99), "max": delays.largest.Microseconds()})
	return nil
}
