import { type Names, own, shown } from "../../../src/base/values/mod.ts";
import type { NodeType, Transition, TransitionCondition } from "../../../src/document/graph/mod.ts";
import { ALWAYS_TAKEN, asked, filled, type GraphDraft, type NodeParts, textOf } from "../shared/mod.ts";
import type { Action, Branch, Condition, References } from "./document.ts";

/** What the blocks of a flow share while they are read. */
export interface Reading {
  readonly draft: GraphDraft;
  readonly references: References;
  /** Names of tools, each once. */
  readonly tools: Names;
}

/** One block while it becomes a node. */
export class Block {
  readonly action: Action;
  readonly draft: GraphDraft;
  readonly references: References;
  readonly tools: Names;
  readonly #used = new Set<Branch>();

  constructor(action: Action, { draft, references, tools }: Reading) {
    this.action = action;
    this.draft = draft;
    this.references = references;
    this.tools = tools;
  }

  given(key: string): unknown {
    return own(this.action.parameters, key);
  }

  /** A parameter as a text with variables in place of references. */
  text(key: string): string {
    return this.references.fill(textOf(this.given(key)));
  }

  /** The texts of a parameter by name. */
  fields(key: string): { readonly [name: string]: unknown } {
    const value = filled(this.given(key), (text) => this.references.fill(text));
    return typeof value === "object" && value !== null && !Array.isArray(value) ? { ...value } : {};
  }

  /** The first error of a kind. */
  error(...kinds: readonly string[]): Branch | undefined {
    return this.action.errors.find((branch) => kinds.includes(branch.kind) && !this.#used.has(branch));
  }

  way(branch: Branch | undefined, condition: TransitionCondition, more: Partial<Transition> = {}): Transition {
    if (branch) this.#used.add(branch);
    return this.draft.way(branch?.to, condition, branch?.path ?? this.action.path, more);
  }

  /** The way that is taken if no condition holds. Without it, the call ends. */
  otherwise(more: Partial<Transition> = {}): Transition {
    return this.way(
      this.error("NoMatchingCondition") ?? this.action.next ?? this.error("NoMatchingError"),
      ALWAYS_TAKEN,
      more,
    );
  }

  /** Conditions without an equation, in words. */
  inWords(describe: (condition: Condition) => string): readonly Transition[] {
    return this.action.conditions.map((condition) => {
      const message = `The model decides this condition: ${describe(condition)}`;
      this.draft.warn("condition-in-words", condition.path, message, "Write an equation if one will do");
      return this.way(condition, asked(describe(condition)));
    });
  }

  /** Adds the node. Branches that an agent does not have are named. */
  add(type: NodeType, parts: NodeParts, read: readonly string[] = []): void {
    const { id, path, parameters, next, conditions, errors } = this.action;
    const kept = this.draft.left(parameters, read, [...path, "Parameters"]);
    this.draft.add(id, type, { ...parts, kept }, path);
    for (const branch of [...(next ? [next] : []), ...conditions, ...errors]) {
      if (this.#used.has(branch) || branch.to === undefined) continue;
      const what = branch.kind === "" ? "This branch" : `The branch for "${branch.kind}"`;
      this.draft.note(
        "unread-branch",
        branch.path,
        `${what} to ${shown(branch.to)} has no place in an agent`,
        "Add a transition if calls need it",
      );
    }
  }
}
