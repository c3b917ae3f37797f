package picture

import (
	"bytes"
	"embed"
	"fmt"
	"image"
	"image/color"
	"image/draw"
	"slices"
	"strings"
	"unicode"

	"github.com/go-text/typesetting/di"
	"github.com/go-text/typesetting/font"
	"github.com/go-text/typesetting/font/opentype"
	"github.com/go-text/typesetting/language"
	"github.com/go-text/typesetting/shaping"
	"golang.org/x/image/math/fixed"
	"golang.org/x/image/vector"
)

// fonts are Noto Sans and Noto Sans Arabic, under the SIL Open Font License (fonts/OFL.txt).
//
//go:embed fonts/*.ttf
var fonts embed.FS

// weight is how heavy letters are.
type weight int

// The weights.
const (
	regular weight = iota
	bold
)

// Painter draws. It may be used by several at once.
// A font is read only and shared; a face keeps what it has looked up and is one pen's, so each picture makes its own.
type Painter struct{ fonts [2][]*font.Font }

// New reads the fonts.
func New() (*Painter, error) {
	p := &Painter{}
	for w, names := range map[weight][]string{regular: {"NotoSans-Regular", "NotoSansArabic-Regular"}, bold: {"NotoSans-Bold", "NotoSansArabic-Bold"}} {
		for _, name := range names {
			data, err := fonts.ReadFile("fonts/" + name + ".ttf")
			if err != nil {
				return nil, fmt.Errorf("read the font %s: %w", name, err)
			}
			face, err := font.ParseTTF(bytes.NewReader(data))
			if err != nil {
				return nil, fmt.Errorf("read the font %s: %w", name, err)
			}
			p.fonts[w] = append(p.fonts[w], face.Font)
		}
	}
	return p, nil
}

// align is where a line stands in its room.
type align int

// The alignments: those of reading, and absolute ones.
const (
	leading  align = iota // where reading begins
	trailing              // where it ends
	center
)

// style is how a text looks.
type style struct {
	size   int
	weight weight
	color  color.RGBA
	align  align
	ltr    bool // whatever the picture's direction: codes, numbers of telephones
	lines  int  // at most; 0 for one
}

// pen draws onto one picture.
type pen struct {
	*image.RGBA

	rtl    bool
	faces  [2]faces
	shaper shaping.HarfbuzzShaper
	seg    shaping.Segmenter
	wrap   shaping.LineWrapper
	glyphs map[glyphKey]glyph
}

// faces are the fonts of one weight, in the order in which they are asked for a letter.
type faces []*font.Face

// ResolveFace is the first font that has a letter.
func (f faces) ResolveFace(r rune) *font.Face {
	for _, face := range f {
		if _, has := face.NominalGlyph(r); has {
			return face
		}
	}
	// Never nil: marks come here too, which clean lets through where no font has them.
	return f[0]
}

// glyphKey is a drawn letter.
type glyphKey struct {
	face *font.Face
	id   font.GID
	size fixed.Int26_6
}

// glyph is a letter's mask, and where it lies relative to its origin.
type glyph struct {
	mask *image.Alpha
	at   image.Point
}

// pen begins a picture.
func (p *Painter) pen(width, height int, rtl bool, paper color.RGBA) *pen {
	d := &pen{RGBA: image.NewRGBA(image.Rect(0, 0, width, height)), rtl: rtl, glyphs: map[glyphKey]glyph{}}
	for w, list := range p.fonts {
		for _, f := range list {
			d.faces[w] = append(d.faces[w], font.NewFace(f))
		}
	}
	d.fill(d.Rect, paper)
	return d
}

// fill fills a rectangle.
func (d *pen) fill(r image.Rectangle, c color.RGBA) {
	draw.Draw(d.RGBA, r, image.NewUniform(c), image.Point{}, draw.Src)
}

// clean is a text without what is not to be drawn: controls, overrides of the direction, and what no font has. Signs that a
// number needs have others in their place where the fonts lack them: an amount must not lose its minus.
func (d *pen) clean(text string, w weight) []rune {
	var out []rune
	for _, r := range text {
		switch r {
		case '\n', '\t':
			r = ' '
		case '\u2212': // minus
			r = '-'
		case '\u202f', '\u2009': // narrow spaces in numbers
			r = '\u00a0'
		}
		// What is left out is left out without a sign in its place: an emoji in a shop's name is no square on its receipt.
		if marks(r) || d.has(r, w) && !unicode.Is(unicode.Cf, r) && !unicode.IsControl(r) {
			out = append(out, r)
		}
	}
	return []rune(strings.TrimSpace(string(out)))
}

// marks reports whether a rune is not seen and only tells how its neighbours are: where they stand, and whether they join.
func marks(r rune) bool { return r >= '\u200c' && r <= '\u200f' }

// has reports whether a font has a letter.
func (d *pen) has(r rune, w weight) bool {
	for _, face := range d.faces[w] {
		if _, has := face.NominalGlyph(r); has {
			return true
		}
	}
	return false
}

// runsRTL tells in which direction a text runs: in that of its first letter, for names from outside have one of their own;
// where it has no letter, in that of the picture.
func runsRTL(text []rune, picture bool) bool {
	for _, r := range text {
		switch {
		case unicode.In(r, unicode.Arabic, unicode.Hebrew) && unicode.IsLetter(r):
			return true
		case unicode.IsLetter(r):
			return false
		}
	}
	return picture
}

