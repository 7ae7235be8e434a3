import { realpathSync, statSync } from "node:fs";
import { resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { Scenario } from "../../document/scenario/mod.ts";
import { type Flag, usage } from "./arguments.ts";

/** The flag that names policies. */
export const POLICY_FLAGS = {
  policies: {
    value: "FILE",
    repeats: true,
    description: "Module that exports policies, or a JSON list of them; SOURCE itself by default",
  },
} satisfies { readonly [name: string]: Flag };

/** A folder name that is valid on every system and in every shell. */
export function folderName(name: string): string {
  const words =
    name
      .normalize("NFKD")
      .replace(/\p{M}/gu, "")
      .toLowerCase()
      .match(/[a-z0-9]+/g) ?? [];
  return words.join("-") || "agent";
}

/** Matches names of files that commands write; a folder "shop.v2" is one. */
const FILE = /\.(?:[cm]?[jt]sx?|json|md)$/i;

/**
 * Checks that a folder for several files is not named like a file: `--out flow.ts` would make a folder `flow.ts`.
 *
 * @param flag As it is typed: `--out`.
 * @throws {UsageError} `usage`.
 */
export function checkFolder(path: string, flag: string): void {
  if (!FILE.test(path) || statSync(path, { throwIfNoEntry: false })?.isDirectory()) return;
  throw usage(
    `${flag} is "${path}", which is the name of a file, and several files are written`,
    `Name a folder: ${path.replace(FILE, "")}`,
  );
}

/** A file that a command reads or writes. */
export interface UsedFile {
  /** For the message: "the results database". */
  readonly what: string;
  /** A path or a URL; URLs of servers are not files. */
  readonly path: string | undefined;
}

/**
 * Refuses an output that would overwrite a file that the same command uses.
 *
 * @param flag The output's flag, for the message: "--junit".
 * @throws {UsageError} `usage`.
 */
export function refuseOverwriting(flag: string, output: string | undefined, used: readonly UsedFile[]): void {
  const target = fileOf(output);
  if (target === undefined) return;
  const same = used.find(({ path }) => fileOf(path) === target);
  if (same) throw usage(`${flag} would overwrite ${same.what}, "${same.path}"`, `Name another file for ${flag}`);
}

/** Whether two paths lead to the same file. */
export function isSameFile(one: string, other: string): boolean {
  const file = fileOf(one);
  return file !== undefined && file === fileOf(other);
}

/** The file behind a path, links resolved; `undefined` if it is no file, such as `-` or a server's URL. */
function fileOf(path: string | undefined): string | undefined {
  if (path === undefined || path === "-" || path === ":memory:") return undefined;
  try {
    const plain = path.startsWith("file://") ? fileURLToPath(path) : path.replace(/^file:/, "");
    if (/^[a-z][a-z0-9+.-]+:\/\//i.test(plain)) return undefined;
    return realPath(resolve(plain));
  } catch {
    return undefined; // opening it reports the problem
  }
}

function realPath(path: string): string {
  try {
    return realpathSync(path);
  } catch {
    return path; // does not exist yet
  }
}

/** The selection flags; a scenario must match all of them. */
export interface Selection {
  /** Exact names; empty: any. */
  readonly names: readonly string[];
  /** The scenario must have at least one of these tags; empty: any. */
  readonly tags: readonly string[];
  /** A regular expression for the name, case-insensitive. */
  readonly grep?: string;
}

/**
 * Selects scenarios by name, tag and pattern.
 *
 * @throws {UsageError} `usage` for an unknown name, an unreadable pattern, or an empty selection.
 */
export function selectScenarios(scenarios: readonly Scenario[], { names, tags, grep }: Selection): readonly Scenario[] {
  const known = scenarios.map(({ name }) => name);
  const unknown = names.find((name) => !known.includes(name));
  if (unknown !== undefined) throw usage(`there is no scenario "${unknown}"`, `Use one of ${quoted(known)}`);
  const pattern = grep === undefined ? undefined : readPattern(grep);
  const selected = scenarios.filter(
    (scenario) =>
      (names.length === 0 || names.includes(scenario.name)) &&
      (tags.length === 0 || tags.some((tag) => scenario.tags?.includes(tag))) &&
      (pattern === undefined || pattern.test(scenario.name)),
  );
  if (selected.length > 0 || scenarios.length === 0) return selected;
  const asked = [
    ...(grep === undefined ? [] : [`--grep ${grep}`]),
    ...tags.map((tag) => `--tag ${tag}`),
    ...names.map((name) => `--scenario "${name}"`),
  ].join(" ");
  const used = [...new Set(scenarios.flatMap((scenario) => scenario.tags ?? []))];
  const hint = `Name one of ${quoted(known)}; ${used.length > 0 ? `the tags are ${quoted(used)}` : "there are no tags"}`;
  throw usage(`no scenario matches ${asked}`, hint);
}

function readPattern(text: string): RegExp {
  try {
    return new RegExp(text, "i");
  } catch (error) {
    const state = error instanceof Error ? error.message : String(error);
    throw usage(
      `--grep is not a regular expression: ${state}`,
      "Write a regular expression, such as --grep 'order|return'",
    );
  }
}

function quoted(texts: readonly string[]): string {
  const shown = texts.slice(0, 12).map((text) => `"${text}"`);
  return [...shown, ...(texts.length > shown.length ? [`${texts.length - shown.length} more`] : [])].join(", ");
}
