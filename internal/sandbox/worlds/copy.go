package worlds

import (
	"reflect"
	"sync"
	"unsafe"

	"resellerbot/internal/api/sim"
	"resellerbot/internal/sandbox/tgsim"
)

// mostKept is how many snapshots there are of one thing.
const mostKept = 20

// shelf keeps snapshots of something by their numbers, the newest ones.
type shelf[T any] struct {
	mu    sync.Mutex
	kept  []*T
	first int // number of the oldest one, less one
}

// keep puts a snapshot there, and returns its number.
func (s *shelf[T]) keep(one *T) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.kept = append(s.kept, one); len(s.kept) > mostKept {
		s.kept, s.first = s.kept[1:], s.first+1
	}
	return s.first + len(s.kept)
}

// find is a snapshot by its number. It is never changed: who wants it back takes a copy.
func (s *shelf[T]) find(number int) (*T, bool) {
	s.mu.Lock()
	defer s.mu.Unlock()
	// Numbers go on when old snapshots are dropped: one that is gone is not found, and no other stands for it.
	if i := number - s.first - 1; i >= 0 && i < len(s.kept) {
		return s.kept[i], true
	}
	return nil, false
}

func copyTelegram(t *tgsim.Server) *tgsim.Server { return t.Copy(duplicate[tgsim.Server]) }

func copyService(s *sim.Server) *sim.Server { return s.Copy(duplicate[sim.Server]) }

// duplicate copies a value with all that hangs on it, its hidden fields included: state that gets a field more is in the next
// snapshot without anybody's thinking of it. What two places share they share in the copy, too. Pointers to what belongs to
// other packages (clients, time zones, amounts) stay as they are, and so do bytes: neither changes once it is there.
// It runs while Server.Copy holds the lock of what is copied. The copy's own lock is open, since locks are left out.
func duplicate[T any](from *T) *T {
	to := new(T)
	d := duplicator{
		home: reflect.TypeFor[T]().PkgPath(), seen: map[place]reflect.Value{},
		begin: uintptr(unsafe.Pointer(from)), size: unsafe.Sizeof(*from), to: unsafe.Pointer(to), //nolint:gosec // it is held against other addresses only
	}
	d.copy(reflect.ValueOf(to).Elem(), reflect.ValueOf(from).Elem())
	return to
}

// duplicator is a copy in the making.
type duplicator struct {
	home  string // the package whose values are copied
	seen  map[place]reflect.Value
	begin uintptr // where the value is
	size  uintptr
	to    unsafe.Pointer // and its copy
}

// place is where something stands. A struct and its first field stand in the same one.
type place struct {
	at unsafe.Pointer
	of reflect.Type
}

// copy copies one value to another of its type. Both have an address.
func (d *duplicator) copy(to, from reflect.Value) {
	switch from.Kind() {
	case reflect.Pointer:
		to.Set(d.pointer(from))
	case reflect.Struct:
		if from.Type() == reflect.TypeFor[sync.Mutex]() {
			return // the copy's is open
		}
		for i := range from.NumField() {
			d.copy(unhidden(to.Field(i)), unhidden(from.Field(i)))
		}
	case reflect.Interface:
		if !from.IsNil() {
			to.Set(d.duplicate(from.Elem()))
		}
	case reflect.Slice:
		d.slice(to, from)
	case reflect.Map:
		if from.IsNil() {
			return
		}
		to.Set(reflect.MakeMapWithSize(from.Type(), from.Len()))
		// The keys as well: some are pointers, as the accounts in what was used of a variant.
		for all := from.MapRange(); all.Next(); {
			to.SetMapIndex(d.duplicate(all.Key()), d.duplicate(all.Value()))
		}
	case reflect.Array:
		for i := range from.Len() {
			d.copy(to.Index(i), from.Index(i))
		}
	default:
		to.Set(from)
	}
}

// slice copies a list.
func (d *duplicator) slice(to, from reflect.Value) {
	if from.IsNil() || from.Type().Elem().Kind() == reflect.Uint8 {
		to.Set(from)
		return
	}
	to.Set(reflect.MakeSlice(from.Type(), from.Len(), from.Len()))
	for i := range from.Len() {
		d.copy(to.Index(i), from.Index(i))
	}
}

// duplicate is the copy of a value without an address.
func (d *duplicator) duplicate(from reflect.Value) reflect.Value {
	pair := reflect.MakeSlice(reflect.SliceOf(from.Type()), 2, 2) // whose items have one
	pair.Index(1).Set(from)
	d.copy(pair.Index(0), pair.Index(1))
	return pair.Index(0)
}

// pointer is where the copy of what a pointer points to is.
func (d *duplicator) pointer(from reflect.Value) reflect.Value {
	kind := from.Type().Elem()
	if from.IsNil() || kind.PkgPath() != d.home && kind.PkgPath() != "math/rand/v2" {
		return from
	}
	// Parts such as tgsim.People point back to their server, and each chat points to its clock: they are to point into the copy.
	// An address below begin wraps around and is far above size.
	if inside := from.Pointer() - d.begin; inside < d.size { // of the value itself, or one of its fields
		return reflect.NewAt(kind, unsafe.Add(d.to, inside))
	}
	here := place{from.UnsafePointer(), kind}
	if copied, done := d.seen[here]; done {
		return copied
	}
	// Noted before it is filled: a product points to its variants, and each of them back.
	d.seen[here] = reflect.New(kind)
	d.copy(d.seen[here].Elem(), from.Elem())
	return d.seen[here]
}

// unhidden is a field that may be read and set whatever its name.
func unhidden(field reflect.Value) reflect.Value {
	return reflect.NewAt(field.Type(), field.Addr().UnsafePointer()).Elem()
}
