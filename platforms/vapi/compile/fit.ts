import type { Path } from "../../../src/errors.ts";
import { isRecord, type JsonObject } from "../../../src/values/mod.ts";
import type { Loss } from "../../platform.ts";
import type { LossCode, LossList } from "./losses.ts";

/** A setting that Vapi's types would refuse as it stands. */
export interface Fault {
  readonly kind: "emulated" | "dropped";
  readonly at: Path;
  readonly message: string;
  readonly instead?: string;
  readonly hint?: string;
}

/**
 * Holds a value to what one of Vapi's types knows: gives back what can stay of it, or `undefined` when nothing can, and
 * says what was changed. `Value` is what the type says of it, so that the compiler holds the tables of rules to the SDK.
 */
export type Rule<out Value = unknown> = (value: unknown, at: Path, faults: Fault[]) => Value | undefined;

/** The words of a text, as a type. */
export type Words<Text extends string, Found = never> = Text extends `${infer Word} ${infer Rest}`
  ? Words<Rest, Found | Word>
  : Found | Text;

/** What takes every value: names of models and voices, which Vapi adds faster than its types. */
export const anything: Rule<never> = (value) => value as undefined; // whatever it is, no type is claimed for it

/** A rule that knows more than the SDK's type, because Vapi's published document does. */
export const beyondSdk =
  (rule: Rule): Rule<never> =>
  (value, at, faults) =>
    anything(rule(value, at, faults), at, faults);

/** What takes every object. */
export const record: Rule<never> = (value, at, faults) =>
  isRecord(value) ? anything(value, at, faults) : refuse(value, at, "an object", faults);

/** A boolean. */
export const flag: Rule<boolean> = (value, at, faults) =>
  typeof value === "boolean" ? value : refuse(value, at, "true or false", faults);

/** A text; one that is longer than `most` characters is cut, one that is shorter than `least` left out. */
export function text(most = Number.POSITIVE_INFINITY, least = 0): Rule<string> {
  return (value, at, faults) => {
    if (typeof value !== "string" || value.length < least)
      return refuse(value, at, least > 0 ? `a text of at least ${least} characters` : "a text", faults);
    if (value.length <= most) return value;
    correct(at, `the ${value.length} characters of "${named(at)}"`, `its first ${most} characters`, faults);
    return value.slice(0, most);
  };
}

/** A text of which Vapi says how it is spelt. */
export function matching(pattern: RegExp, wanted: string): Rule<string> {
  return (value, at, faults) =>
    typeof value === "string" && pattern.test(value) ? value : refuse(value, at, wanted, faults);
}

/** A number; one that is out of range becomes the nearest that is not. */
export function number(least = Number.NEGATIVE_INFINITY, most = Number.POSITIVE_INFINITY): Rule<number> {
  return (value, at, faults) => {
    if (typeof value !== "number") return refuse(value, at, "a number", faults);
    const nearest = Math.min(most, Math.max(least, value));
    if (nearest !== value) correct(at, `${value} for "${named(at)}"`, `${nearest}, the nearest that it takes`, faults);
    return nearest;
  };
}

/**
 * One of some texts. One that differs only in case, spaces and punctuation is corrected.
 *
 * @param lines The texts, parted by spaces: long lists stay readable, and each is checked as a literal all the same.
 */
export function oneOf<const Line extends string>(...lines: readonly Line[]): Rule<Words<Line>> {
  return chosen(lines.join(" ").split(" "), []) as Rule<Words<Line>>; // splitting has no literal type
}

/** Like {@link oneOf}, for a language: one that Vapi only has without its region, or only with one, is corrected. */
export function language<const Line extends string>(...lines: readonly Line[]): Rule<Words<Line>> {
  const known = lines.join(" ").split(" ");
  const near = (wanted: string) => {
    const [base = ""] = wanted.split(/[-_]/);
    const regions = wanted === base ? known.filter((each) => each.startsWith(`${base}-`)) : [];
    const home = base === "en" ? "en-US" : `${base}-${base.toUpperCase()}`;
    return [base, home].find((each) => (each === base ? known : regions).includes(each)) ?? regions[0];
  };
  return chosen(known, [near]) as Rule<Words<Line>>; // splitting has no literal type
}

