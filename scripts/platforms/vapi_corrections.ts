import type { JsonObject } from "../../src/base/values/mod.ts";

/** A correction where Vapi's published document is wrong, or incomplete. */
export interface Correction {
  readonly schema: string;
  /** Keys from the schema down, `items` for a list's items. Absent: the schema itself. */
  readonly path?: readonly string[];
  /** Keywords that replace the published ones; `undefined` removes one. */
  readonly set: JsonObject;
  readonly reason: string;
  /** Whether only checks need it; the types stay as published. */
  readonly isForChecks?: boolean;
}

/** Names of models and voices, which Vapi adds and retires faster than it publishes its document. */
export const OPEN_KEYS: readonly string[] = ["model", "fallbackModels", "voiceId"];

const WHOLE = "Without one of its parts it would do something else: a condition would veto other calls";
const ENDPOINTING = "The document gives each plan the providers of all three";
const WORDS = "Says in words what the pattern says";
const RETIRED = "Workflows are retired; what is left of one is not checked";

export const CORRECTIONS: readonly Correction[] = [
  {
    schema: "BackoffPlan",
    path: ["excludedStatusCodes", "items"],
    set: { type: "number" },
    reason: "The document calls status codes objects and gives numbers as its example",
  },
  {
    schema: "NeuphonicVoice",
    path: ["language"],
    set: { type: undefined },
    reason: "The document calls the language an object and gives a text as its example",
  },
  { schema: "FallbackNeuphonicVoice", path: ["language"], set: { type: undefined }, reason: "As of NeuphonicVoice" },
  { schema: "VapiSmartEndpointingPlan", path: ["provider"], set: { enum: ["vapi"] }, reason: ENDPOINTING },
  { schema: "LivekitSmartEndpointingPlan", path: ["provider"], set: { enum: ["livekit"] }, reason: ENDPOINTING },
  {
    schema: "CustomEndpointingModelSmartEndpointingPlan",
    path: ["provider"],
    set: { enum: ["custom-endpointing-model"] },
    reason: ENDPOINTING,
  },
  {
    schema: "VapiModel",
    path: ["workflow"],
    set: { type: "object", oneOf: undefined, allOf: undefined },
    reason: RETIRED,
    isForChecks: true,
  },
  {
    schema: "CreateAssistantDTO",
    path: ["credentials", "items"],
    set: { type: "object", oneOf: undefined },
    reason: "Credentials are secrets of 60 services; only Vapi checks them",
    isForChecks: true,
  },
  {
    schema: "AssistantOverrides",
    path: ["credentials", "items"],
    set: { type: "object", oneOf: undefined },
    reason: "As of CreateAssistantDTO",
    isForChecks: true,
  },
  {
    schema: "CreateByoSipTrunkCredentialDTO",
    set: { required: ["provider", "gateways"] },
    reason: "The provider is what tells credentials apart; the other 59 require it",
  },
  {
    schema: "VariableExtractionAlias",
    path: ["key"],
    set: { wanted: "a letter, then up to 39 letters, digits and underscores" },
    reason: WORDS,
  },
  {
    schema: "CodeToolEnvironmentVariable",
    path: ["name"],
    set: { wanted: "capitals, digits and underscores" },
    reason: WORDS,
  },
  ...["DeepgramTranscriber", "FallbackDeepgramTranscriber"].map((schema) => ({
    schema,
    path: ["keywords", "items"],
    set: { wanted: 'one word, such as "Callweave" or "Callweave:2"' },
    reason: WORDS,
  })),
  ...[
    ...["RegexCondition", "LiquidCondition", "GroupCondition"],
    ...["VapiSmartEndpointingPlan", "LivekitSmartEndpointingPlan", "CustomEndpointingModelSmartEndpointingPlan"],
  ].map((schema) => ({ schema, set: { whole: true }, reason: WHOLE })),
];
