// Package picture draws what is handed to people as a picture: a receipt, a price list, a chart. It is given words that
// are to be read as they are, in a language that is written from the left or from the right, and knows nothing else: no
// amounts, no texts of its own, nothing that must not be shown.
package picture
