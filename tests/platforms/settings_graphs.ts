import type { AgentGraph, AgentNode, NodeType, ToolDefinition } from "../../src/document/graph/mod.ts";
import { parseGraph } from "../../src/document/graph/mod.ts";
import * as fc from "../fast_check.ts";

const maybe = <Value>(value: fc.Arbitrary<Value>) => fc.option(value, { nil: undefined });
const TYPES: readonly NodeType[] = ["conversation", "transfer", "end", "logic", "extract", "function"];

/** Texts of destinations; `#` is replaced by a number, so that each occurs once in a graph. */
const TARGETS = [
  "+1415555##",
  "sip:desk-##@acme.test",
  "{{desk_##}}",
  "{{desk no ##}}",
  "0800 55##",
  "{{a_variable_with_a_name_that_is_too_long_##}}",
];
const TOOL_NAMES = [
  "look_up_##",
  "API Request ##",
  "予約する",
  "Größe prüfen ##",
  `very_long_${"x".repeat(60)}_##`,
  "same",
  "Book it!",
  "book_it",
];
const MODELS = [
  ...["gpt-4.1", "claude-4.6-sonnet", "claude-4.5-haiku", "gemini-3.0-flash", "gemini-3.6-flash", "mistral-x"],
  ...["openai/gpt-4.1", "openai/gpt-4.1-2025-04-14:westus", "anthropic/claude-sonnet-4-6", "anthropic/claude-9-opus"],
  ...["google/gemini-3-flash-preview", "mistral/large", "groq/llama-3.1-8b-instant", "xai/grok-3", "openrouter/a/b"],
];

type Settings = { readonly [owner: string]: unknown };

/** A destination in the settings of each platform, and as their imports keep it. */
const destined = fc.record({
  to: fc.constantFrom(...TARGETS),
  at: fc.constantFrom("to", "vapi", "vapi-list", "vapi-tool", "retell", "callweave", "inferred", "agent", "none"),
});

function settingsOf(to: string, at: string): { readonly transfer_to?: string; readonly metadata?: Settings } {
  const place = to.startsWith("sip:") ? { type: "sip", sipUri: to } : { type: "number", number: to, extension: "7" };
  switch (at) {
    case "to":
      return { transfer_to: to };
    case "vapi":
      return { metadata: { vapi: { destination: place } } };
    case "vapi-list":
      return {
        metadata: { vapi: { destinations: [place, { type: "number", number: "+19995550100", callerId: "+1" }] } },
      };
    case "vapi-tool":
      return { metadata: { vapi: { tool: { type: "transferCall", destinations: [place] } } } };
    case "retell":
      return {
        metadata: {
          retell: {
            transfer_destination: { type: "predefined", number: to },
            transfer_option: { type: "warm_transfer", show_transferee_as_caller: true },
          },
        },
      };
    case "callweave":
      return { metadata: { callweave: { destination: place } } };
    case "inferred":
      return { metadata: { retell: { transfer_destination: { type: "inferred", prompt: `Find ${to}` } } } };
    case "agent":
      return { metadata: { vapi: { destination: { type: "assistant", assistantName: "Other agent" } } } };
    default:
      return {};
  }
}

/** Settings under a key; nothing if there are none. */
function owned(key: "retell" | "vapi" | "membersOverrides", settings: Settings): Settings {
  const value = key === "retell" ? { agent: settings } : settings;
  return Object.keys(settings).length > 0 ? { [key]: value } : {};
}

/** Numbers that stand in no modelled place; none may be dialled. */
export const DECOYS = ["12345", "+12125550000", "+12125550001", "+12125550002"];
const decoys = { crm: { to: "12345", number: "+12125550000" }, notes: [{ phone_number: "+12125550001" }] };
const deepDecoy = { other: { transfer_destination: { number: "+12125550002" } } };

/** Settings of a tool's request, as an import of the platform keeps them, and as authors write them. */
function requestOf(form: string, mark: () => string): Settings {
  const seconds = () => 100 + Number(mark());
  const fixed = { type: "object", properties: { "X-Team": { type: "string", value: `team-${mark()}` } } };
  const request = { type: "apiRequest", method: "PUT", headers: fixed, timeoutSeconds: seconds() };
  const answered = { server: { url: "", timeoutSeconds: seconds(), headers: { "X-Desk": `desk-${mark()}` } } };
  const more = { variableExtractionPlan: { aliases: [{ key: `alias_${mark()}`, value: "{{id}}" }] } };
  switch (form) {
    case "vapi-request":
      return { vapi: { ...request, ...more } };
    case "vapi-import":
      return { vapi: { list: "assistant.model.tools", tool: { name: "", url: "", ...request, ...more } } };
    case "vapi-function":
      return { vapi: { type: "function", async: true, ...answered } };
    case "retell":
      return { retell: { method: "PUT", timeout_ms: seconds() * 1_000, headers: { "X-Team": `team-${mark()}` } } };
    default:
      return {};
  }
}

