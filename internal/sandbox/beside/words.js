// The texts of what stands beside the chats, in the three languages.

import { filled } from "/words.js";

const table = {
  en: {
    bought: "Bought at the supplier", told: "Told in the chat", difference: "Difference",
    even: "Every purchase is told. Codes delivered: {shown} of {codes}.", uneven: "On their way, or being looked for.",
    tour: "Guided tour", tour_open: "Guided tour", step: "Step {n} of {of}", skip: "Skip", close: "Close the tour", done: "Done", fold: "Hide", unfold: "Show",
    finished: "That was everything", finished_text: "Bought at the supplier: {bought}. Told in the chat: {told}. Go on playing: every switch of the other side is yours.",
    link: "Link a key", link_text: "Press Start, then send the shop’s key. The bot deletes the message that held it.", link_do: "Type the key",
    buy: "Buy a code", buy_text: "Send /buy, choose Play Card, 5 USD and 1 unit, and confirm with ✅. Nothing here costs money.", buy_do: "Type /buy",
    topup: "Top up a player", topup_text: "Send /topup, choose {coins}, 60 coins and 1 unit, and player 51234567. The player is named before anything is paid.", topup_do: "Type /topup", topup_copy: "Copy the player",
    list: "Buy a list", list_text: "Send several lines at once, a product and how many in each. One card shows what was read, one ✅ buys it all, and the codes come in its order.", list_do: "Type a list",
    credit: "Sell on credit, close the day", credit_text: "Send /prices, tap %, then 10% and 10. Buy Play Card again, tap 📒 under its code and type a name. In the evening /close ends the day: cash, kridi and profit are in its report.", credit_do: "Type /prices",
    lose: "Lose an answer", lose_text: "Have the next purchase made and its answer lost, then buy again. The bot says that it is uncertain, looks for it, and finds it: nothing is bought twice.", lose_arm: "Lose the next answer", lose_armed: "The next answer will be lost", lose_do: "Type /buy",
    alert: "Hear an alert", alert_text: "Send /alerts, tap 💰, and type 30000. The balance is lower than that, so the alert comes within seconds.", alert_do: "Type /alerts",
    accounts: "Have two accounts", accounts_text: "Send a second key and tap ➕: both accounts stay linked. Then send /account and tap 🔀: one tap switches. The name of the active account stands above each screen.", accounts_do: "Type the key",
    bot: "The bot’s process", alive: "Running", dead: "Killed, and about to start again", life: "Process {pid}, life {n}", kill: "Kill it", kill_text: "As if the power went. It starts again by itself, and goes on where it was.",
    weather: "Weather", lose_hint: "The next purchase is made, and its answer lost", timeout: "Time out", timeout_hint: "The next purchase is answered too late", down: "502", down_hint: "The supplier fails 10 times",
    limit: "Rate limit", limit_hint: "The supplier says 429, 3 times", flood: "Telegram flood", flood_hint: "Telegram wants a pause of 4 seconds", well: "Fair weather", queued: "{n} to come",
    wallet: "Balance and key", balance: "Balance", amount: "Amount", add: "Add", take: "Take", expire: "Key expired", block: "Address blocked", mode: "Interface", current: "Current", legacy: "Legacy", both: "Both", copy: "Copy", copied: "Copied",
    orders: "Orders", hold: "New orders wait for you", no_orders: "Nothing was bought yet.", waiting: "waiting", state_done: "delivered", failed: "failed", refunded: "refunded",
    complete: "Complete", fail: "Fail", refund: "Refund", code: "Code", for_player: "for {player}", never: "Left alone, it is never answered.",
    stock: "Stock and prices", price: "Price of {what}", units: "Units of {what}", set: "Set",
  },
  fr: {
    bought: "Acheté chez le fournisseur", told: "Annoncé dans la discussion", difference: "Écart",
    even: "Chaque achat est annoncé. Codes livrés : {shown} sur {codes}.", uneven: "En route, ou en cours de recherche.",
    tour: "Visite guidée", tour_open: "Visite guidée", step: "Étape {n} sur {of}", skip: "Passer", close: "Fermer la visite", done: "Fait", fold: "Masquer", unfold: "Montrer",
    finished: "Vous avez tout vu", finished_text: "Acheté chez le fournisseur : {bought}. Annoncé dans la discussion : {told}. Continuez à jouer : tous les boutons de l’autre côté sont à vous.",
    link: "Lier une clé", link_text: "Appuyez sur Démarrer, puis envoyez la clé de la boutique. Le bot supprime le message qui la contenait.", link_do: "Écrire la clé",
    buy: "Acheter un code", buy_text: "Envoyez /buy, choisissez Play Card, 5 USD et 1 unité, puis confirmez avec ✅. Rien ne coûte d’argent ici.", buy_do: "Écrire /buy",
    topup: "Recharger un joueur", topup_text: "Envoyez /topup, choisissez {coins}, 60 coins et 1 unité, puis le joueur 51234567. Le joueur est nommé avant tout paiement.", topup_do: "Écrire /topup", topup_copy: "Copier le joueur",
    list: "Acheter une liste", list_text: "Envoyez plusieurs lignes à la fois, un produit et une quantité dans chacune. Une seule carte montre ce qui a été lu, un seul ✅ achète tout, et les codes arrivent dans l’ordre.", list_do: "Écrire une liste",
    credit: "Vendre en kridi, clôturer la journée", credit_text: "Envoyez /prices, appuyez sur %, puis 10 % et 10. Rachetez Play Card, appuyez sur 📒 sous son code et tapez un nom. Le soir, /close clôture la journée : caisse, kridi et bénéfice sont dans son rapport.", credit_do: "Écrire /prices",
    lose: "Perdre une réponse", lose_text: "Faites que le prochain achat ait lieu et que sa réponse se perde, puis achetez de nouveau. Le bot dit qu’il n’est pas sûr, cherche, et trouve : rien n’est acheté deux fois.", lose_arm: "Perdre la prochaine réponse", lose_armed: "La prochaine réponse se perdra", lose_do: "Écrire /buy",
    alert: "Entendre une alerte", alert_text: "Envoyez /alerts, appuyez sur 💰 et tapez 30000. Le solde est plus bas : l’alerte arrive en quelques secondes.", alert_do: "Écrire /alerts",
    accounts: "Avoir deux comptes", accounts_text: "Envoyez une deuxième clé et appuyez sur ➕ : les deux comptes restent liés. Envoyez ensuite /account et appuyez sur 🔀 : une touche suffit pour changer. Le nom du compte actif est en haut de chaque écran.", accounts_do: "Écrire la clé",
    bot: "Le processus du bot", alive: "En marche", dead: "Tué, il va redémarrer", life: "Processus {pid}, vie {n}", kill: "Le tuer", kill_text: "Comme une panne de courant. Il redémarre seul et reprend où il en était.",
    weather: "Météo", lose_hint: "Le prochain achat a lieu, sa réponse se perd", timeout: "Trop tard", timeout_hint: "Le prochain achat reçoit sa réponse trop tard", down: "502", down_hint: "Le fournisseur échoue 10 fois",
    limit: "Débit limité", limit_hint: "Le fournisseur répond 429, 3 fois", flood: "Pause Telegram", flood_hint: "Telegram exige une pause de 4 secondes", well: "Beau temps", queued: "encore {n}",
    wallet: "Solde et clé", balance: "Solde", amount: "Montant", add: "Ajouter", take: "Retirer", expire: "Clé expirée", block: "Adresse bloquée", mode: "Interface", current: "Current", legacy: "Legacy", both: "Les deux", copy: "Copier", copied: "Copié",
    orders: "Commandes", hold: "Les nouvelles commandes vous attendent", no_orders: "Rien n’a encore été acheté.", waiting: "en attente", state_done: "livrée", failed: "échouée", refunded: "remboursée",
    complete: "Livrer", fail: "Échouer", refund: "Rembourser", code: "Code", for_player: "pour {player}", never: "Sans rien faire, elle reste sans réponse.",
    stock: "Stock et prix", price: "Prix de {what}", units: "Unités de {what}", set: "Fixer",
  },
  ar: {
    bought: "تم شراؤه من المورّد", told: "أُعلن في المحادثة", difference: "الفرق",
    even: "كل عملية شراء أُعلنت. الأكواد المسلّمة: {shown} من {codes}.", uneven: "قيد التنفيذ، أو قيد البحث.",
    tour: "جولة إرشادية", tour_open: "جولة إرشادية", step: "الخطوة {n} من {of}", skip: "تخطٍّ", close: "غلق الجولة", done: "تم", fold: "إخفاء", unfold: "إظهار",
    finished: "لقد رأيت كل شيء", finished_text: "ما تم شراؤه من المورّد: {bought}. ما أُعلن في المحادثة: {told}. واصل اللعب: كل مفاتيح الجهة الأخرى لك.",
    link: "ربط مفتاح", link_text: "اضغط «ابدأ»، ثم أرسل مفتاح المحل. يحذف البوت الرسالة التي حملته.", link_do: "اكتب المفتاح",
    buy: "شراء كود", buy_text: "أرسل [[/buy]] واختر [[Play Card]] ثم [[5 USD]] ثم وحدة، وأكّد بـ ✅. لا شيء هنا يكلّف مالًا.", buy_do: "اكتب [[/buy]]",
    topup: "شحن للاعب", topup_text: "أرسل [[/topup]] واختر [[{coins}]] ثم [[60 coins]] ثم وحدة، واللاعب [[51234567]]. يُذكر اسم اللاعب قبل أي دفع.", topup_do: "اكتب [[/topup]]", topup_copy: "نسخ رقم اللاعب",
    list: "شراء قائمة", list_text: "أرسل عدة أسطر معًا، في كل سطر منتج وكمية. بطاقة واحدة تعرض ما قُرئ، و✅ واحدة تشتري الكل، وتصل الأكواد بترتيبها.", list_do: "اكتب قائمة",
    credit: "بيع بالكريدي وغلق اليوم", credit_text: "أرسل [[/prices]] واضغط ٪ ثم [[10%]] ثم 10. اشترِ [[Play Card]] مرة أخرى، واضغط 📒 تحت الكود واكتب اسمًا. في المساء يغلق [[/close]] اليوم: الصندوق والكريدي والربح في تقريره.", credit_do: "اكتب [[/prices]]",
    lose: "إضاعة جواب", lose_text: "اجعل الشراء القادم يتم وجوابه يضيع، ثم اشترِ مرة أخرى. يقول البوت إنه غير متأكد، ويبحث، ويجد: لا يتم شراء شيء مرتين.", lose_arm: "إضاعة الجواب القادم", lose_armed: "سيضيع الجواب القادم", lose_do: "اكتب [[/buy]]",
    alert: "سماع تنبيه", alert_text: "أرسل [[/alerts]] واضغط 💰 واكتب 30000. في الرصيد أقل من ذلك، فيصل التنبيه خلال ثوانٍ.", alert_do: "اكتب [[/alerts]]",
    accounts: "حسابان معًا", accounts_text: "أرسل مفتاحًا ثانيًا واضغط ➕: يبقى الحسابان مربوطين. ثم أرسل [[/account]] واضغط 🔀: ضغطة واحدة تكفي للتبديل. اسم الحساب النشط فوق كل شاشة.", accounts_do: "اكتب المفتاح",
    bot: "عملية البوت", alive: "تعمل", dead: "قُتلت، وستبدأ من جديد", life: "العملية {pid}، الحياة {n}", kill: "قتل العملية", kill_text: "كأن الكهرباء انقطعت. تبدأ من جديد وحدها وتكمل من حيث كانت.",
    weather: "الطقس", lose_hint: "يتم الشراء القادم ويضيع جوابه", timeout: "تأخّر", timeout_hint: "يصل جواب الشراء القادم متأخرًا جدًا", down: "502", down_hint: "يفشل المورّد 10 مرات",
    limit: "حدّ الاتصالات", limit_hint: "يجيب المورّد 429 ثلاث مرات", flood: "مهلة تيليغرام", flood_hint: "يطلب تيليغرام مهلة 4 ثوانٍ", well: "طقس صافٍ", queued: "بقي {n}",
    wallet: "الرصيد والمفتاح", balance: "الرصيد", amount: "المبلغ", add: "إضافة", take: "سحب", expire: "المفتاح منتهٍ", block: "العنوان محظور", mode: "الواجهة", current: "Current", legacy: "Legacy", both: "كلتاهما", copy: "نسخ", copied: "تم النسخ",
    orders: "الطلبات", hold: "الطلبات الجديدة تنتظرك", no_orders: "لم يتم شراء أي شيء بعد.", waiting: "قيد الانتظار", state_done: "سُلّم", failed: "فشل", refunded: "تم استرجاع المبلغ",
    complete: "إنجاز", fail: "إفشال", refund: "استرجاع المبلغ", code: "الكود", for_player: "إلى {player}", never: "إن تُرك، لن يُجاب أبدًا.",
    stock: "المخزون والأسعار", price: "سعر {what}", units: "وحدات {what}", set: "ضبط",
  },
};

// word is one of the texts.
export const word = (language, key, values) => filled(table[language][key] ?? key, values);

// missing lists the texts that one of the languages lacks.
export function missing() {
  const keys = new Set(Object.values(table).flatMap(Object.keys));
  return Object.entries(table).flatMap(([language, texts]) => [...keys].filter((k) => !(k in texts)).map((k) => `${language}.${k}`));
}
