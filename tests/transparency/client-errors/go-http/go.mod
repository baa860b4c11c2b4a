module roundtrip/go-http

go 1.21
