import { Liquid, type Template } from "liquidjs";
import { isRecord, type JsonObject } from "../../../../../src/base/values/mod.ts";
import { at, nameOf, promptOf, records, toolsOf } from "../graphs.ts";

/** Response of a server to a tool: a JSON body or an error. */
export type ToolServer = (name: string, args: JsonObject) => { readonly body: unknown } | { readonly error: string };

/** Result of a tool call for the model. */
export type ToolResult = "rejected" | "failed" | "succeeded";

/** Inputs of a squad's call. */
export interface SquadCallOptions {
  readonly variables?: JsonObject;
  readonly server: ToolServer;
  /** Whether variables keep the JSON type of a tool's result. Vapi does not document it. */
  readonly typed?: boolean;
}

const engine = new Liquid();
const SAYING = /^\{\{\s*\$([\w.[\]]*)\s*\}\}$/;

/**
 * Simulates how Vapi runs a call of an emitted squad: the current member, the variables, and the open tools. The test
 * decides which of the open tools the model calls.
 */
export class SquadCall {
  readonly variables: { [name: string]: unknown };
  /** Nodes of the members that have spoken, in order. */
  readonly visited: string[] = [];
  readonly messages: JsonObject[] = [];
  ended: "endCall" | "transferCall" | undefined;
  #member: JsonObject;
  readonly #parsed = new Map<string, Template[]>();
  readonly #told = new Map<JsonObject, string>();
  readonly #squad: JsonObject;
  readonly #options: SquadCallOptions;

  constructor(squad: JsonObject, options: SquadCallOptions) {
    const [first] = records(squad, "members");
    if (!first) throw new TypeError("the squad has no members");
    this.#squad = squad;
    this.#options = options;
    this.variables = { ...at(squad, "membersOverrides", "variableValues"), ...options.variables };
    this.#member = first;
    this.visited.push(this.node);
  }

