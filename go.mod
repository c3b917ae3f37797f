module resellerbot

go 1.26.0

require (
	github.com/go-telegram/bot v1.24.0 // indirect
	github.com/google/go-cmp v0.7.0 // indirect
	github.com/govalues/decimal v0.1.36 // indirect
	github.com/joho/godotenv v1.5.1 // indirect
	github.com/nicksnyder/go-i18n/v2 v2.7.0 // indirect
	github.com/robfig/cron/v3 v3.0.1 // indirect
	go.etcd.io/bbolt v1.5.0 // indirect
	golang.org/x/sync v0.24.0 // indirect
	golang.org/x/sys v0.45.0 // indirect
	golang.org/x/text v0.43.0 // indirect
	pgregory.net/rapid v1.3.0 // indirect
)
