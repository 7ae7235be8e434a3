/** Verbs with which conditions say what a caller does. Other words that end in "s" may be nouns. */
const REGULAR =
  "accept acknowledge add agree answer appear ask book call cancel change chase claim clarify complain confirm correct decide decline demand deny describe disagree end enquire enter explain express finish follow gather hesitate identify ignore indicate inform inquire insist intend interrupt inquire join like listen look mention name need object offer order pay prefer press promise propose provide push question raise reach receive refer refuse reject repeat reply report request require reschedule respond return schedule seem select share show signal silence sound speak start state stay stop struggle submit suggest supply talk threaten thank try use verify visit wait want wish work";
const IRREGULAR: readonly (readonly [base: string, past: string])[] = [
  ["say", "said"],
  ["tell", "told"],
  ["give", "gave"],
  ["choose", "chose"],
  ["speak", "spoke"],
  ["get", "got"],
  ["know", "knew"],
  ["understand", "understood"],
  ["find", "found"],
  ["make", "made"],
  ["leave", "left"],
  ["pick", "picked"],
  ["stop", "stopped"],
  ["refer", "referred"],
  ["prefer", "preferred"],
  ["hang", "hung"],
  ["keep", "kept"],
  ["think", "thought"],
  ["pay", "paid"],
];

/** Base forms of verbs that callers are said to do. */
export const BASE_FORMS: ReadonlySet<string> = new Set([...REGULAR.split(" "), ...IRREGULAR.map(([base]) => base)]);

/** Base forms by past forms. */
export const PAST_FORMS: ReadonlyMap<string, string> = new Map([
  ...REGULAR.split(" ").map((base) => [pastOf(base), base] as const),
  ...IRREGULAR.map(([base, past]) => [past, base] as const),
]);

function pastOf(base: string): string {
  if (base.endsWith("e")) return `${base}d`;
  return /[^aeiou]y$/.test(base) ? base.replace(/y$/, "ied") : `${base}ed`;
}