  /** Node of the current member. */
  get node(): string {
    return String(at(this.#member, "assistant", "metadata", "callweave").node);
  }

  /** All tools of the current member. */
  get tools(): readonly JsonObject[] {
    return toolsOf(this.#member);
  }

  /** Tools that are not rejected now. */
  get open(): readonly JsonObject[] {
    return this.tools.filter((tool) => !this.#isVetoed(tool));
  }

  /** Targets of open handoffs, and types of open tools that end the call. */
  get ways(): ReadonlySet<string> {
    return new Set(this.open.flatMap((tool) => this.leadsTo(tool) ?? []));
  }

  /** Returns the target of a tool: a node (the current one if the tool restarts it), `endCall` or `transferCall`. */
  leadsTo(tool: JsonObject): string | undefined {
    if (tool.type === "endCall" || tool.type === "transferCall") return tool.type;
    if (isRestart(tool)) return this.node;
    const [destination] = tool.type === "handoff" ? records(tool, "destinations") : [];
    return destination && this.#nodeOf(this.#named(String(destination.assistantName)));
  }

  /** Returns the descriptions of a tool; for `endCall`, also the list items of the prompt that name it. */
  told(tool: JsonObject): string {
    const text = this.#told.get(tool) ?? this.#tellOf(tool);
    this.#told.set(tool, text);
    return text;
  }

  #tellOf(tool: JsonObject): string {
    const name = nameOf(tool);
    const points = promptOf(this.#member).split(/^- /m).slice(1);
    const named = points.filter((point) => new RegExp(`call ${name}\\b`, "i").test(point));
    const descriptions = [at(tool, "function"), ...records(tool, "destinations")].map(({ description }) => description);
    return [...descriptions, ...(tool.type === "endCall" ? named : [])].join("\n");
  }

  /** Calls a tool as the model. */
  async use(tool: JsonObject, args: JsonObject = {}): Promise<ToolResult> {
    const name = nameOf(tool);
    this.messages.push({ role: "assistant", tool_calls: [{ function: { name, arguments: JSON.stringify(args) } }] });
    if (this.#isVetoed(tool)) return "rejected";
    if (tool.type === "handoff") return this.#handOff(tool);
    if (tool.type === "endCall" || tool.type === "transferCall") {
      this.ended = tool.type;
      return "succeeded";
    }
    const answer = tool.type === "code" ? await this.#run(tool, args) : this.#options.server(name, args);
    this.messages.push({ role: "tool", content: JSON.stringify(answer) });
    if ("error" in answer) return "failed"; // Vapi extracts nothing from a failed call
    this.#extract(records(tool, "variableExtractionPlan", "aliases"), answer.body);
    return "succeeded";
  }

  #named(name: string): JsonObject {
    const found = records(this.#squad, "members").find((member) => at(member, "assistant").name === name);
    if (!found) throw new TypeError(`no member "${name}"`);
    return found;
  }

  #nodeOf(member: JsonObject): string {
    return String(at(member, "assistant", "metadata", "callweave").node);
  }

  /** Whether a tool call is rejected: all conditions must print `true`. */
  #isVetoed(tool: JsonObject): boolean {
    const conditions = records(tool, "rejectionPlan", "conditions");
    const printed = conditions.map(({ liquid }) => this.#render(String(liquid), { messages: this.messages }));
    for (const text of printed) if (text !== "true" && text !== "false") throw new TypeError(`printed "${text}"`);
    return printed.length > 0 && printed.every((text) => text === "true");
  }

  #handOff(tool: JsonObject): ToolResult {
    const [destination] = records(tool, "destinations");
    this.#member = this.#named(String(destination?.assistantName));
    Object.assign(this.variables, at(destination, "assistantOverrides", "variableValues"));
    this.visited.push(this.node);
    return "succeeded";
  }

  /** Runs a code tool; its `fetch` calls the given server. */
  async #run(tool: JsonObject, args: JsonObject): Promise<{ body: unknown } | { error: string }> {
    const env = Object.fromEntries(
      records(tool, "environmentVariables").map(({ name, value }) => [String(name), this.#render(String(value))]),
    );
    const request = async (_url: unknown) => {
      const answer = this.#options.server(nameOf(tool), args);
      return "error" in answer
        ? new Response(answer.error, { status: 500 })
        : new Response(JSON.stringify(answer.body), { status: 200 });
    };
    const run = new Function("args", "env", "fetch", `return (async () => { ${String(tool.code)}\n})()`);
    try {
      return { body: await run(args, env, request) };
    } catch (error) {
      return { error: String(error) };
    }
  }

  /** Renders each alias with the variables of the call and the result, as `$` and as top-level names. */
  #extract(aliases: readonly JsonObject[], body: unknown): void {
    const scope = { ...(isRecord(body) ? body : {}), _answer: body };
    const values = aliases.map(({ key, value }): [string, unknown] => {
      const path = this.#options.typed ? SAYING.exec(String(value))?.[1] : undefined;
      const text = String(value).replace(/\$(?=[.[\s}|])/g, "_answer");
      return [String(key), path === undefined ? this.#render(text, scope) : this.#read(text, scope)];
    });
    for (const [key, value] of values) this.variables[key] = value;
  }

  #render(template: string, scope: JsonObject = {}): string {
    const parsed = this.#parsed.get(template) ?? engine.parse(template);
    this.#parsed.set(template, parsed);
    return String(engine.renderSync(parsed, { ...this.variables, ...scope }));
  }

  #read(template: string, scope: JsonObject): unknown {
    return engine.evalValueSync(template.replace(/^\{\{|\}\}$/g, ""), { ...this.variables, ...scope }) ?? "";
  }
}

/** Whether a tool only resets the variables that mark work as done. */
function isRestart(tool: JsonObject): boolean {
  const aliases = tool.type === "code" ? records(tool, "variableExtractionPlan", "aliases") : [];
  return aliases.length > 0 && aliases.every(({ value }) => value === "");
}
