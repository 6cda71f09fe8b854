import { describe, expect, test } from "bun:test"
import { identifiers } from "#src/pii/Identifiers"
import { withIdentifiers } from "#src/pii/PersonalData"
import { processorTime } from "#test/support/cpu"

const kinds = (text: string) => [...new Set(identifiers(text).map(({ kind }) => kind))]

const found: ReadonlyArray<readonly [kind: string, text: string]> = [
  ["phone", "I bought it in your store. Anna Keller, 0170 1234567"],
  ["phone", "Hi support,\nAnna Keller\n0170 1234567"],
  ["phone", "I emailed support twice. Reach Jane Roe at 415-867-5309."],
  ["iban", "Ich war im Office. Anna Keller, IBAN DE89 3704 0044 0532 0130 00"],
  ["national id", "My Aadhaar number is 2341-2341-2346"],
  ["national id", "Passport number:\nC01X00T47"],
  ["email", "deininger@gmail.com"],
  ["email", "please write to tu.nguyen@gmail.com"],
  ["email", "newsom.gavin@gmail.com"],
  ["email", "My login is h.abernethy@postbox.example and it says my account doesn't exist."],
  ["email", "Bitte an jürgen.groß@müller-familie.de antworten"],
  ["email", '{"customer": {"mail": "ngozi.e+news@harbourmail.example", "consent": true}}'],
  ["phone", "Call my husband Declan on 07700 900612 when the boiler arrives."],
  ["phone", "Oluwaseun Adair (07700 900645) swaps with Bridget Nolan on Sunday."],
  ["phone", "lost wallet!! belongs to Tomasz Rybicki, if found ring him on 555-0117 pls"],
  ["phone", "Kelly Marsh, (415) 867-5309, works nights at the diner."],
  ["phone", "Reach Ines at +351 912 345 678 after six."],
  ["phone", "I sit in the office all day, my mobile is +49 1512 3456789"],
  ["phone", "Merci de rappeler Mme Garnier, tél. 01 99 00 45 12."],
  ["phone", "Запишите пациента: Лаптев Семён, тел. 8 900 000-31-22."],
  ["phone", "السيدة هالة منصور، جوالها ٠٥٠٠٠٠٠١٧٣"],
  ["phone", "新班長は桐島やよいさん(若葉町3-8-2、090-0000-5514)にお願いしました。"],
  ["phone", "लड़के का बायोडाटा: विवेक सोलंकी, फोन 90000 00471।"],
  ["iban", "Please transfer the deposit to Oskar Lindqvist, IBAN SE35 5000 0000 0549 1000 0003, as agreed."],
  ["iban", "account DE89370400440532013000 belongs to Jonas"],
  ["card", "Refund to my wife's card please: Aoife Kearns, 5555 4444 3333 1111."],
  ["card", "amex 378282246310005 exp 09/27"],
  ["card", "Card 4000 1234 5678 9010, exp 09/27, cvv 311, name R. Okafor"],
  ["national id", "SSN 512-44-9087 for the payroll of Wendy Kessler, please update."],
  ["national id", "Her number is 512-44-9087."],
  ["national id", "NI number AB 12 34 56 C, start date 1 May"],
  ["national id", "Mi DNI es 12345678Z y vivo en Vigo"],
  ["national id", "cpf 529.982.247-25 em nome de Cíntia"],
  ["national id", "Codice fiscale RSSMRA85T10A562S"],
  ["national id", "Je m'appelle Aurélien Motte, numéro de sécu 1 87 05 49 588 157 80"],
  ["national id", "Halina Dudek, ul. Jaworowa 31, PESEL 58010200000"],
  ["national id", "Passport no. 533380012, holder Anton Richter"],
  ["national id", "身份证号码：11010519491231002X"],
  ["card", "Card: 4111 1111 1111 1111 12/27"],
  ["card", "4111111111111111 123"],
  ["card", "5555 5555 5555 4444 09/26 CVC 123"],
  ["phone", "Lothar Keller, +49 170 1234567"],
  ["phone", "Casey (415) 867-5309"],
  ["phone", "Contact my partner Anna: +49 170 1234567"],
  ["phone", "Tel:01712345678"],
  ["phone", '{"name":"Anna","mobile":491712345678}'],
  ["phone", "+49\u00a0170\u00a01234567"],
  ["phone", "call +1\u2011555\u2011123\u20114567"],
  ["phone", "my new number 07700 900612"],
  ["email", "Participants: anna.keller@gmail.com"],
  ["email", "I'm serious, email anna.keller@gmail.com"],
  ["email", "This is part of: anna.keller@gmail.com"],
  ["email", "tuan@gmail.com"],
  ["email", "testa@libero.it"],
  ["iban", "IBAN DE89\u00a03704\u00a00044\u00a00532\u00a00130\u00a000"],
  ["iban", "My partner's IBAN DE89 3704 0044 0532 0130 00"],
  ["national id", "My SIN is 130 692 544"],
  ["national id", "TFN 123 456 782"],
  ["national id", "My SSN is 536 22 1234"],
  ["phone", "手机13800138000"],
  ["phone", "我的电话是13800138000。"],
  ["phone", "電話番号は09012345678です"],
  ["phone", "กรุณาโทร0812345678ครับ"],
  ["phone", "０９０－１２３４－５６７８"],
  ["phone", "＋49 170 1234567"],
  ["phone", "(415)867-5309"],
  ["phone", "1-415-867-5309 is my cell"],
  ["phone", "Call 415-867-5309x12"],
  ["phone", "06.12.34.56.78"],
  ["phone", "8 (912) 345-67-89"],
  ["phone", "мой номер 89123456789"],
  ["phone", "(11) 91234-5678"],
  ["phone", "612 345 678 es mi móvil"],
  ["phone", "4158675309 is my new number"],
  ["phone", "phone 9123-4567"],
  ["phone", "Anna,07700 900612,Leeds"],
  ["phone", "1,+491701234567,22607"],
  ["phone", "Anna,0170 1234567,5"],
  ["phone", "born 04.03.1987 0170 1234567"],
  ["phone", "Hamburg 22607 0170 1234567"],
  ["phone", "Order 88213: Anna Keller, 0170 1234567"],
  ["phone", "I ordered a sample. Anna Keller, 0170 1234567"],
  ["phone", "Bought model X, call 0170 1234567"],
  ["phone", "I was treated like this. Call 0170 1234567"],
  ["email", "Tracking says delivered, mail anna.keller@gmail.com"],
  ["email", "anna＠gmail.com"],
  ["iban", "de89 3704 0044 0532 0130 00"],
  ["iban", "DE89-3704-0044-0532-0130-00"],
  ["iban", "AT12 CODE DE89 3704 0044 0532 0130 00"],
  ["card", "卡号4111111111111111"],
  ["card", "7,4111111111111111,12/27"],
  ["card", "No.4111111111111111"],
  ["card", "4111–1111–1111–1111"],
  ["card", "88213 4111 1111 1111 1111"],
  ["card", "visa 4111  1111  1111  1111"],
  ["national id", "身份证号11010519491231002X"],
  ["national id", "dni 12345678z"],
  ["national id", "nino: ab123456c"],
  ["national id", "AHV-Nr. 756 9217 0769 85"],
  ["national id", "RUT 12345678-5"],
  ["national id", "Reisepass C01X00T47"],
  ["national id", "NHS number 943 476 5919"],
  ["national id", "СНИЛС 112-233-445 95"],
  ["national id", "マイナンバー 1234 5678 9018"],
  ["national id", "תעודת זהות 123456782"],
  ["national id", "DNI 30.123.456"]
]

