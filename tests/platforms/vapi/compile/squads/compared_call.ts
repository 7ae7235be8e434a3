import assert from "node:assert/strict";
import { emitSquad } from "../../../../../platforms/vapi/compile/mod.ts";
import { isRecord, type JsonObject, own } from "../../../../../src/base/values/mod.ts";
import { conversation } from "../../../../../src/call/engine/mod.ts";
import { type ScriptedAnswer, scripted } from "../../../../../src/call/models/mod.ts";
import type { AgentGraph, AgentNode } from "../../../../../src/document/graph/mod.ts";
import type { ToolMock } from "../../../../../src/document/scenario/mod.ts";
import { json, nameOf, records } from "../graphs.ts";
import { isDecided, type Progress, possibleWays, wayFor } from "./possible.ts";
import { SquadCall } from "./squad_call.ts";

/** A call for both the engine and an emitted squad. */
export interface ComparedCall {
  readonly graph: AgentGraph;
  readonly lines: readonly string[];
  readonly answers: {
    readonly transition: readonly ScriptedAnswer[];
    readonly respond?: readonly ScriptedAnswer[];
    readonly extract?: readonly ScriptedAnswer[];
    readonly arguments?: readonly ScriptedAnswer[];
  };
  readonly mocks?: readonly ToolMock[];
  readonly variables?: JsonObject;
  /** Whether the squad's variables keep the type of a tool's result. */
  readonly typed?: boolean;
}

/** The nodes that both calls visited. */
export interface ComparedCourse {
  readonly visited: readonly string[];
  /** Whether the calls were compared up to the end. */
  readonly isWhole: boolean;
}

/**
 * Simulates a call with the engine, then repeats the engine's decisions in the squad, step by step.
 *
 * After every step, the squad's open tools must be exactly the transitions that the graph allows, because a model may
 * take any of them.
 *
 * Guards read the current variables, the engine those at the time of a transition. If an extraction in between makes an
 * equation false, the call of the squad stays at its member, and the comparison ends.
 *
 * @returns The nodes that both visited, without silent nodes and repeated visits in a row.
 */
export async function compareCalls(compared: ComparedCall): Promise<ComparedCourse> {
  const { graph, lines, answers, mocks = [], variables = {}, typed = false } = compared;
  const call = conversation(graph, { models: { agent: scripted({ ...answers }) }, variables, mocks });
  await call.open();
  for (const line of lines) if (!call.ended) await call.hear(line);

  const answered: { name: string; result: unknown; outcome: string }[] = [];
  const config = json(emitSquad(graph).config);
  const squad = new SquadCall(config, {
    variables,
    typed,
    server: (name) => {
      const answer = answered[0];
      if (!answer) throw new TypeError(`nobody answers "${name}"`);
      return answer.outcome === "succeeded" ? { body: answer.result } : { error: "HTTP 500" };
    },
  });
  const members = new Set(records(config, "members").map(nodeOfMember));
  const follower = new Follower(graph, members, squad, {
    ...graph.source_metadata.default_dynamic_variables,
    ...variables,
  });
  follower.check("at the start");
  for (const { role, node_id, metadata } of call.transcript) {
    if (role !== "tool") continue;
    if (metadata.kind === "tool_call") {
      answered[0] = { name: String(metadata.name), result: metadata.result, outcome: String(metadata.outcome) };
    }
    await follower.step(node_id, metadata);
    if (follower.isCut) break;
  }
  return { visited: follower.visited, isWhole: !follower.isCut };
}

/** Repeats the engine's steps in a squad. */
class Follower {
  readonly visited: string[];
  isCut = false;
  readonly #graph: AgentGraph;
  readonly #squad: SquadCall;
  readonly #variables: { [name: string]: unknown };
  readonly #members: ReadonlySet<string>;
  #extracted = new Set<string>();
  #outcomes = new Map<string, "succeeded" | "failed">();
  #origin: string | undefined;

  constructor(graph: AgentGraph, members: ReadonlySet<string>, squad: SquadCall, variables: JsonObject) {
    this.#graph = graph;
    this.#squad = squad;
    this.#variables = { ...variables };
    this.#members = members;
    this.visited = [graph.entry_node_id];
  }

