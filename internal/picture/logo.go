package picture

import (
	"bytes"
	"errors"
	"image"
	_ "image/jpeg" // logos come so
	_ "image/png"  // and so

	"golang.org/x/image/draw"
)

const (
	// MostLogo is how many bytes a logo may have.
	MostLogo = 2 << 20
	// mostPixels is how many pixels may be unpacked of it: a small file can hold very many.
	mostPixels = 12 << 20
	logoSide   = 220
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
	if cfg.Width <= 0 || cfg.Height <= 0 || cfg.Width > mostPixels || cfg.Height > mostPixels || cfg.Width*cfg.Height > mostPixels {
		return nil, ErrLogoPixels
	}
	src, _, err := image.Decode(bytes.NewReader(data))
	if err != nil {
		return nil, ErrLogoBroken
	}
	side := max(cfg.Width, cfg.Height)
	w, h := max(cfg.Width*logoSide/side, 1), max(cfg.Height*logoSide/side, 1)
	out := image.NewRGBA(image.Rect(0, 0, w, h))
	draw.ApproxBiLinear.Scale(out, out.Rect, src, src.Bounds(), draw.Src, nil)
	return out, nil
}

// drawOver draws a picture onto another one.
func drawOver(dst draw.Image, src image.Image, at image.Point) {
	draw.Draw(dst, src.Bounds().Sub(src.Bounds().Min).Add(at), src, src.Bounds().Min, draw.Over)
}
