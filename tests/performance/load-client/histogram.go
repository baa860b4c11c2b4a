package main

import (
	"math/bits"
	"time"
)

// histogram counts latencies in steps of at most 1.6 % of their value, from 1 us on.
type histogram struct {
	counts  [64 * 40]uint64
	total   uint64
	largest time.Duration
}

func slotOf(us uint64) int {
	if us < 64 {
		return int(us)
	}
	shift := bits.Len64(us) - 7
	return (shift+1)*64 + int(us>>shift) - 64
}

// startOf is the least number of microseconds that falls into the slot.
func startOf(slot int) uint64 {
	if slot < 64 {
		return uint64(slot)
	}
	shift := slot/64 - 1
	return uint64(slot%64+64) << shift
}

func (h *histogram) add(latency time.Duration) {
	h.counts[min(slotOf(uint64(latency.Microseconds())), len(h.counts)-1)]++
	h.total++
	h.largest = max(h.largest, latency)
}

func (h *histogram) merge(other *histogram) {
	for slot, count := range other.counts {
		h.counts[slot] += count
	}
	h.total += other.total
	h.largest = max(h.largest, other.largest)
}

// quantile is in microseconds.
func (h *histogram) quantile(share float64) uint64 {
	wanted := uint64(share * float64(h.total))
	var seen uint64
	for slot, count := range h.counts {
		seen += count
		if seen > wanted {
			return startOf(slot)
		}
	}
	return uint64(h.largest.Microseconds())
}

// slots are the pairs [microseconds, count] that are not empty.
func (h *histogram) slots() [][2]uint64 {
	slots := [][2]uint64{}
	for slot, count := range h.counts {
		if count > 0 {
			slots = append(slots, [2]uint64{startOf(slot), count})
		}
	}
	return slots
}
