// The benchmark's own origin and load client. Both frame HTTP by hand over plain sockets and crypto/tls, since a client
// as dear as what it measures measures itself. They check every response, byte by byte.
package main

import (
	"encoding/json"
	"fmt"
	"os"
)

func main() {
	if len(os.Args) < 2 {
		fail(fmt.Errorf("say which: origin, load, bulk, events, hosts or idle"))
	}
	commands := map[string]func([]string) error{
		"origin": runOrigin, "load": runLoad, "bulk": runBulk, "events": runEvents, "hosts": runHosts, "idle": runIdle,
	}
	command, known := commands[os.Args[1]]
	if !known {
		fail(fmt.Errorf("there is no command %s", os.Args[1]))
	}
	if err := command(os.Args[2:]); err != nil {
		fail(err)
	}
}

func fail(err error) {
	fmt.Fprintln(os.Stderr, err)
	os.Exit(1)
}

// say prints one JSON object a line.
func say(value any) {
	line, err := json.Marshal(value)
	if err != nil {
		fail(err)
	}
	os.Stdout.Write(append(line, '\n'))
}
