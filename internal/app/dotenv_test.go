package app

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// WriteDotenv makes a directory with an .env file.
func WriteDotenv(t *testing.T, content string) (dir string) {
	t.Helper()
	dir = t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, dotenvName), []byte(content), 0o600); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestDotenvNeverOverrides(t *testing.T) {
	dir := WriteDotenv(t, "\ufeffA='file'\r\nB='file'\nC='a$B # c'\nexport D=\"two\nlines\"\n")
	lookup, err := withDotenv(LookupIn(map[string]string{"A": "environment", "B": ""}), dir)
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"A": "environment", "B": "", "C": "a$B # c", "D": "two\nlines"} {
		if got, ok := lookup(name); !ok || got != want {
			t.Errorf("%s = %q, %v; want %q", name, got, ok, want)
		}
	}
	if _, ok := lookup("E"); ok {
		t.Error("E is nowhere")
	}
	if _, ok := os.LookupEnv("C"); ok {
		t.Error("the process's environment must stay as it is")
	}
}

func TestDotenvMayBeMissing(t *testing.T) {
	if _, err := withDotenv(LookupIn(nil), t.TempDir()); err != nil {
		t.Fatal(err)
	}
}

func TestDotenvErrorsTellNothing(t *testing.T) {
	const secrets = "KEY='canary'\nTOKEN='canary'\n"
	for name, test := range map[string]struct{ content, wrong string }{
		"unterminated":   {secrets + "\n# note\nA='canary\nB=canary\n", "from line 5 on"},
		"no name":        {"!canary=1\n" + secrets, "from line 1 on"},
		"no equals sign": {secrets + "canary\n" + secrets, "from line 3 on"},
		"after lines":    {"A=\"one\ntwo canary\"\n" + "B'=canary\n", "from line 3 on"},
		"one line":       {"canary=\"", "from line 1 on"},
	} {
		_, err := withDotenv(LookupIn(nil), WriteDotenv(t, test.content))
		if err == nil || !strings.Contains(err.Error(), test.wrong) {
			t.Errorf("%s: %v", name, err)
			continue
		}
		assertHidden(t, err.Error(), []string{"canary"})
	}
}

func TestDotenvUnreadable(t *testing.T) {
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, dotenvName), 0o700); err != nil {
		t.Fatal(err)
	}
	if _, err := withDotenv(LookupIn(nil), dir); err == nil || !strings.HasPrefix(err.Error(), ".env: cannot be read") {
		t.Errorf("got %v", err)
	}
}
