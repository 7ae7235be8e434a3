import { plainWord } from "../dictionary.ts";
import { numberFor } from "../pseudonyms/mod.ts";
import { type Cues, cueBefore, cueOfKey } from "./cues.ts";
import type { Finder, FoundData, Tools } from "./found.ts";
import { BEFORE_STREET, LIKELY_STREETS, nameOfStreet, STREETS, streetLike } from "./streets.ts";

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
