import type { Finder, FoundData, Tools } from "./found.ts";

/** The rules for names in a script without capitals. Names are found by the words around them alone. */
interface ScriptRules {
  readonly script: RegExp;
  /** Have a group `name`, or `before` for the words before a title. */
  readonly cues: readonly RegExp[];
  /** Whether a question asks for a name. */
  readonly asks: RegExp;
  /** A reply that is a name, with a group `name`. */
  readonly reply: RegExp;
  /** Words that no name has. */
  readonly ordinary: RegExp;
  /** Finds words of a name that is known from elsewhere in the call. */
  readonly known: (name: string) => RegExp;
}

const HI = "[\\p{Script=Devanagari}\\p{M}]+";
const HI_NAME = `(?<name>${HI}(?:[ ]${HI}){0,2}?)`;
const AR = "[\\p{Script=Arabic}\\p{M}]+";
const AR_NAME = `(?<name>${AR}(?:[ ]${AR}){0,2})`;
const JA = "[\\p{Script=Han}\\p{Script=Katakana}ー々]";

/** Frequent family names of Japan: "私は…です" says what somebody is as often as who. */
const JA_FAMILIES =
  "佐藤|鈴木|高橋|田中|伊藤|渡[辺邊部]|山本|中村|小林|加藤|吉田|山田|佐々木|山口|松本|井上|木村|[斎斉齋齊]藤|清水|山[崎﨑]|池田|橋本|阿部|石川|山下|中島|石井|小川|前田|岡田|長谷川|藤田|後藤|近藤|村上|遠藤|青木|坂本|福田|太田|西村|藤井|金子|岡本|藤原|中野|三浦|原田|中川|松田|竹内|小野|田村|中山|和田|石田|森田|上田|内田|柴田|酒井|宮崎|横山|高木|安藤|宮本|大野|小島|工藤|谷口|今井|高田|増田|丸山|杉山|村田|大塚|新井|藤本|小山|平野|河野|上野|野口|武田|松井|千葉|菅原|岩崎|木下|久保|佐野|野村|松尾|菊[地池]|杉本|市川|古川|大西|島田|水野|桜井|高野|吉川|山内|西田|飯田|西川|小松|北村|安田|五十嵐|川口|平田|中田|服部|岩田|土屋|川崎|福島|本田|樋口|秋山|田口|永井|山中|中西|吉村|川上|石原|大橋|松岡|馬場|浜田|森本|星野|矢野|浅野|松下|吉岡|小池|野田|荒[木井]|大谷|松浦|熊谷|黒田|尾崎|永田|川村|望月|田辺|松村|大島|平井|早川";
const JA_PERSON = `(?:${JA_FAMILIES})[ 　]?\\p{Script=Hiragana}{2,4}?`;
const JA_NAME = `(?<name>${JA_PERSON}|${JA}{1,6}[ 　]?${JA}{1,6})`;
const JA_ONE = "森|林|原|関|堀|谷|辻|岡|菅|島|柳|秦|泉|星|榊";