function chosen(known: readonly string[], searches: readonly ((wanted: string) => string | undefined)[]): Rule<string> {
  return (value, at, faults) => {
    if (typeof value === "string" && known.includes(value)) return value;
    const wanted = typeof value === "string" ? value : "";
    const same = (each: string) => plain(wanted) !== "" && plain(each) === plain(wanted);
    const found = [(_: string) => known.find(same), ...searches].map((search) => search(wanted)).find(Boolean);
    if (found === undefined) return refuse(value, at, someOf(known), faults);
    correct(at, `"${wanted}" for "${named(at)}"`, `"${found}"`, faults);
    return found;
  };
}

/** A list of which each item follows a rule; those that cannot stay are left out. */
export function list<Value>(rule: Rule<Value>): Rule<Value[]> {
  return (value, at, faults) => {
    if (!Array.isArray(value)) return refuse(value, at, "a list", faults);
    return value.flatMap((item: unknown, index) => {
      const fitted = rule(item, [...at, index], faults);
      return fitted === undefined ? [] : [fitted];
    });
  };
}

/** The keys of one of the SDK's types, each with its rule. */
export type Keys<Known> = { readonly [Key in keyof Known]?: Rule<NonNullable<Known[Key]>> };

/** An object of one of the SDK's types: keys that it does not have are left out, as is the whole without a required one. */
export function shape<Known>(keys: Keys<Known>, required: readonly (keyof Known & string)[] = []): Rule<Known> {
  const rules = new Map<string, Rule>(
    Object.entries<Rule | undefined>(keys).flatMap(([k, rule]) => (rule ? [[k, rule]] : [])),
  );
  return (value, at, faults) => {
    if (!isRecord(value)) return refuse(value, at, "an object", faults);
    const kept = Object.entries(value).flatMap(([key, item]): [string, unknown][] => {
      if (item === null || item === undefined) return [];
      const rule = rules.get(key);
      const fitted = rule ? rule(item, [...at, key], faults) : refuseKey([...at, key], rules, faults);
      return fitted === undefined ? [] : [[key, fitted]];
    });
    const missing = required.filter((key) => !kept.some(([name]) => name === key));
    if (missing.length > 0) return refuseWithout(at, missing, faults);
    return Object.fromEntries(kept) as Known; // each key has been held to its rule, and none is missing
  };
}

/** An object whose kind stands under one of its keys: `provider` of voices, `type` of tools. */
export interface Kinds {
  readonly key: string;
  /** The rule for what else the object has, by kind. */
  readonly rules: ReadonlyMap<string, Rule>;
  /** Other names of kinds, without spaces and punctuation, in lower case. */
  readonly known_as: ReadonlyMap<string, string>;
}

/** Holds an object to the type of its kind; one of a kind that Vapi does not have is left out as a whole. */
export function kindOf<Value = never>({ key, rules, known_as }: Kinds): Rule<Value> {
  const names = [...rules.keys()];
  const other = (wanted: string) => known_as.get(plain(wanted));
  const choose = chosen(names, [other]);
  return (value, at, faults) => {
    if (!isRecord(value)) return refuse(value, at, "an object", faults);
    const kind = choose(value[key], [...at, key], faults);
    const rule = kind === undefined ? undefined : rules.get(kind);
    if (kind === undefined || !rule) return undefined;
    const { [key]: _kind, ...rest } = value;
    const fitted = rule(rest, at, faults);
    return isRecord(fitted) ? ({ [key]: kind, ...fitted } as Value) : undefined; // as the kind's own rule says
  };
}

