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
	warmUp      time.Duration
	measured    time.Duration
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

func planOf(args []string) (*loadPlan, error) {
	plan := &loadPlan{phase: &atomic.Int32{}}
	flags := flag.NewFlagSet("load", flag.ContinueOnError)
	flags.StringVar(&plan.proxy, "proxy", "", "host:port of the proxy; none: direct")
	flags.BoolVar(&plan.forward, "forward", false, "send absolute-form requests instead of a CONNECT")
	target := flags.String("target", "", "URL, its path /DELAY/SIZE")
	flags.BoolVar(&plan.http2, "h2", false, "offer HTTP/2 alone")
	flags.BoolVar(&plan.ordinary, "ordinary", false, "use net/http in place of the hand-made framing")
	flags.IntVar(&plan.connections, "connections", 64, "")
	flags.IntVar(&plan.streams, "streams", 1, "HTTP/2 streams at a time on a connection")
	flags.StringVar(&plan.method, "method", "GET", "")
	size := flags.Int("body", 0, "bytes of the request's body")
	flags.DurationVar(&plan.warmUp, "warm-up", time.Second, "")
	flags.DurationVar(&plan.measured, "time", 2500*time.Millisecond, "")
	if err := flags.Parse(args); err != nil {
		return nil, err
	}
	plan.body = bodyOf(*size)
	var err error
	if plan.target, err = url.Parse(*target); err != nil {
		return nil, err
	}
	wanted, err := orderOf(plan.target.Path)
	plan.expect = wanted.size
	return plan, err
}

func runLoad(args []string) error {
	plan, err := planOf(args)
	if err != nil {
		return err
	}
	tallies := make([]tally, plan.connections)
	var running sync.WaitGroup
	for at := range tallies {
		running.Go(func() { tallies[at].err = plan.run(&tallies[at]) })
	}
	time.Sleep(plan.warmUp)
	say(map[string]string{"phase": "measuring"})
	began := time.Now()
	plan.phase.Store(measuring)
	time.Sleep(plan.measured)
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
