package tgsim

import (
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// reference reads the character reference at a place of the text: its code, zero where there is none, and
// where the text goes on.
func reference(in string, at int) (code rune, next int) {
	if at >= len(in) || in[at] != '&' {
		return 0, at
	}
	rest := in[at+1:]
	digits, numeric := strings.CutPrefix(rest, "#")
	used := 0
	if numeric {
		code, used = number(digits)
		used++
	} else {
		for used < len(rest) && isLetter(rest[used]) {
			used++
		}
		code = named(rest[:used])
	}
	next = at + 1 + used
	if code == 0 || numeric && (code >= utf8.MaxRune || next-at >= 10) {
		return 0, at
	}
	if next < len(in) && in[next] == ';' {
		next++
	}
	return code, next
}

// named is the code of a reference by name; there are four.
func named(name string) rune {
	switch name {
	case "lt":
		return '<'
	case "gt":
		return '>'
	case "amp":
		return '&'
	case "quot":
		return '"'
	}
	return 0
}

// number reads a decimal number, or a hexadecimal one after x. Of one that is too long to be a character
// only that is of interest.
func number(digits string) (n rune, used int) {
	base, isOne := rune(10), isDigit
	if strings.HasPrefix(digits, "x") {
		base, used, isOne = 16, 1, isHex
	}
	for ; used < len(digits) && isOne(digits[used]); used++ {
		n = min(n*base+hex(digits[used]), utf8.MaxRune)
	}
	return n, used
}

// hex is the value of a digit.
func hex(b byte) rune {
	if isDigit(b) {
		return rune(b - '0')
	}
	return rune(b|0x20-'a') + 10
}

func isDigit(b byte) bool  { return '0' <= b && b <= '9' }
func isLetter(b byte) bool { return 'a' <= b|0x20 && b|0x20 <= 'z' }
func isHex(b byte) bool    { return isDigit(b) || 'a' <= b|0x20 && b|0x20 <= 'f' }

// checkedLink is a link as Telegram keeps it: with a scheme and a path; "" for what is no link.
func checkedLink(link string) string {
	scheme, rest, found := strings.Cut(link, ":")
	switch {
	case !found || strings.Contains(scheme, "."):
		link = "http://" + link
	case strings.EqualFold(scheme, "tg") && !strings.HasPrefix(rest, "//"):
		link = "tg://" + rest
	}
	u, err := url.Parse(link)
	switch {
	case err != nil || u.Host == "" || strings.ContainsAny(link, " \n"):
		return ""
	case slices.Contains([]string{"tg", "ton", "tonsite"}, u.Scheme):
		return link
	case u.Scheme != "http" && u.Scheme != "https" || !strings.ContainsAny(u.Host, ".:") && u.Host != "localhost":
		return ""
	case u.Path == "" && u.RawQuery == "" && u.Fragment == "" && !u.ForceQuery:
		return link + "/"
	case u.Path == "":
		return strings.Replace(link, u.Host, u.Host+"/", 1)
	}
	return link
}

// linkTrouble says what is wrong with a link that checkedLink refuses.
func linkTrouble(link string) string {
	scheme, _, found := strings.Cut(link, ":")
	if found && !strings.Contains(scheme, ".") && !slices.Contains([]string{"http", "https", "tg", "ton", "tonsite"}, strings.ToLower(scheme)) {
		return "Unsupported URL protocol"
	}
	return "Wrong HTTP URL"
}

// tgLink takes a link into Telegram apart, as tg://emoji?id=1: where it leads, and with what. Both are empty
// for other links.
func tgLink(link string) (where string, query url.Values) {
	scheme, rest, _ := strings.Cut(link, ":")
	if !strings.EqualFold(scheme, "tg") {
		return "", nil
	}
	rest, _, _ = strings.Cut(strings.TrimPrefix(rest, "//"), "#")
	where, asked, _ := strings.Cut(rest, "?")
	query, err := url.ParseQuery(asked)
	if err != nil {
		return "", nil
	}
	return strings.ToLower(strings.TrimSuffix(where, "/")), query
}

// canonical is a positive number as it is written without anything that it does not need; zero for others.
func canonical(digits string) int64 {
	n, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || n <= 0 || strconv.FormatInt(n, 10) != digits {
		return 0
	}
	return n
}

// dateFormat reports whether a format is one of a date: relative, or any of its parts.
func dateFormat(format string) bool {
	return format == "r" || format == "R" || strings.Trim(format, "tTdDwW") == ""
}
