import { Liquid, type Template } from "liquidjs";
import { isRecord, type JsonObject } from "../../../../../src/values/mod.ts";
import { at, nameOf, promptOf, records, toolsOf } from "../graphs.ts";

/** How something outside of Vapi answers a tool: with a JSON body, or with an error. */
export type ToolServer = (name: string, args: JsonObject) => { readonly body: unknown } | { readonly error: string };

/** What a tool call came to, as the model is told it. */
export type ToolResult = "rejected" | "failed" | "succeeded";

/** What a call of a squad is given from outside. */
export interface SquadCallOptions {
  readonly variables?: JsonObject;
  readonly server: ToolServer;
  /** Whether variables keep the JSON type that a tool answered with; Vapi's documents do not say. */
  readonly typed?: boolean;
}

const engine = new Liquid();
const SAYING = /^\{\{\s*\$([\w.[\]]*)\s*\}\}$/;

/**
 * A call of an emitted squad as Vapi holds it: which member speaks, which variables the call has, and which tools are
 * open. What the model says and which of the open tools it calls is decided by whoever drives the call.
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

  /** The node that the member who speaks was emitted for. */
  get node(): string {
    return String(at(this.#member, "assistant", "metadata", "callweave").node);
  }

  /** All tools of the member who speaks. */
  get tools(): readonly JsonObject[] {
    return toolsOf(this.#member);
  }

  /** The tools that a model may call now: those that no condition vetoes. */
  get open(): readonly JsonObject[] {
    return this.tools.filter((tool) => !this.#isVetoed(tool));
  }

  /** Nodes of the members that an open handoff leads to, and the kinds of open tools that end the call. */
  get ways(): ReadonlySet<string> {
    return new Set(this.open.flatMap((tool) => this.leadsTo(tool) ?? []));
  }

  /** Where a tool leads: a member's node, the member itself where it starts again, or `endCall` or `transferCall`. */
  leadsTo(tool: JsonObject): string | undefined {
    if (tool.type === "endCall" || tool.type === "transferCall") return tool.type;
    if (isRestart(tool)) return this.node;
    const [destination] = tool.type === "handoff" ? records(tool, "destinations") : [];
    return destination && this.#nodeOf(this.#named(String(destination.assistantName)));
  }

  /** What the model is told about when to call a tool: its description, and the points of the prompt that name it. */
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

  /** The model calls a tool. */
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

  /** All conditions must print `true` for a call to be rejected. */
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

  /** Runs a code tool in a function of its own; `fetch` is answered by the server that the call was given. */
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

  /** Every alias is rendered over the variables of the call and the answer, which is `$` and also spread. */
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

/** Whether a tool only marks what the member has done as not done. */
function isRestart(tool: JsonObject): boolean {
  const aliases = tool.type === "code" ? records(tool, "variableExtractionPlan", "aliases") : [];
  return aliases.length > 0 && aliases.every(({ value }) => value === "");
}
