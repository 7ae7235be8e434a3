import { isRecord, parsedJson } from "../../../src/base/values/mod.ts";

/** A small input that once was read wrongly, as files: the first one is read, the others belong to it. */
export interface SmallInput {
  /** What is right. */
  readonly right: string;
  /** Names of files with the same shape beside the repository, which may be absent. */
  readonly beside: readonly string[];
  readonly own: Readonly<Record<string, unknown>>;
}

const squadOf = (first: string, second: string) => ({
  name: "Garage",
  members: [
    {
      assistantId: first,
      assistantOverrides: {
        "tools:append": [
          {
            type: "handoff",
            function: { name: "handoff_to_parts" },
            destinations: [{ type: "assistant", assistantId: second, description: "Caller needs a part" }],
          },
        ],
      },
    },
    { assistantId: second },
  ],
});

const prompted = (content: string, more: object = {}) => ({
  provider: "openai",
  model: "gpt-4o",
  messages: [{ role: "system", content }],
  ...more,
});

const tool = (id: string, name: string, args: object, result: string, at: number) => [
  {
    role: "tool_calls",
    secondsFromStart: at,
    toolCalls: [{ id, type: "function", function: { name, arguments: JSON.stringify(args) } }],
  },
  { role: "tool_call_result", toolCallId: id, name, result, secondsFromStart: at + 1 },
];

const callOf = (id: string, messages: readonly object[], more: object) => ({
  id,
  type: "inboundPhoneCall",
  status: "ended",
  startedAt: "2026-03-02T08:00:00.000Z",
  endedAt: "2026-03-02T08:02:00.000Z",
  endedReason: "customer-ended-call",
  ...more,
  artifact: { messages, ...("artifact" in more && isRecord(more.artifact) ? more.artifact : {}) },
});

const TO_PARTS = {
  type: "handoff",
  function: { name: "handoff_to_parts" },
  destinations: [{ type: "assistant", description: "Caller needs a part", assistantName: "Parts" }],
};

const FRONT = { name: "Front", silenceTimeoutSeconds: 20, model: prompted("Ask for the car.", { systemPrompt: "y" }) };
const PARTS = { name: "Parts", futureKey: true, model: prompted("Find the part.") };

