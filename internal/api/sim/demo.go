package sim

import (
	"slices"
	"time"
)

const quick, slow = 800 * time.Millisecond, 20 * time.Second

// DemoCatalogue fills the service with goods of every family for the sandbox: products that deliver codes,
// top-ups with players who are valid, invalid and unknown, a product that waits for a person, and arena
// plans. All names are invented.
func (s *Server) DemoCatalogue() {
	for _, p := range slices.Concat(demoCodes(s.now().AddDate(0, 0, 5)), demoFamilies()) {
		s.AddProduct(s.named(p))
	}
	for _, p := range demoPlans() {
		s.AddPlan(p)
	}
	for _, p := range demoPlayers() {
		s.AddPlayer(p)
	}
}

// demoCodes are products that deliver codes; one allocation ends soon.
func demoCodes(soon time.Time) []ProductSpec {
	return []ProductSpec{
		{ID: 1, Name: "Play Card", Description: "Gift card for games and apps.", Variants: []VariantSpec{
			{ID: 101, Name: "5 USD", Price: "1250.50", InStock: 40, Delay: quick}, {ID: 102, Name: "10 USD", Price: "2480", InStock: 25, Delay: quick},
			{ID: 103, Name: "25 USD", Price: "6150", InStock: 8, Delay: quick}, {ID: 104, Name: "50 USD", Price: "12200", InStock: 0}}},
		{ID: 2, Name: "Console Wallet", Description: "Top up a console wallet.", Variants: []VariantSpec{
			{ID: 201, Name: "10 EUR", Price: "2750", InStock: 30, Delay: quick}, {ID: 202, Name: "20 EUR", Price: "5480", InStock: 30, Delay: quick}}},
		{ID: 3, Name: "Stream TV", Description: "A month of films and series.", Variants: []VariantSpec{
			{ID: 301, Name: "1 month", Price: "1900", InStock: 12, Delay: slow}, {ID: 302, Name: "3 months", Price: "5300", InStock: 6, Delay: slow}}},
		{ID: 4, Name: "Arena Diamonds", Description: "Diamonds for a player.", Inputs: []InputSpec{
			{Index: "1", Label: "Player ID", Hint: "10 digits, in the game's profile", Pattern: `^\d{10}$`, Required: true},
			{Index: "2", Label: "Region", Options: []string{"Europe", "MENA", "Asia"}, Required: true}},
			Variants: []VariantSpec{{ID: 401, Name: "100 diamonds", Price: "320", InStock: 500, Delay: quick}, {ID: 402, Name: "520 diamonds", Price: "1480", InStock: 500, Delay: quick}}},
		{ID: 5, Name: "بطاقة الموسيقى", Description: "اشتراك شهري في الموسيقى", Variants: []VariantSpec{
			{ID: 501, Name: "شهر واحد", Price: "850", InStock: 20, Delay: quick}, {ID: 502, Name: "سنة كاملة", Price: "8900", InStock: 3, Delay: quick}}},
		{ID: 6, Name: "Carte Cadeau Élite", Description: "Chez plus de 200 enseignes.", Variants: []VariantSpec{
			{ID: 601, Name: "2 000 points", Price: "2100", InStock: 15, Delay: quick, Allocated: 10, Used: 7, ExpiresAt: soon}}},
		{ID: 7, Name: "Unlucky Box", Description: "Every order of this one fails and is refunded.", Variants: []VariantSpec{
			{ID: 701, Name: "1 box", Price: "500", InStock: 99, Delay: quick, Fails: true, RefundAfter: 3 * time.Second}}},
		{ID: 8, Name: "Office Key", Description: "Licence for one computer.", Variants: []VariantSpec{{ID: 801, Name: "1 year", Price: "4200", InStock: 9, Delay: slow}}},
		{ID: 9, Name: "VPN Pass", Description: "Private browsing.", Variants: []VariantSpec{{ID: 901, Name: "30 days", Price: "690", InStock: 60, Delay: quick}}},
		{ID: 10, Name: "Fibre Refill", Description: "Internet refill voucher.", Variants: []VariantSpec{{ID: 1001, Name: "500 DA", Price: "485", InStock: 100, Delay: quick}, {ID: 1002, Name: "1000 DA", Price: "970", InStock: 100, Delay: quick}}},
	}
}

