package sandbox

// What the tests beside this package see of what it hides.
const (
	DemoKey    = demoKey
	LegacyKey  = legacyKey
	DemoOwner  = demoOwner
	DemoSeller = demoSeller
	DemoToken  = demoToken
)

var (
	DemoEnviron = demoEnviron
	NewSandbox  = newSandbox
	NewTold     = newTold
	RefuseReal  = refuseReal
)
