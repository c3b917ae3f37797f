package tgsim

import (
	"cmp"
	"encoding/json"
	"flag"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"
)

var specFile = flag.String("spec", "", "Telegram's description of the Bot API in JSON, to derive botapi.txt from")

// botAPIHead explains the form of botapi.txt.
const botAPIHead = `# The Bot API: methods with what they answer and their parameters, types with their fields or with the
# types that they may be. ! is required, [X] is an array of X, =a|b are the only values that there are.
# Derived from the description in JSON that github.com/PaulSonOfLars/telegram-bot-api-spec publishes, with
# go test ./internal/sandbox/tgsim -run TestBotAPIText -spec api.json
`

// specItem is a method or a type of the description.
type specItem struct {
	Description []string
	Returns     []string
	Subtypes    []string
	Fields      []struct {
		Name        string
		Types       []string
		Required    bool
		Description string
	}
}

// write puts the item down in the form of botapi.txt.
func (i specItem) write(out *strings.Builder, name string) {
	fmt.Fprintf(out, "\n%s", name)
	if kinds := slices.Concat(i.Returns, i.Subtypes); len(kinds) > 0 {
		fmt.Fprintf(out, " = %s", compact(kinds))
	}
	out.WriteByte('\n')
	for _, f := range i.Fields {
		required, values := "", ""
		if f.Required {
			required = "!"
		}
		if list := valuesOf(f.Description); list != nil && slices.Equal(f.Types, []string{"String"}) && i.Returns == nil {
			values = " =" + strings.Join(list, "|")
		}
		if f.Name == "date" && strings.HasSuffix(f.Description, "Always 0. The field can be used to differentiate regular and inaccessible messages.") {
			values = " =0"
		}
		fmt.Fprintf(out, "  %s%s %s%s\n", f.Name, required, compact(f.Types), values)
	}
}

// compact writes types down: [X] for Array of X.
func compact(types []string) string {
	var out []string
	for _, t := range types {
		depth := strings.Count(t, "Array of ")
		out = append(out, strings.Repeat("[", depth)+strings.ReplaceAll(t, "Array of ", "")+strings.Repeat("]", depth))
	}
	return strings.Join(out, "|")
}

var (
	oneValue  = regexp.MustCompile(`(?:always|must be) [“"]?\*?([a-z0-9_]+)\*?[”"]?\.?$`)
	anyValues = regexp.MustCompile(`(?:can be either|[Cc]urrently,? can be|currently one of|[Mm]ust be one of) "`)
	quoted    = regexp.MustCompile(`"([a-z0-9_]+)"`)
)

// valuesOf finds in a description the only values that there are; none if it does not say.
func valuesOf(description string) []string {
	if m := oneValue.FindStringSubmatch(description); m != nil {
		return m[1:]
	}
	if !anyValues.MatchString(description) {
		return nil
	}
	var values []string
	for _, m := range quoted.FindAllStringSubmatch(description, -1) {
		if !slices.Contains(values, m[1]) {
			values = append(values, m[1])
		}
	}
	return values
}

// derive makes botapi.txt.
func derive(t *testing.T, description []byte) string {
	t.Helper()
	var spec struct {
		Version        string
		Methods, Types map[string]specItem
	}
	if err := json.Unmarshal(description, &spec); err != nil {
		t.Fatal(err)
	}
	var out strings.Builder
	fmt.Fprintf(&out, "%s\nversion %s\n", botAPIHead, strings.TrimPrefix(spec.Version, "Bot API "))
	for _, items := range []map[string]specItem{spec.Methods, spec.Types} {
		names := slices.SortedFunc(maps.Keys(items), func(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) })
		for _, name := range names {
			items[name].write(&out, name)
		}
	}
	return out.String()
}

// botapi.txt is what is derived from the description, where that is given, and holds together in any case.
func TestBotAPIText(t *testing.T) {
	if *specFile != "" {
		description, err := os.ReadFile(*specFile)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile("botapi.txt", []byte(derive(t, description)), 0o600); err != nil {
			t.Fatal(err)
		}
		t.Skip("botapi.txt was written")
	}
	api := describedAPI()
	if api.version == "" || len(api.methods) < 180 || len(api.types) < 350 || len(api.updateKinds()) < 25 {
		t.Errorf("Bot API %s has %d methods, %d types", api.version, len(api.methods), len(api.types))
	}
	known := func(where string, types []string) {
		for _, name := range types {
			name = strings.Trim(name, "[]")
			if _, ok := api.types[name]; !ok && !slices.Contains([]string{"Integer", "Float", "String", "Boolean"}, name) {
				t.Errorf("%s is of an unknown type %s", where, name)
			}
		}
	}
	for _, items := range []map[string]shape{api.methods, api.types} {
		for _, item := range items {
			known(item.name, item.kinds)
			for _, f := range item.fields {
				known(item.name+"."+f.name, f.types)
			}
		}
	}
}

// The judge sees what is wrong, and lets pass what is right.
func TestJudge(t *testing.T) {
	for _, c := range []struct{ kind, value, want string }{
		{"User", `{"id":1,"is_bot":false,"first_name":"a"}`, ""},
		{"User", `{"id":"1","is_bot":"no","name":"a"}`, "v.id is no Integer|v.is_bot is no Boolean|v.name is no field of User|v.first_name is missing"},
		{"User", `7`, "v is no User"},
		{"User", `{`, "v is no JSON"},
		{"[User]", `[{}]`, "v[0].id is missing|v[0].is_bot is missing|v[0].first_name is missing"},
		{"[User]", `{}`, "v is no [User]"},
		{"[[Integer]]", `[[1,2],["3"]]`, "v[1][0] is no Integer"},
		{"Float", `1.5`, ""},
		{"Integer", `1.5`, "v is no Integer"},
		{"ChatMember", `{"status":"member","user":{"id":1,"is_bot":false,"first_name":"a"}}`, ""},
		{"ChatMember", `{"status":"kicked","user":{"id":1,"is_bot":false,"first_name":"a"}}`, "v.until_date is missing"},
		{"ChatMember", `{"status":"emperor"}`, "v is none of ChatMember"},
		{"Chat", `{"id":1,"type":"square"}`, "v.type is square"},
		{"MaybeInaccessibleMessage", `{"chat":{"id":1,"type":"private"},"message_id":1,"date":0}`, ""},
		{"MaybeInaccessibleMessage", `{"chat":{"id":1,"type":"private"},"message_id":1,"date":5,"text":"a"}`, ""},
	} {
		got := strings.Join((judge{api: describedAPI()}).judgeJSON("v", []string{c.kind}, []byte(c.value)), "|")
		if got != c.want {
			t.Errorf("%s %s\n got %s\nwant %s", c.kind, c.value, got, c.want)
		}
	}
}
