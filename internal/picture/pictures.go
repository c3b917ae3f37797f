package picture

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
)

// Line is a name and what stands against it.
type Line struct {
	Name, Value string
	Strong      bool
}

// Receipt is what a customer is handed.
type Receipt struct {
	RTL    bool
	Shop   string
	Under  string // below the shop's name: its telephone
	Logo   image.Image
	Title  string
	Lines  []Line
	Total  Line
	Codes  []string // verbatim, each on lines of its own
	Advice []string // how to redeem them
	Foot   string
}

// inks and papers. They are few, so that a picture stays small.
func ink() color.RGBA    { return color.RGBA{0x17, 0x20, 0x2a, 0xff} }
func pale() color.RGBA   { return color.RGBA{0x5f, 0x6b, 0x7a, 0xff} }
func paper() color.RGBA  { return color.RGBA{0xff, 0xff, 0xff, 0xff} }
func shade() color.RGBA  { return color.RGBA{0xe8, 0xed, 0xf1, 0xff} }
func rule() color.RGBA   { return color.RGBA{0xc9, 0xd1, 0xd9, 0xff} }
func accent() color.RGBA { return color.RGBA{0x0b, 0x6e, 0x4f, 0xff} }
func loss() color.RGBA   { return color.RGBA{0xb3, 0x26, 0x1e, 0xff} }

// most cuts a receipt that would be longer. Whoever fills one in keeps it below: screen counts codes instead of writing them out where
// they are many (mostReceiptCodes, mostReceiptRunes).
const (
	receiptWidth = 780 // twice what a phone shows
	most         = 4000
)

// Receipt draws a receipt, as a PNG.
func (p *Painter) Receipt(r Receipt) ([]byte, error) {
	d := p.pen(receiptWidth, most, r.RTL, paper())
	const edge = 48
	x, w := edge, receiptWidth-2*edge
	y := d.head(r.Shop, r.Under, r.Logo, x, 36, w)
	y = d.text(r.Title, style{size: 30, weight: bold, color: accent(), align: center}, x, y+8, w) + 16
	for _, line := range r.Lines {
		y = d.against(line, style{size: 30, color: ink()}, x, y, w)
	}
	d.fill(image.Rect(x, y+10, x+w, y+12), rule())
	total := r.Total
	total.Strong = true
	y = d.against(total, style{size: 38, color: ink()}, x, y+22, w) + 8
	for _, code := range r.Codes {
		y = d.code(code, x, y, w)
	}
	for _, advice := range r.Advice {
		y = d.text(advice, style{size: 26, color: pale(), lines: 4}, x, y, w) + 6
	}
	y = d.text(r.Foot, style{size: 26, color: pale(), align: center, lines: 2}, x, y+12, w)
	return d.png(min(y+36, most))
}

// head draws whose it is.
func (d *pen) head(shop, under string, logo image.Image, x, y, w int) int {
	if logo != nil {
		size := logo.Bounds().Size()
		at := image.Pt(x+(w-size.X)/2, y)
		drawOver(d.RGBA, logo, at)
		y += size.Y + 12
	}
	y = d.text(shop, style{size: 46, weight: bold, color: ink(), align: center, lines: 2}, x, y, w)
	if under != "" {
		y = d.text(under, style{size: 28, color: pale(), align: center, ltr: true}, x, y, w)
	}
	d.fill(image.Rect(x, y+10, x+w, y+12), rule())
	return y + 22
}

// against draws a name and its value on one line; a long name goes on below.
func (d *pen) against(line Line, s style, x, y, w int) int {
	if line.Strong {
		s.weight = bold
	}
	value := s
	value.align = trailing
	// The value is measured first and the name gets the rest: an amount is never shortened for a long name.
	room := min(d.wide(line.Value, value), w*2/3)
	name := s
	name.lines = 2
	if !line.Strong {
		name.color = pale()
	}
	nameX, valueX := x, x+w-room
	if d.rtl {
		nameX, valueX = x+room+24, x
	}
	after := d.text(line.Name, name, nameX, y, w-room-24)
	value.lines = 2
	return max(after, d.text(line.Value, value, valueX, y, room+1), y+s.height()) + 4
}

