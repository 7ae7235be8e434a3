/** How a change can affect calls. `high`: they take another way or fail. `medium`: the agent speaks or decides differently. */
export type ChangeRisk = "high" | "medium" | "low";

/** Every kind of change, with its risk and the reason for it. */
export const CHANGE_KINDS = {
  // nodes
  "node-added": {
    risk: "medium",
    rule: "A new node does nothing before a transition or a global condition leads to it",
  },
  "node-removed": { risk: "high", rule: "Calls that went there go elsewhere" },
  "node-renamed": { risk: "low", rule: "Calls take the same way; scenarios need the new name" },
  "node-type-changed": { risk: "high", rule: "The type decides whether a node speaks and which transitions it takes" },
  "entry-moved": { risk: "high", rule: "Every call starts at another node" },
  "transfer-changed": { risk: "high", rule: "Callers reach another number" },
  // what the agent says
  "prompt-changed": { risk: "medium", rule: "The agent speaks differently" },
  "opening-changed": { risk: "medium", rule: "Calls begin differently" },
  "speech-changed": { risk: "medium", rule: "A text is spoken verbatim instead of followed, or the other way round" },
  // transitions
  "transition-added": { risk: "medium", rule: "Calls can leave the node in another way" },
  "transition-removed": { risk: "high", rule: "Calls that took it stay or go elsewhere" },
  "transition-retargeted": { risk: "high", rule: "Calls that take it go elsewhere" },
  "transitions-reordered": { risk: "high", rule: "The first equation, tool outcome or fallback that holds is taken" },
  "options-reordered": { risk: "low", rule: "The model sees the same LLM conditions in another order" },
  "transition-changed": {
    risk: "medium",
    rule: "The model reads another description, or the transition fires at another time",
  },
  // conditions
  "condition-reworded": { risk: "medium", rule: "The model can decide differently" },
  "condition-changed": { risk: "high", rule: "The transition waits for another event: another type, tool or outcome" },
  "equation-wider": { risk: "high", rule: "More calls take the transition" },
  "equation-narrower": { risk: "high", rule: "Fewer calls take the transition" },
  "equation-changed": { risk: "high", rule: "Other calls take the transition" },
  // global nodes
  "global-added": { risk: "high", rule: "Every conversation node can lead to the node" },
  "global-removed": { risk: "high", rule: "Callers no longer reach the node from everywhere" },
  "go-back-added": { risk: "medium", rule: "Calls can return from the global node in another way" },
  "go-back-removed": { risk: "high", rule: "Calls that returned stay or go elsewhere" },
  // variables
  "variable-added": { risk: "medium", rule: "The node asks for one more value" },
  "variable-removed": { risk: "high", rule: "Prompts and equations no longer get the value from this node" },
  "variable-renamed": {
    risk: "medium",
    rule: "Calls that are given the variable or read it afterwards need the new name",
  },
  "variable-changed": { risk: "high", rule: "Another type or other choices: equations can decide differently" },
  "variable-reworded": { risk: "medium", rule: "The model can extract another value" },
  "variables-reordered": { risk: "low", rule: "The same values are extracted in one request" },
  // tools
  "tool-added": { risk: "medium", rule: "The model can call one more tool" },
  "tool-removed": { risk: "high", rule: "The agent can no longer do what the tool did" },
  "tool-renamed": { risk: "medium", rule: "The model sees another name; servers and mocks get it" },
  "tool-schema-changed": { risk: "high", rule: "The server gets other arguments" },
  "tool-request-changed": { risk: "high", rule: "Another server is called, or its answer is read differently" },
  "tool-reworded": { risk: "medium", rule: "The model can call the tool at other times or with other values" },
  "tools-reordered": { risk: "low", rule: "The model sees the same tools in another order" },
  // snippets
  "snippet-added": { risk: "low", rule: "A new snippet does nothing before a prompt uses it" },
  "snippet-removed": { risk: "high", rule: "Prompts that use it show its tag" },
  "snippet-renamed": { risk: "low", rule: "Prompts that use it read the same" },
  "snippet-changed": { risk: "medium", rule: "All prompts that use it change" },
  // settings
  "model-changed": { risk: "high", rule: "Another model speaks and decides in every call" },
  "setting-changed": { risk: "medium", rule: "Language, voice or a default value changes for all calls" },
  "name-changed": { risk: "low", rule: "Callers do not hear the name of the agent" },
  "platform-changed": { risk: "medium", rule: "A platform option can change how calls sound or run" },
  "layout-changed": { risk: "low", rule: "Positions on a canvas do not matter to calls" },
  rewritten: { risk: "low", rule: "The same meaning, written differently" },
  "other-changed": { risk: "medium", rule: "A key that Callweave does not know may matter to others" },
} as const satisfies { readonly [kind: string]: { readonly risk: ChangeRisk; readonly rule: string } };

/** Stable name of what was changed, such as `prompt-changed`; its risk and the reason are in docs/diff.md. */
export type ChangeKind = keyof typeof CHANGE_KINDS;
