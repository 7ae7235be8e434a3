import type { Vapi } from "@vapi-ai/server-sdk";

/** Longest name of an assistant, in characters (`CreateAssistantDTO.name`). */
export const MAX_ASSISTANT_NAME = 40;
/** What a function may be called (`OpenAIFunction.name`). */
export const FUNCTION_NAME = /^[a-zA-Z0-9_-]{1,64}$/;
/** What an API request tool may be called (`CreateApiRequestToolDTO.name`). */
export const REQUEST_NAME = /^[a-zA-Z0-9_-]{1,40}$/;
/** What an alias may be called (`VariableExtractionAlias.key`), and how long it may be. */
export const ALIAS = /^[a-zA-Z][a-zA-Z0-9_]{0,39}$/;
/** Longest text of an alias's value (`VariableExtractionAlias.value`). */
export const MAX_ALIAS_VALUE = 10_000;
/** Longest message of a tool, and longest voicemail or last message of an assistant. */
export const MAX_MESSAGE = 1000;
/** Longest code of a code tool (`CreateCodeToolDTO.code`). */
export const MAX_CODE = 50_000;

/** Numbers that Vapi holds to a range, with both ends included. */
export const RANGES = {
  maxDurationSeconds: [10, 43_200],
  temperature: [0, 2],
  maxTokens: [50, 10_000],
  endCallPhrase: [2, 140],
} as const satisfies Readonly<Record<string, readonly [least: number, most: number]>>;

/** Every key that an assistant is created with; any other is answered with an error. */
export const ASSISTANT_KEYS = [
  ...(["name", "transcriber", "model", "voice", "firstMessage", "firstMessageInterruptionsEnabled"] as const),
  ...(["firstMessageMode", "voicemailDetection", "clientMessages", "serverMessages", "maxDurationSeconds"] as const),
  ...(["backgroundSound", "modelOutputInMessagesEnabled", "transportConfigurations", "observabilityPlan"] as const),
  ...(["credentials", "hooks", "voicemailMessage", "endCallMessage", "endCallPhrases", "compliancePlan"] as const),
  ...(["metadata", "backgroundSpeechDenoisingPlan", "analysisPlan", "artifactPlan", "startSpeakingPlan"] as const),
  ...(["stopSpeakingPlan", "monitorPlan", "credentialIds", "server", "keypadInputPlan"] as const),
] as const satisfies readonly (keyof Vapi.CreateAssistantDto)[];

/** What an override may have beside the assistant's own keys. */
export const OVERRIDE_KEYS = [
  ...ASSISTANT_KEYS,
  "variableValues",
  "tools:append",
] as const satisfies readonly (keyof Vapi.AssistantOverrides)[];

/** Every key of a squad and of its members. */
export const SQUAD_KEYS = [
  "name",
  "members",
  "membersOverrides",
] as const satisfies readonly (keyof Vapi.CreateSquadDto)[];
export const MEMBER_KEYS = [
  ...(["assistantId", "assistantVersion", "assistant", "assistantOverrides", "assistantDestinations"] as const),
] as const satisfies readonly (keyof Vapi.SquadMemberDto)[];

/** Keys that Vapi's servers add to what they return. Nobody sends them, so nothing is wrong with them. */
export const SERVER_KEYS = [
  ...["id", "orgId", "createdAt", "updatedAt", "latestVersion", "analyticsMetadata", "isDeleted"],
  ...["isServerUrlSecretSet", "workflowIds"],
];
