"""Sentences that exist in many languages, and wordings that ask whether one holds."""
import re

END = re.compile(r"(?:(?<=[.!?…؟])|(?<=[.!?…؟][\"”»’)]))\s+|(?<=[。！？])(?![」』”])\s*|(?<=[。！？][」』”])\s*")
LONG = 160              # characters of an English sentence that is asked about

FRAMES: list[dict[str, str]] = [
    {"en": "Does the text say: {}", "de": "Sagt der Text: {}", "es": "¿Dice el texto: {}", "fr": "Le texte dit-il : {}", "it": "Il testo dice: {}", "nl": "Zegt de tekst: {}", "pl": "Czy tekst mówi: {}",
     "pt": "O texto diz: {}", "ru": "Говорится ли в тексте: {}", "tr": "Metin şunu söylüyor mu: {}", "ar": "هل يقول النص: {}", "ja": "本文は次のように述べていますか：{}", "ko": "글에서 이렇게 말하나요: {}",
     "th": "ข้อความบอกว่าเช่นนี้หรือไม่: {}", "zh": "文中是否说：{}", "zh-TW": "文中是否說：{}"},
    {"en": "Is this true: {}", "de": "Stimmt das: {}", "es": "¿Es verdad esto?: {}", "fr": "Est-ce vrai : {}", "it": "È vero: {}", "nl": "Klopt dit: {}", "pl": "Czy to prawda: {}", "pt": "Isto é verdade: {}",
     "ru": "Верно ли это: {}", "tr": "Bu doğru mu: {}", "ar": "هل هذا صحيح: {}", "ja": "これは本当ですか：{}", "ko": "이것이 사실인가요: {}", "th": "เรื่องนี้จริงหรือไม่: {}", "zh": "这是真的吗：{}", "zh-TW": "這是真的嗎：{}"},
    {"en": "It is not true: {}", "de": "Es stimmt nicht: {}", "es": "No es verdad: {}", "fr": "Ce n'est pas vrai : {}", "it": "Non è vero: {}", "nl": "Het klopt niet: {}", "pl": "To nieprawda: {}", "pt": "Não é verdade: {}",
     "ru": "Это неправда: {}", "tr": "Bu doğru değil: {}", "ar": "هذا غير صحيح: {}", "ja": "これは本当ではない：{}", "ko": "이것은 사실이 아니다: {}", "th": "เรื่องนี้ไม่จริง: {}", "zh": "这不是真的：{}", "zh-TW": "這不是真的：{}"},
    {"en": "Does the writer mean: {}", "de": "Meint der Verfasser: {}", "es": "¿Quiere decir el autor: {}", "fr": "L'auteur veut-il dire : {}", "it": "Chi scrive intende: {}", "nl": "Bedoelt de schrijver: {}",
     "pl": "Czy autor ma na myśli: {}", "pt": "O autor quer dizer: {}", "ru": "Имеет ли автор в виду: {}", "tr": "Yazar şunu mu demek istiyor: {}", "ar": "هل يقصد الكاتب: {}", "ja": "書き手が言いたいのは次のことですか：{}",
     "ko": "글쓴이가 말하려는 것은 이것인가요: {}", "th": "ผู้เขียนหมายความว่าเช่นนี้หรือไม่: {}", "zh": "作者的意思是：{}", "zh-TW": "作者的意思是：{}"},
    {"en": "The message does not say: {}", "de": "In der Nachricht steht nicht: {}", "es": "El mensaje no dice: {}", "fr": "Le message ne dit pas : {}", "it": "Il messaggio non dice: {}", "nl": "Het bericht zegt niet: {}",
     "pl": "Wiadomość nie mówi: {}", "pt": "A mensagem não diz: {}", "ru": "В сообщении не говорится: {}", "tr": "Mesajda şu söylenmiyor: {}", "ar": "لا تقول الرسالة: {}", "ja": "メッセージには次のことは書かれていない：{}",
     "ko": "메시지에는 이렇게 쓰여 있지 않다: {}", "th": "ข้อความไม่ได้บอกว่า: {}", "zh": "消息中没有说：{}", "zh-TW": "訊息中沒有說：{}"},
]


def sentences(text: str) -> list[str]: return [part.strip() for part in END.split(text) if part and part.strip()]


def by_sentence(text: dict[str, str]) -> list[dict[str, str]]:
    """A text by language -> its sentences, in the languages that have as many of them as English has."""
    parts = {lang: sentences(said) for lang, said in text.items()}
    return [{lang: said[i] for lang, said in parts.items() if len(said) == len(parts["en"])} for i, english in enumerate(parts["en"]) if len(english) <= LONG]
