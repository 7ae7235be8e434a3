import { type ArgsDef, parseArgs } from "citty";
import { UsageError } from "../../base/errors.ts";
import { DEPLOY_FORMATS, PLATFORM_DATA, PLATFORM_NAMES } from "../../document/platforms/mod.ts";
import { isOfKind, needsOf, type Setting, valueKindOf } from "../../document/settings/mod.ts";
import type { Terminal } from "./io/mod.ts";

const [FORMAT = ""] = DEPLOY_FORMATS;
const [FIRST = ""] = FORMAT.split("-");

/** Platforms whose calls can be read. */
const READ = PLATFORM_NAMES.filter((name) => PLATFORM_DATA[name].readsCalls);
const [PULLED = "", OTHER = PULLED] = PLATFORM_NAMES.filter((name) => PLATFORM_DATA[name].pullsCalls);

/** Names of platforms and formats in the help of commands. */
export const EXAMPLE = {
  /** A format, and one of another platform. */
  format: FORMAT,
  other: DEPLOY_FORMATS.find((name) => !name.startsWith(FIRST)) ?? FORMAT,
  /** A platform whose calls can be pulled, and another one. */
  calls: PULLED,
  otherCalls: OTHER,
} as const;

/** Names of the formats that calls are read in, for sentences. */
export const CALL_FORMAT_NAMES: readonly string[] = [...READ, "openai"];
/** Titles of the platforms whose calls are read. */
export const CALL_TITLES: readonly string[] = READ.map((name) => PLATFORM_DATA[name].title);

/**
 * Exit codes: 0 success; 1 scenarios failed, findings are errors, or versions differ; 2 wrong usage or input; 3 no scenario
 * failed, but some ended in errors, which say nothing about the agent, or results are missing in the database.
 */
export type ExitCode = 0 | 1 | 2 | 3;

/** A command and its help. */
export interface Command {
  /** As it is typed: `runs show`. */
  readonly name: string;
  /** One sentence. */
  readonly summary: string;
  readonly spec: ArgumentsSpec;
  /** Further lines of the help. */
  readonly notes?: readonly string[];
  readonly examples: readonly string[];
  readonly run: (args: Arguments, terminal: Terminal) => Promise<ExitCode>;
}

/** A command in the overview; its implementation is loaded when it runs. */
export interface ListedCommand {
  readonly name: string;
  /** Positionals and required flags. */
  readonly usage: string;
  readonly summary: string;
  readonly load: () => Promise<Command>;
}

/** A positional argument. */
export interface Positional {
  /** As help shows it: `SOURCE`. */
  readonly name: string;
  readonly description: string;
  /** Whether the argument is optional. */
  readonly optional?: boolean;
  /** Whether it can be repeated; only for the last positional. */
  readonly repeats?: boolean;
}

/** A flag: a setting, and how it is passed on a command line. */
export interface Flag extends Setting {
  /**
   * The value if the flag is passed without one. `among`: only these values can follow the flag. Absent: what follows is
   * its value unless it is a flag.
   */
  readonly implied?: { readonly value: string; readonly among?: readonly string[] };
  /** Another flag of the same setting: when either is passed, the configuration's values of both are left out. */
  readonly sameAs?: string;
}

/** The arguments that a command accepts. */
export interface ArgumentsSpec {
  readonly positionals: readonly Positional[];
  readonly flags: { readonly [name: string]: Flag };
}

/** A project's configuration, for arguments that are not passed. */
export interface Defaults {
  /** Values of positionals. */
  readonly positionals: ReadonlyMap<string, string>;
  /** Values of flags by name; an empty list turns a switch on. */
  readonly flags: (given: ReadonlyMap<string, string>) => ReadonlyMap<string, readonly string[]>;
}

/** Arguments as they were passed, with the configuration as fallback. */
export interface Arguments {
  /** A positional's text; empty if it is optional and was not passed. */
  readonly at: (name: string) => string;
  /** The texts of the last positional, which can be repeated. */
  readonly rest: () => readonly string[];
  /** A flag's value; `undefined` if it was not passed. */
  readonly text: (flag: string) => string | undefined;
  /** A flag's values, in order. */
  readonly texts: (flag: string) => readonly string[];
  /**
   * A flag's number, within the bounds of its kind; `undefined` if it was not passed.
   *
   * @throws {UsageError} `usage`.
   */
  readonly number: (flag: string) => number | undefined;
  /** Whether a switch was passed. */
  readonly has: (flag: string) => boolean;
}

/**
 * Reads a command's arguments. This file is the only one that knows the parsing library.
 *
 * @param command For messages: `runs show`.
 * @throws {UsageError} `usage` for unknown flags, missing values, missing and surplus positionals.
 */
