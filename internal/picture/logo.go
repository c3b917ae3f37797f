package picture

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	_ "image/jpeg" // logos come so
	"image/png"    // and so

	"golang.org/x/image/draw"
)

const (
	// MostLogo is how many bytes a logo may have.
	MostLogo = 2 << 20
	// mostPixels is how many pixels may be unpacked of it: a small file can hold very many.
	mostPixels = 12 << 20
	logoSide   = 220
	shades     = 5 // of each colour of a logo: a picture with more colours than it can name one by one is three times as large
)

var (
	// ErrLogoSize: the file is too large.
	ErrLogoSize = errors.New("picture: the logo is too large a file")
	// ErrLogoPixels: it has too many pixels, or none.
	ErrLogoPixels = errors.New("picture: the logo has too many pixels")
	// ErrLogoBroken: it is no PNG and no JPEG, or not a whole one.
	ErrLogoBroken = errors.New("picture: the logo cannot be read")
)

// Logo reads a shop's logo and makes it as large as it is drawn. What it would take in memory is known before it is
// unpacked. ErrLogoSize, ErrLogoPixels, ErrLogoBroken.
func Logo(data []byte) (image.Image, error) {
	if len(data) > MostLogo {
		return nil, ErrLogoSize
	}
	cfg, _, err := image.DecodeConfig(bytes.NewReader(data))
	if err != nil {
		return nil, ErrLogoBroken
	}
	// Each side by itself first, so that the product cannot overflow.
	if cfg.Width <= 0 || cfg.Height <= 0 || cfg.Width > mostPixels || cfg.Height > mostPixels || cfg.Width*cfg.Height > mostPixels {
		return nil, ErrLogoPixels
	}
	src, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, ErrLogoBroken
	}
	side := max(cfg.Width, cfg.Height)
	// At least one pixel: of 4,000 by 1 the height would be 0, and nothing to be drawn.
	w, h := max(cfg.Width*logoSide/side, 1), max(cfg.Height*logoSide/side, 1)
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.ApproxBiLinear.Scale(out, out.Rect, src, src.Bounds(), draw.Src, nil)
	return out, nil
}

// Encode is a logo as it is kept: a small PNG, of few colours and on the paper of what it is drawn on.
func Encode(logo image.Image) ([]byte, error) {
	var few color.Palette
	for r := range shades {
		for g := range shades {
			for b := range shades {
				level := func(n int) uint8 { return uint8(n * 255 / (shades - 1)) } //nolint:gosec // G115: at most 255
				few = append(few, color.RGBA{level(r), level(g), level(b), 0xff})
			}
		}
	}
	at := image.Rectangle{Max: logo.Bounds().Size()}
	flat := image.NewRGBA(at)
	draw.Draw(flat, at, image.NewUniform(paper()), image.Point{}, draw.Src)
	// On paper first: the palette has no transparency, and what shines through would come out black.
	drawOver(flat, logo, image.Point{})
	out := image.NewPaletted(at, few)
	draw.FloydSteinberg.Draw(out, at, flat, image.Point{})
	var text bytes.Buffer
	if err := png.Encode(&text, out); err != nil {
		return nil, fmt.Errorf("encode a logo: %w", err)
	}
	return text.Bytes(), nil
}

// drawOver draws a picture onto another one.
func drawOver(dst draw.Image, src image.Image, at image.Point) {
	draw.Draw(dst, src.Bounds().Sub(src.Bounds().Min).Add(at), src, src.Bounds().Min, draw.Over)
}