// code draws a code in a box, as large as it fits.
func (d *pen) code(code string, x, y, w int) int {
	s := style{size: 40, weight: bold, color: ink(), align: center, ltr: true}
	for s.size > 24 && d.wide(code, s) > w-40 {
		s.size -= 2
	}
	// Measured on one line above. A code that is too long even at the smallest size goes on below.
	s.lines = 4
	lines := max(len(d.lines(code, s, w-40)), 1)
	box := image.Rect(x, y, x+w, y+lines*s.height()+24)
	d.fill(box, shade())
	d.text(code, s, x+20, y+10, w-40)
	return box.Max.Y + 14
}

// Section is a part of a price list.
type Section struct {
	Name  string
	Lines []Line
}

// PriceList is what a shop asks. Tall is the form of a story, 9 by 16; else it is that of a sheet.
type PriceList struct {
	RTL      bool
	Tall     bool
	Shop     string
	Under    string
	Logo     image.Image
	Title    string
	Date     string
	Sections []Section
	Foot     string
}

// mostPages is how many pictures a price list has at most.
const mostPages = 10

// PriceList draws a price list, as PNGs: more than one where it does not fit.
func (p *Painter) PriceList(l PriceList) (pages [][]byte, err error) {
	width, height, size := 1240, 1754, 34
	if l.Tall {
		width, height, size = 1080, 1920, 44
	}
	sections := l.Sections
	// The bound also ends it where a page has no room for a single line. What ten pages do not hold is left out.
	for len(pages) < mostPages {
		d := p.pen(width, height, l.RTL, paper())
		sections = d.priceList(l, sections, width, height, size)
		page, err := d.png(height)
		if err != nil {
			return nil, err
		}
		if pages = append(pages, page); len(sections) == 0 {
			break
		}
	}
	return pages, nil
}

// priceList draws one page and returns what is left.
func (d *pen) priceList(l PriceList, sections []Section, width, height, size int) []Section {
	edge := width / 14
	x, w := edge, width-2*edge
	y := d.head(l.Shop, l.Under, l.Logo, x, edge*2/3, w)
	y = d.text(l.Title, style{size: size * 5 / 4, weight: bold, color: accent(), align: center}, x, y, w)
	y = d.text(l.Date, style{size: size * 3 / 4, color: pale(), align: center}, x, y, w) + size/2
	foot := style{size: size * 3 / 4, color: pale(), align: center, lines: 2}
	end := height - edge*2/3 - 2*foot.height()
	// Drawn before the lines, at its place below: they stop at end.
	d.text(l.Foot, foot, x, end+size/3, w)
	row := style{size: size, color: ink()}
	for i, s := range sections {
		// Room for the name and two lines: a name is not left alone at the foot of a page.
		if y+3*row.height() > end {
			return sections[i:]
		}
		if s.Name != "" {
			y = d.text(s.Name, style{size: size, weight: bold, color: accent()}, x, y, w) + 4
		}
		for k, line := range s.Lines {
			if y+2*row.height() > end {
				// The section's name comes again on the next page. A new list: sections is the caller's.
				return append([]Section{{s.Name, s.Lines[k:]}}, sections[i+1:]...)
			}
			if k%2 == 0 {
				d.fill(image.Rect(x-12, y, x+w+12, y+row.height()+4), shade())
			}
			y = d.price(line, row, x, y, w)
		}
		y += size / 2
	}
	return nil
}

// price is one line of a price list: a name that fits, and its price.
func (d *pen) price(line Line, s style, x, y, w int) int {
	value := s
	value.weight, value.align = bold, trailing
	room := min(d.wide(line.Value, value), w/2)
	nameX, valueX := x, x+w-room
	if d.rtl {
		nameX, valueX = x+room+24, x
	}
	d.text(line.Name, s, nameX, y, w-room-24)
	d.text(line.Value, value, valueX, y, room+1)
	return y + s.height() + 4
}

// Bar is one bar of a chart.
type Bar struct {
	Name, Value string
	Height      int64 // what it stands for, from zero
}

// Chart is bars side by side, in the order of reading.
type Chart struct {
	RTL   bool
	Title string
	Under string
	Bars  []Bar
}

// mostBars is how many bars can be told apart.
const mostBars = 31

