import { type Issue, type Path, PlatformError } from "../errors.ts";
import { type AgentGraph, definitionOf } from "../graph/mod.ts";
import type { Environment } from "../redaction/mod.ts";
import { own } from "../values/mod.ts";
import { isInOriginal, openOriginal } from "./original.ts";
import { ENV_REFERENCE } from "./references.ts";
import { mapTexts } from "./strings.ts";
import { destinationOf, proofOf, type TakenOut, takenOutOf, withTakenOut } from "./taken_out.ts";

/** Options of {@link restoreSecrets}. */
export interface RestoreOptions {
  /** Variables that may be restored wherever the graph refers to them. */
  readonly allowed?: readonly string[];
}

/** A reference that was not restored: it was in the document from the start, or written by hand. */
export interface LeftReference {
  readonly name: string;
  readonly path: Path;
}

/** A graph with restored values, and the references that were left. */
export interface Restored {
  readonly graph: AgentGraph;
  readonly left: readonly LeftReference[];
}

/**
 * Replaces `{{env:NAME}}` references with values of the environment: references that {@link extractSecrets} put in the
 * place of the same value, references that code made with `env("NAME")`, and allowed names. A document from somebody
 * else may refer to any variable and send its value to any host, so its own references stay.
 *
 * @param env The environment of a process, or the secrets of a deployment.
 * @throws {PlatformError} `missing-variable`, which names all variables that are not set (an empty one is set), or
 *   `changed-secret`, which names those with another value than the one taken out; with an issue for each reference.
 */
export function restoreSecrets(source: AgentGraph, env: Environment, { allowed = [] }: RestoreOptions = {}): Restored {
  const { graph, close } = openOriginal(source);
  const unset: Place[] = [];
  const changed: Place[] = [];
  const left: LeftReference[] = [];
  const allow = new Set(allowed);
  const records = takenOutOf(graph);
  const fromCode = new Set((definitionOf(source)?.references ?? []).map(({ name, path }) => placeOf(name, path)));
  const restored = mapTexts(graph, (text, path) =>
    text.replace(ENV_REFERENCE, (reference, name: string) => {
      const value = own(env, name);
      const trusted = allow.has(name) || fromCode.has(placeOf(name, path));
      const why = trusted ? undefined : doubtOf(name, value, records, () => destinationOf(graph, path, text));
      if (!why && value !== undefined) return value;
      const places = why === "foreign" ? left : why === "changed" ? changed : unset;
      places.push({ name, path });
      return reference;
    }),
  );
  throwFor(unset, missing);
  throwFor(changed, changedIssue);
  return { graph: close(withTakenOut(restored, [])), left: left.filter(({ path }) => !isInOriginal(path)) };
}

type Place = LeftReference;

/** One error for all places, so that all variables can be set at once. */
function throwFor(all: readonly Place[], issueOf: (names: readonly string[], path: Path) => Issue): void {
  const own = all.filter(({ path }) => !isInOriginal(path));
  const places = own.length > 0 ? own : all;
  const [first] = places;
  if (!first) return;
  const { message, ...details } = issueOf([...new Set(places.map(({ name }) => name))], first.path);
  const issues = places.map(({ name, path }) => issueOf([name], path));
  throw new PlatformError(`Cannot emit agent: ${message}`, { ...details, issues });
}

function placeOf(name: string, path: Path): string {
  return JSON.stringify([name, path]);
}

/** Why a reference is not restored; `undefined` where its record proves that it may be. */
function doubtOf(
  name: string,
  value: string | undefined,
  records: readonly TakenOut[],
  find: () => Pick<TakenOut, "key" | "host">,
): "foreign" | "changed" | undefined {
  const ofName = records.filter((record) => record.name === name);
  if (ofName.length === 0) return "foreign";
  const destination = find();
  const record = ofName.find(({ key, host }) => key === destination.key && host === destination.host);
  if (!record) return "foreign";
  if (value === undefined || value === "") return undefined; // an empty value is no secret
  return proofOf(value, name, destination) === record.proof ? undefined : "changed";
}

function missing(names: readonly string[], path: Path): Issue {
  const quoted = names.map((name) => `"${name}"`).join(", ");
  const several = names.length > 1;
  return {
    code: "missing-variable",
    path,
    message: several ? `environment variables ${quoted} are not set` : `environment variable ${quoted} is not set`,
    hint: `Set ${names.join(", ")}, which ${several ? "stand for secrets" : "stands for a secret"} of the agent`,
  };
}

function changedIssue(names: readonly string[], path: Path): Issue {
  const quoted = names.map((name) => `"${name}"`).join(", ");
  const several = names.length > 1;
  return {
    code: "changed-secret",
    path,
    message: `environment variable${several ? "s" : ""} ${quoted} ${several ? "have other values" : "has another value"} than the import took out`,
    hint: `After a key was replaced, pass ${names.map((name) => `--allow-env ${name}`).join(" ")} (allowEnv in code) or import the agent again`,
  };
}
