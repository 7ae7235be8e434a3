import { type AgentGraph, type AgentNode, isRecord, type JsonObject, omit, sameJson } from "../../src/graph/mod.ts";

/** Formats that keep their own document under `metadata.vapi`, in which it is no wish of an author. */
const OWN_DOCUMENTS = ["vapi-squad", "vapi-assistant"];
/** The key under which the workflow format keeps what it read. */
const WORKFLOW_KEY = "workflow";

/** What assistants and retired workflows have in common, at the workflow as at its nodes (SDK 2.0.1, `CreateAssistantDTO`). */
const ASSISTANT_KEYS = [
  ...["transcriber", "voice", "hooks", "server", "credentialIds", "credentials", "backgroundSound", "keypadInputPlan"],
  ...["maxDurationSeconds", "compliancePlan", "analysisPlan", "artifactPlan", "monitorPlan", "observabilityPlan"],
  ...["startSpeakingPlan", "stopSpeakingPlan", "voicemailDetection", "voicemailMessage", "transportConfigurations"],
  ...["clientMessages", "serverMessages", "firstMessageInterruptionsEnabled", "modelOutputInMessagesEnabled"],
  ...["endCallMessage", "endCallPhrases", "backgroundSpeechDenoisingPlan"],
];
/** What of a model the graph says itself. */
const MODEL_KEYS = ["messages", "systemPrompt", "tools", "toolIds"];

/** What an author wants a member's assistant to have beside what is emitted: `metadata.vapi` of the node. */
export function extrasOfNode(graph: AgentGraph, node: AgentNode): JsonObject {
  const kept = recordAt(node.metadata, "vapi");
  if (OWN_DOCUMENTS.includes(graph.source_type)) return assistantPart(recordAt(recordAt(kept, "home"), "assistant"));
  if (!isRecord(kept[WORKFLOW_KEY])) return kept;
  const head = recordAt(recordAt(recordAt(graph.source_metadata, "vapi"), WORKFLOW_KEY), "document");
  const raw = recordAt(recordAt(kept, WORKFLOW_KEY), "node");
  const merged = { ...assistantPart(head), ...assistantPart(raw), ...omit(kept, [WORKFLOW_KEY]) };
  return { ...merged, ...firstMessage(raw, node, graph) };
}

/** What an author wants a squad to have beside what is emitted: `source_metadata.vapi`. */
export function extrasOfGraph(graph: AgentGraph): JsonObject {
  const kept = recordAt(graph.source_metadata, "vapi");
  if (OWN_DOCUMENTS.includes(graph.source_type)) return {};
  const name = recordAt(recordAt(kept, WORKFLOW_KEY), "document").name;
  return { ...(typeof name === "string" && name !== "" ? { name } : {}), ...omit(kept, [WORKFLOW_KEY]) };
}

/** What the graph holds of a workflow and its nodes, and what a server keeps with them. */
const HELD_KEYS = [
  ...["id", "orgId", "createdAt", "updatedAt", "name", "nodes", "edges", "globalPrompt", "model", "metadata", "type"],
  ...["prompt", "systemPrompt", "instructions", "literalTemplate", "exact", "isStart", "globalNodePlan", "isGlobal"],
  ...[
    "condition",
    "enterCondition",
    "variableExtractionPlan",
    "extractVariables",
    "output",
    "tools",
    "toolIds",
    "tool",
  ],
  ...[
    "toolId",
    "messages",
    "destination",
    "url",
    "method",
    "headers",
    "body",
    "messagePlan",
    "firstMessage",
    "position",
  ],
];

/** Keys of what came from a workflow that no assistant has. */
export function lostKeys(owner: { readonly [key: string]: unknown }, part: "document" | "node"): readonly string[] {
  const raw = recordAt(recordAt(recordAt(owner, "vapi"), WORKFLOW_KEY), part);
  const plan = Object.keys(recordAt(raw, "messagePlan")).filter((key) => key !== "firstMessage");
  const lost = Object.keys(raw).filter((key) => !ASSISTANT_KEYS.includes(key) && !HELD_KEYS.includes(key));
  return [...lost, ...plan.map((key) => `messagePlan.${key}`)];
}

/** What a workflow's speech recognition was told that today's API refuses. */
export function strongEndpointing(owner: { readonly [key: string]: unknown }, part: "document" | "node"): boolean {
  const transcriber = recordAt(recordAt(recordAt(recordAt(owner, "vapi"), WORKFLOW_KEY), part), "transcriber");
  return !sameJson(fitTranscriber(transcriber), transcriber);
}

function assistantPart(raw: JsonObject): JsonObject {
  const kept = Object.entries(raw).filter(([key, value]) => ASSISTANT_KEYS.includes(key) && value !== null);
  const model = omit(recordAt(raw, "model"), MODEL_KEYS);
  const fitted = Object.fromEntries(
    kept.map(([key, value]) => [key, key === "transcriber" ? fitTranscriber(value) : value]),
  );
  return { ...fitted, ...(Object.keys(model).length > 0 ? { model } : {}) };
}

/** Deepgram's `endpointing`, in milliseconds: today's API takes 10 to 500, workflows took more. */
const ENDPOINTING = { least: 10, most: 500 } as const;

function fitTranscriber(value: unknown): unknown {
  if (!isRecord(value) || typeof value.endpointing !== "number") return value;
  return { ...value, endpointing: Math.min(ENDPOINTING.most, Math.max(ENDPOINTING.least, value.endpointing)) };
}

/** The fixed words of a workflow's node, which open it wherever it is entered. */
function firstMessage(raw: JsonObject, node: AgentNode, graph: AgentGraph): JsonObject {
  const words = recordAt(raw, "messagePlan").firstMessage;
  if (typeof words !== "string" || words === "" || node.id === graph.entry_node_id) return {};
  return { firstMessage: words, firstMessageMode: "assistant-speaks-first" };
}

function recordAt(value: { readonly [key: string]: unknown }, key: string): JsonObject {
  const found = Object.hasOwn(value, key) ? value[key] : undefined;
  return isRecord(found) ? found : {};
}
