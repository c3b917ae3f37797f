package bolt

import "os"

// Size is how big the database's file is, and the most that it may grow to.
func (e *Engine) Size() (size, most int64, err error) {
	info, err := os.Stat(e.db.Path())
	if err != nil {
		return 0, 0, err
	}
	return info.Size(), maxSize, nil
}