const RULES: readonly ScriptRules[] = [
  {
    script: /\p{Script=Devanagari}/u,
    cues: [
      new RegExp(`नाम[ ]+${HI_NAME}(?=[ ]+(?:है|हैं|था|लिख)|[।.,]|$)`, "gu"),
      new RegExp(`मैं[ ]+${HI_NAME}(?=[ ]+(?:बोल|बात कर)[ ]+(?:रह[ाीे]|रहा)[ ]+हू)`, "gu"),
      new RegExp(
        `(?<!${HI}[ ]?)(?:श्रीमती|श्री|सुश्री|डॉ\\.?|डॉक्टर|मिस्टर|मिसेज|कुमारी)[ ]+(?<name>${HI}(?:[ ]${HI})?)`,
        "gu",
      ),
      new RegExp(`(?<![\\p{L}\\p{M}])(?<before>${HI}[ ]${HI})(?=[ ]के[ ]नाम)`, "gu"),
      new RegExp(`(?:^|[।.,!?][ ]*)(?<name>${HI}[ ]${HI})(?=[ ](?:बोल|बात कर)[ ]रह[ाीे][ ]हू)`, "gu"),
      new RegExp(`(?:मुझे|मुझको|लोग)[ ]+${HI_NAME}(?=[ ]+(?:कहते|बुलाते|कहकर)[ ])`, "gu"),
      new RegExp(`(?<![\\p{L}\\p{M}])(?<before>(?:${HI}[ ])?${HI})[ ](?:जी|साहब|साहिबा)(?![\\p{L}\\p{M}])`, "gu"),
    ],
    asks: /नाम/u,
    reply: new RegExp(`^(?:(?:जी|हाँ|मैं|मेरा नाम)[, ]+)*${HI_NAME}(?:[ ]हू[ँं])?[।. ]*$`, "u"),
    ordinary:
      /^(?:क्या|कौन|क्यों|कैसे|कब|कहाँ|कितन[ाेी]|सही|गलत|नहीं|ना|न|हाँ|हां|जी|यह|ये|वह|वो|है|हैं|था|थी|थे|हूँ|हूं|हो|गया|गई|बताइए|बताएं|बता|लिख\p{M}*|दर्ज|ठीक|बदल\p{M}*|से|में|पर|को|का|की|के|ने|तक|और|या|भी|ही|तो|आप|हम|तुम|मैं|मेर[ाीे]|हमार[ाीे]|अपन[ाीे]|आपक[ाीे]|उनक[ाीे]|इसक[ाीे]|अच्छ[ाीे]|बहुत|अभी|आज|कल|फिर|सर|मैडम|भाई|बहन|माता|पिता|माँ|बस|धन्यवाद|शुक्रिया|नमस्ते|सुनिए|कृपया|एक|दो|फ़?ोन|घर|अब|यहाँ|वहाँ|वही|किसी|कोई|कुछ|नंबर|पता|शहर|कंपनी)$/u,
    known: (name) => new RegExp(`(?<![\\p{L}\\p{M}])${name}(?![\\p{L}\\p{M}])`, "gu"),
  },
  {
    script: /\p{Script=Arabic}/u,
    cues: [
      new RegExp(
        `(?<![\\p{L}\\p{M}])(?:اسمي|إسمي|اسمه|اسمها|اسمك|الاسم|اسم (?:زوجتي|زوجي|ابني|ابنتي|أمي|والدتي|والدي|أبي|أخي|أختي|الطفلة?|المريضة?)|معك|معكم|معاك|يتحدث معك|باسم)(?:[ ](?:الكامل|هو|هي))?[: ]+${AR_NAME}`,
        "gu",
      ),
      // verbs in the first person begin with alif
      new RegExp(`(?<![\\p{L}\\p{M}])أنا[ ](?<name>(?![أاإآ])${AR}[ ]ال${AR})`, "gu"),
      new RegExp(
        `(?<![\\p{L}\\p{M}])(?:ال)?(?:سيدة?|آنسة|دكتورة?|أستاذة?|استاذة?|مهندسة?|حاجة?|شيخ)[ ]+(?<name>${AR}(?:[ ]عبد[ ]${AR}|[ ]${AR})?)`,
        "gu",
      ),
    ],
    asks: /اسم|من (?:المتصل|معي|يتكلم|يتحدث)/u,
    reply: new RegExp(`^(?:(?:نعم|أنا|اسمي)[،, ]+)*${AR_NAME}[. ]*$`, "u"),
    ordinary:
      /^(?:من|في|على|إلى|الى|عن|مع|هو|هي|هم|أن|ان|إن|الذي|التي|ما|ماذا|هل|لا|نعم|هذا|هذه|ذلك|لم|لن|ليس|ليست|قد|سوف|كان|كانت|قال|هنا|هناك|صحيح|خطأ|الآن|اليوم|غدا|غداً|أمس|رقم|أيضا|فقط|أو|ثم|كيف|متى|أين|كم|لو|أنا|أنت|نحن|مكتوب|مسجل|المدير|الطبيب|الشركة|البنك|[أن]ريد|أتصل|أتكلم|يا|و|شكرا|السلام|مرحبا|وأ\S*|و(?:رقم|هو|هي|كان|هذا|لا|عنوان|لدي)\S*|جديد|قديم|آخر|كل|أي|بعد|قبل|عند|لدي|حول|خدمة|الزبون|العميل|لماذا|حق|لحظة|دقيقة|وقت|دائما|العزيزة?|المحترمة?|الكريمة?)$/u,
    known: (name) => new RegExp(`(?<![\\p{L}\\p{M}])${name}(?![\\p{L}\\p{M}])`, "gu"),
  },
  {
    script: /[\p{Script=Han}\p{Script=Katakana}\p{Script=Hiragana}]/u,
    cues: [
      new RegExp(`(?<!${JA})(?<name>${JA}{1,6}[ 　]?${JA}{0,6}|${JA_PERSON})(?=と(?:申し|いい|言い)ます|と申す)`, "gu"),
      new RegExp(
        `(?:名前|氏名|名義|宛名)(?:は|:|：)[ 　]?${JA_NAME}(?=です|だ|で、|でお願い|と|になり|[。、]|$)`,
        "gu",
      ),
      new RegExp(`(?:株式会社|有限会社|合同会社)[^。、]{1,12}?の(?<name>${JA}{1,4})(?=です|でござ|と申)`, "gu"),
      new RegExp(
        `(?<!${JA})(?<name>(?:${JA_FAMILIES})[ 　]?${JA}{0,4}|${JA_PERSON})(?=です|だと|でござ|から|が(?:お電話|電話)|と申)`,
        "gu",
      ),
      new RegExp(
        `(?<!${JA})(?<name>${JA}{2,6}[ 　]?${JA}{0,4}|${JA_PERSON}|${JA_ONE})(?=(?:さん|さま|様|氏|先生|くん|君|ちゃん|殿)(?!子))`,
        "gu",
      ),
    ],
    asks: /名前|氏名|どちら様|どなた/u,
    reply: new RegExp(
      `^(?:はい、?|ええ、?|私は|わたしは)*(?<name>${JA}{1,6}[ 　]?${JA}{0,6})(?:です|と申します|でございます)?[。 ]*$`,
      "u",
    ),
    ordinary:
      /^(?:皆|客|母|父|奥|旦那|患者|神|王|同|多|仕|模|子供|息子|娘|兄|姉|弟|妹|祖[父母]|貴方|何|誰|担当|大変|本人|ご本人|先方|一|二|三|小児科|外科|内科|歯医|主治医|各位|御客|外国人|老人|お?隣|運転手|病人|友人|大家|銀行|御?社|(?:.*(?:者|師|士|員|官|長|客|手|科|医|主))|(?!土屋|古屋|守屋|関屋).*屋)$/u,
    known: (name) => new RegExp(`(?<!${JA})${name}`, "gu"),
  },
];

