package main

import (
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/tls"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"math/big"
	"net"
	"os"
	"sync"
	"time"
)

const originCaName = "Roundtrip benchmark origin CA"

// authority signs the origin's certificates, one for each name or address that a client asks for.
type authority struct {
	certificate *x509.Certificate
	key         *ecdsa.PrivateKey
	leafKey     *ecdsa.PrivateKey
	lock        sync.Mutex
	leaves      map[string]*tls.Certificate
}

func template(serial int64, name string) *x509.Certificate {
	return &x509.Certificate{
		SerialNumber: big.NewInt(serial),
		Subject:      pkix.Name{CommonName: name},
		NotBefore:    time.Now().Add(-24 * time.Hour),
		NotAfter:     time.Now().Add(90 * 24 * time.Hour),
	}
}

// newAuthority writes its certificate, PEM, to `path`.
func newAuthority(path string) (*authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	leafKey, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, err
	}
	ca := template(time.Now().UnixNano(), originCaName)
	ca.IsCA, ca.BasicConstraintsValid, ca.KeyUsage = true, true, x509.KeyUsageCertSign
	der, err := x509.CreateCertificate(rand.Reader, ca, ca, &key.PublicKey, key)
	if err != nil {
		return nil, err
	}
	certificate, err := x509.ParseCertificate(der)
	if err != nil {
		return nil, err
	}
	encoded := pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})
	if err := os.WriteFile(path, encoded, 0o644); err != nil {
		return nil, err
	}
	return &authority{certificate: certificate, key: key, leafKey: leafKey, leaves: map[string]*tls.Certificate{}}, nil
}

// writeLeaf writes the key and certificates for `name`, PEM, for an origin that is another program.
func (a *authority) writeLeaf(name string, path string) error {
	leaf, err := a.leafNamed(name)
	if err != nil {
		return err
	}
	key, err := x509.MarshalPKCS8PrivateKey(a.leafKey)
	if err != nil {
		return err
	}
	encoded := pem.EncodeToMemory(&pem.Block{Type: "PRIVATE KEY", Bytes: key})
	for _, der := range leaf.Certificate {
		encoded = append(encoded, pem.EncodeToMemory(&pem.Block{Type: "CERTIFICATE", Bytes: der})...)
	}
	return os.WriteFile(path, encoded, 0o600)
}

func (a *authority) leafFor(hello *tls.ClientHelloInfo) (*tls.Certificate, error) {
	name := hello.ServerName
	if name == "" {
		name, _, _ = net.SplitHostPort(hello.Conn.LocalAddr().String())
	}
	return a.leafNamed(name)
}

func (a *authority) leafNamed(name string) (*tls.Certificate, error) {
	a.lock.Lock()
	defer a.lock.Unlock()
	if leaf, found := a.leaves[name]; found {
		return leaf, nil
	}
	leaf := template(time.Now().UnixNano(), name)
	if address := net.ParseIP(name); address != nil {
		leaf.IPAddresses = []net.IP{address}
	} else {
		leaf.DNSNames = []string{name}
	}
	leaf.KeyUsage = x509.KeyUsageDigitalSignature
	leaf.ExtKeyUsage = []x509.ExtKeyUsage{x509.ExtKeyUsageServerAuth}
	der, err := x509.CreateCertificate(rand.Reader, leaf, a.certificate, &a.leafKey.PublicKey, a.key)
	if err != nil {
		return nil, err
	}
	a.leaves[name] = &tls.Certificate{Certificate: [][]byte{der, a.certificate.Raw}, PrivateKey: a.leafKey}
	return a.leaves[name], nil
}
