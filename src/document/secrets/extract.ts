import { GraphError, type Path } from "../../base/errors.ts";
import {
  assignedSpans,
  createRedactor,
  disjoint,
  isLoosely,
  isRandom,
  isSecretName,
  nameWords,
  type SecretKind,
  type Span,
  tokenSpans,
  urlSpans,
} from "../../base/redaction/mod.ts";
import { isFlow, isRecord, isTooDeep, MAX_DEPTH } from "../../base/values/mod.ts";
import { type AgentGraph, toGraph } from "../graph/mod.ts";
import { isInOriginal, openOriginal } from "./original.ts";
import { ENV_REFERENCE, placesOf, replaceTexts, type TextPosition } from "./strings.ts";
import { destinationOf, proofOf, type TakenOut, takenOutOf, withTakenOut } from "./taken_out.ts";

/** A variable for a secret. It does not contain the value, so it can be printed. */
export interface SecretVariable {
  /** Name of the environment variable: capitals, digits and underscores. */
  readonly name: string;
  /** How the secret was recognized at its first place. */
  readonly kind: SecretKind;
  /** All paths of the secret in the graph, in order. */
  readonly places: readonly Path[];
}

/** A graph without secrets, and the secrets. */
export interface ExtractedSecrets {
  readonly graph: AgentGraph;
  readonly variables: readonly SecretVariable[];
  /** Values by variable, for a secret store. Never print them or save them with the graph. */
  readonly values: { readonly [name: string]: string };
}

interface Found {
  readonly value: string;
  readonly span: Span;
  readonly place: TextPosition;
}

/** Kinds, sorted by how well they name a secret. */
const KINDS: readonly SecretKind[] = ["key", "header", "url", "token"];

/**
 * Shorter values are replaced only where the place indicates a secret, because elsewhere they may be ordinary words.
 */
const SURE_LENGTH = 8;

/** Finds the secrets that {@link extractSecrets} would remove. */
export function findSecrets(graph: AgentGraph): readonly SecretVariable[] {
  return takeSecretsOut(graph).variables;
}

/**
 * Replaces secrets in a graph with `{{env:NAME}}` references: values under secret keys, header values, tokens in URLs,
 * and service keys anywhere. Names are derived from places, so that the same agent always gets the same names.
 *
 * `source_metadata.callweave` records where each value may be restored; see {@link restoreSecrets}.
 *
 * @throws {GraphError} `not-a-graph`, for example when a flow was not compiled.
 */
export function extractSecrets(source: AgentGraph): ExtractedSecrets {
  const { graph: opened, close } = openOriginal(checked(source));
  const extracted = takeOut(opened);
  const { graph, variables, values } = extracted;
  if (variables.length === 0) return { ...extracted, graph: close(graph) };
  const records = new Map(takenOutOf(graph).map((record) => [JSON.stringify(placeOf(record)), record]));
  for (const { name, places } of variables)
    for (const path of places) {
      const destination = destinationOf(graph, path, textAt(graph, path));
      const place = JSON.stringify(placeOf({ name, ...destination }));
      if (!records.has(place))
        records.set(place, { name, ...destination, proof: proofOf(values[name] ?? "", name, destination) });
    }
  const sorted = [...records].toSorted(([a], [b]) => (a < b ? -1 : 1)).map(([, record]) => record);
  return { graph: close(withTakenOut(graph, sorted)), variables: variables.map(withoutOriginalPlaces), values };
}

/** Removes paths in the original document, which repeats the graph, unless the secret is only there. */
function withoutOriginalPlaces(variable: SecretVariable): SecretVariable {
  const places = variable.places.filter((path) => !isInOriginal(path));
  return places.length === 0 ? variable : { ...variable, places };
}

function placeOf({ name, key, host }: Omit<TakenOut, "proof">): readonly string[] {
  return [name, key, host];
}

function textAt(graph: AgentGraph, path: Path): string {
  let value: unknown = graph;
  for (const part of path) value = Reflect.get(Object(value), part);
  return String(value);
}

/** {@link extractSecrets} for a graph that is never restored. */
function takeSecretsOut(source: AgentGraph): ExtractedSecrets {
  const { graph: opened, close } = openOriginal(checked(source));
  const { graph, variables, values } = takeOut(opened);
  return { graph: close(graph), variables: variables.map(withoutOriginalPlaces), values };
}

