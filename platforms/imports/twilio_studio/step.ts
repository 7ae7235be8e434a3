import { type Names, own, shown } from "../../../src/base/values/mod.ts";
import type { NodeType, ToolDefinition, Transition, TransitionCondition } from "../../../src/document/graph/mod.ts";
import { asked, filled, type GraphDraft, type NodeParts, textOf, toolCalled } from "../shared/mod.ts";
import type { Exit, Widget } from "./document.ts";
import { hasLogic, type References } from "./references.ts";

/** What the widgets of a flow share while they are read. */
export interface Reading {
  readonly draft: GraphDraft;
  readonly references: References;
  /** Names of tools, each once. */
  readonly tools: Names;
}

/** Events at which the call is over, so that nothing can follow. */
const OVER = ["hangup"];

/** One widget while it becomes a node. */
export class Step {
  readonly widget: Widget;
  readonly draft: GraphDraft;
  readonly references: References;
  readonly #tools: Names;
  readonly #used = new Set<Exit>();
  readonly #named = new Set<string>();

  constructor(widget: Widget, { draft, references, tools }: Reading) {
    this.widget = widget;
    this.draft = draft;
    this.references = references;
    this.#tools = tools;
  }

  /** A setting as it is written in the flow. */
  given(key: string): unknown {
    return own(this.widget.properties, key);
  }

  /** A setting as a text with variables in place of references. */
  text(key: string): string {
    return this.fill(textOf(this.given(key)), key);
  }

  /** A text or a value with variables in place of references. Liquid that is more than a reference is named. */
  fill(text: string, key: string): string {
    if (hasLogic(text) && !this.#named.has(key)) {
      this.#named.add(key);
      this.draft.warn(
        "template",
        [...this.widget.path, "properties", key],
        `Tags and filters of Liquid are not computed: ${shown(text)}`,
        "Write the text without them",
      );
    }
    return this.references.fill(text);
  }

  /** A value whose texts are filled. */
  value(value: unknown, key: string): unknown {
    return filled(value, (text) => this.fill(text, key));
  }

  /** The first exits of events, in this order. */
  exit(...events: readonly string[]): Exit | undefined {
    const found = events
      .map((event) => this.widget.exits.find((exit) => exit.event === event && !this.#used.has(exit)))
      .find((exit) => exit !== undefined);
    if (found) this.#used.add(found);
    return found;
  }

  /** A transition for an event. Without it, the call ends. */
  way(exit: Exit | undefined, condition: TransitionCondition, more: Partial<Transition> = {}): Transition {
    return this.draft.way(exit?.next, condition, exit?.path ?? this.widget.path, more);
  }

  /** Transitions for an event, if the widget has it and it leads somewhere. */
  ways(exit: Exit | undefined, condition: TransitionCondition, more?: Partial<Transition>): readonly Transition[] {
    return exit?.next === undefined ? [] : [this.way(exit, condition, more)];
  }

  /** Transitions after a tool: the events of success and of failure. */
  outcomes(tool: ToolDefinition, success: string, failure: string): readonly Transition[] {
    return [
      this.way(this.exit(success), toolCalled(tool.name, "succeeded")),
      this.way(this.exit(failure), toolCalled(tool.name, "failed")),
    ];
  }

  toolName(): string {
    return this.#tools.take(this.widget.name.replaceAll(/\W+/g, "_") || "tool");
  }

  /** Variables that the flow reads of a tool's response, and their paths in it. */
  responses(): { readonly [variable: string]: string } {
    const results = this.references.ofWidget(this.widget.name);
    return Object.fromEntries(results.map(({ path, variable }) => [variable, `$.${path}`]));
  }

  /** Adds the node. Events that were not read lead on by a condition in words. */
  add(type: NodeType, { transitions = [], ...parts }: NodeParts, read: readonly string[] = []): void {
    const { name, path, properties } = this.widget;
    const kept = this.draft.left(properties, [...read, "offset"], [...path, "properties"]);
    this.draft.add(name, type, { ...parts, transitions: [...transitions, ...this.#others()], kept }, path);
  }

  #others(): readonly Transition[] {
    const { name, exits } = this.widget;
    return exits.flatMap((exit) => {
      const { event, next, path } = exit;
      if (this.#used.has(exit) || next === undefined) return [];
      if (OVER.includes(event)) {
        this.draft.warn(
          "after-the-call",
          path,
          `"${next}" follows after the caller hangs up and is not reached`,
          "Remove it",
        );
        return [];
      }
      const words = `The step "${name}" ended with "${event}"`;
      this.draft.warn(
        "event-in-words",
        path,
        `The model decides whether "${name}" ended with "${event}"`,
        "Write the condition in your own words",
      );
      return [this.way(exit, asked(words))];
    });
  }
}
