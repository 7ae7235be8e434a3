import type {
  AgentNode,
  Transition,
  TransitionCondition,
  VariableExtraction,
} from "../../../src/document/graph/mod.ts";
import type { ToolMock } from "../../../src/document/scenario/mod.ts";
import { seeded } from "../../platforms/mutate.ts";
import type { Oracle } from "./reference.ts";

/** A graph, the input of a call, and the answers of its model. */
export interface RandomCall {
  readonly document: object;
  readonly variables: { readonly [name: string]: unknown };
  readonly mocks: readonly ToolMock[];
  readonly lines: readonly string[];
  readonly oracle: Oracle;
}

const IDS = ["a", "b", "c", "Desk 1", "__proto__", "toString", "none", "Ärger"];
const NAMES = ["v", "n", "__proto__", "größe", "user name"];
const TEXTS = ["", "1", "-2.5", "18.0", " 7 ", "1e3", "true", "abc", "v", "{{n}}", "$&", "9007199254740993"];
const RIGHTS = [...TEXTS, ...NAMES, "{{v}}", "{{__proto__}}", "1{{n}}", "{{v}}{{ n }}"];
const PROMPTS = ["Here.", "{{v}}", "{{ n }}", "{%legal%}", "{{nobody}}", "{{__proto__}}", "{{{v}}}"];
const OPERATORS = ["==", "!=", ">", ">=", "<", "<=", "contains", "not_contains", "exists", "not_exist", "~="];
/** Node types of random graphs; nodes that talk are as common as in flows. */
export const RANDOM_NODE_TYPES = [
  "conversation",
  "conversation",
  "conversation",
  "logic",
  "extract",
  "function",
  "end",
  "transfer",
] as const;

/** The same call for the same seed. Every kind of node, transition and timing is common in them. */
export function randomCall(seed: number): RandomCall {
  const random = seeded(seed);
  const likely = (share: number) => random() < share;
  const below = (count: number) => Math.floor(random() * count);
  const any = <Item>(items: readonly [Item, ...Item[]] | readonly Item[]): Item => {
    const item = items[below(items.length)];
    if (item === undefined) throw new Error("nothing to choose from");
    return item;
  };
  const some = <Item>(most: number, make: () => Item) => Array.from({ length: below(most + 1) }, make);
  const ids = IDS.filter(() => likely(0.5));
  if (ids.length === 0) ids.push("a");

  const equation = (): TransitionCondition => ({
    type: "equation",
    value: "",
    equations: some(2, () => ({ left: any(NAMES), operator: any(OPERATORS), right: any(RIGHTS) })),
    logical_operator: any(["and", "or"]),
  });
  const transition = (): Transition => {
    const target_node_id = any(ids);
    const type = any(["llm_prompt", "llm_prompt", "equation", "equation", "tool_call", "always", "always"] as const);
    if (type === "equation") return { target_node_id, condition: equation() };
    if (type === "tool_call") {
      return { target_node_id, condition: { type, value: "", outcome: any(["succeeded", "failed", null]) } };
    }
    const timing = type === "always" ? any(["after_speech", "skip_response", "else", null] as const) : null;
    return { target_node_id, condition: { type, value: "Here" }, timing };
  };
  const variable = (name: string): VariableExtraction => {
    const type = any(["string", "number", "boolean", "enum"]);
    return { name, description: "", type, choices: type === "enum" ? ["1", "abc"] : [] };
  };
  const node = (id: string): Omit<AgentNode, "metadata"> => {
    const node_type = any(RANDOM_NODE_TYPES);
    const speaks = node_type === "conversation" || (["end", "transfer"].includes(node_type) && likely(0.5));
    const back = () => ({
      id: "back",
      condition: likely(0.7) ? ({ type: "llm_prompt", value: "" } as const) : equation(),
    });
    return {
      id,
      node_type,
      state_prompt: speaks ? `At ${id}. ${any(PROMPTS)} ${any(PROMPTS)}` : "",
      instruction_type: speaks && likely(0.2) ? "static_text" : "prompt",
      // a transition on a tool is another matter where replies call tools: there are none here
      transitions: some(4, transition).filter(
        ({ condition }) => node_type !== "conversation" || condition.type !== "tool_call",
      ),
      variables_to_extract: node_type === "extract" ? NAMES.filter(() => likely(0.3)).map(variable) : [],
      tools:
        node_type === "function"
          ? [
              {
                name: any(["look", "book"]),
                description: "",
                parameters: likely(0.5) ? {} : { type: "object", properties: { id: { type: "string" } } },
                response_variables: Object.fromEntries(some(2, () => [any(NAMES), any(["$.n", "$.flag", "$.none"])])),
              },
            ]
          : [],
      ...(likely(0.25) ? { global_node_setting: { condition: "Anywhere", go_back_conditions: some(2, back) } } : {}),
    };
  };
  const mock = (): ToolMock => ({
    tool_name: likely(0.5) ? any(["look", "book"]) : any(ids),
    input_match_rule: likely(0.7) ? { type: "any" } : { type: "partial_match", args: { id: any(["7", "8"]) } },
    output: '{"n": 5, "flag": false, "none": null}',
    result: likely(0.6),
  });
  const given = () => Object.fromEntries(some(3, () => [any(NAMES), any([...TEXTS, 18, true])]));
  return {
    document: {
      nodes: Object.fromEntries(ids.map((id) => [id, node(id)])),
      entry_node_id: any(ids),
      source_metadata: {
        general_prompt: any(PROMPTS),
        ...(likely(0.15) ? { begin_message: any(["", "Hello {{v}}."]) } : {}),
        ...(likely(0.15) ? { start_speaker: "user" } : {}),
        ...(likely(0.2) ? { default_dynamic_variables: given() } : {}),
      },
      snippets: { legal: "Recorded, {{v}}." },
    },
    variables: given(),
    mocks: some(4, mock),
    lines: some(5, () => any(["yes", "no", ""])),
    oracle: {
      transition: (targets) => {
        const target = likely(0.7) ? any(targets) : any(["none", "nowhere", "", ...ids]);
        const written = likely(0.8) ? target : `  ${target.toUpperCase()} `;
        return { objectives_complete: likely(0.8), transition_to: written };
      },
      extract: (variables) =>
        Object.fromEntries(
          variables.map(({ name, type }) => {
            if (likely(0.2)) return [name, null];
            if (type === "number") return [name, any([0, -5, 18, 2.5, 1e21])];
            if (type === "boolean") return [name, likely(0.5)];
            return [name, type === "enum" ? any(["1", "abc"]) : any(TEXTS)];
          }),
        ),
      arguments: () => any([{ id: "7" }, { id: "8" }, {}]),
    },
  };
}
