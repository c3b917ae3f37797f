package app_test

import (
	"testing"

	"resellerbot/internal/app/apptest"
)

// TestMain runs the tests of this package.
func TestMain(m *testing.M) { apptest.Main(m) }