// lines breaks a text into lines that fit a width. What does not fit into as many as there may be ends with three dots.
func (d *pen) lines(text string, s style, width int) []shaping.Line {
	runes := d.clean(text, s.weight)
	if len(runes) == 0 {
		return nil
	}
	dir := di.DirectionLTR
	if !s.ltr && runsRTL(runes, d.rtl) {
		dir = di.DirectionRTL
	}
	in := shaping.Input{
		Text: runes, RunEnd: len(runes), Direction: dir, Face: d.faces[s.weight][0], Size: fixed.I(s.size),
		Script: language.Latin, Language: language.NewLanguage("fr"),
	}
	var runs []shaping.Output
	for _, part := range d.seg.Split(in, d.faces[s.weight]) {
		runs = append(runs, d.shaper.Shape(part))
	}
	dots := in
	dots.Text, dots.RunEnd = []rune("…"), 1
	config := shaping.WrapConfig{Direction: dir, TruncateAfterLines: max(s.lines, 1)}.WithTruncator(&d.shaper, dots)
	lines, _ := d.wrap.WrapParagraph(config, width, runes, shaping.NewSliceIterator(runs))
	// The wrapper's own lines are valid only until it is used again, and line sorts what it is given.
	for i := range lines {
		lines[i] = slices.Clone(lines[i])
	}
	return slices.Clone(lines)
}

// height is what lines of a style take, each.
func (s style) height() int { return s.size * 3 / 2 }

// text draws a text into a room from a top edge on, and returns the lower edge.
func (d *pen) text(text string, s style, x, y, width int) int {
	for _, line := range d.lines(text, s, width) {
		d.line(line, s, x, y, width)
		y += s.height()
	}
	return y
}

// wide is how wide a text is on one line.
func (d *pen) wide(text string, s style) int {
	var w fixed.Int26_6
	// So wide that nothing is broken or shortened.
	for _, line := range d.lines(text, s, 1<<20) {
		for _, run := range line {
			w += run.Advance
		}
	}
	return w.Ceil()
}

// line draws a line, its runs in the order in which they are seen.
func (d *pen) line(line shaping.Line, s style, x, y, width int) {
	slices.SortFunc(line, func(a, b shaping.Output) int { return int(a.VisualIndex - b.VisualIndex) })
	var wide fixed.Int26_6
	for _, run := range line {
		wide += run.Advance
	}
	free := fixed.I(width) - wide
	// The baseline is 1.1 of the size below the top of a line that is 1.5 high.
	dot := fixed.Point26_6{X: fixed.I(x), Y: fixed.I(y + s.size*11/10)}
	// By the picture's direction and not the text's own: a Latin name in an Arabic receipt stands on the right as its neighbours do.
	switch right := d.rtl; {
	case s.align == center:
		dot.X += free / 2
	case (s.align == trailing) != right:
		dot.X += free
	}
	ink := image.NewUniform(s.color)
	for _, run := range line {
		for _, g := range run.Glyphs {
			drawn := d.glyph(run, g.GlyphID)
			at := image.Pt((dot.X + g.XOffset).Round(), (dot.Y - g.YOffset).Round()).Add(drawn.at)
			if drawn.mask != nil {
				draw.DrawMask(d.RGBA, drawn.mask.Rect.Add(at), ink, image.Point{}, drawn.mask, image.Point{}, draw.Over)
			}
			dot.X += g.Advance
		}
	}
}

// glyph draws a letter once, in a box of its own size.
func (d *pen) glyph(run shaping.Output, id font.GID) glyph {
	key := glyphKey{run.Face, id, run.Size}
	if g, known := d.glyphs[key]; known {
		return g
	}
	var g glyph
	if outline, ok := run.Face.GlyphDataOutline(id); ok && len(outline.Segments) > 0 {
		g = rasterise(outline.Segments, float32(run.Size)/64/float32(run.Face.Upem()))
	}
	d.glyphs[key] = g
	return g
}

// rasterise fills an outline.
func rasterise(outline []opentype.Segment, scale float32) glyph {
	minX, minY, maxX, maxY := float32(1e9), float32(1e9), float32(-1e9), float32(-1e9)
	for _, s := range outline {
		for _, p := range s.ArgsSlice() {
			minX, maxX = min(minX, p.X*scale), max(maxX, p.X*scale)
			minY, maxY = min(minY, -p.Y*scale), max(maxY, -p.Y*scale)
		}
	}
	at := image.Pt(int(minX)-1, int(minY)-1)
	w, h := int(maxX)-at.X+2, int(maxY)-at.Y+2
	r := vector.NewRasterizer(w, h)
	to := func(p opentype.SegmentPoint) (float32, float32) {
		return p.X*scale - float32(at.X), -p.Y*scale - float32(at.Y)
	}
	for i, s := range outline {
		a := s.Args
		x, y := to(a[0])
		switch s.Op {
		case opentype.SegmentOpMoveTo:
			if i > 0 {
				r.ClosePath()
			}
			r.MoveTo(x, y)
		case opentype.SegmentOpLineTo:
			r.LineTo(x, y)
		case opentype.SegmentOpQuadTo:
			x1, y1 := to(a[1])
			r.QuadTo(x, y, x1, y1)
		case opentype.SegmentOpCubeTo:
			x1, y1 := to(a[1])
			x2, y2 := to(a[2])
			r.CubeTo(x, y, x1, y1, x2, y2)
		}
	}
	r.ClosePath()
	mask := image.NewAlpha(image.Rect(0, 0, w, h))
	r.Draw(mask, mask.Rect, image.Opaque, image.Point{})
	return glyph{mask, at}
}
