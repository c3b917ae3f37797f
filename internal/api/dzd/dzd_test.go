package dzd_test

import (
	"encoding/json"
	"errors"
	"testing"

	"pgregory.net/rapid"

	"resellerbot/internal/api/dzd"
)

func TestParse(t *testing.T) {
	for text, want := range map[string]string{
		"0": "0", "-0": "0", "1250.5": "1250.5", "1250.50": "1250.5", "1250.505": "1250.505", "1.25e3": "1250", "1250.5000000000002": "1250.5",
		"0.1": "0.1", "4.35": "4.35", "1.15": "1.15", "-3.2": "-3.2", "999999999999.9999": "999999999999.9999", "100": "100", "0.00005": "0", "0.00015": "0.0002",
	} {
		a, err := dzd.Parse(text)
		if err != nil || a.String() != want {
			t.Errorf("Parse(%q) = %s, %v; want %s", text, a, err, want)
		}
	}
	for _, text := range []string{"", " ", "null", "NaN", "Inf", "abc", "1,5", "1 000", "1e400", "1000000000000", "-1000000000000", "0x10", "1.2.3", "--1"} {
		if a, err := dzd.Parse(text); err == nil {
			t.Errorf("Parse(%q) = %s; want an error", text, a)
		}
	}
}

func TestMul(t *testing.T) {
	total, err := dzd.Must("1250.505").Mul(3)
	if err != nil || total.String() != "3751.515" {
		t.Errorf("3 × 1250.505 = %s, %v", total, err)
	}
	if _, err := dzd.Must("999999999999").Mul(2); !errors.Is(err, dzd.ErrRange) {
		t.Errorf("an amount beyond the range: %v", err)
	}
	if _, err := dzd.Must("999999999999.1234").Mul(1 << 62); !errors.Is(err, dzd.ErrRange) {
		t.Errorf("an amount far beyond the range: %v", err)
	}
}

func TestAddIsBounded(t *testing.T) {
	most := dzd.Must("999999999999.9999")
	if got := most.Add(most); !got.Equal(most) {
		t.Errorf("the sum is %s", got)
	}
	if got := dzd.Int(0).Sub(most).Sub(most); got.String() != "-999999999999.9999" {
		t.Errorf("the difference is %s", got)
	}
}

func TestDecimals(t *testing.T) {
	for text, want := range map[string][2]string{"1234.5": {"1234", "50"}, "1250": {"1250", "00"}, "0.055": {"0", "055"}, "-7.25": {"7", "25"}} {
		whole, frac, negative := dzd.Must(text).Decimals()
		if whole != want[0] || frac != want[1] || negative != (text[0] == '-') {
			t.Errorf("Decimals(%s) = %s, %s, %v", text, whole, frac, negative)
		}
	}
}

func TestJSON(t *testing.T) {
	var v struct{ Number, Text dzd.Amount }
	if err := json.Unmarshal([]byte(`{"Number": 1250.50, "Text": "99.9"}`), &v); err != nil {
		t.Fatal(err)
	}
	out, err := json.Marshal(v)
	if err != nil || string(out) != `{"Number":"1250.5","Text":"99.9"}` {
		t.Errorf("%s, %v", out, err)
	}
	for _, bad := range []string{"null", `""`, `"x"`, "true", "[1]", "{}"} {
		var a dzd.Amount
		if err := a.UnmarshalJSON([]byte(bad)); err == nil {
			t.Errorf("%s was read as %s", bad, a)
		}
	}
}

func TestArithmetic(t *testing.T) {
	cents := rapid.Int64Range(-1_000_000_000, 1_000_000_000)
	rapid.Check(t, func(t *rapid.T) {
		a, b := dzd.Int(cents.Draw(t, "a")), dzd.Int(cents.Draw(t, "b"))
		n := rapid.IntRange(0, 100).Draw(t, "n")
		if !a.Add(b).Sub(b).Equal(a) || !a.Add(b).Equal(b.Add(a)) {
			t.Fatalf("%s + %s − %s is not %s", a, b, b, a)
		}
		sum := dzd.Amount{}
		for range n {
			sum = sum.Add(a)
		}
		if p, err := a.Mul(n); err != nil || !p.Equal(sum) {
			t.Fatalf("%d × %s = %s, %v; adding up gives %s", n, a, p, err, sum)
		}
		back, err := dzd.Parse(a.String())
		if err != nil || !back.Equal(a) || a.Less(b) != (a.Cmp(b) < 0) || a.Sign() != a.Cmp(dzd.Amount{}) {
			t.Fatalf("%s does not survive its own text", a)
		}
	})
}

func FuzzParse(f *testing.F) {
	for _, s := range []string{"0", "1250.5", "1e3", "null", "-1.00005", "1e400", "٣"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := dzd.Parse(s)
		if err != nil {
			return
		}
		back, err := dzd.Parse(a.String())
		if err != nil || !back.Equal(a) {
			t.Errorf("%q gives %s, which does not read back: %v", s, a, err)
		}
	})
}
