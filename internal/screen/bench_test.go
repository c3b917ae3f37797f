package screen_test

import "testing"

// BenchmarkProductsPage renders one page out of 5,000 products: its cost must not grow with the catalogue.
func BenchmarkProductsPage(b *testing.B) {
	p, _ := printers(b).For("ar")
	all := catalogue(5000)
	b.ReportAllocs()
	for b.Loop() {
		if m := p.Catalogue().Products(all, 300, ""); len(m.Keyboard) != 10 {
			b.Fatalf("%d rows", len(m.Keyboard))
		}
	}
}
