/** The kind of a number, by the words near it. `other`: an order, a flight, a room; not personal. */
export type Cue =
  | "phone"
  | "card"
  | "account"
  | "social"
  | "id"
  | "tail"
  | "secret"
  | "zip"
  | "birthdate"
  | "address"
  | "other";

/** Words in English, German, French and Spanish; phones and dates of birth in other languages too. */
const WORDS: readonly (readonly [Cue, string])[] = [
  [
    "other",
    "orders?|confirmation|tracking|reference|booking|reservation|ticket|invoice|flights?|case|sku|serial|item|product|part|model|room|extension|quote|request|shipment|parcel|receipt|transaction|gate|version|article|promo|coupon|code|bus|train|unit|batch|error|zone|build|isbn|listing|store|table|channel|route|vin|imei|job|pin[- ]?code|" +
      "(?:\\p{L}*(?:bestell|auftrag|rechnung|buchung|reservierung|bestätigung|sendung|vorgang|artikel|serien|zimmer|fehler|flug|zug|referenz|angebot)\\p{L}*)|ticketnummer|linie|gleis|" +
      "commandes?|facture|référence|réservation|suivi|colis|vol|numéro de (?:confirmation|dossier|suivi|commande|réservation)|chambre|article|erreur|devis|" +
      "pedidos?|expediente|factura|referencia|confirmación|reserva|vuelo|seguimiento|envío|habitación|artículo|código|presupuesto",
  ],
  [
    "phone",
    "phones?|telephone|mobile|cell(?:phone)?|call(?:ed)? (?:me|us|him|her|them)|call back|callback|reach (?:me|us|him|her)|text me|ring|whatsapp|fax|contact number|dial|tel|(?:my|his|her|our|their|new|old|best|good|work|home|office) number|caller id|from number|to number|ani|msisdn|landline|calling from|contact(?:ed)? (?:me )?at|good number|best number|right number|" +
      "\\p{L}*telefon\\p{L}*|\\p{L}*handy\\p{L}*|mobil\\p{L}*|festnetz\\p{L}*|rufnummer|rückruf\\p{L}*|durchwahl|(?:meine|ihre|die|unsere|deine) nummer|erreich(?:en|bar|t)|rufen|anrufen|rufe|zurückrufen|" +
      "téléphone|tél|portable|fixe|(?:mon|votre|son|le|notre) numéro(?! d(?:e |['’])(?!t[ée]l|portable|mobile|fixe|contact))|joindre|joignable|rappel(?:er|ez)(?:-moi)?|appel(?:er|ez)(?:-moi)?|j['’]appelle|numéro(?! d(?:e |['’])(?!t[ée]l|portable|mobile|fixe|contact))|" +
      "telefone|telemóvel|meu número|ligue|ligar|cellulare|mio numero|richiam\\p{L}*|telefoon\\p{L}*|mobiel\\p{L}*|mijn nummer|bel(?:len)? (?:mij|me|ons)|terugbellen|मेरा नंबर|(?:मुझे|हमें)|फ़ोन(?: नंबर)?|फोन(?: नंबर)?|मोबाइल(?: नंबर)?|هاتف\\p{L}*|رقمي|جوال\\p{L}*|اتصل|" +
      "tel[eé]fono|celular|móvil|movil|(?:mi|su|nuestro|el) número(?! de (?!tel|m[óo]vil|contacto|celular))|llam(?:ar|e|o|arme|ame)|llámeme|localizarme|número de contacto|fijo",
  ],
  [
    "card",
    "cards?|visa|master ?card|amex|american express|discover|debit|credit|pan|cc|maestro|" +
      "\\p{L}*karten?(?:nummer)?|kreditkarte|carte(?: bancaire| bleue| de crédit)?|numéro de carte|tarjeta(?: de (?:crédito|débito))?",
  ],
  [
    "account",
    "account|acct|iban|routing|sort code|bank|customer (?:number|no|id)|client (?:number|no|id)|clabe|aba|bic|" +
      "\\p{L}*konto\\p{L}*|bankverbindung|kunden-?(?:nummer|nr)|compte|rib|numéro (?:de )?client|cuenta|número de cliente",
  ],
  [
    "social",
    "social(?: security)?(?: number)?|ssn|sin|national insurance(?: number)?|ni number|nino|insurance number|social insurance|" +
      "sozialversicherungs\\p{L}*|sv-nummer|rentenversicherungs\\p{L}*|sécurité sociale|sécu|nir|seguridad social|numero securite sociale|numero seguridad social|nuss",
  ],
  [
    "id",
    "passport(?: number)?|licen[cs]e|licence|member(?:ship)?(?: (?:id|number|no))?|policy|medicare|medicaid|nhs(?: number)?|tax|aadhaar|national id|patient(?: (?:id|number|no))?|medical record|record number|mrn|frequent flyer|loyalty|subscriber|insurance|identity|identification|id card|tin|" +
      "\\p{L}*ausweis\\p{L}*|reisepass\\p{L}*|steuer\\p{L}*(?:[- ](?:id|nummer|nr))?|\\p{L}*versicher\\p{L}*|\\p{L}*mitglied\\p{L}*|\\p{L}*patienten\\p{L}*|führerschein\\p{L}*|akten\\p{L}*|police\\p{L}*|" +
      "passeport|carte (?:nationale )?d['’]identité|carte identite|permis(?: de conduire)?|adh[ée]rente?|numéro (?:d['’])?(?:adhérent|assuré|allocataire|fiscal|de police)|mutuelle|numéro de dossier (?:médical|patient)|dossier médical|insee|spi|patiente?|" +
      "dni|nie|nif|cif|cpf|curp|rfc|pasaporte|documento(?: de identidad)?|carnet(?: de conducir)?|número de (?:socio|afiliado|póliza|asegurado|historia(?: clínica)?|paciente)|socio|afiliado|póliza|historia clínica|paciente",
  ],
  [
    "tail",
    "last (?:four|4|five|5)|ending (?:in|with)|ends (?:in|with)|final four|letzten vier(?: ziffern)?|endet auf|quatre derniers(?: chiffres)?|últimos cuatro|termina en",
  ],
  [
    "secret",
    "cvv2?|cvc2?|security code|csv|pin(?: number)?(?![- ]?code)|passcode|prüfziffer|geheimzahl|code (?:pin|secret)|cryptogramme|código de seguridad",
  ],
  ["zip", "zip(?: ?codes?)?|post(?:al)? ?codes?|plz|postleitzahl|code postal|c[oó]digo postal|cp"],
  [
    "birthdate",
    "born|birth(?: ?(?:day|date))?|birthday|date of birth|d\\.?o\\.?b|geboren(?:e[rn]?)?|geb|\\p{L}*geburts\\p{L}*|nacimiento|nac[ií]|nació|nacid[oa]|cumpleaños|cumplo|naissance|née?s?|anniversaire|nasci|nasceu|nascid[oa]|nascimento|nat[oa]|nascita|compleanno|geboorte\\p{L}*|जन्म|जन्मतिथि|पैदा|ولدت|مولود|ميلاد\\p{L}*|الميلاد",
  ],
  [
    "address",
    "address|live (?:at|on|in)|lives (?:at|on|in)|living (?:at|on)|moved (?:to|into|from)|property at|(?:we|i)['’](?:re|m) at|pick (?:me|us) up at|staying at|located at|(?:send|ship|deliver|mail)(?:ed)?(?: (?:it|them|this|that|the \\p{L}+))? to|come to|street|" +
      "\\p{L}*adresse|\\p{L}*anschrift|wohn(?:e|en|t|haft|ort)|umgezogen|gezogen|schicken|senden|liefern|straße|" +
      "habite|habitons|demeure|réside|domicile|déménagé|envoyez(?:-le|-la)?|livrer|livraison|" +
      "dirección|vivo|vivimos|resido|domicilio|mudamos|mudé|env[ií]el[oa]|enviar(?:lo)?|entrega",
  ],
];

