// Package tgsim emulates Telegram's Bot API, as an http.Handler, with a chat page for a browser: what a
// bot sees of Telegram, and what people see of the bot.
//
// It is for tests and for the sandbox, serves any bot in any language, and imports nothing of ours. It
// starts no goroutines of its own but those of Server.Deliver, which waits for them; time is the
// process's, so that it runs in virtual time as well.
//
// What it answers and hands over is held against the description of the Bot API in botapi.txt. Methods that
// are not emulated are refused with 501, unless Options.Lenient has them answer with as little as they can, and are told
// (Server.Unsupported); so are
// parameters that had no effect (Server.Ignored), and what is not of the Bot API although the real server
// would let it pass (Server.Complaints): a test can see that it relied on nothing. What the Bot API does not
// know is refused. testdata/unemulated.txt lists what is missing.
package tgsim
