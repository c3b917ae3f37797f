package telegram

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"

	"github.com/go-telegram/bot"
	"github.com/go-telegram/bot/models"
)

// ErrTooBig: a file is bigger than what was asked for.
var ErrTooBig = errors.New("telegram: the file is too big")

// Download fetches a file that somebody has sent (getFile), of up to most bytes. ErrTooBig for a bigger one.
func (s *Sender) Download(ctx context.Context, id string, most int64, why Purpose) ([]byte, error) {
	var file *models.File
	err := s.call(ctx, why.to(0), call{method: "getFile", repeatable: true, do: func(ctx context.Context) (err error) {
		file, err = s.bot.GetFile(ctx, &bot.GetFileParams{FileID: id})
		return err
	}})
	if err != nil {
		return nil, err
	}
	// The size that Telegram names spares the download. It may be missing (0), so what comes is measured as well.
	if file.FileSize > most {
		return nil, ErrTooBig
	}
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.bot.FileDownloadLink(file), nil)
	if err != nil {
		return nil, errors.New("telegram: the link of a file cannot be used") // it holds the token
	}
	resp, err := s.http.Do(req)
	if err != nil {
		return nil, fmt.Errorf("download a file: %w", err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("download a file: status %d", resp.StatusCode)
	}
	// One byte more than is wanted tells a file of just that size from a bigger one.
	body, err := io.ReadAll(io.LimitReader(resp.Body, most+1))
	switch {
	case err != nil:
		return nil, fmt.Errorf("download a file: %w", err)
	case int64(len(body)) > most:
		return nil, ErrTooBig
	}
	return body, nil
}