const tools = fc.array(
  fc.record({
    request: fc.constantFrom("none", "vapi-request", "vapi-import", "vapi-function", "retell"),
    name: fc.constantFrom(...TOOL_NAMES),
    type: fc.constantFrom(undefined, "custom", "function", "end_call", "transfer_call", "send_sms"),
    hasUrl: fc.boolean(),
    place: destined,
  }),
  { maxLength: 2 },
);

/** Generates graphs with settings of all platforms, each marked by a number of its own. */
export const settingGraphs: fc.Arbitrary<AgentGraph> = fc
  .record({
    nodes: fc.array(
      fc.record({
        type: fc.constantFrom(...TYPES),
        place: destined,
        tools,
        isGlobal: fc.boolean(),
        isStatic: fc.boolean(),
        link: fc.nat({ max: 6 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
    language: maybe(fc.constantFrom("en-US", "de-AT", "ka-GE", "fr")),
    voice: maybe(fc.subarray(["retell", "vapi", "other"] as const)),
    ownVoice: fc.subarray(["retell", "vapi"] as const),
    ownServer: fc.subarray(["retell", "vapi", "vapi-members"] as const),
    model: maybe(fc.constantFrom(...MODELS)),
    source: fc.constantFrom("custom", "graph"),
    hasDecoys: fc.boolean(),
  })
  .map(({ nodes, language, voice, ownVoice, ownServer, model, source, hasDecoys }) => {
    let count = 100;
    const mark = (text: string) => text.replaceAll("##", () => String(count++));
    const say = (text: string) => `${text} {{said_${count++}}}.`;
    const toolOf = ({
      name,
      type,
      hasUrl,
      place,
      request,
    }: (typeof nodes)[number]["tools"][number]): ToolDefinition => ({
      name: mark(name),
      description: say("Does it for"),
      ...(type ? { type } : {}),
      ...(hasUrl ? { url: `https://acme.test/${count++}` } : {}),
      ...(type === "transfer_call" && place.at !== "to"
        ? { metadata: settingsOf(mark(place.to), place.at).metadata ?? {} }
        : {}),
      ...(hasUrl && [undefined, "custom"].includes(type)
        ? { metadata: requestOf(request, () => String(count++)) }
        : {}),
    });
    const made = nodes.map(({ type, place, tools: own, isGlobal, isStatic, link }, index): AgentNode => {
      const { transfer_to, metadata } = type === "transfer" ? settingsOf(mark(place.to), place.at) : {};
      return {
        id: `n${index}`,
        node_type: type,
        state_prompt: ["logic", "extract", "function"].includes(type) ? "" : say("Speak of"),
        ...(isStatic && !["logic", "extract", "function"].includes(type)
          ? { instruction_type: "static_text" as const }
          : {}),
        tools: own.map(toolOf),
        transitions:
          type === "end"
            ? []
            : [
                {
                  target_node_id: `n${link % nodes.length}`,
                  condition:
                    type === "transfer"
                      ? { type: "tool_call", value: "", outcome: "failed" }
                      : { type: "llm_prompt", value: say("Caller wants") },
                },
              ],
        variables_to_extract:
          type === "extract" ? [{ name: `seen_${count++}`, description: "What", type: "string" }] : [],
        ...(isGlobal && index > 0
          ? { global_node_setting: { condition: say("Caller insists on"), go_back_conditions: [] } }
          : {}),
        ...(transfer_to ? { transfer_to } : {}),
        metadata: { ...metadata, ...(hasDecoys ? { ...decoys, ...deepDecoy } : {}) },
      };
    });
    const start: AgentNode = {
      id: "start",
      node_type: "conversation",
      state_prompt: say("Greet"),
      tools: [],
      transitions: made.map(({ id }) => ({
        target_node_id: id,
        condition: { type: "llm_prompt", value: say("Caller asks for") },
      })),
      variables_to_extract: [],
      metadata: {},
    };
    const voices = { retell: "11labs-Adrian", vapi: { provider: "11labs", voiceId: "sarah" }, other: "somebody" };
    return parseGraph({
      nodes: Object.fromEntries([start, ...made].map((node) => [node.id, node])),
      entry_node_id: "start",
      source_type: source,
      snippets: {},
      source_metadata: {
        general_prompt: say("Work for"),
        begin_message: say("Hello"),
        ...(language ? { language } : {}),
        ...(voice ? { voice: Object.fromEntries(voice.map((name) => [name, voices[name]])) } : {}),
        ...owned("retell", {
          ...(ownVoice.includes("retell") ? { voice_id: "11labs-Myra" } : {}),
          ...(ownServer.includes("retell") ? { webhook_url: `https://hook.test/${count++}` } : {}),
        }),
        ...owned("vapi", {
          ...(ownServer.includes("vapi") ? { server: { url: `https://hook.test/${count++}` } } : {}),
          ...owned("membersOverrides", {
            ...(ownVoice.includes("vapi") ? { voice: { provider: "openai", voiceId: "alloy" } } : {}),
            ...(ownServer.includes("vapi-members") ? { endCallMessage: `Bye ${count++}` } : {}),
          }),
        }),
      },
      ...(model ? { default_model: model } : {}),
    });
  });
