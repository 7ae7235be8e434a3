import { type Issue, type Path, PlatformError } from "../../base/errors.ts";
import type { Environment } from "../../base/redaction/mod.ts";
import { own, quotedList } from "../../base/values/mod.ts";
import { type AgentGraph, definitionOf } from "../graph/mod.ts";
import { isInOriginal, openOriginal } from "./original.ts";
import { ENV_REFERENCE, plainReferences, replaceTexts } from "./strings.ts";
import {
  destinationOf,
  proofOf,
  type SecretDestination,
  type TakenOut,
  takenOutOf,
  withTakenOut,
} from "./taken_out.ts";

/** A graph with references in document form, and the paths of references made by code. */
export interface CodeReferences {
  readonly graph: AgentGraph;
  readonly references: readonly { readonly name: string; readonly path: Path }[];
}

/** Converts the references of `env("NAME")` to document form. */
export function takeCodeReferences(graph: AgentGraph): CodeReferences {
  const references: { name: string; path: Path }[] = [];
  const plain = replaceTexts(graph, (text, path) => {
    const { text: written, names } = plainReferences(text);
    references.push(...names.map((name) => ({ name, path })));
    return written;
  });
  return { graph: plain, references };
}

/** Options of {@link restoreSecrets}. */
export interface RestoreOptions {
  /** Variables that may be restored wherever the graph refers to them. */
  readonly allowed?: readonly string[];
}

/** A reference that was not restored, because it was in the document from the start or was written by hand. */
export interface LeftReference {
  readonly name: string;
  readonly path: Path;
}

/** A graph with restored values, and the references that were not restored. */
export interface Restored {
  readonly graph: AgentGraph;
  readonly left: readonly LeftReference[];
}

/**
 * Replaces `{{env:NAME}}` references with environment values: references that {@link extractSecrets} made for the same
 * value, references that code made with `env("NAME")`, and allowed names. Other references stay, because a foreign
 * document could otherwise send any variable to any host.
 *
 * @param env Environment of a process, or secrets of a deployment.
 * @throws {PlatformError} `missing-variable` with all variables that are not set (empty ones count as set), or
 *   `changed-secret` with all variables whose value differs from the extracted one. Each reference is an issue.
 */
export function restoreSecrets(source: AgentGraph, env: Environment, { allowed = [] }: RestoreOptions = {}): Restored {
  const { graph, close } = openOriginal(source);
  const unset: RestoredReference[] = [];
  const changed: RestoredReference[] = [];
  const left: LeftReference[] = [];
  const allow = new Set(allowed);
  const records = takenOutOf(graph);
  const proofs = new Map<string, string>();
  // a proof takes milliseconds, and a tool's secret often occurs in many nodes
  const prove = (value: string, name: string, destination: SecretDestination): string => {
    const place = JSON.stringify([name, destination.key, destination.host]);
    const proof = proofs.get(place) ?? proofOf(value, name, destination);
    proofs.set(place, proof);
    return proof;
  };
  const fromCode = new Set((definitionOf(source)?.references ?? []).map(({ name, path }) => placeOf(name, path)));
  const restored = replaceTexts(graph, (text, path) =>
    text.replace(ENV_REFERENCE, (reference, name: string) => {
      const value = own(env, name);
      const trusted = allow.has(name) || fromCode.has(placeOf(name, path));
      const why = trusted
        ? undefined
        : doubtOf(name, value, records, { find: () => destinationOf(graph, path, text), prove });
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

type RestoredReference = LeftReference;

/** Throws one error for all places, so that all variables can be set at once. */
function throwFor(all: readonly RestoredReference[], issueOf: (names: readonly string[], path: Path) => Issue): void {
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

/** Returns why a reference is not restored; `undefined` when its record proves that it may be. */
function doubtOf(
  name: string,
  value: string | undefined,
  records: readonly TakenOut[],
  { find, prove }: { readonly find: () => SecretDestination; readonly prove: typeof proofOf },
): "foreign" | "changed" | undefined {
  const ofName = records.filter((record) => record.name === name);
  if (ofName.length === 0) return "foreign";
  const destination = find();
  const record = ofName.find(({ key, host }) => key === destination.key && host === destination.host);
  if (!record) return "foreign";
  if (value === undefined || value === "") return undefined; // an empty value is not a secret
  return prove(value, name, destination) === record.proof ? undefined : "changed";
}

function missing(names: readonly string[], path: Path): Issue {
  const quoted = quotedList(names);
  const several = names.length > 1;
  return {
    code: "missing-variable",
    path,
    message: several ? `environment variables ${quoted} are not set` : `environment variable ${quoted} is not set`,
    hint: `Set ${names.join(", ")}, which the agent needs as ${several ? "secrets" : "a secret"}`,
  };
}

function changedIssue(names: readonly string[], path: Path): Issue {
  const quoted = quotedList(names);
  const several = names.length > 1;
  return {
    code: "changed-secret",
    path,
    message: `environment variable${several ? "s" : ""} ${quoted} ${several ? "have other values" : "has another value"} than the import extracted`,
    hint: `After a key was replaced, pass ${names.map((name) => `--allow-env ${name}`).join(" ")} (allowEnv in code) or import the agent again`,
  };
}
