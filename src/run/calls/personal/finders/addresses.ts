import { plainWord } from "../dictionary.ts";
import { numberFor } from "../pseudonyms.ts";
import { type Cues, cueBefore, cueOfKey } from "./cues.ts";
import type { Finder, FoundData, Tools } from "./found.ts";

/** Words before a kind of street that rule out an address: "2 way street", "3 blocks down the road". */
const NO_STREET =
  /\b(?:blocks?|minutes?|miles?|hours?|days?|people|times|the|a|on|down|in|of|way|more|of|and|or|to|for|bedroom|star|lane)\b/i;
/** After a street: a town and its code, or a code and its town. */
const TOWN = "\\p{Lu}[\\p{L}.'’-]+(?:[ -](?:\\p{Lu}[\\p{L}.'’-]+|[a-zà]{1,4}(?= \\p{Lu})|de|la)){0,4}";
const BEFORE_TOWN = new RegExp(
  `^,? (?:(?:[A-Z]{1,2}-)?\\d{4,5} \\p{Lu}|${TOWN},? (?:[A-Z]{2}|\\p{Lu}\\p{L}+) \\d{5})`,
  "u",
);

/** Finds street addresses and postal codes. Towns and countries stay. */
export const findAddresses: Finder = (text, { key, cues, language }, tools) => {
  if (!/\d|apt|suite|unit|#|s\/n/i.test(text)) return [];
  const sure = STREETS.flatMap((form) => [...text.matchAll(form)]).filter(({ groups: { street = "" } = {} }) => {
    return street !== street.toLowerCase() || !NO_STREET.test(street);
  });
  const isKey = STREET_KEY.test(key);
  // a number before a name is a code in other languages: "en 75011 Paris"
  const forms = LIKELY_STREETS.slice(language === undefined || language === "en" ? 0 : 1);
  const likely = forms
    .flatMap((form) => [...text.matchAll(form)])
    .filter(({ index, 0: whole }) => {
      const end = index + whole.length;
      const near = cues.between(index - 60, index);
      return (
        isKey ||
        (near?.cue === "address" && index - near.end <= 16) ||
        BEFORE_TOWN.test(text.slice(end, end + 80)) ||
        BEFORE_STREET.test(text.slice(Math.max(0, index - 10), index)) ||
        (key === "" && cues.asked() === "address" && index < 12)
      );
    });
  // what stands after an invented street was no address when that was invented
  const isAfter = ({ index }: RegExpMatchArray) =>
    tools.pool.has(plainWord(/\p{L}+(?=[\s,]*$)/u.exec(text.slice(Math.max(0, (index ?? 0) - 40), index))?.[0] ?? ""));
  const streets = [...sure, ...likely.filter((match) => !isAfter(match))].map(
    (match): FoundData => ({
      start: match.index,
      end: match.index + match[0].length,
      replacement: () => written(match, tools),
    }),
  );
  return [...streets, ...codesIn(text, key, cues, tools), ...unitsOf(text, key, cues)];
};

/** Keys of streets; not of e-mail and network addresses. */
const STREET_KEY =
  /(?:^|› )(?!.*\b(?:e ?mail|ip|mac|web|url)\b)[^›]*\b(?:address|street|stra(?:ß|ss)e|adresse|anschrift|direcci[oó]n|domicilio|rue|calle)(?: (?:line|zeile|1|2|one))*(?: \d)?$/i;

const STATES =
  "AL|AK|AZ|AR|CA|CO|CT|DE|DC|FL|GA|HI|ID|IL|IN|IA|KS|KY|LA|ME|MD|MA|MI|MN|MS|MO|MT|NE|NV|NH|NJ|NM|NY|NC|ND|OH|OK|OR|PA|RI|SC|SD|TN|TX|UT|VT|VA|WA|WV|WI|WY|PR|Alabama|Alaska|Arizona|Arkansas|California|Colorado|Connecticut|Delaware|Florida|Georgia|Hawaii|Idaho|Illinois|Indiana|Iowa|Kansas|Kentucky|Louisiana|Maine|Maryland|Massachusetts|Michigan|Minnesota|Mississippi|Missouri|Montana|Nebraska|Nevada|New (?:Hampshire|Jersey|Mexico|York)|(?:North|South) (?:Carolina|Dakota)|Ohio|Oklahoma|Oregon|Pennsylvania|Rhode Island|Tennessee|Texas|Utah|Vermont|(?:West )?Virginia|Washington|Wisconsin|Wyoming|District of Columbia";
/** German units after a number, which are no towns. */
const UNITS =
  "Euro|Kilometern?|Einwohnern?|Stück|Personen|Kunden|Metern?|Punkten?|Mal|Schritten?|Dollar|Franken|Tonnen|Litern?|Kilowattstunden|Besuchern?|Mitgliedern?|Menschen|Jahren?|Stunden|Minuten|Seiten|Meilen|Watt|Kalorien|Teilen?|Artikeln?|Bestellungen|Anrufen?|Fällen?|Mitarbeitern?|Quadratmetern?";
const CODES: readonly RegExp[] = [
  // SW1A 1AA, K1A 0B6
  /(?<![\p{L}\d])(?:[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}|[A-Z]\d[A-Z] \d[A-Z]\d|\d{5}-\d{4})(?![\p{L}\d-])/gu,
  /(?<=(?:England|Scotland|Wales|Ireland|Kingdom|UK|,) )[A-Z]{1,2}\d{1,2} \d{2}[A-Z](?![\p{L}\d])/gu,
  new RegExp(`(?<=(?<![\\p{L}])(?:${STATES}),? )\\d{5}(?:-\\d{4})?(?![\\d-])`, "gu"),
  // in 51375 Leverkusen, à 75011 Paris
  new RegExp(
    `(?<=(?:(?<!\\p{L})(?:[Ii]n|[Aa]us|[Nn]ach|[Bb]ei|[Àà]|[Ee]n|[Dd]e|[Aa]|[Ff]rom|[Tt]o|[Nn]ear) |, |\\n|^|\\d[a-z]? )(?:D-|A-|F-|E-|CH-)?)\\d{5}(?= (?!${UNITS})(?:\\p{Lu}\\p{Ll}|L['’]|St\\.|San))`,
    "gu",
  ),
];
/** Postal codes that are only found under a key for them, or after words such as "postal code". */
const TOLD_CODE =
  /(?<![\p{L}\d.,-])(?=[A-Z]*\d)(?:[A-Z\d]{2,5}[ -]?[A-Z\d]{2,4}|\d{5}(?:-\d{4})?)(?![\p{L}\d]|[.,:]\d)/gu;

function codesIn(text: string, key: string, cues: Cues, tools: Tools): readonly FoundData[] {
  const sure = CODES.flatMap((form) => [...text.matchAll(form)]);
  const isKey = cueOfKey(key) === "zip";
  const told = [...text.matchAll(TOLD_CODE)].filter(
    ({ index, 0: shown }) =>
      isKey ||
      (key === "" && cueBefore(text, { start: index, end: index + shown.length }, cues, shown.length < 11) === "zip"),
  );
  return [...sure, ...told].map(
    ({ index, 0: shown }): FoundData => ({
      start: index,
      end: index + shown.length,
      replacement: () => codeFor(shown, tools),
    }),
  );
}

/** A code that no town has: of digits with 000 at the start, of letters with Z. */
function codeFor(code: string, { keyed }: Tools): string {
  if (/^\d/.test(code) && !/\p{L}/u.test(code)) {
    const made = [...numberFor(code.replace(/\D/g, ""), "zip", keyed)];
    return code.replace(/\d/g, () => made.shift() ?? "0");
  }
  if (!/[A-Y]/.test(code)) return code;
  const draw = keyed("zip", code);
  const made = code.replace(/\p{L}/gu, "Z").replace(/\d/g, () => String(draw(10)));
  return made;
}

/** A whole value under a key such as `address2`: "Suite 217". */
function unitsOf(text: string, key: string, cues: Cues): readonly FoundData[] {
  if (!/\b(?:address|street)/.test(key) && cues.asked() === undefined) return [];
  const unit = /^(?:apt|apartment|suite|ste|unit|flat|#)\.? ?#?\w{1,6}$/i.exec(text.trim());
  return unit ? [{ start: 0, end: text.length, replacement: () => unitFor(text) }] : [];
}

function unitFor(unit: string): string {
  return unit.replace(/(?<=[ #])[\dA-Z]{1,6}$/i, "1");
}

/** Writes another address in the same form: an invented street and number, unit 1. */
function written(match: RegExpMatchArray, { keyed, pool }: Tools): string {
  const { street = "", number = "", unit = "" } = match.groups ?? {};
  const words = nameOfStreet(street).map(plainWord);
  if (words.some((word) => pool.has(word))) return match[0];
  const plain = street.split(" ").map(plainWord).join(" ");
  const draw = keyed("address", `${number} ${plain}`.toLowerCase());
  const made: { readonly [group: string]: string } = {
    street: streetLike(street, pool.nameOf(plain)),
    number: String(1 + draw(899)),
    unit: unitFor(unit),
  };
  const places = Object.entries(match.indices?.groups ?? {})
    .flatMap(([group, place]) =>
      place && made[group] !== undefined ? [{ group, start: place[0], end: place[1] }] : [],
    )
    .sort((a, b) => b.start - a.start);
  const from = match.index ?? 0;
  return places.reduce(
    (text, { group, start, end }) => text.slice(0, start - from) + (made[group] ?? "") + text.slice(end - from),
    match[0],
  );
}

// Kinds of streets, and forms in which streets are written in each language.

/** Kinds after the name that are hardly anything else. */
const KINDS =
  "alley|aly|annex|anex|avenue|ave|av|boulevard|blvd|bypass|byp|causeway|cswy|circle|cir|close|court|ct|crescent|cres|drive|dr|expressway|expy|freeway|fwy|gardens|gdns|grove|grv|heights|hts|highway|hwy|junction|jct|knolls?|lane|ln|loop|mews|motorway|parade|parkway|pkwy|pike|place|pl|plaza|plz|ridge|rdg|road|rd|roads|row|square|sq|street|st|streets|terrace|ter|throughway|trail|trl|trafficway|turnpike|tpke|walk|way|wharf|broadway|brae|circuit";
/** Kinds after the name that are other things too, such as a station or a club. */
const OTHER_KINDS =
  "approach|arcade|bank|bay|bayou|beach|bend|bluffs?|bottom|branch|bridge|brook|brooks|brow|burgs?|camp|canyon|cape|causeway|cent(?:er|re)s?|chase|circles|cliffs?|club|common|commons|copse|corner|corners|course|courts|cove|coves|creek|crest|croft|cross|crossing|crossroads?|curve|dale|dam|dell|divide|drives|drove|edge|elms|end|estates?|extensions?|falls?|farm|ferry|fields?|flats?|fold|fords?|forest|forges?|forks?|fort|garden|garth|gate|gateway|glade|glens?|greens?|groves|hall|harbors?|haven|hey|hills?|hollow|inlet|islands?|isle|junctions|keys?|knoll|lakes?|land|landing|leas?|lights?|links|loaf|locks?|lodge|mall|manors?|meadows?|mead|mills?|mission|mount|mountains?|neck|nook|oaks|orchards?|oval|overpass|parks?|parkways|pass|passage|path|pines?|plains?|plazas|points?|ports?|prairie|quay|radial|ramp|ranch|rapids?|rest|ridges|rise|river|run|shoals?|shores?|side|skyway|springs?|spurs?|squares|station|stravenue|stream|summit|terrace|tor|traces?|track|tunnel|underpass|unions?|vales?|valleys?|vernon|viaduct|via|views?|villages?|ville|vista|walks|walls?|ways|wells?|wood|woods|wynd|yard|route|grange|maltings|paddock|greenway|waterside";
/** Abbreviations of towns' streets and directions before a name. */
const WORD = "[\\p{Lu}\\d][\\p{L}\\d'’.-]*";
const NUMBER = "(?<number>\\d{1,6}(?: ?[a-z](?!\\p{L}))?(?:[-/]\\d{1,4}[a-z]?)?)";
const UNIT = "(?<unit>,? (?:[Aa]pt|[Aa]partment|[Ss]uite|[Ss]te|[Uu]nit|[Ff]lat|#)\\.? ?#?\\w{1,6})?";
const START = "(?<![\\p{L}\\d$€£.,-])(?<!\\d[a-z]? )";
/** Words that are no German streets, with or without an article: "Zimmer 12a", "in der Woche 42". */
const NO_GERMAN_STREET =
  "(?!(?:\\p{L}+ )?(?:der|die|das|den|dem|montag|dienstag|mittwoch|donnerstag|freitag|samstag|sonntag|januar|februar|märz|april|mai|juni|juli|august|september|oktober|november|dezember|zimmer|gleis|raum|haus|halle|jahr|jahre|stock|wert|preis|kapitel|paragraf|artikel|version|woche|klasse|stufe|linie|nummer|nr|platz|tisch|gate|terminal|saal|bus|zug|flug|größe|seite|punkt|ziffer|position|stelle|uhr|höhe|filiale|abteilung|etage|abschnitt|schritt|teil|runde|gruppe|phase|zone|station|tor|schalter|aufgang|block|minute|stunde|tag|monat|euro|kw|quartal|taste|tarif|windows|iphone|galaxy|playstation|airbus|boeing|ice|rb|re|ic|ec|s|u|plz|postleitzahl|konto|kontonummer|telefon|durchwahl|bestellung|auftrag|rechnung|vertrag|steuer)(?![\\p{L}]))";
/** "Am", "Auf dem", "Zur alten" before a name. */
const GERMAN_PLACE =
  "(?:(?:Am|An de[rnm]|Im|In de[rnm]|Auf de[rm]|Auf'm|Unter de[rn]|Zu[mr]|Hinter de[rm]|Vor de[rm]|Beim?|Neben de[rm]|[ÜO]ber de[rnm]) (?:(?:alten|neuen|großen|kleinen|oberen|unteren|hohen|langen|breiten) )?)?";
const GERMAN_KIND =
  "straße|strasse|str\\.?|weg|allee|platz|gasse|damm|ufer|ring|chaussee|stieg|steig|pfad|promenade|markt|graben|wall|kamp|hof|gässchen|straat|laan|gatan|vägen|gata|vej|gade|gracht|plein|plantsoen|dijk|kade";
const GERMAN_KIND_WORD =
  "(?:Stra(?:ß|ss)e|Str\\.?|Weg|Allee|Platz|Gasse|Damm|Ufer|Ring|Chaussee|Stieg|Steig|Pfad|Promenade|Markt|Graben|Wall|Kamp|Hof|Berg|Feld|Garten)";
const GERMAN_NUMBER =
  "(?<number>(?!(?:19|20)\\d\\d(?!\\d))\\d{1,4}(?: ?[a-z](?!\\p{L}))?(?:[-/]\\d{1,4}[a-z]?)?)(?![\\d:.,]\\d|\\d| ?(?:%|€|Uhr|Euro|Prozent|Minuten?|Stunden?|Tagen?|Tage|Wochen?|Monaten?|Jahren?|Personen|Metern?|Kilometern?|Stück|Grad|Mal|mal|km|kg)(?!\\p{L}))";
const FRENCH_KIND =
  "[Rr]ue|[Aa]venue|[Aa]v\\.|[Bb]oulevard|[Bb]d\\.?|[Ii]mpasse|[Cc]hemin|[Qq]uai|[Aa]llée|[Rr]oute|[Vv]oie|[Pp]assage|[Ff]aubourg|[Rr]uelle|[Vv]enelle|[Ss]entier";
const FRENCH_OTHER =
  "[Pp]lace|[Cc]ours|[Ss]quare|[Vv]illa|[Cc]ité|[Rr]ésidence|[Ll]otissement|[Ee]splanade|[Pp]romenade|[Rr]ond-[Pp]oint|[Hh]ameau|[Cc]los|[Pp]arvis|[Cc]our";
const JOINT = "(?:(?:de|du|des|la|le|les|à|aux?|en|sur|sous|et|lès) |[dl]['’])";
const SPANISH_KIND =
  "[Cc]alle|[Cc]/|[Aa]venida|[Aa]vda\\.?|[Aa]v\\.|[Pp]aseo|[Pp]º|[Cc]arrer|[Cc]amino|[Cc]arretera|[Cc]tra\\.?|[Cc]arr\\.|[Cc]alzada|[Bb]ulevar|[Bb]lvd\\.?|[Cc]allejón|[Cc]alleja|[Gg]lorieta|[Rr]onda|[Tt]ravesía|[Pp]asaje|[Pp]rolongación|[Pp]rivada|[Pp]riv\\.|[Cc]errada|[Cc]da\\.|[Pp]laza|[Pp]laceta|[Pp]laçuela|[Pp]lza\\.?|[Uu]rbanización|[Uu]rb\\.|[Ff]raccionamiento|[Rr]ua|[Tt]ravessa|[Vv]ia|[Vv]iale|[Pp]iazza|[Cc]orso|[Ss]trada|ulica|ul\\.";
const SPANISH_OTHER =
  "Conjunto|Aldea|Apartamento|Arrabal|Arroyo|Bajada|Barranco|Barrio|Bloque|Caserio|Caserío|Chalet|Colegio|Colonia|Concepción|Cuesta|Edificio|Entrada|Escalinata|Explanada|Extramuros|Extrarradio|Ferrocarril|Grupo|Huerta|Jardines|Lado|Lugar|Manzana|Masía|Mercado|Monte|Muelle|Municipio|Parcela|Parque|Partida|Poblado|Polígono|Puente|Puerta|Quinta|Ramal|Rambla|Rampa|Riera|Rincón|Sección|Senda|Sector|Solar|Subida|Terrenos|Torrente|Viaducto|Vía|Andador|Circuito|Diagonal|Retorno|Eje|Peatonal|Contrada|Borgo|Rotonda|Incrocio|Vicolo|Largo";
const SPANISH_JOINT = "(?:(?:de|del|de la|de los|de las|la|las|los|el|y|da|das|do|dos|della|di|dei|[Ss]an(?:ta)?) )";
const SPANISH_NUMBER =
  "(?:,? ?(?:n[º°.]|núm\\.?|número|#) ?|,? )(?<number>\\d{1,5}(?: ?[a-z](?!\\p{L}))?|s/n)(?![\\d:.,]\\d|\\d| ?(?:%|€|euros?))";

const street = (body: string) => `(?<street>${body})`;
const capitals = (joint: string, most: number) =>
  `${joint}{0,3}\\p{Lu}[\\p{L}'’.-]*(?: ${joint}{0,3}\\p{Lu}[\\p{L}'’.-]*){0,${most}}`;

/** Forms that are addresses wherever they stand. */
const STREETS: readonly RegExp[] = [
  // 12 North Oak Street, Apt 4B
  new RegExp(
    `${START}${NUMBER} ${street(`(?:${WORD} ){1,4}?(?:${eitherCase(KINDS)})(?![\\p{L}'’-])\\.?`)}(?! (?:ago|later))${UNIT}`,
    "dgu",
  ),
  // 4321 Kuhic Island
  new RegExp(
    `${START}(?:(?=\\d\\d)|(?<=(?:at|is|['’]s|to|from|near|:|^|[.!?]) ?))${NUMBER} ${street(`(?:${WORD} ){1,3}?(?:${eitherCase(OTHER_KINDS)})(?![\\p{L}'’-])`)}${UNIT}`,
    "dgu",
  ),
  // spoken or typed in lower case: "12 north oak street"
  new RegExp(
    `${START}${NUMBER} ${street("(?:[\\p{Ll}]+ ){1,3}?(?:street|avenue|road|boulevard|lane|drive|court|terrace|parkway)")}\\b${UNIT}`,
    "dgu",
  ),
  // Hauptstraße 12, Konrad-Adenauer-Straße 5, Alte Landstr. 3a
  new RegExp(
    `(?<![\\p{L}-])${street(`(?:(?:Alte[rs]?|Neue[rs]?|Große|Kleine|Obere|Untere|Am|Zum|Zur|Im|St\\.|Hinterer?|Vordere[rs]?|\\p{Lu}\\p{L}+(?:er|ische)) )?(?:(?=\\p{Lu})(?!(?:Park|Stell|Sitz|Arbeits|Steh|Spiel|Sport)platz|\\p{L}*bahnhof)[\\p{L}'’.-]*[\\p{L}.]-?(?:${eitherCase(GERMAN_KIND)}))`)} ${GERMAN_NUMBER}`,
    "dgu",
  ),
  // Rostocker Str. 24, Heinrich Landauer Gasse 4
  new RegExp(
    `(?<![\\p{L}-])${street(`(?:(?!(?:Der|Die|Das|In|Im|Am|An|Zum|Zur|Auf) )\\p{Lu}[\\p{L}'’.-]+ ){1,3}${GERMAN_KIND_WORD}`)} ${GERMAN_NUMBER}`,
    "dgu",
  ),
  // Schnepfenflucht 68a
  new RegExp(
    `(?<![\\p{L}-])${street(`${GERMAN_PLACE}${NO_GERMAN_STREET}(?:\\p{Lu}[\\p{Ll}'’-]+(?: |-)){0,2}\\p{Lu}[\\p{Ll}'’-]{3,}`)} (?<number>\\d{1,3}[a-h])(?![\\p{L}\\d:])`,
    "dgu",
  ),
  // 12 rue de la paix, 5 bis avenue Foch
  new RegExp(
    `(?<![\\p{L}\\d])${NUMBER},? (?:bis |ter |quater )?${street(`(?:${FRENCH_KIND}) (?:${capitals(JOINT, 4)}|${JOINT}{0,3}\\p{Ll}[\\p{L}'’-]+)`)}`,
    "dgu",
  ),
  new RegExp(`(?<![\\p{L}\\d])${NUMBER},? (?:bis |ter )?${street(`(?:${FRENCH_OTHER}) ${capitals(JOINT, 4)}`)}`, "dgu"),
  // Calle Mayor 5, Avenida de la Paz, 12, Via Roma 12
  new RegExp(
    `(?<![\\p{L}])${street(`(?:${SPANISH_KIND}) ?(?:${capitals(SPANISH_JOINT, 4)}|${SPANISH_JOINT}{0,3}\\p{Ll}\\p{L}{2,})`)}${SPANISH_NUMBER}`,
    "dgu",
  ),
  new RegExp(`(?<![\\p{L}])${street(`(?:${SPANISH_OTHER}) ${capitals(SPANISH_JOINT, 5)}`)}${SPANISH_NUMBER}`, "dgu"),
];

/** Forms that are addresses only beside words that say so, or before a town with its code. */
const LIKELY_STREETS: readonly RegExp[] = [
  new RegExp(`${START}${NUMBER} ${street(`(?:[Tt]he )?\\p{Lu}[\\p{L}\\d'’.-]*(?: ${WORD}){0,3}`)}${UNIT}`, "dgu"),
  new RegExp(
    `(?<![\\p{L}-])${street(`${GERMAN_PLACE}${NO_GERMAN_STREET}(?:\\p{Lu}[\\p{L}'’.-]+ ){0,3}\\p{Lu}[\\p{L}'’.-]+`)},? ${GERMAN_NUMBER}(?! \\d{3}(?!\\d))`,
    "dgu",
  ),
];

/** Words before a street in German that say so. */
const BEFORE_STREET = /(?<!\p{L})(?:in|an|von) (?:die|der|den|dem) $|(?<!\p{L})ist die $/iu;

/** An invented street of the same kind: "Oak Street", "Hauptstraße", "rue de la Paix". */
function streetLike(street: string, name: string): string {
  const own = name.slice(0, 1).toUpperCase() + name.slice(1);
  const first = street.split(" ")[0] ?? "";
  if (SPANISH_OR_FRENCH.test(first))
    return `${first} ${JOINTS.exec(street.slice(first.length))?.[0].trimStart() ?? ""}${own}`;
  const kind = ENGLISH_END.exec(street)?.[1];
  if (kind !== undefined) return `${street === street.toLowerCase() ? name : own} ${kind}`;
  const separate = GERMAN_WORD_END.exec(street)?.[1];
  if (separate !== undefined) return own + separate;
  const compound = GERMAN_END.exec(street)?.[1];
  return (GERMAN_BEGIN.exec(street)?.[0] ?? "") + own + (compound ?? "");
}

/** The words of a street without its kind. */
function nameOfStreet(street: string): readonly string[] {
  return street.replace(GERMAN_END, "").split(/[ '’-]/);
}

const SPANISH_OR_FRENCH = new RegExp(`^(?:${FRENCH_KIND}|${FRENCH_OTHER}|${SPANISH_KIND}|${SPANISH_OTHER})$`, "u");
const JOINTS = new RegExp(`^ ${JOINT}{0,3}`, "u");
const GERMAN_BEGIN = new RegExp(`^${GERMAN_PLACE}`, "u");
const ENGLISH_END = new RegExp(` ((?:${eitherCase(KINDS)}|${eitherCase(OTHER_KINDS)})\\.?)$`, "u");
const GERMAN_WORD_END = new RegExp(`([ -]${GERMAN_KIND_WORD})$`, "u");
const GERMAN_END = new RegExp(`(${eitherCase(GERMAN_KIND)})$`, "u");

/** "street" or "Street" */
function eitherCase(kinds: string): string {
  return `${kinds}|${kinds.replace(/(?<=^|\|)[a-z]/g, (letter) => letter.toUpperCase())}`;
}
