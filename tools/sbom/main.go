// Command sbom writes what a Go binary is made of, as CycloneDX: the modules that the linker has put into it,
// with their versions, as the binary itself tells. The same binary gives the same file.
//
// It is written by hand: all that it tells stands in the binary, and what it writes is a hundred lines. The tool made for it,
// cyclonedx-gomod, is not served by the module proxy that releases are built from.
//
//	go run -C tools ./sbom ../dist/bot-linux-amd64 > bot-linux-amd64.cdx.json
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/debug"
)

func main() {
	if err := run(os.Args[1:], os.Stdout); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

// document is a CycloneDX 1.6 document, as far as it is used here.
type document struct {
	Format       string       `json:"bomFormat"`
	Spec         string       `json:"specVersion"`
	Serial       string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Component component `json:"component"`
}

type component struct {
	Ref        string     `json:"bom-ref"`
	Type       string     `json:"type"`
	Name       string     `json:"name"`
	Version    string     `json:"version,omitempty"`
	PURL       string     `json:"purl,omitempty"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref  string   `json:"ref"`
	Uses []string `json:"dependsOn"`
}

// run writes the document of the binary that args name.
func run(args []string, out io.Writer) error {
	if len(args) != 1 {
		return fmt.Errorf("want one binary, got %d arguments", len(args))
	}
	binary, err := os.ReadFile(args[0])
	if err != nil {
		return err
	}
	info, err := buildinfo.Read(bytes.NewReader(binary))
	if err != nil {
		return fmt.Errorf("%s is no Go binary: %w", args[0], err)
	}
	enc := json.NewEncoder(out)
	enc.SetEscapeHTML(false)
	enc.SetIndent("", "  ")
	return enc.Encode(describe(filepath.Base(args[0]), binary, info))
}

// describe makes the document of a binary.
func describe(name string, binary []byte, info *debug.BuildInfo) document {
	sum := sha256.Sum256(binary)
	main := component{Ref: name, Type: "application", Name: name, Hashes: []hash{{"SHA-256", hex.EncodeToString(sum[:])}}}
	for _, s := range info.Settings {
		main.Properties = append(main.Properties, property{"go:build:" + s.Key, s.Value})
	}
	d := document{Format: "CycloneDX", Spec: "1.6", Serial: "urn:uuid:" + uuid(sum), Version: 1, Metadata: metadata{main}}
	d.add(component{Ref: "pkg:golang/std@" + info.GoVersion, Type: "library", Name: "std", Version: info.GoVersion, PURL: "pkg:golang/std@" + info.GoVersion})
	for _, m := range info.Deps {
		if m.Replace != nil {
			m = m.Replace
		}
		purl := "pkg:golang/" + m.Path + "@" + m.Version
		c := component{Ref: purl, Type: "library", Name: m.Path, Version: m.Version, PURL: purl}
		if m.Sum != "" {
			c.Properties = []property{{"go:sum", m.Sum}}
		}
		d.add(c)
	}
	var all []string
	for _, c := range d.Components {
		all = append(all, c.Ref)
	}
	d.Dependencies = []dependency{{Ref: name, Uses: all}}
	return d
}

// add adds a part.
func (d *document) add(c component) { d.Components = append(d.Components, c) }

// uuid makes an id of the form that is asked for of a digest (RFC 9562, version 8).
func uuid(sum [sha256.Size]byte) string {
	b := sum[:16]
	b[6], b[8] = b[6]&0x0f|0x80, b[8]&0x3f|0x80
	return fmt.Sprintf("%x-%x-%x-%x-%x", b[:4], b[4:6], b[6:8], b[8:10], b[10:])
}
