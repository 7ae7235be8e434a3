import { plainWord } from "../dictionary.ts";
import { inCaseOf } from "../pseudonyms/mod.ts";
import { cueBefore } from "./cues.ts";
import type { Finder, Found, Tools } from "./found.ts";

const KIND =
  "street|st|avenue|ave|road|rd|boulevard|blvd|lane|ln|drive|dr|court|ct|circle|cir|place|pl|terrace|ter|way|square|sq|parkway|pkwy|highway|hwy|trail|trl|close|crescent|cres|mews|grove|gardens|row|walk|alley|loop|plaza|ridge|run|heights|hollow|crossing";
const NUMBER = "(?<number>\\d{1,5}[a-z]?(?:[-/]\\d{1,4})?)";
const WORD = "[\\p{Lu}\\d][\\p{L}\\d'’.-]*";
const UNIT = "(?<unit>,? (?:apt|apartment|suite|ste|unit|flat|#)\\.? ?#?\\w{1,6})?";
const ZIP =
  "(?<rest>,? (?:[\\p{Lu}][\\p{L}.]+(?: [\\p{Lu}][\\p{L}.]+){0,2}),? (?:[A-Z]{2}|[\\p{Lu}]\\p{L}+)(?:,? )(?<zip>\\d{5}(?:-\\d{4})?)(?!\\d))?";
const FORMS: readonly RegExp[] = [
  // 12 North Oak Street, Apt 4B, Springfield, IL 62704
  new RegExp(
    `(?<![\\p{L}\\d$€£.,-])${NUMBER} (?<street>(?:${WORD} ){1,4}?(?:${KIND}|${KIND.replace(/\b[a-z]/g, (first) => first.toUpperCase())})\\b\\.?)(?! (?:ago|later))${UNIT}${ZIP}`,
    "dgu",
  ),
  // spoken or typed in lower case: "12 north oak street"
  new RegExp(
    `(?<![\\p{L}\\d$€£.,-])${NUMBER} (?<street>(?:[\\p{Ll}]+ ){1,3}?(?:street|avenue|road|boulevard|lane|drive|court|terrace|parkway))\\b${UNIT}`,
    "dgu",
  ),
  // Hauptstraße 12, Lindenweg 3a
  new RegExp(
    `(?<!\\p{L})(?<street>\\p{Lu}[\\p{L}-]*(?:stra(?:ß|ss)e|str\\.|weg|allee|platz|gasse|damm|ufer|ring|straat|laan|gatan|vägen|gata|vej|gade)|(?:Am|An der|Im|Auf der|Unter den) \\p{Lu}\\p{L}+) ${NUMBER}(?<unit>, (?<zip>\\d{5})(?= \\p{Lu}))?`,
    "dgu",
  ),
  // Calle Mayor 5, Via Roma 12, Rua das Flores, 20
  new RegExp(
    `(?<!\\p{L})(?<street>(?:Calle|Avenida|Av\\.|Paseo|Plaza|Carrer|Rua|Travessa|Via|Viale|Piazza|Corso|ulica|ul\\.)(?: (?:de|del|de la|las|los|da|das|dos|do|della|di|dei))? \\p{Lu}[\\p{L}'’-]+(?: \\p{Lu}[\\p{L}'’-]+)?),? (?:n[º°.] ?)?${NUMBER}`,
    "dgu",
  ),
  // 12 rue de la Paix, 5 bis avenue Foch
  new RegExp(
    `(?<![\\p{L}\\d])${NUMBER},? (?:bis |ter )?(?<street>(?:rue|avenue|boulevard|place|impasse|allée|chemin|quai|cours)(?: (?:de la|de l'|des|du|de|d'|la|le|les|aux|au)){0,2} ?[\\p{Lu}][\\p{L}'’-]+(?:[ -]\\p{Lu}[\\p{L}'’-]+){0,2})(?<unit>, (?<zip>\\d{5})(?= \\p{Lu}))?`,
    "dgu",
  ),
];
/** Words before a kind of street that rule out an address: "2 way street", "3 blocks down the road". */
const NO_STREET =
  /\b(?:blocks?|minutes?|miles?|hours?|days?|people|times|the|a|on|down|in|of|way|more|of|and|or|to|for|bedroom|star|lane)\b/i;
