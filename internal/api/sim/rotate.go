package sim

// AddKey adds a key to the account of another.
func (s *Server) AddKey(key, second string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if a := s.accounts[key]; a != nil {
		s.accounts[second] = a
	}
}

// RotateKey gives an account another key: the old one is invalid from now on.
func (s *Server) RotateKey(old, renewed string) {
	s.AddKey(old, renewed)
	s.mu.Lock()
	defer s.mu.Unlock()
	delete(s.accounts, old)
}