function checked(source: AgentGraph): AgentGraph {
  if (isTooDeep(source))
    throw new GraphError(`Cannot extract secrets: the graph nests deeper than ${MAX_DEPTH} levels`, {
      code: "too-deep",
      hint: "Flatten it, and remove circular references",
    });
  return isRecord(source) && !isFlow(source) ? source : toGraph(source, "Cannot extract secrets");
}

function takeOut(graph: AgentGraph): ExtractedSecrets {
  const places = placesOf(graph);
  const spansOf = new Map(places.map((place) => [place, secretSpans(place)] as const));
  const found = [...spansOf]
    .flatMap(([place, spans]) => spans.map((span) => ({ value: secretOf(place, span), span, place })))
    .sort((a, b) => originalLast(a, b) || compare(a.place.path, b.place.path) || a.span.start - b.span.start);
  const byValue = groupByValue(found);
  const names = nameValues(byValue, takenNames(places));

  if (found.length === 0) return { graph, variables: [], values: {} };
  const spansAt = new Map([...spansOf].map(([place, spans]) => [JSON.stringify(place.path), spans] as const));
  const elsewhere = createFinder([...names].filter(([value]) => value.length >= SURE_LENGTH));
  const placesByName = new Map<string, Path[]>();
  const clean = replaceTexts(graph, (text, path) => {
    const spans = spansAt.get(JSON.stringify(path)) ?? [];
    const pieces = piecesOf(text, spans, names).flatMap((piece) => (piece.name ? [piece] : elsewhere(piece.text)));
    for (const name of new Set(pieces.map((piece) => piece.name))) {
      if (name === undefined) continue;
      const known = placesByName.get(name);
      if (known) known.push(path);
      else placesByName.set(name, [path]);
    }
    return pieces.map(({ text, name }) => (name === undefined ? text : `{{env:${name}}}`)).join("");
  });
  const values = Object.fromEntries([...names].map(([value, name]) => [name, value]));
  const variables = [...names].map(([value, name]) => ({
    name,
    kind: byValue.get(value)?.[0]?.span.kind ?? "token",
    places: (placesByName.get(name) ?? []).toSorted(compare),
  }));
  return { graph: clean, variables, values };
}

function secretOf(place: TextPosition, { start, end }: Span): string {
  return place.text.slice(start, end);
}

function groupByValue(found: readonly Found[]): Map<string, Found[]> {
  const groups = new Map<string, Found[]>();
  for (const item of found) {
    const group = groups.get(item.value);
    if (group) group.push(item);
    else groups.set(item.value, [item]);
  }
  return groups;
}

/** Returns the names of variables that the graph already refers to. */
function takenNames(places: readonly TextPosition[]): Set<string> {
  return new Set(places.flatMap(({ text }) => [...text.matchAll(ENV_REFERENCE)].map(([, name = ""]) => name)));
}

/** Names each value after its key and, if it has only one, its tool or node. */
function nameValues(byValue: ReadonlyMap<string, readonly Found[]>, taken: Set<string>): Map<string, string> {
  const names = new Map<string, string>();
  for (const [value, all] of byValue) {
    const own = all.filter(({ place }) => !isInOriginal(place.path));
    const found = own.length > 0 ? own : all;
    const scopes = new Set(found.map(({ place }) => place.scope));
    // a key's name describes a secret better than a text that mentions it
    const first = KINDS.flatMap((kind) => found.filter(({ span }) => span.kind === kind))[0];
    if (!first) continue;
    const about = nameWords(first.span.about);
    const around = scopes.size === 1 ? nameWords(first.place.scope ?? "") : [];
    const wanted = variableName([...around, ...about]);
    let name = wanted;
    for (let count = 2; taken.has(name); count++) name = `${wanted}_${count}`;
    taken.add(name);
    names.set(value, name);
  }
  return names;
}

function variableName(words: readonly string[]): string {
  const name = words.join("_").toUpperCase().slice(0, 60).replace(/_+$/, "");
  return /^[A-Z]/.test(name) ? name : name === "" ? "SECRET" : `SECRET_${name}`;
}