// demoFamilies are products with inputs, players, or endpoints of their own.
func demoFamilies() []ProductSpec {
	return []ProductSpec{
		{ID: 11, Name: "Battle Royale Coins", Description: "Coins for a player.", Kind: kindTopup, Family: familyBattleRoyale, Inputs: []InputSpec{
			{Index: "1", Label: "Player ID", Hint: "5 to 12 digits", Pattern: `^\d{5,12}$`, Required: true}},
			Variants: []VariantSpec{{ID: 1101, Name: "60 coins", Price: "210", InStock: 500, Delay: quick}, {ID: 1102, Name: "660 coins", Price: "1990", InStock: 500, Delay: slow},
				{ID: 1103, Name: "Cursed chest", Price: "350", InStock: 500, Delay: quick, Fails: true, RefundAfter: 5 * time.Second}}},
		{ID: 12, Name: "Sports TV", Description: "Football on every screen.", Family: familySportsTV, Inputs: []InputSpec{
			{Index: "1", Label: "Card number", Hint: "12 digits, on the card of the receiver", Pattern: `^\d{12}$`, Required: true}},
			Variants: []VariantSpec{{ID: 1201, Name: "1 month", Price: "2400", InStock: 40, Delay: slow}, {ID: 1202, Name: "12 months", Price: "24500", InStock: 10, Delay: slow}}},
		{ID: 13, Name: "Home Internet", Description: "Refill of a line.", Family: familyInternet, Inputs: []InputSpec{
			{Index: "1", Label: "Line", Options: []string{"adsl", "fibre", "4g"}, Required: true},
			{Index: "2", Label: "Number", Hint: "9 or 10 digits, with the 0", Pattern: `^0\d{8,9}$`, Required: true}},
			Variants: []VariantSpec{{ID: 1301, Name: "1000 DA", Price: "975", InStock: 200, Delay: quick}, {ID: 1302, Name: "2000 DA", Price: "1950", InStock: 200, Delay: quick}}},
		{ID: 14, Name: "Hero Crystals", Description: "Crystals for a player of a server.", Kind: kindTopup, Inputs: []InputSpec{
			{Index: "1", Label: "Player ID", Hint: "6 digits or more", Pattern: `^\d{6,}$`, Required: true},
			{Index: "2", Label: "Server", Options: []string{"Europe", "MENA", "Asia"}, Required: true}},
			Variants: []VariantSpec{{ID: 1401, Name: "300 crystals", Price: "640", InStock: 300, Delay: quick}, {ID: 1402, Name: "980 crystals", Price: "1980", InStock: 300, Delay: quick}}},
		{ID: 15, Name: "Concierge Card", Description: "Bought by hand: complete it in the panel.", Type: typeManual,
			Variants: []VariantSpec{{ID: 1501, Name: "1 card", Price: "3300", InStock: 20, RefundAfter: 3 * time.Second}}},
	}
}

func demoPlans() []PlanSpec {
	return []PlanSpec{
		{ID: 1, PlanID: "ARENA-110", ItemID: "item-110", Name: "110 gems", Price: "300", ResellerPrice: "265", Delay: quick},
		{ID: 2, PlanID: "ARENA-583", ItemID: "item-583", Name: "583 gems", Price: "1450", ResellerPrice: "1310.50", Delay: quick},
		{ID: 3, PlanID: "ARENA-WEEK", ItemID: "item-week", Name: "Weekly pass", Price: "620", ResellerPrice: "560", Delay: slow},
		{ID: 4, PlanID: "ARENA-BAD", ItemID: "item-bad", Name: "Unlucky gems", Price: "120", ResellerPrice: "100", Delay: quick, Fails: true, RefundAfter: 3 * time.Second},
	}
}

// demoPlayers are players to try the checks with; any other id that does not begin with 0 is a player too.
func demoPlayers() []PlayerSpec {
	return []PlayerSpec{
		{Game: familyArena, ID: "1234567890", Name: "Amine_DZ", Region: "MENA"},
		{Game: familyArena, ID: "9999999999", Status: playerInvalid},
		{Game: familyArena, ID: "8888888888", Status: playerUnknown},
		{Game: familyBattleRoyale, ID: "51234567", Name: "Lina★", Region: "MENA"},
		{Game: familyBattleRoyale, ID: "59999999", Status: playerInvalid},
		{Game: familyBattleRoyale, ID: "58888888", Status: playerUnknown},
		{Game: "14", ID: "777001", Name: "سفيان", Region: "MENA"},
		{Game: "14", ID: "777002", Status: playerInvalid},
		{Game: "14", ID: "777003", Status: playerUnknown},
		{Game: familyInternet, ID: "021998877", Name: "Karim B."},
		{Game: familyInternet, ID: "029999999", Status: playerInvalid},
	}
}
