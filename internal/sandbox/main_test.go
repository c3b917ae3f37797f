package sandbox_test

import (
	"testing"

	"resellerbot/internal/app/apptest"
)

func TestMain(m *testing.M) { apptest.Main(m) }
