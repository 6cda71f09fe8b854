import { describe, expect, test } from "bun:test"
import { Effect, Runtime } from "effect"
import { Limits } from "#schema/Limits"
import { loadClassifier } from "#src/language/Classifier"
import { grams, normal } from "#src/language/Grams"
import { Language } from "#src/language/Language"
import { processorTime } from "../support/cpu.ts"
import { withLayer } from "../support/effect.ts"

/** A sentence and a few words of each. */
const samples: Record<string, readonly [string, string]> = {
  en: ["The parcel was promised for Monday, but it still has not arrived.", "please cancel my order"],
  de: ["Das Paket sollte am Montag ankommen, aber es ist noch nicht da.", "wo bleibt mein Geld"],
  fr: ["Le colis devait arriver lundi, mais je ne l'ai toujours pas reçu.", "je veux être remboursé"],
  es: ["El paquete debía llegar el lunes, pero todavía no lo he recibido.", "quiero cancelar mi pedido"],
  it: ["Il pacco doveva arrivare lunedì, ma non è ancora stato consegnato.", "voglio annullare il mio ordine"],
  pt: ["A encomenda devia chegar na segunda-feira, mas ainda não chegou.", "não consigo entrar na conta"],
  nl: ["Het pakket zou maandag komen, maar het is er nog steeds niet.", "ik wil mijn geld terug"],
  sv: ["Paketet skulle komma i måndags, men det har inte kommit än.", "jag vill ha pengarna tillbaka"],
  da: ["Pakken skulle være kommet i mandags, men den er ikke kommet endnu.", "hvornår kommer min pakke"],
  fi: ["Paketin piti saapua maanantaina, mutta se ei ole vielä tullut.", "haluan perua tilauksen"],
  pl: ["Paczka miała przyjść w poniedziałek, ale jeszcze jej nie ma.", "chcę zwrotu pieniędzy"],
  cs: ["Balíček měl přijít v pondělí, ale ještě nedorazil.", "chci zrušit objednávku"],
  hu: ["A csomagnak hétfőn kellett volna megérkeznie, de még nincs itt.", "vissza akarom kérni a pénzt"],
  ro: ["Coletul trebuia să ajungă luni, dar încă nu a sosit.", "vreau banii înapoi"],
  tr: ["Paketin pazartesi günü gelmesi gerekiyordu ama hâlâ gelmedi.", "siparişimi iptal etmek istiyorum"],
  id: ["Paket itu seharusnya tiba hari Senin, tetapi sampai sekarang belum datang.", "saya ingin membatalkan pesanan"],
  vi: ["Gói hàng lẽ ra phải đến vào thứ Hai nhưng vẫn chưa tới.", "tôi muốn hoàn tiền"],
  ru: ["Посылка должна была прийти в понедельник, но её всё ещё нет.", "верните мне деньги"],
  uk: ["Посилка мала прийти в понеділок, але її досі немає.", "хочу скасувати замовлення"],
  bg: ["Пратката трябваше да пристигне в понеделник, но още я няма.", "искам си парите обратно"],
  el: ["Το δέμα έπρεπε να φτάσει τη Δευτέρα, αλλά δεν έχει έρθει ακόμα.", "θέλω τα χρήματά μου πίσω"],
  ar: ["كان من المفترض أن يصل الطرد يوم الاثنين لكنه لم يصل بعد.", "أريد استرداد أموالي"],
  fa: ["بسته قرار بود دوشنبه برسد اما هنوز نرسیده است.", "می‌خواهم سفارشم را لغو کنم"],
  he: ["החבילה הייתה אמורה להגיע ביום שני, אבל היא עדיין לא הגיעה.", "אני רוצה את הכסף בחזרה"],
  hi: ["पार्सल सोमवार को आना था, लेकिन वह अभी तक नहीं आया है।", "मुझे मेरे पैसे वापस चाहिए"],
  bn: ["পার্সেলটি সোমবার আসার কথা ছিল, কিন্তু এখনও আসেনি।", "আমি টাকা ফেরত চাই"],
  ta: ["பொதி திங்கட்கிழமை வர வேண்டியது, ஆனால் இன்னும் வரவில்லை.", "என் பணத்தைத் திருப்பித் தாருங்கள்"],
  th: ["พัสดุควรจะมาถึงวันจันทร์ แต่ยังไม่มา", "ขอเงินคืนด้วย"],
  zh: ["包裹本应星期一送到,可是到现在还没有收到。", "我想取消订单"],
  ja: ["荷物は月曜日に届くはずでしたが、まだ届いていません。", "返金をお願いします"],
  ko: ["소포가 월요일에 오기로 했는데 아직 오지 않았습니다.", "주문을 취소하고 싶어요"],
  sw: ["Kifurushi kilitakiwa kufika Jumatatu, lakini bado hakijafika.", "nataka kurudishiwa pesa zangu"]
}

