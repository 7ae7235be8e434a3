import assert from "node:assert/strict";
import { test } from "node:test";
import { createPseudonymizer } from "../../../../src/run/calls/mod.ts";
import { someOf } from "../../../fast_check.ts";

/** Names, sentences with one, and sentences without. */
const SENTENCES: {
  readonly [language: string]: {
    readonly names: readonly string[];
    readonly in: readonly string[];
    readonly clean: readonly string[];
  };
} = {
  hi: {
    names: [
      "सुनीता अग्रवाल",
      "हरीश चौधरी",
      "प्रिया शर्मा",
      "अमित वर्मा",
      "रीता सिंह",
      "मोहन लाल",
      "कविता जोशी",
      "राजेश कुमार",
      "नेहा गुप्ता",
      "विकास यादव",
    ],
    in: [
      "मेरा नाम # है।",
      "मैं # बोल रही हूँ।",
      "जी, मेरा शुभ नाम # है।",
      "श्रीमती # से बात करनी है।",
      "डॉक्टर # कब मिलेंगे?",
      "# जी, एक मिनट रुकिए।",
      "नमस्ते, मैं # बात कर रहा हूँ।",
      "बुकिंग # के नाम पर है।",
      "खाता # के नाम से है।",
      "मेरे पति का नाम # है।",
    ],
    clean: [
      "आपका नाम क्या है?",
      "मैं घर से बोल रहा हूँ।",
      "मैं ठीक हूँ।",
      "जी हाँ, यह सही है।",
      "हाँ जी, बताइए।",
      "मुझे डॉक्टर से मिलना है।",
      "नाम सही है।",
      "मैं आज आपसे बात कर रहा हूँ।",
      "अपॉइंटमेंट 12 मार्च को 10 बजे है।",
      "कंपनी का नाम बदल गया है।",
      "सर जी, सुनिए।",
    ],
  },
  ja: {
    names: [
      "斎藤美咲",
      "中村健一",
      "高橋さくら",
      "小野寺翔太",
      "田中花子",
      "山本太郎",
      "佐藤 恵",
      "渡辺ケンジ",
      "マリア",
      "森田健",
    ],
    in: [
      "#と申します。",
      "私の名前は#です。",
      "#様はいらっしゃいますか。",
      "#さんをお願いします。",
      "私は#です。",
      "#先生に診てもらいました。",
      "予約の名前は#になります。",
      "もしもし、#ですが。",
      "こちら#といいます。",
      "口座の名義は#です。",
    ],
    clean: [
      "お名前は何ですか。",
      "お客様、少々お待ちください。",
      "皆さん、こんにちは。",
      "私は会社員です。",
      "お母さんに聞きます。",
      "同様です。",
      "様子を見ます。",
      "本屋さんに行きました。",
      "患者さんの予約です。",
      "名前は同じです。",
      "予約は3月12日の10時です。注文番号は12345678です。",
      "私は学生です。",
    ],
  },
  ar: {
    names: [
      "سمير الحداد",
      "نادية منصور",
      "محمد العلي",
      "فاطمة الزهراء",
      "خالد عبد الله",
      "ليلى حسن",
      "يوسف إبراهيم",
      "مريم السيد",
      "عمر الخطيب",
      "هدى ناصر",
    ],
    in: [
      "اسمي #.",
      "أنا اسمي # وأريد حجزا.",
      "معك # من الرياض.",
      "السيد # يريد موعدا.",
      "هل الدكتورة # موجودة؟",
      "الاسم هو #.",
      "الحجز باسم #.",
      "اسمها #.",
      "أنا #.",
      "اسم زوجتي #.",
    ],
    clean: [
      "ما اسمك؟",
      "هذا صحيح.",
      "أنا أريد موعدا.",
      "الاسم صحيح.",
      "أريد الدكتور اليوم.",
      "معك حق.",
      "الموعد في 12 مارس الساعة 10.",
      "باسم الشركة.",
      "السيد المدير هنا.",
      "اتصل بي غدا.",
    ],
  },
};
/** Sentences that were written after the rules, with their names. Some are not found. */
const HELD_OUT: { readonly [language: string]: readonly (readonly [sentence: string, name: string])[] } = {
  hi: [
    ["मुझे रोहित मेहरा कहते हैं।", "रोहित मेहरा"],
    ["यह सीमा कपूर हैं, मेरी माँ।", "सीमा कपूर"],
    ["मेरी पत्नी का नाम अंजलि है।", "अंजलि"],
    ["श्री गोपाल दास को फोन दीजिए।", "गोपाल दास"],
    ["मैं दीपक, पार्सल के बारे में पूछना है।", "दीपक"],
    ["कृपया सुरेश जी को बताइए।", "सुरेश"],
    ["मेरा पूरा नाम वंदना देसाई है, लिख लीजिए।", "वंदना देसाई"],
    ["अनिल कपाड़िया बोल रहा हूँ।", "अनिल कपाड़िया"],
  ],
  ja: [
    ["松原と申しますが。", "松原"],
    ["お世話になっております、株式会社ミナトの宇野です。", "宇野"],
    ["妻の名前は由紀子です。", "由紀子"],
    ["宛名は久我山誠司でお願いします。", "久我山誠司"],
    ["平松さんに代わってください。", "平松"],
    ["黒川智也といいます、よろしく。", "黒川智也"],
    ["患者は息子の健太くんです。", "健太"],
    ["三宅ですけど、予約を変えたい。", "三宅"],
  ],
  ar: [
    ["أنا طارق الزين وأتصل بخصوص الفاتورة.", "طارق الزين"],
    ["زوجي اسمه باسل حمود.", "باسل حمود"],
    ["أرجو تحويلي إلى السيدة رنا قاسم.", "رنا قاسم"],
    ["المريض هو ابني زياد.", "زياد"],
    ["معك الدكتور وائل شاهين.", "وائل شاهين"],
    ["سجل الحجز باسم لمى خوري.", "لمى خوري"],
    ["يتكلم معك فراس.", "فراس"],
    ["اسمي الكامل هبة عوض.", "هبة عوض"],
  ],
};