export async function readArguments(
  written: readonly string[],
  spec: ArgumentsSpec,
  command: string,
  defaults?: Defaults,
): Promise<Arguments> {
  const raw = withImplied(written, spec);
  const values = await valuesByFlag(raw, spec, command);
  const definition: ArgsDef = Object.fromEntries([
    ...Object.entries(spec.flags).map(([name, flag]) => [name, { type: flag.value ? "string" : "boolean" }]),
  ]);
  const parsed = parseArgs([...raw], definition);
  const { positionals } = spec;
  const given = new Map(positionals.flatMap(({ name }, index) => (parsed._[index] ? [[name, parsed._[index]]] : [])));
  const place = new Map([...(defaults?.positionals ?? []), ...given]);
  for (const { name, optional } of positionals)
    if (!optional && !place.has(name)) throw usage(`${name} is missing`, helpFor(command));
  const surplus = parsed._[positionals.length];
  if (surplus !== undefined && !positionals.at(-1)?.repeats)
    throw usage(`"${surplus}" is an extra argument`, helpFor(command));
  const configured = defaults?.flags(given);
  const textsOf = (flag: string) =>
    values.get(flag) ?? (values.has(spec.flags[flag]?.sameAs ?? "") ? undefined : configured?.get(flag));
  return {
    at: (name) => place.get(name) ?? "",
    rest: () => parsed._.slice(Math.max(0, positionals.length - 1)),
    text: (flag) => textsOf(flag)?.at(-1),
    texts: (flag) => textsOf(flag) ?? [],
    number: (flag) => readNumber(textsOf(flag)?.at(-1), flag, spec.flags),
    has: (flag) => parsed[flag] === true || (!spec.flags[flag]?.value && configured?.has(flag) === true),
  };
}

/**
 * Reads the number of a flag.
 *
 * @throws {UsageError} `usage` if it is not of the flag's kind.
 */
export function readNumber(text: string | undefined, flag: string, flags: ArgumentsSpec["flags"]): number | undefined {
  const setting = flags[flag];
  if (text === undefined || setting === undefined) return undefined;
  const kind = valueKindOf(setting);
  const value = text.trim() === "" ? Number.NaN : Number(text);
  if (isOfKind(value, kind)) return value;
  throw usage(`--${flag} is "${text}"`, `Pass ${needsOf(kind)}`);
}

/** A usage error: what is wrong with the command line, and how to write it. */
export function usage(state: string, hint: string): UsageError {
  return new UsageError(`Cannot understand the command: ${state}`, { code: "usage", hint });
}

function helpFor(command: string): string {
  return `See callweave ${command} --help`;
}

/** Adds the values of flags that can be passed without one. */
function withImplied(raw: readonly string[], { flags }: ArgumentsSpec): readonly string[] {
  return raw.map((argument, index) => {
    const implied = Object.entries(flags).find(([name]) => argument === `--${name}`)?.[1].implied;
    const next = raw[index + 1];
    const isValue = implied?.among?.includes(next ?? "") ?? (next !== undefined && !next.startsWith("-"));
    return !implied || isValue ? argument : `${argument}=${implied.value}`;
  });
}

/** The arguments without some flags, as if they were not passed. */
export function withoutFlags(args: Arguments, names: readonly string[]): Arguments {
  const isLeft = (flag: string) => !names.includes(flag);
  return {
    ...args,
    text: (flag) => (isLeft(flag) ? args.text(flag) : undefined),
    texts: (flag) => (isLeft(flag) ? args.texts(flag) : []),
    number: (flag) => (isLeft(flag) ? args.number(flag) : undefined),
    has: (flag) => isLeft(flag) && args.has(flag),
  };
}

/** Renamed flags: the old names, and the names they have now. */
const FORMER_FLAGS: { readonly [name: string]: string } = { timeout: "try-timeout" };

/** Checks every flag, because the library accepts unknown ones, and collects the values of each. */
async function valuesByFlag(
  raw: readonly string[],
  { flags }: ArgumentsSpec,
  command: string,
): Promise<ReadonlyMap<string, readonly string[]>> {
  const values = new Map<string, string[]>();
  for (let index = 0; index < raw.length; index++) {
    const argument = raw[index] ?? "";
    if (argument === "--") break;
    if (!/^-./.test(argument)) continue;
    const [, dashes = "", name = "", assigned] = /^(--?)([^=]*)(?:=([\s\S]*))?$/.exec(argument) ?? [];
    const flag = dashes === "--" && Object.hasOwn(flags, name) ? flags[name] : undefined;
    if (!flag) {
      const now = Object.hasOwn(FORMER_FLAGS, name) ? FORMER_FLAGS[name] : undefined;
      if (now !== undefined && Object.hasOwn(flags, now))
        throw usage(`the flag --${name} was renamed`, `Write --${now} instead`);
      const { didYouMean } = await import("../../base/values/mod.ts");
      const hint = didYouMean(
        `--${name}`,
        Object.keys(flags).map((known) => `--${known}`),
        helpFor(command),
      );
      throw usage(`there is no flag ${dashes}${name}`, hint);
    }
    if (!flag.value) {
      if (assigned !== undefined) throw usage(`--${name} takes no value`, helpFor(command));
      continue;
    }
    const value = assigned ?? raw[++index];
    if (value === undefined || value === "" || (assigned === undefined && value.startsWith("--"))) {
      throw usage(`--${name} has no value`, `Write --${name} ${flag.value}`);
    }
    const given = values.get(name);
    if (given && !flag.repeats) throw usage(`--${name} is repeated`, "Pass it once");
    values.set(name, [...(given ?? []), value]);
  }
  return values;
}
