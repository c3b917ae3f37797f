package sandbox_test

import (
	"os"
	"regexp"
	"testing"
)

// TestWordsOfThePage: what stands around the chats calls things as the bot does.
func TestWordsOfThePage(t *testing.T) {
	t.Parallel()
	banned := map[string]*regexp.Regexp{
		"en": regexp.MustCompile(`(?i)\b(the service|wallet (holds|and))\b`),
		"fr": regexp.MustCompile(`(?i)\b(au service|le service|le chat|touche[rz]|portefeuille|comptoir)\b`),
		"ar": regexp.MustCompile(`المتجر|متجر|الخدمة|لم يُشتر|اشتُري|يُشترى|إجابة|محفظة|انقر|إغلاق|في الطريق|رمز|العميل|أُعيد ماله`),
	}
	block := regexp.MustCompile(`(?ms)^  (en|fr|ar): \{\n(.*?)^  \},`)
	for _, file := range []string{"beside/words.js", "tgsim/page/words.js"} {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		found := block.FindAllSubmatch(text, -1)
		if len(found) != 3 {
			t.Errorf("%s has %d languages", file, len(found))
		}
		for _, m := range found {
			if word := banned[string(m[1])].Find(m[2]); word != nil {
				t.Errorf("%s says %q in %s, which the bot does not", file, word, m[1])
			}
		}
	}
}