/** The kinds whose words are longer come first: "code postal" before "code". */
const ORDER: readonly Cue[] = [
  ...(["zip", "tail", "birthdate", "social", "id", "account", "card", "secret", "address", "phone", "other"] as const),
];
const CUES = new RegExp(
  `(?<![\\p{L}\\d])(?:${ORDER.map((cue) => `(?<${cue}>${WORDS.find(([each]) => each === cue)?.[1]})`).join("|")})(?![\\p{L}\\d])`,
  "giu",
);

/** Words in Japanese, which has no spaces. */
const UNSPACED: readonly (readonly [Cue, RegExp])[] = [
  ["other", /(?:注文|予約|受付|確認|問い合わせ)番号/gu],
  ["phone", /電話(?:番号)?|携帯(?:番号)?|連絡先/gu],
  ["card", /カード(?:番号)?/gu],
  ["account", /口座(?:番号)?/gu],
  ["birthdate", /生年月日|誕生日|生まれ/gu],
];

interface FoundCue {
  readonly cue: Cue;
  readonly start: number;
  readonly end: number;
}

/** The cues of a text, found when the first of them is needed. */
export interface Cues {
  /** The last cue between two places. */
  readonly between: (start: number, end: number) => FoundCue | undefined;
  /** The last cue of the question before the text. */
  readonly asked: () => Cue | undefined;
}

/** Creates the cues of a text and of the question before it. */
export function createCues(text: string, asked: string): Cues {
  let [own, question]: (readonly FoundCue[] | undefined)[] = [];
  return {
    between: (start, end) => {
      own ??= cuesIn(text);
      return lastBetween(own, start, end);
    },
    asked: () => {
      question ??= cuesIn(asked);
      return question.at(-1)?.cue;
    },
  };
}

