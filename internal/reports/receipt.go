package reports

import (
	"resellerbot/internal/picture"
)

// Receipt draws a receipt for a customer, as a PNG, under the logo that the shop has kept.
func Receipt(r picture.Receipt, logo []byte) (drawn []byte, err error) {
	if r.Logo, err = logoOf(logo); err != nil {
		return nil, err
	}
	painter, err := picture.New()
	if err != nil {
		return nil, err
	}
	return painter.Receipt(r)
}
