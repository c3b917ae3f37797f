package tgsim

import (
	"bytes"
	"fmt"
	"image"
	_ "image/gif" // pictures are read in the forms that Telegram takes
	_ "image/jpeg"
	_ "image/png"
	"maps"
	"mime"
	"net/http"
	"path"
	"strconv"
	"strings"
)

const (
	maxUpload   = 50 << 20
	maxPhoto    = 10 << 20
	maxDownload = 20 << 20
)

// file is a file that Telegram keeps.
type file struct {
	id    string
	path  string // where the bot downloads it
	body  []byte
	doc   *Document // one of the two
	photo *Photo
}

// newPhoto checks a picture as Telegram does.
func newPhoto(body []byte) (*Photo, *failure) {
	if len(body) > maxPhoto {
		return nil, badRequest(fmt.Sprintf("file of size %d bytes is too big for a photo; the maximum size is %d bytes", len(body), maxPhoto))
	}
	picture, _, err := image.DecodeConfig(bytes.NewReader(body))
	if err != nil {
		return nil, badRequest("IMAGE_PROCESS_FAILED")
	}
	w, h := picture.Width, picture.Height
	if w+h > 10000 || max(w, h) > 20*min(w, h) {
		return nil, badRequest("PHOTO_INVALID_DIMENSIONS")
	}
	return &Photo{Width: w, Height: h, Body: body}, nil
}

// json is a Document of the Bot API, or another medium.
func (d *Document) json() object {
	o := object{"file_id": d.ID, "file_unique_id": unique(d.ID), "file_size": len(d.Body)}
	maps.Copy(o, d.about)
	if d.Kind == "sticker" || d.Kind == "video_note" {
		return o
	}
	if mediumOf(d.Kind).named() {
		o.add("file_name", d.Name)
	}
	if kind, _, _ := strings.Cut(mime.TypeByExtension(path.Ext(d.Name)), ";"); kind != "" {
		o["mime_type"] = kind
	}
	return o
}

// json is a PhotoSize of the Bot API.
func (p *Photo) json() object {
	return object{"file_id": p.ID, "file_unique_id": unique(p.ID), "width": p.Width, "height": p.Height, "file_size": len(p.Body)}
}

// unique is a file's file_unique_id, which no method takes for a file_id.
func unique(id string) string { return "AQAD" + id[len(id)-6:] }

// keep stores what a message carries and gives it an id; what is known already keeps its own.
func (s uploads) keep(m *Message) {
	f := &file{doc: m.Document, photo: m.Photo}
	// No file is ever dropped, so a number is given once. The six digits at the end of an id are what unique takes.
	n := len(s.files) + 1
	switch {
	case m.Document != nil && m.Document.ID == "":
		as := mediumOf(m.Document.Kind)
		if m.Document.about == nil {
			m.Document.about = as.details(params{})
		}
		m.Document.ID = fmt.Sprintf("%s%06d", as.prefix, n)
		f.id, f.body, f.path = m.Document.ID, m.Document.Body, fmt.Sprintf("%s/file_%d%s", as.folder, n, path.Ext(m.Document.Name))
	case m.Photo != nil && m.Photo.ID == "":
		m.Photo.ID = fmt.Sprintf("AgACAgQAAxkBAAI%06d", n)
		f.id, f.body, f.path = m.Photo.ID, m.Photo.Body, fmt.Sprintf("photos/file_%d.jpg", n)
	default:
		return
	}
	s.files[f.id] = f
}

// upload is the file of a call: sent along, or named by its id.
func (s uploads) upload(p params, name string) (*file, *failure) {
	return s.fileOf(p, p.text(name), name, name)
}

// fileOf is the file of a kind that a call means by given, or else sends along as name. What it names by an address was fetched before.
func (s uploads) fileOf(p params, given, name, kind string) (*file, *failure) {
	sent := p.files[name]
	if attached, ok := strings.CutPrefix(given, "attach://"); ok {
		sent, given = p.files[attached], ""
	}
	switch {
	case sent != nil && len(sent.Body) == 0:
		return nil, badRequest("file must be non-empty")
	case sent != nil:
		return &file{doc: sent, body: sent.Body}, nil
	case given == "":
		return nil, badRequest("there is no " + name + " in the request")
	case p.web[given] != nil:
		return p.web[given].fetched(kind)
	case strings.Contains(given, "."):
		return nil, badRequest("failed to get HTTP URL content")
	case s.files[given] == nil:
		return nil, badRequest("wrong remote file identifier specified: Wrong string length")
	}
	return s.files[given], nil
}

func getFile(s *Server, p params) (any, *failure) {
	id := p.text("file_id")
	f := s.files[id]
	switch {
	case id == "":
		return nil, badRequest("file_id not specified")
	case f == nil:
		return nil, badRequest("invalid file_id")
	case len(f.body) > maxDownload:
		return nil, badRequest("file is too big")
	}
	return object{"file_id": f.id, "file_unique_id": unique(f.id), "file_size": len(f.body), "file_path": f.path}, nil
}

// download answers /file/bot<token>/<path>.
func (s uploads) download(w http.ResponseWriter, rest string) {
	token, where, _ := strings.Cut(rest, "/")
	s.mu.Lock()
	var body []byte
	for _, f := range s.files {
		if f.path == where && token == s.options.Token && len(f.body) <= maxDownload {
			body = f.body
		}
	}
	s.mu.Unlock()
	if body == nil {
		answer(w, nil, &failure{code: http.StatusNotFound, description: "Not Found"})
		return
	}
	w.Header().Set("Content-Type", "application/octet-stream")
	w.Header().Set("Content-Length", strconv.Itoa(len(body)))
	_, _ = w.Write(body)
}