/** Whether there is such a kind, under this name or another. */
export function hasKind({ rules, known_as }: Kinds, name: string): boolean {
  return known_as.has(plain(name)) || [...rules.keys()].some((kind) => plain(kind) === plain(name));
}

/** What means something else when a part of it is left out: it stays whole, or not at all. */
export function whole<Value>(rule: Rule<Value>): Rule<Value> {
  return (value, at, faults) => {
    const found: Fault[] = [];
    const fitted = rule(value, at, found);
    faults.push(...found);
    return found.some(({ kind }) => kind === "dropped") ? undefined : fitted;
  };
}

/** A table of kinds, of which the compiler sees to it that it has each kind of one of the SDK's unions and no other. */
export function kinds<Known extends { readonly [key in Key]: string }, const Key extends string>(
  key: Key,
  table: { readonly [Kind in Known[Key]]: Rule<Omit<Extract<Known, { readonly [key in Key]: Kind }>, Key>> },
  knownAs: { readonly [name: string]: Known[Key] } = {},
): Kinds {
  return { key, rules: new Map(Object.entries<Rule>(table)), known_as: new Map(Object.entries<string>(knownAs)) };
}

const plain = (word: string) => word.toLowerCase().replace(/[^a-z0-9]/g, "");
/** Where paths stop to say anything that the reader of a setting's name wants to know. */
const OWNERS: readonly unknown[] = ["assistant", "assistantOverrides", "membersOverrides", "vapi", "document", "node"];

/** What a setting is called within its assistant or tool: `voice.speed`. */
function named(at: Path): string {
  return at.slice(at.findLastIndex((key) => OWNERS.includes(key)) + 1).join(".");
}

function someOf(known: readonly string[]): string {
  const first = known.slice(0, 12).map((each) => `"${each}"`);
  return `one of ${first.join(", ")}${known.length > first.length ? ` and ${known.length - first.length} more` : ""}`;
}

function spelt(value: unknown): string {
  const written = JSON.stringify(value) ?? String(value);
  return written.length > 60 ? `${written.slice(0, 60)}…` : written;
}

function correct(at: Path, what: string, instead: string, faults: Fault[]): void {
  const hint = "Set a value that Vapi takes if this is not what you meant";
  faults.push({ kind: "emulated", at, message: `Vapi does not take ${what}`, instead, hint });
}

function refuse(value: unknown, at: Path, wanted: string, faults: Fault[]): undefined {
  const message =
    value === undefined ? `Vapi needs "${named(at)}"` : `Vapi does not take ${spelt(value)} for "${named(at)}"`;
  faults.push({ kind: "dropped", at, message, hint: `Give ${wanted}` });
}

function refuseKey(at: Path, rules: ReadonlyMap<string, unknown>, faults: Fault[]): undefined {
  const message = `Vapi has no "${named(at)}", and answers such a key with an error`;
  const hint = rules.size > 0 ? `Use ${someOf([...rules.keys()])}, or take it out` : "Take it out";
  faults.push({ kind: "dropped", at, message, instead: "the rest without it", hint });
}

function refuseWithout(at: Path, missing: readonly string[], faults: Fault[]): undefined {
  const keys = missing.map((key) => `"${key}"`).join(", ");
  const message = `Vapi does not take "${named(at)}" without ${keys}`;
  faults.push({ kind: "dropped", at, message, hint: `Set ${keys}` });
}

/** Says what was changed in settings that came from another format; codes by what became of it. */
export function reportFaults(
  faults: readonly Fault[],
  losses: LossList,
  codes: { readonly [Kind in Loss["kind"]]: LossCode } = { emulated: "setting-corrected", dropped: "setting-dropped" },
): void {
  for (const { at, ...fault } of faults) losses.add({ code: codes[fault.kind], path: at, ...fault });
}

/** What was fitted, as an object; empty when nothing could stay. */
export const recordOf = (fitted: unknown): JsonObject => (isRecord(fitted) ? fitted : {});