/** The inputs, by what they are. */
export const SMALL_INPUTS = {
  squadCall: {
    right: "a call of a squad has the path of its handoffs, and a cancelled transfer has failed",
    beside: ["01-vapi-squad-call.json", "01-vapi-squad.json"],
    own: {
      "call.json": callOf(
        "call-7",
        [
          { role: "bot", message: "Garage, hello.", secondsFromStart: 1 },
          { role: "user", message: "I need a wheel.", secondsFromStart: 3 },
          ...tool("t1", "handoff_to_parts", { destination: "parts-1" }, "Handoff initiated.", 4),
          ...tool("t2", "transfer_call", {}, "Transfer cancelled.", 9),
          { role: "bot", message: "Nobody is there.", secondsFromStart: 12 },
        ],
        {
          squadId: "squad-7",
          artifact: { transfers: [{ status: "cancelled", destination: { type: "number", number: "+15550170001" } }] },
          recordingUrl: "https://example.com/wheel.wav",
          costBreakdown: { llm: 0.1, total: 0.4 },
        },
      ),
      "squad.json": squadOf("front-1", "parts-1"),
    },
  },
  singlePrompt: {
    right: "an LLM with one prompt and a tool that ends the call has no findings",
    beside: ["02-single-prompt-llm.json"],
    own: {
      "llm.json": {
        llm_id: "llm_9",
        model: "gpt-4.1",
        general_prompt: "You tell callers when the museum opens. Then end the call.",
        general_tools: [{ type: "end_call", name: "hang_up", description: "Caller has no more questions" }],
        states: [],
        start_speaker: "agent",
      },
    },
  },
  otherTool: {
    right: "a workflow of another tool is named, and not imported",
    beside: ["03-n8n-workflow.json"],
    own: {
      "workflow.json": {
        name: "send reminders",
        nodes: [
          {
            id: "3f0d5c0e-0000-4000-8000-000000000001",
            name: "Every day",
            type: "n8n-nodes-base.scheduleTrigger",
            typeVersion: 1,
            parameters: {},
            position: [10, 20],
          },
        ],
        connections: {},
        settings: { executionOrder: "v1" },
      },
    },
  },
  workflowTransfer: {
    right: "the number of a transfer in a workflow is in what is emitted, and tools have names that Retell accepts",
    beside: ["04-vapi-transfer-number.json"],
    own: {
      "workflow.json": {
        name: "Garage",
        nodes: [
          { name: "hello", type: "conversation", isStart: true, prompt: "Ask for the car." },
          {
            name: "Look up car",
            type: "tool",
            tool: {
              type: "apiRequest",
              method: "GET",
              url: "https://example.com/cars",
              function: { name: "untitled_tool", parameters: { type: "object", properties: {} } },
            },
          },
          {
            name: "mechanic",
            type: "tool",
            tool: { type: "transferCall", destinations: [{ type: "number", number: "+15550170002" }] },
          },
        ],
        edges: [
          { from: "hello", to: "Look up car", condition: { type: "ai", prompt: "Caller names a car" } },
          { from: "hello", to: "mechanic", condition: { type: "ai", prompt: "Caller asks for a mechanic" } },
        ],
      },
    },
  },
  assistantTransfer: {
    right: "the number and the condition of an assistant's transfer are in what is emitted",
    beside: ["05-vapi-transfer-number-2.json"],
    own: {
      "assistant.json": {
        name: "Garage",
        firstMessage: "Garage, hello.",
        model: prompted("Help drivers.", {
          tools: [
            {
              type: "transferCall",
              destinations: [{ type: "number", number: "+15550170003", description: "The car does not move" }],
            },
          ],
        }),
      },
    },
  },
  inlineSquad: {
    right: "a squad with its assistants inside has a warning for each key that the schema lacks, nested ones too",
    beside: ["06-squad-inline.json"],
    own: {
      "squad.json": {
        name: "Garage",
        members: [{ assistant: FRONT, assistantOverrides: { "tools:append": [TO_PARTS] } }, { assistant: PARTS }],
      },
    },
  },
  squadWithAssistants: {
    right: "a squad beside its assistants is checked like one with the assistants inside",
    beside: ["06-squad-with-assistants.json"],
    own: {
      "squad.json": {
        squad: squadOf("front-1", "parts-1"),
        assistants: [
          { id: "front-1", ...FRONT },
          { id: "parts-1", ...PARTS },
        ],
      },
    },
  },
  nestedKeys: {
    right: "keys and values that the schema lacks are warnings, nested ones too",
    beside: ["07-nested-unknown-keys.json"],
    own: {
      "assistant.json": {
        name: "Garage",
        model: { provider: "openai", model: "gpt-4o", systemPrompt: "Help drivers." },
        keypadInputPlan: { enabled: true, delimiters: ["*", "#"] },
        compliancePlan: { zdrEnabled: true },
      },
    },
  },
  squadWithIds: {
    right: "where an assistant is not in the document, that is the only finding: its members are not unreachable",
    beside: ["08-squad-with-ids.json"],
    own: {
      "squad.json": {
        name: "Garage",
        members: [
          {
            assistantId: "33333333-3333-4333-8333-333333333333",
            assistantDestinations: [
              { type: "assistant", assistantName: "Parts", description: "Caller needs a part", message: "" },
            ],
          },
          { assistantId: "44444444-4444-4444-8444-444444444444" },
        ],
      },
    },
  },
  edgeDestination: {
    right: "a misspelt key of an edge is one finding with the right spelling, without its consequences",
    beside: ["09-edge-destination.json"],
    own: {
      "flow.json": {
        start_node_id: "hello",
        start_speaker: "agent",
        model_choice: { type: "cascading", model: "gpt-4.1" },
        nodes: [
          {
            id: "hello",
            type: "conversation",
            instruction: { type: "prompt", text: "Say hello." },
            edges: [
              {
                id: "e-1",
                destination: "over",
                transition_condition: { type: "prompt", prompt: "Caller has no question" },
              },
            ],
          },
          { id: "over", type: "end", instruction: { type: "prompt", text: "Thank the caller." } },
        ],
      },
    },
  },
  personalCall: {
    right: "names that are words, and values in JSON inside of texts, are redacted everywhere",
    beside: ["10-surnames-that-are-words.json"],
    own: {
      "call.json": callOf(
        "call-8",
        [
          { role: "bot", message: "Garage, hello.", secondsFromStart: 1 },
          { role: "user", message: "This is Anna Baker.", secondsFromStart: 3 },
          ...tool(
            "t1",
            "find_customer",
            { client_name: "Anna Baker" },
            JSON.stringify({
              raw: JSON.stringify({ client_first_name: "Anna", client_last_name: "Baker", client_dob: "1822-03-04" }),
              case: { client_last_name: "Baker" },
            }),
            5,
          ),
        ],
        { customer: { number: "+15550170004", sipUri: "sip:+15550170004@93.184.215.14:5060" } },
      ),
    },
  },
  utf16: {
    right: "an agent in UTF-16 is read like one in UTF-8",
    beside: ["11-utf16-agent.json"],
    own: {
      "agent.json": Buffer.from(
        `\uFEFF${JSON.stringify({ name: "Gärtnerei", firstMessage: "Hello.", model: prompted("Sell plants.") })}`,
        "utf16le",
      ),
    },
  },
  unfinishedCalls: {
    right: "answers to the creation of calls are not calls without words",
    beside: ["12-calls-without-status.json"],
    own: {
      "calls.json": [
        {
          id: "019d0000-0000-7000-8000-000000000001",
          assistantId: "front-1",
          type: "outboundPhoneCall",
          createdAt: "2026-03-02T08:00:00.000Z",
          customer: { number: "+15550170005" },
        },
        {
          id: "019d0000-0000-7000-8000-000000000002",
          assistantId: "front-1",
          type: "outboundPhoneCall",
          createdAt: "2026-03-02T08:00:01.000Z",
        },
      ],
    },
  },
} as const satisfies Readonly<Record<string, SmallInput>>;

/** The values in a text, and in JSON inside of its strings, under keys that a pattern matches. */
export function valuesUnder(keys: RegExp, value: unknown): readonly string[] {
  const inner = typeof value === "string" ? parsedJson(value) : value;
  if (Array.isArray(inner)) return inner.flatMap((item) => valuesUnder(keys, item));
  if (!isRecord(inner)) return [];
  return Object.entries(inner).flatMap(([key, item]) =>
    keys.test(key) && typeof item === "string" ? [item] : valuesUnder(keys, item),
  );
}
