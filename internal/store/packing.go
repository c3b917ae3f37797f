package store

import (
	"bytes"
	"compress/flate"
	"errors"
	"fmt"
	"io"
	"sync"
)

// The first byte of a value says how the rest of it is written.
const (
	valueFormat  = 1 // JSON
	packedFormat = 2 // JSON, deflated over the dictionary
)

// mostUnpacked is what the JSON of a record may take. None comes near it: what does is no record of ours.
const mostUnpacked = 16 << 20

var errFormat = errors.New("unknown format")

// dictionary is what packed records look like. Never change it: it is a part of packedFormat, and records that were
// written with one text cannot be read with another. What has new fields is packed a little less well.
const dictionary = `{"o":{"Key":"code/","Account":"u","Purchase":"00","Spelling":"","Mixed":false}}` +
	`{"o":{"Account":"u","Number":1,"At":"2026-01-01T00:00:00Z","Kind":"bought","Amount":"-","Balance":"","Guessed":false,"Purchase":"00"}}` +
	`{"o":{"Account":"u","ID":"ORD-0","Purchase":"00","Origin":"current","Other":"","Topup":false,"Personal":false,"Manual":false,"Item":":","Unit":1,` +
	`"Status":"completed","Strange":false,"State":"ready","Price":"","Clash":false,"Was":"","Back":false,"Refund":"","Came":{"Sum":"0","Left":"0"},` +
	`"Late":false,"CreatedAt":"2026-01-01T00:00:00Z","SeenAt":"2026-01-01T00:00:00Z","DoneAt":"0001-01-01T00:00:00Z","ReadyAt":"2026-01-01T00:00:00Z",` +
	`"Looks":2,"Due":"0001-01-01T00:00:00Z","Unshown":"0001-01-01T00:00:00Z","Gone":false,"Rechecked":true},"s":{"code":"AQJr"}}` +
	`{"o":{"ID":"00","Account":"u","Chat":,"User":,"Buyer":"","Update":,"Message":,"Thread":0,"Nonce":"","Phase":"settled","ProductID":,"VariantID":,` +
	`"Plan":"","Family":"arena","Topup":true,"Family":"","Topup":false,"Manual":false,"Product":"","Variant":"","Quantity":1,"Price":"","Total":"",` +
	`"Before":{"At":"2026-01-01T00:00:00Z","Balance":"","Available":"","Known":true,"Settled":true,"Odd":0,"Used":-1,"Spends":,"Rows":null,"Listed":true,` +
	`"Unreadable":0},"Evidence":null,"LookAt":"0001-01-01T00:00:00Z","DecideBy":"0001-01-01T00:00:00Z","Origin":"","Refused":false,"Missing":0,"Of":"",` +
	`"More":"","Charged":null,"NewPrice":null,"Attempts":1,"Reason":"","Fields":null,"OrderIDs":["ORD-0"],"Same":null,"SameAt":"0001-01-01T00:00:00Z",` +
	`"Told":{"Codes":1,"MaybeSent":false,"Pinged":1,"Document":false,"Late":false},"Ask":null,"Day":"","Shown":null,"Word":null,"Reveals":null,` +
	`"CreatedAt":"2026-01-01T00:00:00.001Z","ExpiresAt":"2026-01-01T00:10:00.001Z","QueuedAt":"2026-01-01T00:00:00.001Z","TurnBy":"0001-01-01T00:00:00Z",` +
	`"SentAt":"2026-01-01T00:00:00.001Z","AnsweredAt":"2026-01-01T00:00:00.001Z","ClosedAt":"2026-01-01T00:00:00.001Z","History":[` +
	`{"At":"2026-01-01T00:00:00.001Z","From":"drafted","To":"queued","Why":""},{"At":"2026-01-01T00:00:00.001Z","From":"queued","To":"submitting","Why":""},` +
	`{"At":"2026-01-01T00:00:00.001Z","From":"submitting","To":"accepted","Why":""},{"At":"2026-01-01T00:00:00.001Z","From":"accepted","To":"settled","Why":""}]}}`

// What writes values in packedFormat, *flate.Writer, takes half a megabyte, and what reads them, io.ReadCloser, forty kilobytes: they are
// kept, for all stores of the process together. Nobody can see which one they get.
var packers, unpackers sync.Pool

// valueOf is a record's JSON as it is kept: packed or not.
func valueOf(text []byte, packed bool) ([]byte, error) {
	if !packed {
		return append([]byte{valueFormat}, text...), nil
	}
	var out bytes.Buffer
	out.WriteByte(packedFormat)
	w, ok := packers.Get().(*flate.Writer)
	if ok {
		w.Reset(&out)
	} else {
		var err error
		if w, err = flate.NewWriterDict(&out, flate.DefaultCompression, []byte(dictionary)); err != nil {
			return nil, err
		}
	}
	defer packers.Put(w)
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	// Cloned to its length: the buffer's spare room would be kept with the value.
	return bytes.Clone(out.Bytes()), nil
}

// JSONOf is the JSON of a record's value, in which what is sealed still is.
func JSONOf(value []byte) ([]byte, error) {
	switch {
	case len(value) > 0 && value[0] == valueFormat:
		return value[1:], nil
	case len(value) > 0 && value[0] == packedFormat:
		return unpack(value[1:])
	}
	return nil, errFormat
}

// unpack is the JSON of what was packed.
func unpack(packed []byte) ([]byte, error) {
	in := bytes.NewReader(packed)
	r, ok := unpackers.Get().(io.ReadCloser)
	if !ok {
		r = flate.NewReaderDict(in, []byte(dictionary))
	} else if err := r.(flate.Resetter).Reset(in, []byte(dictionary)); err != nil { //nolint:forcetypeassert // as flate says of its readers
		return nil, fmt.Errorf("unpack it: %w", err)
	}
	defer unpackers.Put(r)
	text, err := io.ReadAll(io.LimitReader(r, mostUnpacked))
	if err != nil {
		return nil, fmt.Errorf("unpack it: %w", err)
	}
	return text, nil
}

// Dictionary is what packed values are deflated over, for those who read them without this package.
func Dictionary() string { return dictionary }