withLayer(Language.layer)("Language", (it) => {
  const best = (text: string) =>
    Effect.gen(function* () {
      const { languages, probabilities } = yield* Language
      const found = yield* probabilities(text)
      return languages[found.indexOf(Math.max(...found))]?.name ?? ""
    })

  for (const [kind, place, least] of [
    ["sentences", 0, 0.95],
    ["a few words", 1, 0.9]
  ] as const)
    it(`tells ${Object.keys(samples).length} languages apart by ${kind}`, () =>
      Effect.gen(function* () {
        const wrong: Array<string> = []
        for (const [code, texts] of Object.entries(samples)) {
          const found = yield* best(texts[place])
          if (found !== code) wrong.push(`${code} as ${found}`)
        }
        expect([wrong, 1 - wrong.length / Object.keys(samples).length >= least]).toEqual([wrong, true])
      }))

  it("takes an ordinary English word for English, and words of other languages for theirs", () =>
    Effect.gen(function* () {
      const english =
        "hello thanks please yes invoice refund order cancel help late package delivery login password broken"
      const told = yield* Effect.forEach(english.split(" "), best)
      expect(told.filter((code) => code === "en").length).toBeGreaterThanOrEqual(13)
      const others = {
        de: "nein danke rechnung",
        fr: "bonjour merci oui",
        es: "hola gracias",
        it: "ciao",
        pt: "obrigado",
        nl: "goed",
        pl: "gdzie",
        sv: "tack",
        da: "hej ikke",
        fi: "kiitos",
        tr: "merhaba evet",
        sw: "asante habari"
      }
      for (const [code, words] of Object.entries(others))
        for (const word of words.split(" ")) expect([word, yield* best(word)]).toEqual([word, code])
    }))

  it("knows at least 60 languages by their ISO 639-1 codes and English names", () =>
    Effect.map(Language, ({ languages }) => {
      expect(languages.length).toBeGreaterThanOrEqual(60)
      expect(languages.every(({ name }) => /^[a-z]{2}$/.test(name))).toBe(true)
      expect(languages.find(({ name }) => name === "de")?.description).toBe("German")
    }))

  it("is sure of a sentence, unsure of a word that many languages have, and undecided without letters", () =>
    Effect.gen(function* () {
      const { languages, probabilities, probabilityOf } = yield* Language
      expect(yield* probabilityOf("en", "The parcel never came and I want my money back.")).toBeGreaterThan(0.95)
      expect(yield* probabilityOf("en", "Das Paket kam nie an.")).toBeLessThan(0.01)
      expect(yield* probabilityOf("en", "taxi")).toBeLessThan(0.8)
      expect(yield* probabilityOf("tlh", "Das Paket")).toBe(0)
      for (const text of ["", "  ", "12:30 €", "😀"])
        expect(new Set(yield* probabilities(text))).toEqual(new Set([1 / languages.length]))
      const sum = (yield* probabilities("bonjour à tous")).reduce((a, b) => a + b, 0)
      expect(sum).toBeCloseTo(1, 9)
    }))

  it("reads words wherever they stand between blanks, numbers and signs", () =>
    Effect.gen(function* () {
      const words = "Wo ist mein Paket, ich warte schon so lange"
      for (const filling of [" ", "0 ", "- | "])
        expect(yield* best(`${filling.repeat(700)}${words}${filling.repeat(2_000)}`)).toBe("de")
    }))

  it("goes by most of a long text, not by what frames it", () =>
    Effect.gen(function* () {
      const frame = "This message is confidential and meant for the person it was sent to. ".repeat(9)
      for (const times of [40, 400])
        expect(yield* best(`${frame}${"Das Paket kam nie an, ich warte noch immer. ".repeat(times)}${frame}`)).toBe(
          "de"
        )
    }))

  it("reads all of a long text", () =>
    Effect.gen(function* () {
      const said =
        "The order was changed, the date was not, and nobody at the counter could tell me why that was so yet.".slice(
          0,
          100
        )
      const meant =
        "Ich warte noch immer auf das Paket, und keiner kann mir sagen, wo es geblieben ist oder wann es kommt. ".repeat(
          2
        )
      const text = Array.from({ length: 18 }, (_, i) => said + meant.slice(0, i < 17 ? 105 : 0)).join("")
      expect(yield* best(text)).toBe("de")
    }))

  it("lets others have their turn between two texts", () =>
    Effect.gen(function* () {
      const { probabilities } = yield* Language
      let turns = 0
      const turning = setInterval(() => turns++, 0)
      const text = "Das Paket kam nie an. ".repeat(500)
      yield* Effect.all(
        Array.from({ length: 8 }, () => probabilities(text)),
        { concurrency: 8 }
      )
      clearInterval(turning)
      expect(turns).toBeGreaterThan(3)
    }))

  it("takes little time for the longest text, and less for the choice of a model", () =>
    Effect.gen(function* () {
      const { probabilities } = yield* loadClassifier(new URL("../../models/language", import.meta.url).pathname)
      const { probabilityOf } = yield* Language
      const run = Runtime.runSync(yield* Effect.runtime())
      for (const part of ["Das Paket kam nie an. ", "\u0301\u0316"]) {
        const text = part.repeat(Limits.renderedState / part.length)
        expect(processorTime(() => probabilities(normal(text)))).toBeLessThan(100)
        expect(processorTime(() => run(probabilityOf("en", text)))).toBeLessThan(50)
      }
    }))
})

describe("grams", () => {
  test("heed no marks and apostrophes without a letter, such as those of emoji", () => {
    for (const [text, letters] of [
      ["I love it ❤️❤️", "i love it"],
      ["⚠️ Server down 1️⃣", "server down"],
      ["10'000 \u0301 ''''", ""],
      ["it's l’été", "it's l'été"]
    ] as const)
      expect(normal(text)).toBe(letters)
  })

  test("are those of the training code", () => {
    expect(normal("İstanbul’da 3 ev!")).toBe("i̇stanbul'da ev")
    expect(grams(normal("ΑΣ"), 1 << 18).toSorted((a, b) => a - b)).toEqual([
      6278, 19228, 66211, 79578, 125385, 170324, 201051, 238859
    ])
  })
})
