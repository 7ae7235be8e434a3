import { PlatformError } from "../../src/errors.ts";
import { type AgentGraph, isRecord, type JsonObject } from "../../src/graph/mod.ts";
import type { EmitOptions, Emitted } from "../platform.ts";
import {
  closeEnvelope,
  createDirectory,
  memberKept,
  modelOf,
  recordOr,
  setAt,
  withModel,
  writeMember,
  writeOpening,
} from "../vapi/mod.ts";
import { UNNAMED } from "./import.ts";

/** Writes a graph as an assistant: one that came from an assistant into that assistant, any other anew. */
export function emitAssistantGraph(graph: AgentGraph, options: EmitOptions = {}): Emitted<unknown> {
  const kept = graph.source_metadata.vapi;
  const [node, ...others] = Object.values(graph.nodes);
  const member = node && memberKept(node);
  if (!isRecord(kept) || kept.kind !== "assistant" || !member || others.length > 0) return emitAnew(graph, options);
  const path = ["assistant", "name"];
  const isNamed = Array.isArray(member.all.name_at) || node.id !== UNNAMED;
  const named = isNamed ? setAt(member.home, path, node.id) : member.home;
  const written = writeMember(node, named, member, createDirectory([]));
  const opened = writeOpening(written, graph.source_metadata, member.all.message_at);
  const model = graph.default_model;
  const whole = model && model !== modelOf(opened) ? withModel(opened, model) : opened;
  const assistant: JsonObject = recordOr(whole.assistant);
  return { config: closeEnvelope(kept, assistant), losses: [] };
}

/** Graphs that did not come from Vapi. */
function emitAnew(graph: AgentGraph, _options: EmitOptions): Emitted<unknown> {
  throw new PlatformError(`Cannot emit Vapi assistant: the graph came from "${graph.source_type}"`, {
    code: "format-not-emitted",
    hint: "Emit a graph that was imported from Vapi",
  });
}