function cuesIn(written: string): readonly FoundCue[] {
  const spaced = [...written.replace(/_/g, " ").matchAll(CUES)].flatMap(({ index, 0: { length }, groups }) => {
    const cue = ORDER.find((each) => groups?.[each] !== undefined);
    return cue ? [{ cue, start: index, end: index + length }] : [];
  });
  if (!/[\p{Script=Han}\p{Script=Katakana}]/u.test(written)) return spaced;
  const unspaced = UNSPACED.flatMap(([cue, words]) =>
    [...written.matchAll(words)].map(({ index, 0: { length } }) => ({ cue, start: index, end: index + length })),
  );
  return [...spaced, ...unspaced].sort((a, b) => a.end - b.end);
}

function lastBetween(cues: readonly FoundCue[], start: number, end: number): FoundCue | undefined {
  let [low, high] = [0, cues.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((cues[middle]?.end ?? 0) <= end) low = middle + 1;
    else high = middle;
  }
  const found = cues[low - 1];
  return found && found.start >= start ? found : undefined;
}

/** Maximum distance from a cue to its number. */
const NEAR = 45;
/** Maximum distance from a cue that belongs to a number, whatever is said after it. */
const BESIDE = 8;
/** "… is my", "…, das ist meine", "…, c'est ma" */
const PREDICATE =
  /^[\s,;"'”)]{0,3}(?:(?:and|und|et|y) )?(?:still(?: a| the)?(?= (?:good|best|right|correct) )|that['’]?s|that is|is|was|das ist|ist|war|lautet|c['’]est|est|es|es[eoa] es|era|as)\s+(?:(?:my|our|his|her|their|the|your|de[rm]?|die|das|mein|meine|unsere?|ihre?|mon|ma|notre|son|sa|le|la|l['’]|mi|su|el|nuestr[oa]|new|full|neue|nouveau|nuev[oa])\s+)*/iu;
/** "It's …, my account number", "C'est …, mon numéro": nothing else is said of what follows */
const APPOSITION =
  /^\s{0,2},\s+(?=(?:my|our|mon|ma|notre|meine?|unsere?|mi|nuestr[oa])\s+[^,;\d:]*$)(?!.*\s(?:is|was|ist|war|lautet|est|es|era)\s)/iu;
/** "am 5. Mai geboren", "5 May birthday" */
const BORN = /^[\s,()]{0,3}(?:in \p{Lu}\p{L}+ )?(?:geboren|geburtstag|geb\b|zur welt|born\b|birthday)/iu;

/** The kind of a number, from the words after it: "… is my date of birth". */
function cueAfter(text: string, end: number, cues: Cues): Cue | undefined {
  const after = /^[^.!?\n]*/.exec(text.slice(end, end + 90))?.[0] ?? "";
  const predicate = PREDICATE.exec(after)?.[0] ?? APPOSITION.exec(after)?.[0];
  if (predicate === undefined) return undefined;
  const from = end + predicate.length;
  const rest = after.slice(predicate.length).split(/[,;]/)[0] ?? "";
  const said = /^(?:\S+\s*){1,4}/.exec(rest)?.[0] ?? "";
  return (cues.between(from, from + said.length) ?? cues.between(from, from + Math.min(rest.length, NEAR)))?.cue;
}

/** The kind of a number, from the words around it in its sentence, else from the question if it may tell. */
export function cueBefore(
  text: string,
  { start, end }: { readonly start: number; readonly end: number },
  cues: Cues,
  mayBeAsked: boolean,
): Cue | undefined {
  const from = Math.max(0, start - 160);
  const sentence = text.slice(from, start).split(SENTENCES).at(-1) ?? "";
  const own = cues.between(start - sentence.length, start);
  if (end > start && BORN.test(text.slice(end, end + 60))) return "birthdate";
  if (own && start - own.end <= BESIDE) return own.cue;
  const told = end > start ? cueAfter(text, end, cues) : undefined;
  if (told) return told;
  if (own && start - own.end <= NEAR) return own.cue;
  const said = cues.between(from, start);
  if (said && start - said.end <= NEAR) return said.cue;
  return mayBeAsked ? cues.asked() : undefined;
}

const SENTENCES = /(?<!\b(?:no|nr|núm|num|tel|tél|geb|acct))[.!?\n](?=\s)/i;

/** The kind of a value, from its keys. */
export function cueOfKey(key: string): Cue | undefined {
  if (key === "") return undefined;
  const last = key.split(" › ").at(-1) ?? "";
  if (/\blast ?(?:four|4|digits)\b/.test(last)) return "tail";
  return cuesIn(last).at(-1)?.cue;
}
