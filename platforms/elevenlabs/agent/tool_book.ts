import type { Path } from "../../../src/base/errors.ts";
import { canonicalJson, type JsonObject, Names, pick } from "../../../src/base/values/mod.ts";
import type { AgentGraph, AgentNode, ToolDefinition } from "../../../src/document/graph/mod.ts";
import { carriedRequest, requestSettings } from "../../known/mod.ts";
import { lensOf, OWNER, REQUEST, settingsOf, systemTool, writeTool } from "../traits/mod.ts";
import type { ElevenLabsLosses } from "./losses.ts";

/** The tools of one node. `listed`: those of the agent that it has, if it lacks some. */
interface NodeTools {
  readonly ids: readonly string[];
  readonly builtIn: { readonly [key: string]: JsonObject };
  readonly listed?: readonly string[];
}

/** The tools of an agent: those of every node, and those that nodes name. */
export class ToolBook {
  readonly #tools: JsonObject[] = [];
  readonly #ids: string[] = [];
  readonly #builtIn: { [key: string]: JsonObject } = {};
  readonly #names = new Map<string, string>();
  readonly #taken: Names;
  readonly #general = new Map<string, ToolDefinition>();
  readonly #isNative: boolean;
  readonly #losses: ElevenLabsLosses;

  constructor({ nodes }: AgentGraph, isNative: boolean, losses: ElevenLabsLosses, imported?: AgentGraph) {
    this.#isNative = isNative;
    this.#losses = losses;
    this.#taken = new Names([], { joint: "_" });
    const general = Object.values(nodes).flatMap(({ tools }) => tools.filter(isGeneral));
    for (const tool of general) this.#general.set(tool.name, tool);
    const before = Object.values(imported?.nodes ?? {}).flatMap(({ tools }) => tools);
    const gone = before.filter(({ name, metadata }) => lensOf(metadata).stored === true && !this.#general.has(name));
    const message = `Which of the agent's tool_ids are those of ${[...new Set(gone.map(({ name }) => name))].join(", ")} is not known`;
    if (gone.length > 0) losses.add("tool-ids", ["nodes"], message, "an agent that keeps these tools by their ids");
  }

  /** Adds a tool that every node has. */
  addGeneral(tool: ToolDefinition, path: Path): void {
    const lens = lensOf(tool.metadata);
    const id = idOf(tool, this.#isNative);
    if (id !== undefined) {
      if (!this.#ids.includes(id)) this.#ids.push(id);
      return;
    }
    if (typeof lens.id === "string" && !this.#ids.includes(lens.id)) this.#ids.push(lens.id);
    const system = systemTool(tool);
    const config = this.#write(tool, path);
    const key = typeof lens.built_in === "string" ? lens.built_in : (system ?? "");
    const isListed = system === undefined || lens.general === "tools";
    if (isListed && !this.#tools.some((each) => each.name === config.name)) this.#tools.push(config);
    if (system !== undefined && (lens.general !== "tools" || typeof lens.built_in === "string"))
      this.#builtIn[key] = config;
  }

  /** The tools in the agent's prompt. */
  base(): JsonObject {
    return {
      ...(this.#ids.length > 0 ? { tool_ids: this.#ids } : {}),
      ...(Object.keys(this.#builtIn).length > 0 ? { built_in_tools: this.#builtIn } : {}),
      ...(this.#tools.length > 0 ? { tools: this.#tools } : {}),
    };
  }

  /** The tools of one node. */
  ofNode({ id: nodeId, tools }: AgentNode): NodeTools {
    const ids: string[] = [];
    const general = tools.filter(isGeneral);
    const builtIn: { [key: string]: JsonObject } = {};
    for (const [index, tool] of tools.entries()) {
      const path = ["nodes", nodeId, "tools", index];
      if (isGeneral(tool)) {
        this.addGeneral(tool, path);
        continue;
      }
      const system = systemTool(tool);
      if (system === undefined) {
        ids.push(this.#reference(tool, path));
        continue;
      }
      const key = String(lensOf(tool.metadata).built_in ?? system);
      if (Object.hasOwn(builtIn, key))
        this.#losses.add("function-tools", path, `A node has one tool that is "${key}": "${tool.name}" is left out`);
      else builtIn[key] = this.#write(tool, path);
    }
    const missing = [...this.#general.values()].filter(({ name }) => general.every((tool) => tool.name !== name));
    if (missing.length === 0) return { ids, builtIn };
    const fixed = missing.filter((tool) => systemTool(tool) !== undefined).map(({ name }) => name);
    const message = `A node cannot be without the agent's built-in tools: ${fixed.join(", ")}`;
    if (fixed.length > 0) this.#losses.add("general-tool", ["nodes", nodeId, "tools"], message, "a node that has them");
    const listed = general.filter((tool) => lensOf(tool.metadata).general !== "built_in_tools");
    return { ids, builtIn, listed: listed.map((tool) => idOf(tool, this.#isNative) ?? tool.name) };
  }

  /** The tools that a tool node runs. */
  located({ id, tools }: AgentNode): readonly JsonObject[] {
    const lose = this.#isNative ? () => {} : this.#losses.add;
    const path = ["nodes", id, "tools"];
    if (tools.length === 0) lose("function-tool", ["nodes", id], "A tool node needs a tool", "a node without a tool");
    const several = "A tool node runs all its tools, and a function node its first";
    if (tools.length > 1) lose("function-tools", path, several, "the first tool");
    return tools.slice(0, this.#isNative ? tools.length : 1).map((tool, index) => {
      const message = `A tool node cannot run the system tool "${tool.name}"`;
      if (systemTool(tool) !== undefined) lose("function-tool", [...path, index], message, "a node that names it");
      return {
        tool_id: this.#reference(tool, [...path, index]),
        ...pick(settingsOf(tool.metadata), ["schema_overrides"]),
      };
    });
  }

  /** The id of a stored tool, or the name of one that has to be created. */
  #reference(tool: ToolDefinition, path: Path): string {
    const id = idOf(tool, this.#isNative);
    if (id !== undefined) return id;
    const config = this.#write(tool, path);
    if (!this.#tools.some((each) => each.name === config.name)) this.#tools.push(config);
    if (!this.#isNative) {
      const message = `ElevenLabs keeps tools apart, and "${tool.name}" has no id there`;
      this.#losses.add("tool-inline", path, message, "a tool of the agent, which deploying creates");
    }
    return String(config.name);
  }

  /** Writes a tool. Tools that differ have different names, because nodes name them. */
  #write(tool: ToolDefinition, path: Path): JsonObject {
    const request = requestSettings(carriedRequest(tool, OWNER, REQUEST));
    const config = writeTool(tool, path, { losses: this.#losses, isNative: this.#isNative, request });
    const key = `${tool.name} ${canonicalJson(config)}`;
    const name = this.#names.get(key) ?? this.#taken.take(tool.name, 64);
    this.#names.set(key, name);
    const message = `Another tool is also named "${tool.name}", and differs`;
    if (name !== tool.name) this.#losses.add("tool-renamed", path, message, `the tool "${name}"`);
    return name === tool.name ? config : { ...config, name };
  }
}

const isGeneral = ({ metadata }: ToolDefinition) => lensOf(metadata).general !== undefined;

/** The id of a tool that is stored at ElevenLabs. Ids of other platforms mean nothing there. */
function idOf({ metadata, tool_id: id }: ToolDefinition, isNative: boolean): string | undefined {
  const { tool_id: own } = settingsOf(metadata);
  return typeof own === "string" ? own : isNative && id ? id : undefined;
}
