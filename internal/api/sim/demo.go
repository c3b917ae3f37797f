package sim

import "time"

// DemoCatalogue fills the service with goods for the sandbox. Their names are invented.
func (s *Server) DemoCatalogue() {
	const quick, slow = 2 * time.Second, 20 * time.Second
	soon := time.Now().AddDate(0, 0, 5)
	for _, p := range []ProductSpec{
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
	} {
		s.AddProduct(p)
	}
}
