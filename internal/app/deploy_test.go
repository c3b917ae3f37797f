package app_test

import (
	"debug/buildinfo"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"resellerbot/internal/app"
	"resellerbot/internal/app/apptest"
	"resellerbot/internal/sampletest"
	"resellerbot/internal/sandbox"
)

// setting is the value behind a name in a file of lines, "" where there is none.
func setting(t *testing.T, text, pattern string) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^\s*` + pattern + `$`).FindStringSubmatch(text)
	if m == nil {
		t.Errorf("there is no line %s", pattern)
		return ""
	}
	return m[1]
}

// allVerbs are the program's subcommands as its main function has them.
func allVerbs() []app.Subcommand { return app.World{More: sandbox.Subcommands()}.Verbs() }

// isVerb reports whether there is such a subcommand.
func isVerb(name string) bool {
	return slices.ContainsFunc(allVerbs(), func(v app.Subcommand) bool { return v.Name == name })
}

// longEnough fails the test unless a stop may take longer than the ten seconds that the bot promises.
func longEnough(t *testing.T, what, grace string) {
	t.Helper()
	if d, err := time.ParseDuration(grace); err != nil || d <= 10*time.Second {
		t.Errorf("%s: a stop may take %s, and the bot needs up to 10 s", what, grace)
	}
}

// TestImage: the image is one binary that runs as nobody in particular, writes in one folder, and is asked for
// its health without a shell.
func TestImage(t *testing.T) {
	text := apptest.ReadFile(t, "Dockerfile")
	_, last, ok := strings.Cut(text, "\nFROM scratch\n")
	if !ok || strings.Contains(last, "\nRUN ") || strings.Contains(last, "\nFROM ") {
		t.Error("the last stage is more than files")
	}
	if user := setting(t, last, `USER (\d+:\d+)`); strings.HasPrefix(user, "0") {
		t.Errorf("it runs as %s", user)
	}
	volume := setting(t, last, `VOLUME (\S+)`)
	if db := setting(t, last, `ENV DATABASE_PATH=(\S+)`); filepath.Dir(db) != volume {
		t.Errorf("the database %s is not in the volume %s", db, volume)
	}
	if check := setting(t, last, `HEALTHCHECK .*CMD \["/bot", "(\w+)"\]`); !isVerb(check) {
		t.Errorf("the health check calls %s, which is no subcommand", check)
	}
	if strings.Contains(last, "ENTRYPOINT /") || strings.Contains(last, "CMD /") {
		t.Error("something needs a shell, and there is none")
	}
	named := os.Expand(text, func(arg string) string { return setting(t, text, `(?m)^ARG `+arg+`=(\S*)`) })
	for _, from := range regexp.MustCompile(`(?m)^FROM (\S+)`).FindAllStringSubmatch(named, -1) {
		if from[1] != "scratch" && strings.Count(from[1], "/") < 2 {
			t.Errorf("the image %s is not named in full: not every builder knows where to look for it", from[1])
		}
	}
	longEnough(t, "Dockerfile", setting(t, text, `# docker run .*--stop-timeout (\d+) reseller-bot`)+"s")
	for _, m := range regexp.MustCompile(`(?m)^ENV ([A-Z_]+)=`).FindAllStringSubmatch(text, -1) {
		if !isVariable(m[1]) {
			t.Errorf("there is no variable %s", m[1])
		}
	}
	for what := range strings.FieldsSeq("cmd internal locales go.mod go.sum") { // all that the build copies
		if !strings.Contains(apptest.ReadFile(t, ".dockerignore"), "!"+what) {
			t.Errorf(".dockerignore keeps %s out", what)
		}
	}
}

// TestCompose: the container has what it needs and nothing else.
func TestCompose(t *testing.T) {
	text := apptest.ReadFile(t, "deploy/compose.yaml")
	composed(t, "compose.yaml", text)
	if !strings.Contains(text, "- data:/data") {
		t.Error("compose.yaml has no volume for the database")
	}
}

