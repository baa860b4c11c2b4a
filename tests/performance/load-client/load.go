package main

import (
	"flag"
	"fmt"
	"net/url"
	"sync"
	"sync/atomic"
	"time"
)

// loadPlan is what a run of the load client does.
type loadPlan struct {
	proxy       string
	forward     bool
	target      *url.URL
	http2       bool
	ordinary    bool
	connections int
	streams     int
	method      string
	body        []byte
	expect      int
	phase       *atomic.Int32
}

const (
	warmingUp int32 = iota
	measuring
	over
)

// tally is what one connection saw.
type tally struct {
	latencies histogram
	issuer    string
	protocol  string
	err       error
}

// newPlan has the flags that all commands share; `parse` reads them into it.
func newPlan(command string) (*loadPlan, *flag.FlagSet, *string) {
	plan := &loadPlan{phase: &atomic.Int32{}}
	flags := flag.NewFlagSet(command, flag.ContinueOnError)
	flags.StringVar(&plan.proxy, "proxy", "", "host:port of the proxy; none: direct")
	flags.BoolVar(&plan.forward, "forward", false, "send absolute-form requests instead of a CONNECT")
	flags.BoolVar(&plan.http2, "h2", false, "offer HTTP/2 alone")
	flags.BoolVar(&plan.ordinary, "ordinary", false, "use net/http in place of the hand-made framing")
	flags.IntVar(&plan.connections, "connections", 64, "")
	flags.IntVar(&plan.streams, "streams", 1, "HTTP/2 streams at a time on a connection")
	flags.StringVar(&plan.method, "method", "GET", "")
	return plan, flags, flags.String("target", "", "URL, its path /DELAY/SIZE")
}

func (p *loadPlan) parse(flags *flag.FlagSet, args []string, target *string) error {
	if err := flags.Parse(args); err != nil {
		return err
	}
	var err error
	if p.target, err = url.Parse(*target); err != nil {
		return err
	}
	wanted, err := orderOf(p.target.Path)
	p.expect = wanted.size
	return err
}

func runLoad(args []string) error {
	plan, flags, target := newPlan("load")
	size := flags.Int("body", 0, "bytes of the request's body")
	warmUp := flags.Duration("warm-up", time.Second, "")
	measured := flags.Duration("time", 2500*time.Millisecond, "")
	if err := plan.parse(flags, args, target); err != nil {
		return err
	}
	plan.body = bodyOf(*size)
	tallies := make([]tally, plan.connections)
	var running sync.WaitGroup
	for at := range tallies {
		running.Go(func() { tallies[at].err = plan.run(&tallies[at]) })
	}
	time.Sleep(*warmUp)
	say(map[string]string{"phase": "measuring"})
	began := time.Now()
	plan.phase.Store(measuring)
	time.Sleep(*measured)
	plan.phase.Store(over)
	took := time.Since(began)
	say(map[string]string{"phase": "over"})
	running.Wait()
	return report(tallies, took)
}

func (p *loadPlan) run(seen *tally) error {
	if p.ordinary {
		return p.runOrdinary(seen)
	}
	conn, err := p.dial(seen)
	if err != nil {
		return err
	}
	defer conn.Close()
	if p.http2 {
		return p.runH2(conn, seen)
	}
	return p.runH1(conn, seen)
}

func report(tallies []tally, took time.Duration) error {
	all, errors, firstError := histogram{}, 0, ""
	for at := range tallies {
		all.merge(&tallies[at].latencies)
		if err := tallies[at].err; err != nil {
			errors++
			if firstError == "" {
				firstError = fmt.Sprint(err)
			}
		}
	}
	say(map[string]any{
		"requests": all.total, "seconds": took.Seconds(), "perSecond": float64(all.total) / took.Seconds(),
		"p50": all.quantile(0.5), "p90": all.quantile(0.9), "p99": all.quantile(0.99),
		"max": all.largest.Microseconds(), "histogram": all.slots(),
		"errors": errors, "firstError": firstError,
		"issuer": tallies[0].issuer, "protocol": tallies[0].protocol,
	})
	return nil
}