  async step(id: string, metadata: JsonObject): Promise<void> {
    const node = this.#node(id);
    if (metadata.kind === "extraction")
      await this.#extract(node, isRecord(metadata.variables) ? metadata.variables : {});
    if (metadata.kind === "tool_call") await this.#callTool(node, metadata);
    if (metadata.kind === "transition") await this.#move(String(metadata.to), String(metadata.from));
    if (!this.#squad.ended && !this.isCut) this.check(`after ${String(metadata.kind)} at "${id}"`);
  }

  /** Asserts that the open tools are those that the graph allows, and that variables are equal. */
  check(when: string): void {
    const here = this.#squad.node;
    const canRestart = this.#squad.tools.some((tool) => this.#squad.leadsTo(tool) === here);
    const allowed = [...this.#allowed()].filter(
      (way) => canRestart || (way !== here && !way.startsWith(`${here} for `)),
    );
    assert.deepEqual([...this.#ways()].sort(), allowed.sort(), `ways out of "${here}" ${when}`);
    for (const [name, value] of Object.entries(this.#variables))
      assert.equal(String(own(this.#squad.variables, name)), String(value), `variable "${name}" ${when}`);
  }

  /** Returns the targets of open tools, with the LLM conditions they belong to. */
  #ways(): ReadonlySet<string> {
    const node = this.#node(this.#squad.node);
    const isJudged = node.node_type === "conversation" && !isDecided(node, this.#progress);
    const conditions = isJudged ? node.transitions.map(({ condition }) => condition) : [];
    const words = conditions.flatMap(({ type, value }) => (type === "llm_prompt" ? [value] : []));
    return new Set(
      this.#squad.open.flatMap((tool) => {
        const way = this.#squad.leadsTo(tool);
        if (way === undefined) return [];
        const told = this.#squad.told(tool);
        return [way, ...words.filter((each) => told.includes(each)).map((each) => wayFor(way, each))];
      }),
    );
  }

  #allowed(): ReadonlySet<string> {
    return possibleWays(this.#graph, this.#squad.node, (id) => this.#members.has(id), this.#progress);
  }

  get #progress(): Progress {
    return {
      variables: this.#variables,
      extracted: this.#extracted,
      outcomes: this.#outcomes,
      origin: this.#origin,
    };
  }

  async #extract(node: AgentNode, values: JsonObject): Promise<void> {
    const wanted = node.variables_to_extract.map(({ name }) => name).sort();
    const tools = this.#squad.tools.filter(
      (tool) => tool.type === "code" && String(Object.keys(propertiesOf(tool)).sort()) === String(wanted),
    );
    const tool = tools.find((each) => nameOf(each).includes(node.id)) ?? tools[0];
    assert.ok(tool, `no tool of "${this.#squad.node}" extracts for "${node.id}"`);
    const missing = records({ list: [requiredOf(tool)] }, "list").filter(
      (name) => !Object.hasOwn(values, String(name)),
    );
    assert.deepEqual(missing, []);
    const args = Object.fromEntries(
      node.variables_to_extract.flatMap(({ name, type }) =>
        Object.hasOwn(values, name) ? [[name, typedValue(String(values[name]), type)] as const] : [],
      ),
    );
    assert.equal(await this.#squad.use(tool, args), "succeeded");
    Object.assign(this.#variables, values);
    for (const other of Object.values(this.#graph.nodes)) if (isSameWork(node, other)) this.#extracted.add(other.id);
  }

  async #callTool(node: AgentNode, { name, arguments: args, outcome, result }: JsonObject): Promise<void> {
    const tool = this.#squad.tools.find((each) => nameOf(each) === name);
    assert.ok(tool, `"${this.#squad.node}" has no tool "${String(name)}"`);
    await this.#squad.use(tool, isRecord(args) ? args : {});
    if (outcome === "failed") await this.#noteFailure(String(name));
    if (node.node_type === "function") this.#outcomes.set(node.id, outcome === "failed" ? "failed" : "succeeded");
    if (outcome !== "succeeded" || !isRecord(result)) return;
    const definition = node.tools.find((each) => each.name === name);
    for (const [variable, path] of Object.entries(definition?.response_variables ?? {})) {
      const value = own(result, path.replace("$.", ""));
      if (value !== undefined && value !== null) this.#variables[variable] = value;
    }
  }

  /** Reports the failure of a tool for which Vapi sets no variable, as the model would. */
  async #noteFailure(name: string): Promise<void> {
    const tool = this.#squad.open.find((each) => nameOf(each) === `${name}_failed`);
    if (tool) assert.equal(await this.#squad.use(tool), "succeeded");
  }

  async #move(target: string, source: string): Promise<void> {
    const { node_type: type } = this.#node(target);
    const isEnd = !this.#members.has(target) && (type === "end" || type === "transfer");
    if (!isEnd && !this.#members.has(target)) return;
    const way = isEnd ? (type === "end" ? "endCall" : "transferCall") : target;
    if (!this.#allowed().has(way)) {
      this.isCut = true;
      return;
    }
    const from = this.#squad.node;
    const tool = this.#squad.open.find((each) => this.#squad.leadsTo(each) === way);
    if (!tool && way === from && this.#outcomes.size + this.#extracted.size === 0) return;
    assert.ok(tool, `"${from}" has no open way to "${way}"`);
    assert.equal(await this.#squad.use(tool), "succeeded");
    this.#extracted = new Set();
    this.#outcomes = new Map();
    if (way === from) return;
    this.visited.push(target);
    const isBack = this.#origin === target && this.#node(from).global_node_setting;
    this.#origin = this.#node(target).global_node_setting && !isBack ? source : undefined;
  }

  #node(id: string): AgentNode {
    const node = own(this.#graph.nodes, id);
    assert.ok(node, `no node "${id}"`);
    return node;
  }
}

/** Whether two nodes share an extraction tool: they extract the same variables with the same prompt. */
function isSameWork(node: AgentNode, other: AgentNode): boolean {
  const work = ({ node_type, state_prompt, variables_to_extract }: AgentNode) =>
    JSON.stringify([node_type, state_prompt, variables_to_extract]);
  return work(node) === work(other);
}

function nodeOfMember(member: JsonObject): string {
  const [assistant, metadata] = [member.assistant, isRecord(member.assistant) ? member.assistant.metadata : undefined];
  const hint = isRecord(metadata) && isRecord(metadata.callweave) ? metadata.callweave : {};
  return String(hint.node ?? assistant);
}

function propertiesOf(tool: JsonObject): JsonObject {
  const parameters = isRecord(tool.function) && isRecord(tool.function.parameters) ? tool.function.parameters : {};
  return isRecord(parameters.properties) ? parameters.properties : {};
}

function requiredOf(tool: JsonObject): unknown {
  const parameters = isRecord(tool.function) && isRecord(tool.function.parameters) ? tool.function.parameters : {};
  return parameters.required;
}

/** Converts an extracted value to the type of the tool's schema. */
function typedValue(text: string, type: string): unknown {
  if (type === "number") return Number(text);
  return type === "boolean" ? text === "true" : text;
}
