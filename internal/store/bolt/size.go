package bolt

import (
	"os"
	"path/filepath"
)

// Size is how big the database's file is, and the most that it may grow to: its limit, or what its disk has left for it.
func (e *Engine) Size() (size, most int64, err error) {
	info, err := os.Stat(e.db.Path())
	if err != nil {
		return 0, 0, err
	}
	size, most = info.Size(), maxSize
	if free, known := FreeSpace(filepath.Dir(e.db.Path())); known {
		most = min(most, size+free)
	}
	return size, most, nil
}