/** Share of names that are found, in percent: of the sentences, and of those written after the rules. */
const FOUND: { readonly [language: string]: readonly [number, number] } = { hi: [100, 75], ja: [98, 87], ar: [95, 87] };

/** Loads the lists once. */
const made = createPseudonymizer({ key: "a long random text" });

const isFound = (replaced: string, name: string) => !name.split(/[ 　]/).some((word) => replaced.includes(word));

for (const [language, { names, in: sentences, clean }] of Object.entries(SENTENCES)) {
  const [share = 0, heldOut = 0] = FOUND[language] ?? [];

  test(`createPseudonymizer() replaces names in the letters of ${language}, and no other words`, async () => {
    const { text } = await made;
    const tried = someOf(names).flatMap((name) =>
      sentences.map((sentence) => [sentence.replace("#", name), name] as const),
    );
    const left = tried.filter(([sentence, name]) => !isFound(text(sentence), name));
    // a tenth of the names on most runtimes
    const most = (tried.length * (100 - share)) / 100 + (tried.length < 100 ? 1 : 0);
    assert.ok(left.length <= most, left.join("\n"));
    for (const [sentence] of tried) assert.equal(text(text(sentence)), text(sentence));
    for (const sentence of clean) assert.equal(text(sentence), sentence);
    const sure = (HELD_OUT[language] ?? []).filter(([sentence, name]) => isFound(text(sentence), name));
    assert.ok((100 * sure.length) / (HELD_OUT[language] ?? []).length >= heldOut, `${sure.length} held out`);
  });
}

test("a name in Devanagari, Japanese or Arabic letters is replaced wherever the call says it again", async () => {
  const { text } = await made;
  for (const [first, again, name] of [
    ["मेरा नाम सुनीता अग्रवाल है।", "सुनीता का पता वही है।", "सुनीता"],
    ["中村健一と申します。", "中村健一の予約です。", "中村健一"],
    ["اسمي نادية منصور.", "هل نادية موجودة؟", "نادية"],
  ] as const) {
    const both = text(`${first} ${again}`);
    assert.ok(!both.includes(name), both);
  }
});
