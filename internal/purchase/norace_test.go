//go:build !race

package purchase

const racing = false
