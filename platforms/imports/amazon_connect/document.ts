import type { Path } from "../../../src/base/errors.ts";
import {
  isRecord,
  isTooDeep,
  type JsonObject,
  Names,
  own,
  parsedJson,
  recordAt,
} from "../../../src/base/values/mod.ts";
import { plainName, type Target } from "../shared/mod.ts";

/** A block of a flow. */
export interface Action {
  readonly id: string;
  readonly type: string;
  readonly path: Path;
  readonly parameters: JsonObject;
  readonly next: Branch | undefined;
  readonly conditions: readonly Condition[];
  readonly errors: readonly Branch[];
}

/** A way out of a block. */
export interface Branch {
  /** The error; empty for the usual way. */
  readonly kind: string;
  readonly to: Target;
  readonly path: Path;
}

/** A way out that is taken for a value. */
export interface Condition extends Branch {
  readonly operator: string;
  readonly operands: readonly string[];
}

/** A flow, and where it stands in its document. */
export interface FoundFlow {
  readonly flow: JsonObject;
  readonly root: Path;
  readonly name: unknown;
}

/** Finds the flow of a document: as the editor exports it, or as a text in the answer of `describe-contact-flow`. */
export function flowIn(document: unknown): FoundFlow | undefined {
  if (isFlow(document)) return { flow: document, root: [], name: recordAt(document, "Metadata").name };
  if (!isRecord(document)) return undefined;
  const { Content: text, Name: name } = recordAt(document, "ContactFlow");
  const flow = typeof text === "string" ? parsedJson(text) : undefined;
  return isFlow(flow) && !isTooDeep(flow) ? { flow, root: ["ContactFlow", "Content"], name } : undefined;
}

const isFlow = (value: unknown): value is JsonObject =>
  isRecord(value) && typeof value.StartAction === "string" && Array.isArray(value.Actions);

/** Reads a block; `undefined` for a value that is none. */
export function readAction(value: unknown, path: Path): Action | undefined {
  if (!isRecord(value) || typeof value.Identifier !== "string") return undefined;
  const transitions = recordAt(value, "Transitions");
  const at = [...path, "Transitions"];
  const next = own(transitions, "NextAction");
  return {
    id: value.Identifier,
    type: typeof value.Type === "string" ? value.Type : "",
    path,
    parameters: recordAt(value, "Parameters"),
    next: next === undefined ? undefined : { kind: "", to: targetOf(next), path: [...at, "NextAction"] },
    conditions: listOf(transitions.Conditions, [...at, "Conditions"]).map(readCondition),
    errors: listOf(transitions.Errors, [...at, "Errors"]).map(([error, where]) => ({
      kind: typeof error.ErrorType === "string" ? error.ErrorType : "",
      to: targetOf(error.NextAction),
      path: where,
    })),
  };
}

function readCondition([branch, path]: readonly [JsonObject, Path]): Condition {
  const { Operator: operator, Operands: operands } = recordAt(branch, "Condition");
  return {
    kind: "",
    to: targetOf(branch.NextAction),
    path,
    operator: typeof operator === "string" ? operator : "",
    operands: (Array.isArray(operands) ? operands : []).map(String),
  };
}

function listOf(value: unknown, path: Path): readonly (readonly [JsonObject, Path])[] {
  const list: readonly unknown[] = Array.isArray(value) ? value : [];
  return list.flatMap((item, index) => (isRecord(item) ? [[item, [...path, index]] as const] : []));
}

const targetOf = (value: unknown): Target => (typeof value === "string" && value !== "" ? value : undefined);

const REFERENCE = /\$\.[A-Za-z_][\w-]*(?:\.[A-Za-z_][\w-]*)*/g;

/** The JSONPath references of a flow, such as `$.Attributes.plan`, and the variables that they become. */
export class References {
  readonly #names = new Names([], { joint: "_", limit: 60 });
  readonly #variables = new Map<string, string>();
  #taken = 0;

  /** @param source Every text of the flow. Contact attributes keep their names. */
  constructor(source: string) {
    const found = [...new Set(source.match(REFERENCE) ?? [])];
    const isOwn = (reference: string) => reference.startsWith("$.Attributes.");
    for (const reference of [...found.filter(isOwn), ...found.filter((each) => !isOwn(each))]) this.name(reference);
  }

  name(reference: string): string {
    const known = this.#variables.get(reference);
    if (known !== undefined) return known;
    const variable = this.#names.take(plainName(reference.replace(/^\$\.(?:Attributes\.|FlowAttributes\.)?/, "")));
    this.#variables.set(reference, variable);
    return variable;
  }

  /** A name for a variable that the flow does not name. */
  take(wanted: string): string {
    this.#taken += 1;
    return this.#names.take(this.#taken === 1 ? wanted : `${wanted}_${this.#taken}`);
  }

  fill(text: string): string {
    return text.replaceAll(REFERENCE, (reference) => `{{${this.name(reference)}}}`);
  }

  /** The variable of a text that is one reference. */
  only(text: string): string | undefined {
    const [found, ...others] = text.match(REFERENCE) ?? [];
    return found === text.trim() && others.length === 0 ? this.name(found) : undefined;
  }

  /** Variables that the flow reads of the last Lambda function, and their paths in its response. */
  external(): { readonly [variable: string]: string } {
    const start = "$.External.";
    return Object.fromEntries(
      [...this.#variables].flatMap(([reference, variable]) =>
        reference.startsWith(start) ? [[variable, `$.${reference.slice(start.length)}`]] : [],
      ),
    );
  }
}
