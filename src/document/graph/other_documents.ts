import { isRecord, own } from "../../base/values/mod.ts";

/** A document that is not an agent in a known format. */
export interface OtherDocument {
  /** What it is, with its article: "an n8n workflow". */
  readonly title: string;
  /** What to do with it; absent if Callweave cannot use it. */
  readonly hint?: string;
}

/** The type of the value at a path, or a pattern that a text there matches. `*` in a path is any item or value. */
type Test = "text" | "list" | "object" | "number" | RegExp;

/** Keys that only documents of one tool have together. */
type Evidence = { readonly [path: string]: Test };

/** Titles with their evidence, of which one has to hold whole. */
type Table = readonly (readonly [title: string, ...Evidence[]])[];

/** Documents of tools that no format reads. No agent in a known format has their keys. */
const TOOLS: Table = [
  // builders of workflows and bots
  [
    "an n8n workflow",
    { "nodes.*.type": /^(?:@[\w.-]+\/)?n8n-nodes-/ },
    { nodes: "list", connections: "object", "nodes.*.typeVersion": "number" },
    { nodes: "list", connections: "object", "nodes.*.parameters": "object" },
    { nodes: "list", connections: "object", settings: "object" },
    { "data.resultData": "object" },
  ],
  ["a Node-RED flow", { "*.wires": "list", "*.type": "text" }, { "flows.*.wires": "list" }],
  ["a Make scenario", { "flow.*.module": "text" }],
  ["a Zapier export", { zaps: "list" }],
  ["a Power Automate flow", { "properties.definition.triggers": "object" }],
  ["an Azure logic app", { "definition.triggers": "object" }, { $schema: /Microsoft\.Logic/ }],
  ["a Langflow flow", { "nodes.*.type": /^(?:genericNode|noteNode)$/ }, { last_tested_version: "text" }],
  ["a Flowise chatflow", { "nodes.*.data.baseClasses": "list" }, { "nodes.*.type": /^(?:customNode|agentFlow)$/ }],
  ["a Dify app", { "workflow.graph.nodes": "list" }, { "graph.nodes": "list", "graph.edges": "list" }],
  ["a Voiceflow project", { diagrams: "object", version: "object" }, { diagrams: "object", project: "object" }],
  [
    "a Botpress flow",
    { startNode: "text", nodes: "list" },
    { "nodes.*.onReceive": "list" },
    { "nodes.*.onEnter": "list" },
  ],
  ["a Typebot", { "groups.*.blocks": "list" }],
  [
    "a Dialogflow CX agent",
    { transitionRoutes: "list" },
    { entryFulfillment: "object" },
    { name: /^projects\/[^/]+\/locations\/[^/]+\/agents\// },
    { defaultLanguageCode: "text", displayName: "text" },
  ],
  [
    "a Dialogflow ES agent",
    { defaultTimezone: "text", language: "text" },
    { "responses.*.messages": "list", "responses.*.parameters": "list" },
  ],
  ["an Amazon Lex bot", { "metadata.importType": /LEX/i }, { dataPrivacy: "object", name: "text" }],
  ["an AWS state machine", { StartAt: "text", States: "object" }],
  ["a Watson Assistant skill", { dialog_nodes: "list" }, { "workspace.dialog_nodes": "list" }],
  ["a Bot Framework dialog", { $kind: /^Microsoft\./ }],
  ["Rasa training data", { rasa_nlu_data: "object" }],
  ["an XState machine", { initial: "text", states: "object" }],
  // voice agents
  [
    "a LiveKit document",
    { dispatch_rule: "object" },
    { dispatchRule: "object" },
    { "trunk.numbers": "list" },
    { "chat_history.items": "list" },
    { roomConfig: "object" },
    { room_config: "object" },
  ],
  ["an Ultravox agent", { callTemplate: "object" }],
  ["a Synthflow agent", { "agent.greeting_message": "text" }],
  ["a Hume configuration", { evi_version: "text" }],
  ["Deepgram's agent settings", { "agent.think": "object" }],
  ["an OpenAI assistant", { object: /^assistant$/ }],
  ["an OpenAI Realtime session", { instructions: "text", turn_detection: "object" }, { "session.type": /^realtime/ }],
  // of a developer's project
  ["an OpenAPI document", { openapi: "text" }, { swagger: "text" }],
  ["a Postman collection", { "info._postman_id": "text" }, { "info.schema": /getpostman/ }],
  [
    "a package.json",
    { name: "text", dependencies: "object" },
    { name: "text", devDependencies: "object" },
    { name: "text", version: "text", scripts: "object" },
  ],
  ["a lock file of packages", { lockfileVersion: "number" }],
  ["a tsconfig.json", { compilerOptions: "object" }],
  ["a JSON Schema", { $schema: /json-schema\.org/ }],
  ["a notebook", { cells: "list", nbformat: "number" }],
];

/** Documents of tools that a format reads. They are named where another format is asked for, or none fits. */
const READ: Table = [
  ["a Twilio Studio flow", { initial_state: "text", states: "list" }],
  ["an Amazon Connect flow", { StartAction: "text", Actions: "list" }],
  ["a Dialogflow CX agent", { "files.*.startFlow": "text" }],
  ["an XLSForm", { "sheets.survey.*": "list" }],
];

const CALL = "a recorded call";
const SCENARIOS = "a list of scenarios";

/** Documents that are none of a known format, although an agent may have some of their keys. */
const OTHERS: Table = [
  [
    CALL,
    { "artifact.messages": "list" },
    { type: /^(?:inboundPhoneCall|outboundPhoneCall|webCall)$/, assistantId: "text" },
    { "message.artifact": "object" },
    { call_id: "text", call_status: "text" },
    { call_id: "text", transcript_object: "list" },
    { "call.call_id": "text", event: "text" },
  ],
  [SCENARIOS, { "*.user_prompt": "text" }, { "scenarios.*.user_prompt": "text" }, { "scenarios.*.says": "list" }],
  ["a React Flow diagram", { "nodes.*.position.x": "number", "edges.*.source": "text", "edges.*.target": "text" }],
];

/** Keys of envelopes in which APIs return documents. */
const ENVELOPES = ["data", "workflow", "workflows", "agent", "flow", "body", "result"];

/** Most items of a list or an object that are looked at. */
const MOST_ITEMS = 500;

const HINTS: ReadonlyMap<string, string> = new Map([
  [CALL, "Import it with callweave calls import"],
  [SCENARIOS, "Pass it to callweave run with --tests"],
]);

/** Recognises a document of a tool that no format reads by its evidence, alone, in a list or in an envelope. Returns its title. */
export function unreadTool(document: unknown): string | undefined {
  return titleIn(TOOLS, document);
}

/** Recognises a document of another tool, read or not. */
export function otherTool(document: unknown): string | undefined {
  return unreadTool(document) ?? titleIn(READ, document);
}

/** Recognises a document that is no agent, where no format fits. */
export function otherDocument(document: unknown): OtherDocument | undefined {
  const title = otherTool(document) ?? titleIn(OTHERS, document);
  if (title === undefined) return undefined;
  const hint = HINTS.get(title);
  return { title, ...(hint === undefined ? {} : { hint }) };
}

function titleIn(table: Table, document: unknown): string | undefined {
  const candidates = opened(opened([document]));
  const fitsOne = ([, ...evidence]: Table[number]) =>
    candidates.some((value) =>
      evidence.some((each) => Object.entries(each).every(([path, test]) => holds(value, path.split("."), test))),
    );
  return table.find(fitsOne)?.[0];
}

/** Returns values, the first items of lists, and the contents of envelopes. */
function opened(values: readonly unknown[]): readonly unknown[] {
  return values.flatMap((value) => {
    if (Array.isArray(value)) return [value, value[0]];
    return isRecord(value) ? [value, ...ENVELOPES.map((key) => own(value, key))] : [];
  });
}

function holds(value: unknown, [key, ...deeper]: readonly string[], test: Test): boolean {
  if (key === undefined) return fits(value, test);
  if (key !== "*") return isRecord(value) && Object.hasOwn(value, key) && holds(value[key], deeper, test);
  const items: readonly unknown[] = Array.isArray(value) ? value : isRecord(value) ? Object.values(value) : [];
  return items.slice(0, MOST_ITEMS).some((item) => holds(item, deeper, test));
}

function fits(value: unknown, test: Test): boolean {
  if (test === "list") return Array.isArray(value);
  if (test === "object") return isRecord(value);
  if (test === "number") return typeof value === "number";
  return typeof value === "string" && (test === "text" || test.test(value));
}
