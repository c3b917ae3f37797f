// The page's own words, in the three languages. What people and bots write is never translated.

const table = {
  en: {
    sandbox: "Sandbox", people: "People", language: "Language", theme: "Appearance", theme_auto: "As the system", theme_light: "Light", theme_dark: "Dark",
    panel: "The other side", skip: "To the message box", messages: "Messages of {who}", chats: "Chats of {who}", phone: "Phone of {who}",
    bot: "bot", bot_chat: "Bot", group: "group", supergroup: "supergroup", channel: "channel", members: "{kind} · members: {n} · bot: {role}", typing: "typing…",
    part_owner: "owner", part_seller: "seller", part_counter: "counter", part_stranger: "stranger",
    start: "Start", restart: "Unblock and start", empty: "This is where you talk to the bot.", deleted_account: "This account was deleted.",
    blocked: "You have blocked the bot.", not_member: "Not a member of this group.", muted: "May not write here.",
    message: "Message", send: "Send", commands: "Commands", attach: "Attach", file: "File", own_number: "My number", contact: "Contact", book: "From the telephone book", number: "Phone number", more: "More", close: "Close", cancel: "Cancel", save: "Save", open: "Open", ok: "OK",
    keyboard: "Keyboard", down: "To the newest message", copy: "Copy", copied: "Copied", tap_to_copy: "Tap to copy", hidden: "Hidden: tap to see", photo: "Photo",
    edited: "edited", deleted: "{who} · message deleted", sent: "Sent", seen: "The bot has got it", reply: "Reply", edit: "Edit", remove: "Delete", editing: "Editing", replying: "Reply to {who}",
    gone: "Deleted message", forwarded: "Forwarded from {who}", no_text: "This file cannot be shown as text.", today: "Today", bytes: "{n} B", kilobytes: "{n} kB",
    block: "Block the bot", unblock: "Unblock the bot", upgrade: "Make it a supergroup",
    topics: "Topics", general: "General", topics_on: "Turn topics on", topics_off: "Turn topics off", new_topic: "New topic", topic_close: "Close this topic", topic_reopen: "Open this topic again", topic_delete: "Delete this topic", shut: "This topic is closed.", topic_begun: "{by} began the topic {whom}", topic_closed: "{by} closed the topic", topic_reopened: "{by} opened the topic again",
    new_group: "New group", name: "Name", with_bot: "The bot is added, too.", create: "Create",
    creator: "owner", administrator: "administrator", member: "member", restricted: "may not write", left: "not a member", kicked: "removed",
    created: "{by} created the group", added: "{by} added {whom}", removed: "{by} removed {whom}", left_group: "{by} left", migrated: "The group became a supergroup", shared: "{by} shared people with the bot", shared_chat: "{by} shared a chat with the bot",
    lost: "The sandbox does not answer. Is it still running?", too_big: "The file is too big.", not_here: "This key does nothing in the sandbox.",
    anonymous: "Anonymous poll", public_poll: "Poll", quiz: "Quiz", closed: "Final results", vote: "Vote", retract: "Take back my vote", votes: "Votes: {n}", your_vote: "your vote",
    asking: "The bot is asked…", paid: "Paid", ship_how: "Choose how to get it:", no_results: "The bot offers nothing.", audio: "Voice message", video: "Video",
  },
  fr: {
    sandbox: "Bac à sable", people: "Personnes", language: "Langue", theme: "Apparence", theme_auto: "Comme le système", theme_light: "Clair", theme_dark: "Sombre",
    panel: "L’autre côté", skip: "Aller à la zone de message", messages: "Messages de {who}", chats: "Discussions de {who}", phone: "Téléphone de {who}",
    bot: "bot", bot_chat: "Bot", group: "groupe", supergroup: "supergroupe", channel: "canal", members: "{kind} · membres : {n} · bot : {role}", typing: "écrit…",
    part_owner: "propriétaire", part_seller: "vendeur", part_counter: "caisse", part_stranger: "inconnue",
    start: "Démarrer", restart: "Débloquer et démarrer", empty: "C’est ici que vous parlez au bot.", deleted_account: "Ce compte a été supprimé.",
    blocked: "Vous avez bloqué le bot.", not_member: "Pas membre de ce groupe.", muted: "Ne peut pas écrire ici.",
    message: "Message", send: "Envoyer", commands: "Commandes", attach: "Joindre", file: "Fichier", own_number: "Mon numéro", contact: "Contact", book: "Du répertoire", number: "Numéro de téléphone", more: "Plus", close: "Fermer", cancel: "Annuler", save: "Enregistrer", open: "Ouvrir", ok: "OK",
    keyboard: "Clavier", down: "Au dernier message", copy: "Copier", copied: "Copié", tap_to_copy: "Appuyer pour copier", hidden: "Caché : appuyer pour voir", photo: "Photo",
    edited: "modifié", deleted: "{who} · message supprimé", sent: "Envoyé", seen: "Le bot l’a reçu", reply: "Répondre", edit: "Modifier", remove: "Supprimer", editing: "Modification", replying: "Réponse à {who}",
    gone: "Message supprimé", forwarded: "Transféré de {who}", no_text: "Ce fichier ne s’affiche pas comme texte.", today: "Aujourd’hui", bytes: "{n} o", kilobytes: "{n} ko",
    block: "Bloquer le bot", unblock: "Débloquer le bot", upgrade: "En faire un supergroupe",
    topics: "Sujets", general: "Général", topics_on: "Activer les sujets", topics_off: "Désactiver les sujets", new_topic: "Nouveau sujet", topic_close: "Fermer ce sujet", topic_reopen: "Rouvrir ce sujet", topic_delete: "Supprimer ce sujet", shut: "Ce sujet est fermé.", topic_begun: "{by} a ouvert le sujet {whom}", topic_closed: "{by} a fermé le sujet", topic_reopened: "{by} a rouvert le sujet",
    new_group: "Nouveau groupe", name: "Nom", with_bot: "Le bot est ajouté aussi.", create: "Créer",
    creator: "propriétaire", administrator: "administrateur", member: "membre", restricted: "ne peut pas écrire", left: "pas membre", kicked: "exclu",
    created: "{by} a créé le groupe", added: "{by} a ajouté {whom}", removed: "{by} a exclu {whom}", left_group: "{by} est parti", migrated: "Le groupe est devenu un supergroupe", shared: "{by} a partagé des personnes avec le bot", shared_chat: "{by} a partagé une discussion avec le bot",
    lost: "Le bac à sable ne répond pas. Tourne-t-il encore ?", too_big: "Le fichier est trop gros.", not_here: "Cette touche ne fait rien ici.",
    anonymous: "Sondage anonyme", public_poll: "Sondage", quiz: "Quiz", closed: "Résultats définitifs", vote: "Voter", retract: "Retirer mon vote", votes: "Votes : {n}", your_vote: "votre vote",
    asking: "On demande au bot…", paid: "Payé", ship_how: "Choisissez la livraison :", no_results: "Le bot ne propose rien.", audio: "Message vocal", video: "Vidéo",
  },
  ar: {
    sandbox: "بيئة التجربة", people: "الأشخاص", language: "اللغة", theme: "المظهر", theme_auto: "مثل النظام", theme_light: "فاتح", theme_dark: "داكن",
    panel: "الجهة الأخرى", skip: "إلى خانة الرسالة", messages: "رسائل {who}", chats: "محادثات {who}", phone: "هاتف {who}",
    bot: "بوت", bot_chat: "البوت", group: "مجموعة", supergroup: "مجموعة كبيرة", channel: "قناة", members: "{kind} · الأعضاء: {n} · البوت: {role}", typing: "يكتب…",
    part_owner: "المالكة", part_seller: "البائع", part_counter: "الصندوق", part_stranger: "غريبة",
    start: "ابدأ", restart: "إلغاء الحظر والبدء", empty: "هنا تتحدث مع البوت.", deleted_account: "حُذف هذا الحساب.",
    blocked: "لقد حظرت البوت.", not_member: "ليس عضوًا في هذه المجموعة.", muted: "لا يمكنه الكتابة هنا.",
    message: "رسالة", send: "إرسال", commands: "الأوامر", attach: "إرفاق", file: "ملف", own_number: "رقمي", contact: "جهة اتصال", book: "من دليل الهاتف", number: "رقم الهاتف", more: "المزيد", close: "غلق", cancel: "إلغاء", save: "حفظ", open: "فتح", ok: "حسنًا",
    keyboard: "لوحة الأزرار", down: "إلى أحدث رسالة", copy: "نسخ", copied: "تم النسخ", tap_to_copy: "اضغط للنسخ", hidden: "مخفي: اضغط لرؤيته", photo: "صورة",
    edited: "معدّلة", deleted: "{who} · حُذفت الرسالة", sent: "أُرسلت", seen: "وصلت إلى البوت", reply: "رد", edit: "تعديل", remove: "حذف", editing: "تعديل", replying: "رد على {who}",
    gone: "رسالة محذوفة", forwarded: "محوّلة من {who}", no_text: "لا يمكن عرض هذا الملف كنص.", today: "اليوم", bytes: "{n} بايت", kilobytes: "{n} ك.ب",
    block: "حظر البوت", unblock: "إلغاء حظر البوت", upgrade: "تحويلها إلى مجموعة كبيرة",
    topics: "المواضيع", general: "عام", topics_on: "تفعيل المواضيع", topics_off: "إيقاف المواضيع", new_topic: "موضوع جديد", topic_close: "غلق هذا الموضوع", topic_reopen: "إعادة فتح هذا الموضوع", topic_delete: "حذف هذا الموضوع", shut: "هذا الموضوع مغلق.", topic_begun: "بدأ {by} الموضوع {whom}", topic_closed: "أغلق {by} الموضوع", topic_reopened: "أعاد {by} فتح الموضوع",
    new_group: "مجموعة جديدة", name: "الاسم", with_bot: "يُضاف البوت أيضًا.", create: "إنشاء",
    creator: "المالك", administrator: "مشرف", member: "عضو", restricted: "لا يمكنه الكتابة", left: "ليس عضوًا", kicked: "مُبعَد",
    created: "أنشأ {by} المجموعة", added: "أضاف {by} {whom}", removed: "أبعد {by} {whom}", left_group: "غادر {by}", migrated: "أصبحت المجموعة مجموعة كبيرة", shared: "شارك {by} أشخاصًا مع البوت", shared_chat: "شارك {by} محادثة مع البوت",
    lost: "بيئة التجربة لا تجيب. هل ما زالت تعمل؟", too_big: "الملف كبير جدًا.", not_here: "هذا الزر لا يفعل شيئًا هنا.",
    anonymous: "تصويت مجهول", public_poll: "تصويت", quiz: "سؤال", closed: "النتائج النهائية", vote: "صوّت", retract: "سحب صوتي", votes: "الأصوات: {n}", your_vote: "صوتك",
    asking: "جارٍ سؤال البوت…", paid: "تم الدفع", ship_how: "اختر طريقة الاستلام:", no_results: "لا يعرض البوت شيئًا.", audio: "رسالة صوتية", video: "فيديو",
  },
};

export const languages = [["en", "English"], ["fr", "Français"], ["ar", "العربية"]];

// supported is the page's language for a language code of Telegram's, such as "fr-DZ".
export function supported(code) {
  const base = String(code || "").toLowerCase().split("-")[0];
  return table[base] ? base : "en";
}

export const direction = (language) => (language === "ar" ? "rtl" : "ltr");

// filled puts values into a text. Each stands in an isolate, so that its direction stays its own, and so does
// what a text has in double brackets, which runs from the left.
export function filled(text, values) {
  return text.replace(/\[\[(.*?)\]\]/g, "\u2066$1\u2069").replace(/\{(\w+)\}/g, (whole, name) => (values && name in values ? `\u2068${values[name]}\u2069` : whole));
}

// word is one of the page's texts.
export function word(language, key, values) {
  return filled(table[language][key] ?? key, values);
}

// A table in which one language lacks a text shows it as its key, so the browser tests ask for what is missing.
export function missing() {
  const keys = new Set(Object.values(table).flatMap(Object.keys));
  return Object.entries(table).flatMap(([language, texts]) => [...keys].filter((k) => !(k in texts)).map((k) => `${language}.${k}`));
}