/** Letters of a script without capitals. Most texts have none. */
const ANY_SCRIPT = /[\p{Script=Devanagari}\p{Script=Arabic}\p{Script=Han}\p{Script=Katakana}]/u;

/** Finds names in Devanagari, Arabic and Japanese letters: after introductions, beside titles, and in answers. */
export const findScriptNames: Finder = (text, { asked, key }, tools, known) => {
  if (!ANY_SCRIPT.test(text)) return [];
  return RULES.flatMap((rules) => {
    if (!rules.script.test(text)) return [];
    const spots = new Map<number, string>();
    const add = (start: number, name: string) => {
      for (const [at, word] of wordsOf(name, rules)) if (!spots.has(start + at)) spots.set(start + at, word);
    };
    for (const cue of rules.cues)
      for (const match of text.matchAll(cue)) {
        const { name = "", before = "" } = match.groups ?? {};
        const own = before === "" ? name : withoutLead(before, rules);
        add(match.index + match[0].lastIndexOf(own), own);
      }
    const reply = rules.asks.test(asked) || NAME_KEY.test(key) ? rules.reply.exec(text)?.groups?.name : undefined;
    if (reply !== undefined) add(text.lastIndexOf(reply), reply);
    for (const name of known.names)
      if (name.length > 1 && rules.script.test(name))
        for (const { index } of text.matchAll(rules.known(name))) if (!spots.has(index)) spots.set(index, name);
    return [...spots].map(([start, word]) => foundWord(start, word, tools));
  }).sort((a, b) => a.start - b.start);
};

const NAME_KEY = /(?:^|› |\s)(?:name|fullname|firstname|lastname|surname)$/;

/** The words before a title, from the last that no name has. */
function withoutLead(words: string, { ordinary }: ScriptRules): string {
  const all = words.split(" ");
  return all.slice(all.findLastIndex((word) => ordinary.test(word)) + 1).join(" ");
}

/** The words of a name up to the first that no name has, with their positions. */
function wordsOf(name: string, { ordinary }: ScriptRules): readonly (readonly [number, string])[] {
  const found: (readonly [number, string])[] = [];
  for (const { index, 0: word } of name.matchAll(/[^ 　]+/gu)) {
    if (ordinary.test(word)) break;
    found.push([index, word]);
  }
  return found;
}

function foundWord(start: number, word: string, { pool }: Tools): FoundData {
  return {
    start,
    end: start + word.length,
    learn: ({ names }) => void names.add(word),
    replacement: () => pool.nameOf(word),
  };
}