// Chart draws a chart, as a PNG. Bars begin at zero.
func (p *Painter) Chart(c Chart) ([]byte, error) {
	const width, height, edge = 780, 620, 40
	d := p.pen(width, height, c.RTL, paper())
	y := d.text(c.Title, style{size: 34, weight: bold, color: ink()}, edge, 28, width-2*edge)
	y = d.text(c.Under, style{size: 26, color: pale()}, edge, y, width-2*edge) + 16
	bars := c.Bars
	if len(bars) > mostBars {
		// The last ones, as the newest days are.
		bars = bars[len(bars)-mostBars:]
	}
	if len(bars) > 0 {
		d.bars(bars, image.Rect(edge, y+34, width-edge, height-64))
	}
	return d.png(height)
}

// bars draws bars into a room. Their names stand below it, their values above each where they fit.
func (d *pen) bars(bars []Bar, room image.Rectangle) {
	top, low := int64(0), int64(0)
	for _, b := range bars {
		top, low = max(top, b.Height), min(low, b.Height)
	}
	// As floats: the difference of two int64 may be more than an int64.
	span := float64(top) - float64(low)
	if span == 0 {
		span = 1
	}
	at := func(v int64) int {
		return room.Max.Y - int(math.Round((float64(v)-float64(low))/span*float64(room.Dy())))
	}
	step := room.Dx() / len(bars)
	// Example: of 31 names each sixth is written.
	every := (len(bars)*2 + 11) / 12 // names that would touch are left out
	for i, b := range bars {
		left := room.Min.X + i*step
		if d.rtl {
			left = room.Max.X - (i+1)*step
		}
		c := accent()
		if b.Height < 0 {
			c = loss()
		}
		gap := max(step/6, 1)
		d.fill(image.Rect(left+gap, at(max(b.Height, 0)), left+step-gap, max(at(min(b.Height, 0)), at(max(b.Height, 0))+1)), c)
		small := style{size: 20, color: pale(), align: center}
		if len(bars) <= 12 || i%every == 0 {
			d.around(b.Name, small, left+step/2, room.Max.Y+10)
		}
		if small.color, small.ltr = ink(), true; d.wide(b.Value, small) <= step+8 {
			d.around(b.Value, small, left+step/2, at(max(b.Height, 0))-small.height())
		}
	}
	d.fill(image.Rect(room.Min.X, at(0), room.Max.X, at(0)+2), rule())
}

// around draws a short text around a middle.
func (d *pen) around(text string, s style, middle, y int) {
	w := d.wide(text, s) + 2
	d.text(text, s, middle-w/2, y, w+2)
}

// png encodes a picture, cut at a height. Its colours are few, unless a logo brings more.
func (d *pen) png(height int) ([]byte, error) {
	// Rows below stay in memory and are not encoded: the stride of the picture is the same.
	d.Rect.Max.Y = min(height, d.Rect.Max.Y)
	var out bytes.Buffer
	var src image.Image = d.RGBA
	if few, ok := paletted(d.RGBA); ok {
		src = few
	}
	enc := png.Encoder{CompressionLevel: png.DefaultCompression}
	if err := enc.Encode(&out, src); err != nil {
		return nil, fmt.Errorf("encode a picture: %w", err)
	}
	return out.Bytes(), nil
}

// paletted is a picture with its colours rounded to four bits each; false where there are too many even so.
func paletted(src *image.RGBA) (*image.Paletted, bool) {
	out := image.NewPaletted(src.Rect, nil)
	index := map[uint32]uint8{}
	// 1 is the key of no colour, for the low four bits of each are 0: the first pixel is looked up.
	last, lastIndex := uint32(1), uint8(0)
	for y := range src.Rect.Dy() {
		row := src.Pix[y*src.Stride:]
		to := out.Pix[y*out.Stride:]
		for x := range src.Rect.Dx() {
			key := uint32(row[4*x]&0xf0)<<16 | uint32(row[4*x+1]&0xf0)<<8 | uint32(row[4*x+2]&0xf0)
			if key != last {
				i, known := index[key]
				if !known {
					if len(out.Palette) == 256 {
						return nil, false
					}
					i = uint8(len(out.Palette)) //nolint:gosec // G115: below 256
					index[key] = i
					out.Palette = append(out.Palette, color.RGBA{row[4*x], row[4*x+1], row[4*x+2], 0xff})
				}
				last, lastIndex = key, i
			}
			to[x] = lastIndex
		}
	}
	return out, true
}
