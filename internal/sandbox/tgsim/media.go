package tgsim

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// about is where a call says more of a file: in its own parameters, or in an object of them.
type about interface {
	text(name string) string
	int(name string) int64
	bool(name string) bool
}

// medium is a kind of file that is shown in a way of its own.
type medium struct {
	kind    string // by which the Bot API has it
	prefix  string // of its file ids
	folder  string // where it is downloaded from
	caption bool
	cover   bool               // it can be hidden, and have the caption above
	details func(about) object // what the Bot API says of one, from what the call says
}

func mediumOf(kind string) medium {
	m := medium{kind: kind, prefix: "BQACAgQAAxkBAAI", folder: "documents", caption: true, details: func(about) object { return nil }}
	size := func(a about) object {
		return object{"width": atLeast(a.int("width"), 320), "height": atLeast(a.int("height"), 320), "duration": a.int("duration")}
	}
	switch kind {
	case "animation":
		m.prefix, m.folder, m.cover, m.details = "CgACAgQAAxkBAAI", "animations", true, size
	case "video":
		m.prefix, m.folder, m.cover, m.details = "BAACAgQAAxkBAAI", "videos", true, size
	case "audio":
		m.prefix, m.folder = "CQACAgQAAxkBAAI", "music"
		m.details = func(a about) object {
			o := object{"duration": a.int("duration")}
			o.add("performer", a.text("performer"))
			o.add("title", a.text("title"))
			return o
		}
	case "voice":
		m.prefix, m.folder = "AwACAgQAAxkBAAI", "voice"
		m.details = func(a about) object { return object{"duration": a.int("duration")} }
	case "video_note":
		m.prefix, m.folder, m.caption = "DQACAgQAAxkBAAI", "video_notes", false
		m.details = func(a about) object {
			return object{"duration": a.int("duration"), "length": atLeast(a.int("length"), 240)}
		}
	case "sticker":
		m.prefix, m.folder, m.caption = "CAACAgQAAxkBAAI", "stickers", false
		m.details = func(a about) object {
			o := object{"type": "regular", "width": 512, "height": 512, "is_animated": false, "is_video": false}
			o.add("emoji", a.text("emoji"))
			return o
		}
	}
	return m
}

// atLeast is a number, or what it is where nobody says.
func atLeast(n, otherwise int64) int64 {
	if n <= 0 {
		return otherwise
	}
	return n
}

// named says whether files of this kind have a name.
func (m medium) named() bool {
	return !slices.Contains([]string{"sticker", "voice", "video_note"}, m.kind)
}

// document makes a file one of this kind; one that is known already stays what it is.
func (m medium) document(f *file, a about) (*Document, error) {
	switch {
	case f.doc == nil:
		return nil, f.misused(m.kind)
	case f.id != "":
		return f.doc, nil
	}
	d := *f.doc
	d.about = m.details(a)
	if m.kind != "document" {
		d.Kind = m.kind
	}
	return &d, nil
}

// sendMedium sends a file that is not a picture.
func sendMedium(m medium) method {
	return func(s *Server, p params) (any, *failure) {
		f, no := s.uploads.upload(p, m.kind)
		if no != nil {
			return nil, no
		}
		l, no := s.letters.captioned(p, m.caption)
		if no != nil {
			return nil, no
		}
		d, err := m.document(f, p)
		if err != nil {
			return nil, badRequest(err.Error())
		}
		return s.letters.post(l, p, m.shown(&Message{Document: d}, p))
	}
}

// shown notes how a message with such a file is shown.
func (m medium) shown(msg *Message, a about) *Message {
	if m.cover {
		msg.Spoiler, msg.CaptionTop = a.bool("has_spoiler"), a.bool("show_caption_above_media")
	}
	return msg
}

// captioned reads a message whose text is a caption, if it can have one.
func (s letters) captioned(p params, has bool) (letter, *failure) {
	if !has {
		return s.enclose(p)
	}
	return s.compose(p, "caption", "caption_entities", caption)
}

func sendPhoto(s *Server, p params) (any, *failure) {
	f, no := s.uploads.upload(p, "photo")
	if no != nil {
		return nil, no
	}
	l, no := s.letters.captioned(p, true)
	if no != nil {
		return nil, no
	}
	photo, no := f.picture()
	if no != nil {
		return nil, no
	}
	return s.letters.post(l, p, medium{cover: true}.shown(&Message{Photo: photo}, p))
}

// misused is the refusal of a file that was one of another kind before.
func (f *file) misused(as string) error {
	names := map[string]string{"": "Document", "document": "Document", "photo": "Photo", "animation": "Animation", "audio": "Audio", "video": "Video", "voice": "VoiceNote", "video_note": "VideoNote", "sticker": "Sticker"}
	was := "photo"
	if f.doc != nil {
		was = f.doc.Kind
	}
	return fmt.Errorf("can't use file of type %s as %s", names[was], names[as])
}