const POSTCODE = /(?<![\p{L}\d])[A-Z]{1,2}\d[A-Z\d]? \d[A-Z]{2}(?![\p{L}\d])/gu;

/** Finds street addresses and postcodes. Towns and countries stay. */
export const findAddresses: Finder = (text, { key, asked }, tools) => {
  if (!/\d|apt|suite|unit|#/i.test(text)) return [];
  const streets = FORMS.flatMap((form) =>
    [...text.matchAll(form)].flatMap((match): readonly Found[] => {
      const { street = "" } = match.groups ?? {};
      if (street === street.toLowerCase() && NO_STREET.test(street)) return [];
      return [{ start: match.index, end: match.index + match[0].length, replacement: () => written(match, tools) }];
    }),
  );
  const postcodes = [...text.matchAll(POSTCODE)].map(({ index, 0: shown }): Found => {
    const draw = tools.keyed("zip", shown);
    const made = () => shown.replace(/\p{L}/gu, "Z").replace(/\d/g, () => String(draw(10)));
    return { start: index, end: index + shown.length, replacement: () => (/^Z/.test(shown) ? shown : made()) };
  });
  return [...streets, ...postcodes, ...unitsOf(text, key, asked, tools)];
};

/** A whole value under a key such as `address2`: "Suite 217". */
function unitsOf(text: string, key: string, asked: string, _tools: Tools): readonly Found[] {
  if (!/\b(?:address|street)/.test(key) && cueBefore(text, 0, asked) === undefined) return [];
  const unit = /^(?:apt|apartment|suite|ste|unit|flat|#)\.? ?#?\w{1,6}$/i.exec(text.trim());
  return unit ? [{ start: 0, end: text.length, replacement: () => unitFor(text) }] : [];
}

function unitFor(unit: string): string {
  return unit.replace(/(?<=[ #])[\dA-Z]{1,6}$/i, "1");
}

/** Writes another address in the same form: an invented street and number, unit 1, an unassigned ZIP code. */
function written(match: RegExpMatchArray, { keyed, pool }: Tools): string {
  const { street = "", number = "", unit = "", zip = "" } = match.groups ?? {};
  const words = street.split(" ").map(plainWord);
  if (words.some((word) => pool.has(word.replace(/(?:stra(?:ss)e|str\.|weg|allee)$/, "")))) return match[0];
  const draw = keyed("address", `${number} ${words.join(" ")}`.toLowerCase());
  const made: { readonly [group: string]: string } = {
    street: streetFor(street, pool.nameOf(words.join(" "))),
    number: String(1 + draw(899)),
    unit: zip !== "" && unit.includes(zip) ? unit.replace(zip, `000${draw(90) + 10}`) : unitFor(unit),
    zip: `000${draw(90) + 10}`,
  };
  const inUnit = zip !== "" && unit.includes(zip);
  const places = Object.entries(match.indices?.groups ?? {})
    .flatMap(([group, place]) =>
      place && made[group] !== undefined && !(inUnit && group === "zip")
        ? [{ group, start: place[0], end: place[1] }]
        : [],
    )
    .sort((a, b) => b.start - a.start);
  const from = match.index ?? 0;
  return places.reduce(
    (text, { group, start, end }) => text.slice(0, start - from) + (made[group] ?? "") + text.slice(end - from),
    match[0],
  );
}

/** An invented street of the same kind: "Oak Street", "Hauptstraße", "rue de la Paix". */
function streetFor(street: string, name: string): string {
  const words = street.split(" ");
  const last = words.at(-1) ?? "";
  if (new RegExp(`^(?:${KIND})\\.?$`, "i").test(last)) return `${inCaseOf(name, words[0] ?? "")} ${last}`;
  const [, kind] =
    /(stra(?:ß|ss)e|str\.|weg|allee|platz|gasse|damm|ufer|ring|straat|laan|gatan|vägen|gata|vej|gade)$/.exec(street) ??
    [];
  if (kind !== undefined) return inCaseOf(name, "A").slice(0, 1) + name.slice(1) + kind;
  return `${words[0]} ${inCaseOf(name, "Aa")}`;
}
