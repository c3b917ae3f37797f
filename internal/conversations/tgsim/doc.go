// Package tgsim emulates Telegram's Bot API, as an http.Handler, with a chat page for a browser: what a
// bot sees of Telegram, and what people see of the bot.
//
// It is for tests and for the sandbox, serves any bot in any language, and imports nothing of ours. It
// starts no goroutines of its own but those of Server.Deliver, which waits for them; time is the
// process's, so that it runs in virtual time as well.
//
// Methods that are not emulated are answered with true and counted (Server.Unsupported), so that a test
// can see that it relied on nothing. What the Bot API does not know is refused.
package tgsim