// TestComposeOfServers: two bots share a database whose commits wait for a standby, and each has a folder of its own.
func TestComposeOfServers(t *testing.T) {
	text := apptest.ReadFile(t, "deploy/compose.postgres.yaml")
	_, bot, ok := strings.Cut(text, "\nx-bot: &bot\n")
	if !ok {
		t.Fatal("there is no bot")
	}
	composed(t, "compose.postgres.yaml", bot)
	for _, want := range []string{"- data-1:/data", "- data-2:/data", "target_session_attrs=read-write", "DATABASE_STANDBY: required", `DATABASE_PATH: ""`} {
		if !strings.Contains(bot, want) {
			t.Errorf("compose.postgres.yaml lacks %s", want)
		}
	}
	for _, m := range regexp.MustCompile(`- \./([a-z/.]+):`).FindAllStringSubmatch(text, -1) {
		if info, err := os.Stat(filepath.Join(apptest.Root, "deploy", m[1])); err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("%s cannot be run: %v", m[1], err)
		}
	}
	scripts := apptest.ReadFile(t, "deploy/postgres/primary.sh") + apptest.ReadFile(t, "deploy/postgres/standby.sh")
	for _, m := range regexp.MustCompile(`\$\{([A-Z]+_PASSWORD):\?\}`).FindAllStringSubmatch(text, -1) {
		if !strings.Contains(text, "#   "+m[1]+"=…") || m[1] != "POSTGRES_PASSWORD" && !strings.Contains(scripts, "$"+m[1]) {
			t.Errorf("%s is asked for, and not said or used", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`cluster_name=(\w+)`).FindAllStringSubmatch(text, -1) {
		if names := setting(t, scripts, `alter system set synchronous_standby_names = '(.*)';`); !strings.Contains(names, m[1]) {
			t.Errorf("commits never wait for %s: %s", m[1], names)
		}
	}
}

// composed holds what any container of the bot has.
func composed(t *testing.T, name, text string) {
	t.Helper()
	longEnough(t, name, setting(t, text, `stop_grace_period: (\w+)`))
	for _, want := range []string{
		"read_only: true", `user: "65532:65532"`, "cap_drop: [ALL]", `security_opt: ["no-new-privileges:true"]`, "core: 0", "env_file: bot.env",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s lacks %s", name, want)
		}
	}
	if pinned, image := setting(t, text, `GOLANG: \$\{GOLANG:-(\S+)\}.*`), setting(t, apptest.ReadFile(t, "Dockerfile"), `ARG GOLANG=(\S+)`); pinned != image {
		t.Errorf("%s builds with %q, the Dockerfile with %q", name, pinned, image)
	}
	if strings.Contains(text, "ports:") {
		t.Error("something is published to the outside")
	}
	if addr := setting(t, text, `HTTP_ADDR: (\S+)`); addr == "" {
		t.Error("HTTP_ADDR is not set")
	} else if _, err := app.ListenAddr(addr); err != nil {
		t.Errorf("HTTP_ADDR %s: %v", addr, err)
	}
}

// TestService: systemd keeps the bot running, stops it gently, and lets it touch its own folder alone.
func TestService(t *testing.T) {
	text := apptest.ReadFile(t, "deploy/reseller-bot.service")
	longEnough(t, "service", setting(t, text, `TimeoutStopSec=(\d+)`)+"s")
	if code := setting(t, text, `RestartPreventExitStatus=(\d+)`); code != "78" || app.ExitRefused != 78 {
		t.Errorf("exit code %s is not started again", code)
	}
	if every := setting(t, text, `StartLimitIntervalSec=(\w+)`); every != "0" {
		t.Errorf("it is given up after some starts in %s", every)
	}
	if v := setting(t, text, `ExecStart=\S+ (\w+)`); !isVerb(v) {
		t.Errorf("%s is no subcommand", v)
	}
	if folder := setting(t, text, `StateDirectory=(\S+)`); !strings.Contains(apptest.ReadFile(t, "docs/operate.md"), "DATABASE_PATH='/var/lib/"+folder+"/bot.db'") {
		t.Error("operate.md puts the database where the service may not write")
	}
	if setting(t, text, `User=(\S+)`) == "root" || !strings.Contains(text, "\nProtectSystem=strict\n") || !strings.Contains(text, "\nLimitCORE=0\n") {
		t.Error("the service may do too much")
	}
}

