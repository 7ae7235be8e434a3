/** The type of a setting's value, as data, from which messages, flags and schemas are made. */
export type ValueKind =
  | { readonly type: "text" }
  | { readonly type: "switch" }
  | { readonly type: "choice"; readonly choices: readonly string[] }
  | NumberKind;

/** A number and its bounds. */
export interface NumberKind {
  readonly type: "number";
  /** Lowest value. */
  readonly from?: number;
  /** The value must be greater. */
  readonly above?: number;
  /** Highest value. */
  readonly to?: number;
  readonly whole?: true;
  /** A word that is allowed in place of a number. */
  readonly or?: string;
}

/** A day; timers of the runtimes are limited to about three weeks. */
const LONGEST_SECONDS = 86_400;

/** Kinds that several settings share. */
export const KIND = {
  text: { type: "text" },
  switch: { type: "switch" },
  /** At least one of something. */
  count: { type: "number", from: 1, whole: true },
  /** A part of a whole, such as a rate. */
  share: { type: "number", from: 0, to: 1 },
  /** A score that has to be reached. */
  threshold: { type: "number", above: 0, to: 1 },
  percent: { type: "number", from: 0, to: 100 },
  dollars: { type: "number", above: 0 },
  seconds: { type: "number", above: 0, to: LONGEST_SECONDS },
} as const satisfies { readonly [name: string]: ValueKind };

/** One of several words. */
export function choiceOf<const Choices extends readonly string[]>(choices: Choices) {
  return { type: "choice", choices } as const;
}

/** Describes what a value has to be; continues "Pass": `a whole number from 1`. */
export function needsOf(kind: ValueKind): string {
  switch (kind.type) {
    case "text":
      return "a text";
    case "switch":
      return "true or false";
    case "choice":
      return kind.choices.map((choice) => `"${choice}"`).join(" or ");
    case "number":
      return `${numberText(kind)}${kind.or === undefined ? "" : `, or "${kind.or}"`}`;
  }
}

/** Whether a value is of a kind. */
export function isOfKind(value: unknown, kind: ValueKind): boolean {
  switch (kind.type) {
    case "text":
      return typeof value === "string";
    case "switch":
      return typeof value === "boolean";
    case "choice":
      return kind.choices.some((choice) => choice === value);
    case "number":
      return typeof value === "number" ? isWithin(value, kind) : kind.or !== undefined && value === kind.or;
  }
}

function numberText({ from, above, to, whole }: NumberKind): string {
  const bounds = [
    ...(from === undefined ? [] : [`from ${from}`]),
    ...(above === undefined ? [] : [`greater than ${above}`]),
    ...(to === undefined ? [] : [above === undefined ? `to ${to}` : `and at most ${to}`]),
  ];
  return [whole ? "a whole number" : "a number", ...bounds].join(" ");
}

function isWithin(value: number, { from, above, to, whole }: NumberKind): boolean {
  return (
    Number.isFinite(value) &&
    (whole === undefined || Number.isInteger(value)) &&
    (from === undefined || value >= from) &&
    (above === undefined || value > above) &&
    (to === undefined || value <= to)
  );
}
