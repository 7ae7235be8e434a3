import type { Path } from "../../../src/base/errors.ts";
import { Names, omit, shown } from "../../../src/base/values/mod.ts";
import type {
  AgentGraph,
  AgentNode,
  Finding,
  NodeType,
  SourceMetadata,
  Transition,
  TransitionCondition,
} from "../../../src/document/graph/mod.ts";
import { conditionsOf, type Logic } from "./logic.ts";
import { AFTER_CALLER, ALWAYS_TAKEN, ANSWERED } from "./parts.ts";

/** What a node has besides its type; what is absent is empty. */
export type NodeParts = Partial<Omit<AgentNode, "id" | "node_type" | "metadata">> & {
  /** Settings that the graph does not model. */
  readonly kept?: { readonly [key: string]: unknown };
};

/** Where a transition leads: the id of a node of the source; `undefined` where the call ends. */
export type Target = string | undefined;

/** A graph while it is read from a document of another tool. Nothing that is wrong in the document is fatal. */
export class GraphDraft {
  readonly #owner: string;
  readonly #report: (finding: Finding) => void;
  readonly #nodes = new Map<string, AgentNode>();
  readonly #names: Names;
  readonly #known: ReadonlySet<string>;
  #end: string | undefined;

  /**
   * @param owner Name of the format, and key of the metadata.
   * @param ids Ids of the source's nodes: those that transitions may lead to, and that helpers must not take.
   */
  constructor(owner: string, ids: Iterable<string>, report: (finding: Finding) => void = () => {}) {
    this.#owner = owner;
    this.#report = report;
    this.#known = new Set(ids);
    this.#names = new Names(this.#known);
  }

  /** Reports a part that was not read as it stands: calls may go another way. */
  warn(code: string, path: Path, message: string, hint: string): void {
    this.#report({ code, severity: "warning", path, message, hint });
  }

  /** Reports a setting that was not read, without a change of the conversation. */
  note(code: string, path: Path, message: string, hint: string): void {
    this.#report({ code, severity: "info", path, message, hint });
  }

  /** Returns a free id for a node that the source does not have. */
  helper(wanted: string): string {
    return this.#names.take(wanted);
  }

  /** Adds a node. A second one with the same id gets a name of its own, and nothing leads to it. */
  add(id: string, type: NodeType, parts: NodeParts, path: Path): string {
    const isDouble = this.#nodes.has(id);
    const own = isDouble ? this.#names.take(id) : id;
    if (isDouble)
      this.warn(
        "duplicate-node",
        path,
        `There is another step ${shown(id)} before it`,
        `Rename it; it is "${own}" now`,
      );
    const { kept, ...given } = parts;
    this.#nodes.set(own, {
      state_prompt: "",
      tools: [],
      transitions: [],
      variables_to_extract: [],
      ...given,
      ...{ id: own, node_type: type },
      metadata: kept && Object.keys(kept).length > 0 ? { [this.#owner]: kept } : {},
    });
    return own;
  }

  /** Makes transitions to a step of the source; more than one if an equation cannot say it all. */
  ways(target: Target, logic: Logic, path: Path, more: Partial<Transition> = {}): readonly Transition[] {
    const to = this.#place(target, path);
    return conditionsOf(logic).map((condition) => ({ target_node_id: to, condition, ...more }));
  }

  /** Makes a transition to a step of the source. */
  way(target: Target, condition: TransitionCondition, path: Path, more: Partial<Transition> = {}): Transition {
    return { target_node_id: this.#place(target, path), condition, ...more };
  }

  /** Makes a transition to a node that the source does not have. */
  step(helper: string, condition: TransitionCondition, more: Partial<Transition> = {}): Transition {
    return { target_node_id: helper, condition, ...more };
  }

  /** Makes the transitions to the node that reads the caller's answer, after those for silence. */
  answered(silent: readonly Transition[], helper: string): readonly Transition[] {
    const offered = silent.length > 0 ? [this.step(helper, ANSWERED)] : [];
    return [...silent, ...offered, this.step(helper, ALWAYS_TAKEN, AFTER_CALLER)];
  }

  #place(target: Target, path: Path): string {
    if (target === undefined) return this.end();
    if (this.#known.has(target)) return target;
    const message = `It leads to ${shown(target)}, which does not exist; the call ends there`;
    this.warn("unknown-target", path, message, "Add the step, or lead to another one");
    return this.end();
  }

  /** The node that ends a call where the source has no further step. */
  end(): string {
    this.#end ??= this.add(this.helper("end of the flow"), "end", {}, []);
    return this.#end;
  }

  /** The finished graph. An entry that does not exist is reported, and the first node taken. */
  graph(entry: Target, entryPath: Path, metadata: SourceMetadata): AgentGraph {
    if (this.#nodes.size === 0) this.end();
    const last = this.#end === undefined ? undefined : this.#nodes.get(this.#end);
    if (last) {
      this.#nodes.delete(last.id);
      this.#nodes.set(last.id, last);
    }
    const ids = [...this.#nodes.keys()];
    let start = entry ?? this.end();
    if (!this.#nodes.has(start)) {
      const message = `The first step ${shown(start)} does not exist; calls start with "${ids[0]}"`;
      this.warn("unknown-entry", entryPath, message, "Name a step");
      start = ids[0] ?? this.end();
    }
    return {
      nodes: Object.fromEntries(this.#nodes),
      entry_node_id: start,
      source_type: this.#owner,
      source_metadata: metadata,
      snippets: {},
    };
  }

  /**
   * Returns the settings of a step that were not read, and names them in one finding.
   *
   * @param read Keys that were read, or that say nothing of the conversation.
   */
  left(settings: { readonly [key: string]: unknown }, read: readonly string[], path: Path) {
    const kept = Object.fromEntries(Object.entries(omit(settings, read)).filter(([, value]) => !isEmpty(value)));
    const keys = Object.keys(kept);
    if (keys.length > 0)
      this.note(
        "unread-settings",
        path,
        `These settings are kept, but do nothing: ${keys.map((key) => `"${key}"`).join(", ")}`,
        "Set them in the options of the platform that you move to",
      );
    return kept;
  }
}

function isEmpty(value: unknown): boolean {
  if (value === null || value === undefined || value === "") return true;
  if (Array.isArray(value)) return value.length === 0;
  return typeof value === "object" && Object.keys(value).length === 0;
}