// picture is a file as a photo.
func (f *file) picture() (*Photo, *failure) {
	switch {
	case f.photo != nil:
		return f.photo, nil
	case f.id != "":
		return nil, badRequest(f.misused("photo").Error())
	}
	return newPhoto(f.body)
}

// inputMedia reads an InputMedia: a message with a file and its caption, without a place yet. later is what
// Telegram finds out only when it is about to send it.
func (s letters) inputMedia(p params, raw []byte, album bool) (m *Message, later *failure, err error) {
	f := newFields(raw, "expected an Object")
	text, entities, err := s.format(f.text("caption"), f.text("parse_mode"), f.raw("caption_entities"))
	if f.err == nil {
		f.err = err
	}
	given := f.text("media")
	if name, attached := strings.CutPrefix(given, "attach://"); given == "" || attached && p.files[name] == nil {
		f.failf("media not found")
	}
	kind := f.needText("type")
	switch {
	case f.err != nil:
		return nil, nil, f.err
	case album && kind == "animation":
		return nil, nil, errors.New(`type "animation" can't be used in sendMediaGroup`)
	case !slices.Contains([]string{"photo", "video", "animation", "audio", "document"}, kind):
		return nil, nil, fmt.Errorf("type %q is unsupported", kind)
	}
	file, no := s.uploads.fileOf(p, given, "", kind)
	if no != nil {
		return &Message{}, no, nil
	}
	m = &Message{Text: text, Entities: entities}
	later = m.put(kind, file, f)
	if later == nil {
		later = caption(text)
	}
	return m, later, f.err
}

// put puts a file into a message.
func (m *Message) put(kind string, file *file, a about) (no *failure) {
	if kind == "photo" {
		m.Photo, no = file.picture()
		medium{cover: true}.shown(m, a)
		return no
	}
	as := mediumOf(kind)
	d, err := as.document(file, a)
	if err != nil {
		return badRequest(err.Error())
	}
	m.Document = d
	as.shown(m, a)
	return nil
}

const maxAlbum = 10

func sendMediaGroup(s *Server, p params) (any, *failure) {
	list, no := p.array("media", "media", "InputMedia")
	if no != nil {
		return nil, no
	}
	var album []*Message
	var failed *failure
	for i, raw := range list {
		m, later, err := s.letters.inputMedia(p, raw, true)
		if err != nil {
			return nil, said("Can't parse InputMedia: ", err)
		}
		if later != nil && failed == nil {
			failed = badRequest("failed to send message #" + strconv.Itoa(i+1) + " with the error message \"" + later.words() + "\"")
		}
		album = append(album, m)
	}
	l, no := s.letters.enclose(p)
	switch {
	case no != nil:
		return nil, no
	case len(album) == 0:
		return nil, badRequest("there are no messages to send")
	case len(album) > maxAlbum:
		return nil, badRequest("too many messages to send as an album")
	case failed != nil:
		return nil, failed
	}
	return s.letters.postAlbum(l, p, album)
}

// postAlbum posts messages that belong together.
func (s letters) postAlbum(l letter, p params, album []*Message) (any, *failure) {
	for _, m := range album {
		if no := s.mayPost(l.chat, m); no != nil {
			return nil, no
		}
		if first := album[0].sort(); m.sort() != first && (apart(first) || apart(m.sort())) {
			return nil, badRequest("can't use the media of the specified type in the album")
		}
	}
	// All are checked before the first is added: an album is posted whole or not at all.
	s.albums++
	id := strconv.Itoa(13_500_000_000_000_000 + s.albums)
	var out []object
	for _, m := range album {
		l.text, l.entities, l.markup = m.Text, m.Entities, markup{}
		if len(album) > 1 {
			m.Album = id
		}
		s.add(l, p, m)
		out = append(out, s.views.messageJSON(l.chat, m))
	}
	return out, nil
}

// apart reports whether a sort of file goes into albums with its like only.
func apart(sort string) bool { return sort == "document" || sort == "audio" }

// array reads a parameter that is an array and has to be there.
func (p params) array(name, what, of string) ([]json.RawMessage, *failure) {
	if !p.has(name) {
		return nil, badRequest("parameter \"" + name + "\" is required")
	}
	raw := []byte(p.text(name))
	if !json.Valid(raw) {
		return nil, badRequest("can't parse " + what + " JSON object")
	}
	var list []json.RawMessage
	if json.Unmarshal(raw, &list) != nil {
		return nil, badRequest("expected an Array of " + of)
	}
	return list, nil
}
