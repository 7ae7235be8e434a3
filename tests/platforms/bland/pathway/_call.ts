import { isRecord, type JsonObject, own, recordAt, records } from "../../../../src/base/values/mod.ts";
import { type AgentGraph, MOST_HOPS } from "../../../../src/document/graph/mod.ts";
import { InterpretedCall, type Script } from "../../interpreted_call.ts";
import { nextOf } from "./_interpreter.ts";

const ENDS = ["End Call", "Transfer Call"];
const REQUESTS = ["Webhook", "Custom Tool"];

/**
 * A whole call of a pathway without global nodes, as Bland's documentation describes it: a node with `skipUserResponse`,
 * a request and a route go on at once, every other node waits for the caller.
 */
export class PathwayCall extends InterpretedCall {
  readonly #pathway: JsonObject;
  readonly #graph: AgentGraph;
  #status = 200;

  /** @param graph What the pathway was made of: its default values are given when a call starts. */
  constructor(pathway: unknown, graph: AgentGraph, variables: JsonObject, script: Script) {
    super({ ...graph.source_metadata.default_dynamic_variables, ...variables }, script, 2 * MOST_HOPS);
    this.#pathway = isRecord(pathway) ? pathway : {};
    this.#graph = graph;
  }

  open(): void {
    const start = records(this.#pathway.nodes).find((node) => recordAt(node, "data").isStart === true);
    this.start(String(start?.id));
  }

  /** The node that says the begin message stands for the first one, and has its ways out. */
  protected override nameOf(id: string): string {
    const isStart = recordAt(this.#node(), "data").isStart === true;
    return isStart && !Object.hasOwn(this.#graph.nodes, id) ? this.#graph.entry_node_id : id;
  }

  #node(): JsonObject {
    return records(this.#pathway.nodes).find(({ id }) => id === this.at) ?? {};
  }

  protected goesOn(): boolean {
    const { type, data } = this.#node();
    const { modelOptions } = isRecord(data) ? data : {};
    const skips = isRecord(modelOptions) && modelOptions.skipUserResponse === true;
    return skips || type === "Route" || REQUESTS.includes(String(type));
  }

  protected work(): void {
    const { type, data } = this.#node();
    const { extractVars, responseData } = isRecord(data) ? data : {};
    this.ended = ENDS.includes(String(type));
    if (this.ended) return;
    const isRequest = REQUESTS.includes(String(type));
    for (const row of Array.isArray(extractVars) ? extractVars : []) {
      const [name, kind, description] = Array.isArray(row) ? row : [];
      if (name === "bland-prompt") continue;
      const choices = /(?:^|\. )One of: (.+)$/s.exec(String(description))?.[1]?.split(", ");
      const value = isRequest ? "x" : this.script.valueOf({ type: kind, enum: choices }, String(name));
      if (value !== undefined) this.variables.set(String(name), value);
    }
    if (!isRequest) return;
    const result = this.script.call(own(this.#graph.nodes, this.at)?.tools[0]?.name ?? "");
    this.#status = result ? 200 : 404;
    for (const { name, data: path } of result ? records(responseData) : []) {
      const value = own(result ?? {}, String(path).replace("$.", ""));
      if (value !== undefined) this.variables.set(String(name), value);
    }
  }

  protected wayOut(): string | undefined {
    const variables = Object.fromEntries(this.variables);
    return nextOf(this.#pathway, this.at, { variables, status: this.#status, holds: this.script.holds });
  }
}