// TestServiceIsUnderstood: systemd itself takes the unit, and finds little that could be locked further.
func TestServiceIsUnderstood(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("no systemd here")
	}
	unit := strings.Replace(apptest.ReadFile(t, "deploy/reseller-bot.service"), "/usr/local/bin/reseller-bot run", "/bin/true", 1)
	file := filepath.Join(t.TempDir(), "reseller-bot.service")
	if err := os.WriteFile(file, []byte(unit), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), analyze, "verify", file).CombinedOutput()
	newer := regexp.MustCompile(`(?m)^.*reseller-bot\.service:\d+: Unknown key (name )?'(RestartSteps|RestartMaxDelaySec)' in section .?Service.?, ignoring\.$`)
	if left := newer.ReplaceAll(out, nil); err != nil || strings.Contains(string(left), "reseller-bot.service:") {
		t.Errorf("verify: %v %s", err, out)
	}
	const most = "20" // tenths of systemd's measure of exposure, which goes to 100
	out, err = exec.CommandContext(t.Context(), analyze, "security", "--offline=true", "--threshold="+most, file).CombinedOutput()
	if err != nil {
		t.Errorf("security: %v %s", err, out[max(0, len(out)-300):])
	}
}

// TestScripts: what runs at night and at a release is there, and finds what it is about.
func TestScripts(t *testing.T) {
	for _, name := range []string{".ci/fuzz", ".ci/drill"} {
		info, err := os.Stat(filepath.Join(apptest.Root, name))
		if err != nil || info.Mode()&0o111 == 0 {
			t.Errorf("%s cannot be run: %v", name, err)
		}
	}
	drill := apptest.ReadFile(t, ".ci/drill")
	for _, m := range regexp.MustCompile(`(?m)^drill (\w+) .* (\w+)$`).FindAllStringSubmatch(drill, -1) {
		if !strings.Contains(drill, "\n"+m[2]+"() {") {
			t.Errorf(".ci/drill: nothing holds the drill %s", m[1])
		}
	}
	for _, m := range regexp.MustCompile(`tests \./internal/app '?(Test[\w|]+)`).FindAllStringSubmatch(drill, -1) {
		for name := range strings.SplitSeq(m[1], "|") {
			if !slices.ContainsFunc(testFiles(t), func(text string) bool { return strings.Contains(text, "func "+name+"(t *testing.T)") }) {
				t.Errorf(".ci/drill: there is no %s", name)
			}
		}
	}
	makefile := apptest.ReadFile(t, "Makefile")
	for _, want := range []string{"\t.ci/fuzz\n", "-trimpath", "-buildid=", "SHA256SUMS", "$(BILL)"} {
		if !strings.Contains(makefile, want) {
			t.Errorf("the Makefile lacks %s", want)
		}
	}
	targets := 0
	for _, s := range sources(t) {
		targets += len(regexp.MustCompile(`(?m)^func Fuzz[A-Za-z0-9_]*\(`).FindAllString(s.text, -1))
	}
	if targets < 8 {
		t.Errorf("%d fuzz targets", targets)
	}
}

