package app

// What the tests beside this package see of what it hides.
const (
	AgeHeader      = ageHeader
	AnotherCopy    = anotherCopy
	ChecksumLength = checksumLength
	ExitFailure    = exitFailure
	SaidInUse      = saidInUse
)

var (
	Backup       = backup
	EnvExample   = envExample
	KeepToItself = keepToItself
	Listed       = listed
	ListenAddr   = listenAddr
	ParseConfig  = parseConfig
	ProblemsIn   = problemsIn
	ReadmeTable  = readmeTable
	Restore      = restore
	Room         = room
	SetBack      = setBack
	WithDotenv   = withDotenv
)
