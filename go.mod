module resellerbot

go 1.26.0

require (
	filippo.io/age v1.3.2
	github.com/go-telegram/bot v1.24.0
	github.com/google/go-cmp v0.7.0
	github.com/govalues/decimal v0.1.36
	github.com/joho/godotenv v1.5.1
	github.com/nicksnyder/go-i18n/v2 v2.7.0
	github.com/robfig/cron/v3 v3.0.1
	go.etcd.io/bbolt v1.5.0
	golang.org/x/sync v0.24.0
	golang.org/x/text v0.43.0
	pgregory.net/rapid v1.3.0
)

require (
	filippo.io/hpke v0.4.0 // indirect
	golang.org/x/crypto v0.55.0 // indirect
	golang.org/x/sys v0.47.0 // indirect
)
