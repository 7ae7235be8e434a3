/** What the words before a number say about it. `other`: an order, a flight, a room; not personal. */
export type Cue = "phone" | "card" | "account" | "social" | "id" | "tail" | "secret" | "zip" | "birthdate" | "other";

const CUES: readonly (readonly [Cue, RegExp])[] = [
  [
    "other",
    /\b(?:orders?|confirmation|tracking|reference|booking|reservation|ticket|invoice|flights?|case|sku|serial|item|product|part|model|room|extension|quote|request|shipment|parcel|receipt|transaction|gate|version|article|promo|coupon|code|bus|train|unit|batch|error|zone|build|isbn|listing|store|table|channel|route|vin|imei|job|pin[- ]?code)\b/gi,
  ],
  [
    "phone",
    /\b(?:phones?|telephone|mobile|cell(?:phone)?|call(?:ed)? (?:me|us|him|her|them)|call back|callback|reach (?:me|us|him|her)|text me|ring|whatsapp|fax|contact number|dial|tel|(?:my|his|her|our|their|new|old|best|good|work|home|office) number|caller id|from number|to number|tel[eé]fono|num[eé]ro|celular|telefon(?:nummer)?|handynummer|portable|ani|msisdn)\b/gi,
  ],
  [
    "card",
    /\b(?:cards?|visa|master ?card|amex|american express|discover|debit|credit|pan|cc|tarjeta|carte bancaire|kreditkarte)\b/gi,
  ],
  ["account", /\b(?:account|acct|iban|routing|sort code|bank|cuenta|konto|compte|clabe|aba)\b/gi],
  ["social", /\b(?:social(?: security)?|ssn|sin|national insurance|nino|insurance number|social insurance)\b/gi],
  [
    "id",
    /\b(?:passport|licen[cs]e|licence|member(?:ship)?|policy|medicare|medicaid|nhs|tax|aadhaar|national id|patient|medical record|mrn|dni|nie|cpf|curp|rfc|insee|ausweis|frequent flyer|loyalty|subscriber|insurance|identity|identification|id card|tin|nif|steuer)\b/gi,
  ],
  ["tail", /\b(?:last (?:four|4|five|5)|ending (?:in|with)|ends (?:in|with)|final four)\b/gi],
  ["secret", /\b(?:cvv2?|cvc2?|security code|csv|pin(?: number)?|passcode)\b/gi],
  ["zip", /\b(?:zip(?: ?code)?|post(?:al)? ?code|plz|c[oó]digo postal)\b/gi],
  [
    "birthdate",
    /\b(?:born|birth(?: ?(?:day|date))?|birthday|date of birth|d\.?o\.?b|geboren|geburtsdatum|nacimiento|nac[ií]|naissance)\b/gi,
  ],
];

/** The cue closest to the end of a text; of two with the same end, the longer one. */
export function nearestCue(written: string): { readonly cue: Cue; readonly distance: number } | undefined {
  const text = written.replace(/_/g, " ");
  let nearest: { cue: Cue; end: number; length: number } | undefined;
  for (const [cue, pattern] of CUES) {
    for (const { index, 0: found } of text.matchAll(pattern)) {
      const end = index + found.length;
      if (!nearest || end > nearest.end || (end === nearest.end && found.length > nearest.length))
        nearest = { cue, end, length: found.length };
    }
  }
  return nearest && { cue: nearest.cue, distance: text.length - nearest.end };
}

/** Maximum distance from a cue to its number. */
const NEAR = 45;

/** The kind of a number, from the words before it in its sentence, else from the question. */
export function cueBefore(text: string, start: number, asked: string): Cue | undefined {
  const before = text.slice(Math.max(0, start - 160), start);
  const sentence = before.split(/[.!?\n](?=\s)/).at(-1) ?? before;
  const own = nearestCue(sentence);
  if (own && own.distance <= NEAR) return own.cue;
  const said = nearestCue(before);
  if (said && said.distance <= NEAR) return said.cue;
  return asked === "" ? undefined : nearestCue(asked)?.cue;
}

/** The kind of a value, from its keys. */
export function cueOfKey(key: string): Cue | undefined {
  if (key === "") return undefined;
  const last = key.split(" › ").at(-1) ?? "";
  if (/\blast ?(?:four|4|digits)\b/.test(last)) return "tail";
  return nearestCue(last)?.cue;
}
