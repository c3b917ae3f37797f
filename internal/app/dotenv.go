package app

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/joho/godotenv"
)

// dotenvName is the file that is read from the working directory, if it is there.
const dotenvName = ".env"

// withDotenv adds the variables of dir's .env file to an environment, which they never override. The
// process's own environment stays as it is.
func withDotenv(environment func(string) (string, bool), dir string) (func(string) (string, bool), error) {
	file, err := readDotenv(filepath.Join(dir, dotenvName))
	if err != nil {
		return nil, err
	}
	return func(name string) (string, bool) {
		if value, ok := environment(name); ok {
			return value, true
		}
		value, ok := file[name]
		return value, ok
	}, nil
}

// readDotenv reads an .env file; a file that is not there is empty. Errors say where, never what:
// godotenv's own quote the rest of the file, secrets and all.
func readDotenv(path string) (map[string]string, error) {
	data, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return map[string]string{}, nil
	}
	if err != nil {
		return nil, configError{{dotenvName, "cannot be read", "a file that this user may read"}}
	}
	data = bytes.TrimPrefix(data, []byte("\ufeff")) // Windows editors put a byte order mark there
	values, err := godotenv.UnmarshalBytes(data)
	if err != nil {
		wrong := fmt.Sprintf("cannot be understood from line %d on", badLine(data))
		return nil, configError{{dotenvName, wrong, "lines of NAME='value'"}}
	}
	return values, nil
}

// badLine is the number of the line, from 1, at which the first statement begins that godotenv cannot
// parse: all lines before it can be parsed alone, and no longer beginning can.
func badLine(data []byte) int {
	lines := bytes.SplitAfter(data, []byte("\n"))
	// From the end: the longest beginning that can be parsed alone ends where the trouble begins.
	for n := len(lines) - 1; n > 0; n-- {
		if _, err := godotenv.UnmarshalBytes(bytes.Join(lines[:n], nil)); err == nil {
			return n + 1
		}
	}
	return 1
}
