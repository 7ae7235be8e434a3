import { isRecord, type JsonObject, own, recordAt, records } from "../../../../src/base/values/mod.ts";
import { MOST_HOPS } from "../../../../src/document/graph/mod.ts";
import type { Script } from "../../elevenlabs/agent/_interpreter.ts";
import { nextOf } from "./_interpreter.ts";

const ENDS = ["End Call", "Transfer Call"];
const REQUESTS = ["Webhook", "Custom Tool"];

/**
 * A whole call of a pathway without global nodes, as Bland's documentation describes it: a node with `skipUserResponse`,
 * a request and a route go on at once, every other node waits for the caller.
 */
export class PathwayCall {
  readonly visited: string[] = [];
  ended = false;
  readonly #pathway: JsonObject;
  readonly #variables: Map<string, unknown>;
  readonly #script: Script;
  /** Names of the tools of nodes that send a request. */
  readonly #toolOf: (id: string) => string;
  #at = "";
  #hops = 0;
  #status = 200;

  constructor(pathway: JsonObject, variables: JsonObject, script: Script, toolOf: (id: string) => string) {
    this.#pathway = pathway;
    this.#variables = new Map(Object.entries(variables));
    this.#script = script;
    this.#toolOf = toolOf;
  }

  open(): void {
    const start = records(this.#pathway.nodes).find((node) => recordAt(node, "data").isStart === true);
    this.#move(String(start?.id));
  }

  hear(): void {
    this.#hops = 0;
    this.#move(this.#wayOut());
  }

  #move(first: string | undefined): void {
    for (let next = first; next !== undefined && !this.ended; next = this.#goesOn() ? this.#wayOut() : undefined) {
      if (++this.#hops > 2 * MOST_HOPS) {
        this.ended = true;
        return;
      }
      this.#at = next;
      this.visited.push(next);
      this.#work();
    }
  }

  #node(): JsonObject {
    return records(this.#pathway.nodes).find(({ id }) => id === this.#at) ?? {};
  }

  #goesOn(): boolean {
    const { type, data } = this.#node();
    const { modelOptions } = isRecord(data) ? data : {};
    const skips = isRecord(modelOptions) && modelOptions.skipUserResponse === true;
    return skips || type === "Route" || REQUESTS.includes(String(type));
  }

  #work(): void {
    const { type, data } = this.#node();
    const { extractVars, responseData } = isRecord(data) ? data : {};
    this.ended = ENDS.includes(String(type));
    if (this.ended) return;
    const isRequest = REQUESTS.includes(String(type));
    for (const row of Array.isArray(extractVars) ? extractVars : []) {
      const [name, kind, description] = Array.isArray(row) ? row : [];
      if (name === "bland-prompt") continue;
      const choices = /(?:^|\. )One of: (.+)$/s.exec(String(description))?.[1]?.split(", ");
      const value = isRequest ? "x" : this.#script.valueOf({ type: kind, enum: choices }, String(name));
      if (value !== undefined) this.#variables.set(String(name), value);
    }
    if (!isRequest) return;
    const result = this.#script.call(this.#toolOf(this.#at));
    this.#status = result ? 200 : 404;
    for (const { name, data: path } of result ? records(responseData) : []) {
      const value = own(result ?? {}, String(path).replace("$.", ""));
      if (value !== undefined) this.#variables.set(String(name), value);
    }
  }

  #wayOut(): string | undefined {
    const variables = Object.fromEntries(this.#variables);
    return nextOf(this.#pathway, this.#at, { variables, status: this.#status, holds: this.#script.holds });
  }
}