/** A part of a text. A part with a name is a secret. */
interface Piece {
  readonly text: string;
  readonly name?: string;
}

function piecesOf(text: string, spans: readonly Span[], names: ReadonlyMap<string, string>): Piece[] {
  const pieces: Piece[] = [];
  let from = 0;
  for (const { start, end } of spans) {
    pieces.push({ text: text.slice(from, start) });
    const secret = text.slice(start, end);
    pieces.push({ text: secret, name: names.get(secret) ?? "" });
    from = end;
  }
  return [...pieces, { text: text.slice(from) }];
}

/**
 * Finds known secrets in texts. Values are indexed by prefix, so that a thousand cost no more than one.
 */
function createFinder(values: readonly (readonly [value: string, name: string])[]): (text: string) => Piece[] {
  const byStart = new Map<string, (readonly [value: string, name: string])[]>();
  for (const item of values.toSorted(([a], [b]) => b.length - a.length)) {
    const start = item[0].slice(0, SURE_LENGTH);
    const known = byStart.get(start);
    if (known) known.push(item);
    else byStart.set(start, [item]);
  }
  return (text) => {
    const pieces: Piece[] = [];
    let from = 0;
    for (let at = 0; byStart.size > 0 && at + SURE_LENGTH <= text.length; at++) {
      const found = byStart.get(text.slice(at, at + SURE_LENGTH))?.find(([value]) => text.startsWith(value, at));
      if (!found) continue;
      const [value, name] = found;
      pieces.push({ text: text.slice(from, at) }, { text: value, name });
      from = at + value.length;
      at = from - 1;
    }
    return [...pieces, { text: text.slice(from) }];
  };
}

/** Sorts places in the original document last, so that names come from the graph where possible. */
function originalLast(a: Found, b: Found): number {
  return Number(isInOriginal(a.place.path)) - Number(isInOriginal(b.place.path));
}

/**
 * Compares paths key by key, numbers as numbers, so that the order does not depend on the order of keys in an export.
 */
function compare(a: Path, b: Path): number {
  for (let i = 0; i < Math.min(a.length, b.length); i++) {
    const [left = "", right = ""] = [a[i], b[i]];
    if (left === right) continue;
    if (typeof left === "number" && typeof right === "number") return left - right;
    return String(left) < String(right) ? -1 : 1;
  }
  return a.length - b.length;
}

const SCHEME = /^(\s*(?:Bearer|Basic|Token|ApiKey|Digest|Key)\s+)(\S.*)$/is;
const TYPE_NAMES = new Set(["string", "number", "integer", "boolean", "object", "array", "null", "true", "false"]);

/** Returns the secrets in a text of a graph, sorted and without overlaps. */
export function secretSpans(place: TextPosition): readonly Span[] {
  const { text, owner } = place;
  const urls = urlSpans(text, /ur[il]$/i.test(owner) ? owner : "url");
  return disjoint(text, [...keyedSpans(place), ...urls, ...tokenSpans(text), ...assignedSpans(text)]);
}

function keyedSpans({ text, owner, header, keyed }: TextPosition): Span[] {
  const words = nameWords(owner);
  // a random value of any header is a secret
  const known = header ? isLoosely(words) || isRandom(text.trim()) : keyed && isSecretName(words);
  if (!known || TYPE_NAMES.has(text)) return [];
  const [, scheme = "", rest = text] = SCHEME.exec(text) ?? [];
  // a sentence under a key such as "token" is a description; headers contain no sentences
  if (!header && /\s/.test(rest)) return [];
  if (/^https?:\/\//.test(rest)) return [];
  return [{ start: scheme.length, end: text.length, kind: header ? "header" : "key", about: owner }];
}

/**
 * Redacts a graph that is stored with results: secrets found by {@link takeSecretsOut} become `{{env:NAME}}`, values of
 * the environment `[NAME]`. Ids, names and kinds stay, so that results can be matched with it.
 */
export function graphWithoutSecrets(graph: AgentGraph): AgentGraph {
  const { text } = createRedactor();
  const { graph: opened, close } = openOriginal(takeSecretsOut(graph).graph);
  return close(withTakenOut(replaceTexts(opened, text), []));
}