const lookalikes: ReadonlyArray<string> = [
  "I uploaded my passport for order 12345678",
  "My SSN was stolen; ticket 987654321",
  "My passport was stolen. See case 20241234",
  "We got +10 000 000 views",
  "growth +12345678",
  "EAN 5901234123457",
  "newsletter@shop.com",
  "Our support line is open from 8 to 20: 0800 123 456.",
  "Call our store on 0800 555 019 or mail sales@brightlamp.example.",
  "Hospital main switchboard: 01632 960 000, visiting hours 2 to 8 pm.",
  "Toll free: +1 800 555 0199",
  "Contact: info@brightwell-tools.example, support-eu@tools.example, no-reply@tools.example",
  "Example entry: John Doe, 123 Main Street, Anytown, 555-0100.",
  "Use a valid address, for example jane.roe@company.com",
  "Type your.name@example.com or user@example.org here.",
  'Test data for QA: name "Max Mustermann", card 4242 4242 4242 4242, mail test@example.com, phone 555-0100.',
  "Enter your card number: 0000 0000 0000 0000.",
  "Serial number 512-44-9087 is printed under the washing machine.",
  "El número de serie es 44.810.927-K y está en la base.",
  "Donations welcome! Riverside Animal Shelter e.V., IBAN DE89 3704 0044 0532 0130 00.",
  "IBAN DE89 3704 0044 0532 0130 01 has wrong check digits.",
  "Order 88213 of 2024-03-04 has not arrived; tracking 1Z 999 AA1 01 2345 6784.",
  "Can you put our PO number 4500-7781 on the invoice?",
  "Our company is registered in Dublin under number 774120.",
  "2024-05-02T10:14:33Z WARN disk usage 91% on node-7 (10.0.4.7), build 8.2.1.1044, uptime 41d",
  "The prize is 850,000 pounds, 12.500.000 were sold between 1998 - 2004.",
  "Card 1234 5678 9012 is a gift card.",
  "ISBN 978-3-16-148410-0 is out of print",
  "reply to @moss_garden on page 3",
  "The mailbox test_account@gmail.com gets every copy.",
  "Order number 12345678 has not arrived",
  "My invoice number is 20240012",
  "Ticket number: 4450012",
  "The number of visitors hit 25 000 000 in May",
  "We want to reach 10 000 000 people",
  "Numero di abitanti: 1 234 567",
  "Estoy sin respuesta sobre el pedido 987654321",
  "Инновационный проект № 1234567890",
  "ООО «Ромашка», ИНН 7707083893",
  "10.1038/s41586-020-2649-2",
  "Room 555-1234",
  "Vertragsnummer 0123 456789",
  "Référence 0123 456 789",
  "Zählerstand 0123 456789",
  "Artikelnummer 300.400.5000",
  "phone IMEI 490154203237518",
  "My phone has 12 000 000 pixels",
  "Tel Aviv 1909 2009",
  "The television sold 1234567 units",
  "We called 1234567 times",
  "số đơn hàng 12345678",
  "订单号13800138000",
  "手机序列号1234567890",
  "123456789 ist mein Passwort",
  "1234567 is my order number",
  "電話の製造番号1234567",
  "tel. 12 345 678,90",
  "git clone git@github.com:owner/repo.git",
  "logo@2x.png",
  "donotreply@shop.com",
  "https://user:token@github.com/x",
  "公司邮箱support@shop.com谢谢",
  "0.4111111111111111"
]

