package store

import "context"

// WaitingMessages lists the messages that wait to be sent, by chat and in sending order, from behind the one
// given; from the first where that is zero.
func (s *Store) WaitingMessages(ctx context.Context, after Outgoing, limit int) ([]Outgoing, error) {
	from := ""
	if after.ID != "" {
		from = outboxKey(after.Chat, after.ID)
	}
	return list(ctx, s, outbox(), "", from, limit)
}

// Chats lists chats, groups first.
func (s *Store) Chats(ctx context.Context, limit int) ([]Chat, error) {
	return list(ctx, s, chats(), "", "", limit)
}
