package main

// Bodies are slices of one text without a period that a buffer's size could hide.
const pattern = "The quick brown fox jumps over the lazy dog, number by number. "

const largestBody = 1 << 20

var patternText = func() []byte {
	text := make([]byte, 0, largestBody+len(pattern))
	for len(text) < largestBody {
		text = append(text, pattern...)
	}
	return text[:largestBody]
}()

func bodyOf(size int) []byte { return patternText[:size] }
