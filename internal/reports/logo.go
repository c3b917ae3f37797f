package reports

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/png"

	"resellerbot/internal/picture"
	"resellerbot/internal/screen"
)

// MostLogo is how many bytes a file with a logo may have.
const MostLogo = picture.MostLogo

// Logo reads a shop's logo as it was sent, and makes of it what is kept: a small PNG. A problem is for whoever has sent it.
func Logo(file []byte) (kept []byte, problem screen.LogoProblem, err error) {
	logo, err := picture.Logo(file)
	switch {
	case errors.Is(err, picture.ErrLogoSize):
		return nil, screen.LogoSize, nil
	case errors.Is(err, picture.ErrLogoPixels):
		return nil, screen.LogoPixels, nil
	case err != nil:
		return nil, screen.LogoBroken, nil //nolint:nilerr // what is wrong with the file is told to whoever has sent it
	}
	kept, err = picture.Encode(logo)
	return kept, screen.LogoFine, err
}

// logoOf is a logo that was kept; nil where there is none.
// What is kept is the bot's own PNG (Logo), so one that cannot be read is an error of ours, and no problem to tell the shop of.
func logoOf(kept []byte) (image.Image, error) {
	if len(kept) == 0 {
		return nil, nil //nolint:nilnil // no logo is no error, and drawn as none
	}
	logo, err := png.Decode(bytes.NewReader(kept))
	if err != nil {
		return nil, fmt.Errorf("read the shop's logo: %w", err)
	}
	return logo, nil
}