// testFiles are the tests of this package.
func testFiles(t *testing.T) (texts []string) {
	t.Helper()
	names, err := filepath.Glob("*_test.go")
	if err != nil || len(names) == 0 {
		t.Fatalf("there are no tests: %v", err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		texts = append(texts, string(text))
	}
	return texts
}

// released is the version of the release that docs/operate.md builds.
func released(t *testing.T) string {
	t.Helper()
	m := regexp.MustCompile(`(?m)^make release VERSION=(\S+)$`).FindStringSubmatch(apptest.ReadFile(t, "docs/operate.md"))
	if m == nil {
		t.Fatal("docs/operate.md builds no release")
	}
	return m[1]
}

// TestReleaseIsNamed: a release has a version that the changelog names, as the one has that docs/operate.md builds.
func TestReleaseIsNamed(t *testing.T) {
	made, err := exec.LookPath("make")
	if err != nil {
		t.Skip("no make here")
	}
	for version, named := range map[string]bool{released(t): true, "dev": false, "": false, "0": false, "Unreleased": false, "9.9.9": false, ".*": false} {
		out, err := exec.CommandContext(t.Context(), made, "-C", apptest.Root, "named", "VERSION="+version).CombinedOutput()
		if (err == nil) != named || !named && !strings.Contains(string(out), "CHANGELOG.md has no version "+version) {
			t.Errorf("version %q: %v\n%s", version, err, out)
		}
	}
	if plan, err := exec.CommandContext(t.Context(), made, "-n", "-C", apptest.Root, "release", "VERSION=9.9.9").CombinedOutput(); err != nil || !strings.Contains(strings.SplitN(string(plan), "go build", 2)[0], "CHANGELOG.md") {
		t.Errorf("a release is built before its version is looked up: %v\n%s", err, plan)
	}
}

// TestRelease: a release made twice is the same bytes, and what it says that its binaries are made of is all that they hold. It
// builds the tool for that, which takes a minute of a processor: CI leaves it to the night.
func TestRelease(t *testing.T) {
	if sampletest.Sampled() {
		t.Skip("it builds releases: SAMPLES=full plays it, as make full does")
	}
	made, err := exec.LookPath("make")
	if err != nil {
		t.Skip("no make here")
	}
	var sums [2]string
	for i := range sums {
		dist := filepath.Join(t.TempDir(), "release")
		if out, err := exec.CommandContext(t.Context(), made, "-C", apptest.Root, "release", "VERSION="+released(t), "DIST="+dist).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		sums[i] = readFile(t, filepath.Join(dist, "SHA256SUMS"))
		for _, arch := range []string{"amd64", "arm64"} {
			checkBill(t, filepath.Join(dist, "bot-linux-"+arch))
		}
	}
	if sums[0] != sums[1] {
		t.Errorf("two releases of one version differ:\n%s\n%s", sums[0], sums[1])
	}
}

// checkBill fails the test unless the bill of materials beside a binary names what is in it, and nothing that another machine, or another
// day, would write otherwise.
func checkBill(t *testing.T, binary string) {
	t.Helper()
	var bill struct {
		Format   string `json:"bomFormat"`
		Serial   string `json:"serialNumber"`
		Metadata struct {
			Timestamp string `json:"timestamp"`
			Component struct {
				Version string `json:"version"`
			} `json:"component"`
			Tools []struct {
				Hashes []any `json:"hashes"`
			} `json:"tools"`
		} `json:"metadata"`
		Components []struct {
			Name    string `json:"name"`
			Version string `json:"version"`
		} `json:"components"`
	}
	if err := json.Unmarshal([]byte(readFile(t, binary+".cdx.json")), &bill); err != nil {
		t.Fatal(err)
	}
	if bill.Format != "CycloneDX" || bill.Metadata.Component.Version != released(t) || len(bill.Metadata.Tools) != 1 {
		t.Errorf("%s: it is no bill of this release: %+v", binary, bill)
	}
	if bill.Serial != "" || bill.Metadata.Timestamp != "" || len(bill.Metadata.Tools[0].Hashes) > 0 {
		t.Errorf("%s: its bill would be another one elsewhere: %+v", binary, bill)
	}
	info, err := buildinfo.ReadFile(binary)
	if err != nil {
		t.Fatal(err)
	}
	want, got := []string{"std " + info.GoVersion}, []string(nil)
	for _, m := range info.Deps {
		want = append(want, m.Path+" "+m.Version)
	}
	for _, c := range bill.Components {
		got = append(got, c.Name+" "+c.Version)
	}
	slices.Sort(want)
	slices.Sort(got)
	if len(info.Deps) == 0 || !slices.Equal(got, want) {
		t.Errorf("%s holds %q, and its bill names %q", binary, want, got)
	}
}

// readFile reads a file that a test has had made.
func readFile(t *testing.T, path string) string {
	t.Helper()
	text, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}
