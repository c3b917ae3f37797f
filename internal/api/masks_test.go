package api

import (
	"strings"
	"testing"
)

// TestMaskedCodes: a code of which a part is hidden is none, and one that merely looks odd is one.
func TestMaskedCodes(t *testing.T) {
	for text, masked := range map[string]bool{
		"ABCD-****-7Q2Z": true, "AB***9": true, "•••• 7Q2Z": true, "1234●●●●": true, "7*8*9*": false, "AB**9": false, "PIN*77*": false,
		"xxxx-xxxx-7q2z": true, "xxx.xxx 12": true, "xxx-7q2z": false, "xx-xx-7q2z": false, "xxxx7-xxxx8-7q2z": false, "xxxx-7q2z-9": false,
		"7xxx-8xxx-9xxx": false, "GU3U-####-####": true, "GU3U-…": true, "GU3U-....-....": true, "GU3U-____": true, "GU3U-????-7q2z": true, "Code: GU3U-####": true,
		"GU3U-7#Q#-2__Z": false, "a.b.c.d-7": false, "why???7": false, "0000-0000-0000": true, "0000-0000-0001": false, "00007": false,
		"Login: amina1\n----------\nPass: 7q2z": false, "__________\nGU3U-7Q2Z": false, "Merci… GU3U-7Q2Z": false, "voici.... GU3U-7Q2Z": false,
		"GU3U #### #### ####": true, "GU3U ____ ____": true, "GU3U .... ....": true, "GU3U-###-###": true, "GU3U-**-**": true, "GU3U-××××": true, "GU3U-□□□□": true,
		"GU3U...": true, "Code: GU3U...": true, "GU3U (masked)": true, "GU3U-[hidden]": true, "GU3U [7Q2Z]": false,
		"GU3U-RFNS-AHX6-XXXX": true, "GU3U-xxxx": true, "GU3UXXXXXXXXXXXX": true, "GU3UXXX": false, "GU3U-RFXX-XXXX-AHX6": false,
		"PIN.....GU3U-LELE-EWG3": false, "GU3U....LELE": true, "1....Open the app": false, "GU3U-LELE-EWG3\nValid until 31/12/2027…": false,
		"****-7Q2Z-****": true, "****1234****": true, "##-7Q2Z-##": true, "1234....ABCD": true, "1234…ABCD": true, "5544____WXYZ": true,
		"ABCD....12345678": true, "GU3U××××": true, "GU3U□□□□□□": true, "gu3u #### ####": true, "gu3u-##-##": true, "GU3U-XXXX-7Q2Z": true,
		"[hidden]-7Q2Z": true, "GU3U-[hidden]-7Q2Z": true, "GU3U (masquée)": true, "(1) GU3U-7Q2Z [new]": false,
		"PIN ..... GU3U-LELE-EWG3": false, "CODE ____ GU3U-LELE": false, "## GU3U-7Q2Z": false, "?? 1234-5678": false, "SERIAL 123456 XXXX": false,
		"Code:\n** GU3U-7Q2Z **": false, "*** GU3U-LELE ***": false, "##GU3U-LELE##": false, "####GU3U-LELE####": true, "____02546794____": true, "*** GU3U": true, "Card 4111********1111": true,
		"**** 5678 9012 ****": true, "****02546794****": true, "#### 5678 9012 ####": true, "ABCD...7Q2Z-LELE": true, "ABCD....1234-5678": true,
		"12....ABCD": true, "PIN.....GU3U-####-####": true, "PIN: 84736251\nCard: 4111XXXXXXXX": false, "user123 ## pass456": false, "amina1 ** 7q2z": false,
		"7Q2Z-LELE-9K9K **": false, "GU3U-7Q2Z ..": false, "GU3U-7Q2Z ??": false, "GU3U-7Q2Z-9K9K\nHelp: 0800-XXXX": false, "*** CODE ***\nGU3U-7Q2Z": false,
		"PIN: GU3U-XXXX-7Q2Z\nExpires 2027": true, "PIN: GU3U-XXXX\nSerial: 12345": true, "Serial: 12345\nPIN: 4111XXXXXXXX": true, "GU3U-XXXX\nExpires 2027": true,
		"GU3U ** **": true, "GU3U ■■ ■■": true, "PIN CODE ....... GU3U-7Q2Z": false, "GIFT CARD ....... GU3U-7Q2Z": false, "Code PIN.....GU3U-7Q2Z": false,
		"*** CODE 1 ***\nGU3U-7Q2Z": false, "GU3U-7Q2Z\n*** 1 ***": false, "*** CODE: GU3U-7Q2Z ***": false, "*** PIN GU3U-7Q2Z ***": false,
		"GU3U-7Q2Z (?)": false, "[*] GU3U-7Q2Z": false, "THE MASKED SINGER GU3U-7Q2Z": false, "GU3U-MASKED-7Q2Z": true,
		"Serial: 88112233\nPIN:\n****-****": true, "Serial: 88112233\nPIN:\n********": true, "PIN\n****\nSerial: 88112233": true, "********\nGU3U-7Q2Z\n********": false,
		"*** STEAM 10 USD ***\nGU3U-7Q2Z": false, "*** Thank you! ***\nGU3U-7Q2Z": false, "*** 1234 ***\nSerial 88112233": true, "****ABCD****\nSerial 88112233": true,
		"Serial-Number: 1234-5678-9012\n************": true, "Serial number:\n1234-5678-9012\n********": true, "S/N: 1234-5678-9012\n****": true, "Order: 123-456-789\n********": true, "User: amina-2020\n********": true, "N°: 1234-5678-9012\n****": true, "الرقم التسلسلي: 1234-5678-9012\n****": true, "Gift-Card\n****": true, "STEAM-WALLET\n****": true, "PIN ....\nSerial 123456789": true,
		"**********\nABCD1234EFGH\n**********": false, "*****\nABCD 1234 EFGH\n*****": false, "*****\nCode: ABCD1234EFGH\n*****": false, "*****\nSTEAM 10 USD\n*****\nABCD1234EFGH": false, "VOTRE CODE ....\nGU3U-7Q2Z-ABCD": false, "YOUR CODE ______\nGU3U7Q2ZABCD": false, "PIN ....\nGU3U-7Q2Z": false, "*****\n(GU3U-7Q2Z-AB)\n*****": false, "*****\nSTEAM CARD GU3U-7Q2Z-ABCD\n*****": false, "*****\nSerial: 1234567\nCode : GU3U-7Q2Z\n*****": false,
		"Serial 123456789\n************": true, "User amina1\n********": true, "STEAM 10 USD\n*****": true, "*****\nSTEAM 10 USD\n*****": true,
		"Serial: 8811-2233\n********": true, "********\nCode: GU3U-7Q2Z": false, "GU3U ####": true, "ABCD EFGH ....": true, "#### #### GU3U": true, "ABCD #### ####": true, "GU3U...7Q2Z": true, "...7Q2Z": true, "GU3U-[...]": true, "GU3U-···-7Q2Z": true, "GU3U-▓▓▓▓": true,
		"GU3U-REDACTED": true, "<hidden>-7Q2Z": true, "GU3U {hidden}": true, "GU3U (hidden for security)": true, "4111XXXXXXXX1111": true, "7Q2Z (new one)": false,
	} {
		for _, text := range []string{text, strings.ToUpper(text)} {
			if got := isMasked(text); got != masked {
				t.Errorf("%q is masked: %v", text, got)
			}
			if got := isCode(text, "completed", NoClaim); got == masked {
				t.Errorf("%q is a code: %v", text, got)
			}
		}
	}
}