describe("identifiers", () => {
  for (const [kind, text] of found)
    test(`${kind}: ${text}`, () => expect<ReadonlyArray<string>>(kinds(text)).toContain(kind))
  for (const text of lookalikes) test(`nothing: ${text}`, () => expect(kinds(text)).toEqual([]))

  test("tell where they are", () => {
    const text = "Write to ngozi.e@harbourmail.example today"
    expect([...identifiers(text)]).toEqual([{ kind: "email", at: 9, text: "ngozi.e@harbourmail.example" }])
  })

  test("are sought in time that grows with the text", () => {
    for (const [piece, end] of [
      ["1 ", ""],
      ["a@a.", ""],
      ["a.", "@"],
      ["AB12 CDEF ", ""],
      ["4111 1111 ", ""],
      ["0170 1234 ", ""]
    ] as const) {
      const takes = (characters: number) => {
        const text = piece.repeat(characters / piece.length) + end
        return processorTime(() => withIdentifiers(text, [0.1, 0.9]))
      }
      takes(32_000)
      // Eight times the text takes some eight times as long; where time grew with its square, it would be 64.
      const ratio = takes(32_000) / takes(4_000)
      expect({ piece, ratio, bounded: ratio < 24 }).toEqual({ piece, ratio, bounded: true })
    }
  })
})

describe("personal data", () => {
  test("is nearly sure where there is an identifier", () =>
    expect(withIdentifiers("call Petra 0171 3920044", [0.2, 0.8])).toEqual([0.97, 1 - 0.97]))

  test("is what the model says elsewhere, and never less than it", () => {
    expect(withIdentifiers("My sister Beth has MS.", [0.4, 0.6])).toEqual([0.4, 0.6])
    expect(withIdentifiers("call Petra 0171 3920044", [0.99, 0.01])).toEqual([0.99, 0.01])
  })
})
