import { isRecord, type JsonObject, own, recordAt, records } from "../../../../src/base/values/mod.ts";
import { MOST_HOPS } from "../../../../src/document/graph/mod.ts";
import { InterpretedCall, type Script } from "../../interpreted_call.ts";
import { nextOf } from "./_interpreter.ts";

const ENDS = ["hangup", "transfer", "refer", "invite"];
const ORDER = /(?:^|\n\n)Call the tool "(.+?)"(?: to transfer the call to .*)?(?: for these variables only: (.*))?\.$/s;

/**
 * A whole call of a conversation flow, as Telnyx's documentation describes it: speak and tool nodes go on at once, a
 * prompt node answers the caller, and the first of its edges that is true is taken, `default` last.. A node
 * that is told to call a tool does so before the caller speaks again.
 */
export class FlowCall extends InterpretedCall {
  readonly #flow: JsonObject;
  readonly #greeting: unknown;

  constructor(assistant: unknown, variables: JsonObject, script: Script) {
    const document = isRecord(assistant) ? assistant : {};
    super({ ...recordAt(document, "dynamic_variables"), ...variables }, script, 2 * MOST_HOPS);
    this.#greeting = document.greeting;
    // without a flow, an assistant is one prompt
    const only = { id: "assistant", instructions: document.instructions, tools: document.tools };
    const alone = { start_node_id: "assistant", nodes: [only], edges: [] };
    this.#flow = isRecord(document.conversation_flow) ? document.conversation_flow : alone;
  }

  open(): void {
    const first = String(this.#flow.start_node_id);
    if (this.#greeting !== "") {
      this.start(first);
      return;
    }
    // the caller speaks first
    this.at = first;
    this.visited.push(first);
  }

  protected goesOn(): boolean {
    const { type } = this.#node();
    return type === "tool" || type === "speak" || this.#ordered() !== undefined;
  }

  protected work(): void {
    const node = this.#node();
    // the call is another assistant's now
    if (Object.keys(node).length === 0) this.ended = true;
    const tool = node.type === "tool" ? node.tool : this.#ordered();
    if (isRecord(tool)) this.#run(tool);
  }

  protected wayOut(): string | undefined {
    const { holds } = this.script;
    const variables = Object.fromEntries(this.variables);
    return nextOf(this.#flow, this.at, { variables, holds: (prompt) => holds(this.filled(prompt)) });
  }

  #node(): JsonObject {
    return records(this.#flow.nodes).find(({ id }) => id === this.at) ?? {};
  }

  /** The tool that the instructions tell the model to call. */
  #ordered(): JsonObject | undefined {
    const { instructions, tools } = this.#node();
    const name = ORDER.exec(String(instructions ?? ""))?.[1];
    return records(tools).find((tool) => name !== undefined && [tool.type, nameOf(tool)].includes(name));
  }

  /** The variables that the instructions name, if the tool has others, too. */
  #wanted(): readonly string[] | undefined {
    return ORDER.exec(String(this.#node().instructions ?? ""))?.[2]?.split(", ");
  }

  #run(tool: JsonObject): void {
    const { type } = tool;
    const body = recordAt(tool, String(type));
    if (ENDS.includes(String(type))) {
      this.ended = true;
      return;
    }
    if (type === "update_dynamic_variables") {
      const wanted = this.#wanted();
      this.#update(records(body.updatable_variables).filter(({ name }) => wanted?.includes(String(name)) ?? true));
      return;
    }
    const result = this.script.call(String(nameOf(tool)));
    for (const { name, value_path: path } of result ? records(body.store_fields_as_variables) : []) {
      const value = own(result ?? {}, String(path));
      if (value !== undefined) this.variables.set(String(name), value);
    }
  }

  #update(list: readonly JsonObject[]): void {
    for (const { name, type, description } of list) {
      const choices = /(?:^| )One of: (.+)$/s.exec(String(description ?? ""))?.[1]?.split(", ");
      const value = this.script.valueOf({ type, enum: choices }, String(name));
      if (value !== undefined) this.variables.set(String(name), value);
    }
  }
}

const nameOf = (tool: JsonObject) => recordAt(tool, String(tool.type)).name ?? tool.type;
