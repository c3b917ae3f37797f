// Package proof holds tests alone, against the whole program: faults on both wires with a kill at any write, random worlds,
// real processes that are killed, the soak, and the list of mistakes that tests must notice.
package proof

import (
	"log"
	"os"
	"testing"

	"resellerbot/internal/app/apptest"
)

func TestMain(m *testing.M) {
	if address := os.Getenv(bareBot); address != "" {
		if err := runBare(address); err != nil {
			log.Fatal(err)
		}
		return
	}
	if lease := os.Getenv(replicaLease); lease != "" {
		runReplica(lease)
	}
	apptest.Main(m)
}
