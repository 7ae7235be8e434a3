import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { compileWithSdks } from "./sdk_literals.ts";

/** Where the SDK's types differ from the document that Vapi publishes; the test takes the SDK's. */
const DIFFERENCES: { readonly [reason: string]: readonly (readonly [name: string, key: string])[] } = {
  "the SDK takes texts and numbers for objects": [
    ["BackoffPlan", "type"],
    ["BackoffPlan", "excludedStatusCodes"],
    ["TransferPlan", "sipVerb"],
    ["NeuphonicVoice", "language"],
    ["FallbackNeuphonicVoice", "language"],
  ],
  "the document is newer than the SDK": [
    ["DeepgramTranscriber", "model"],
    ["DeepgramTranscriber", "language"],
    ["FallbackDeepgramTranscriber", "model"],
    ["FallbackDeepgramTranscriber", "language"],
    ["CerebrasModel", "model"],
    ["TransferDestinationAssistant", "transferMode"],
  ],
};

/** A module in which a type that is not assignable to another one does not compile. */
function assignable(imports: readonly string[], pairs: readonly (readonly [string, string])[]): string {
  const lines = pairs.map(([from, to], index) => `export type Pair${index} = Is<${from}, ${to}>;`);
  return [...imports, "type Is<From extends To, To> = From;", ...lines].join("\n");
}

const both = (pairs: readonly (readonly [string, string])[]) =>
  pairs.flatMap(([one, other]): (readonly [string, string])[] => [
    [one, other],
    [other, one],
  ]);

/** The generated types of a platform, as a namespace. */
function generated(platform: string, differences: typeof DIFFERENCES = {}): string {
  let text = readFileSync(new URL(`../../platforms/${platform}/generated/types.ts`, import.meta.url), "utf8");
  for (const [name, key] of Object.values(differences).flat()) {
    const found = new RegExp(`(export interface ${name} \\{\\n(?:.*\\n)*?  ${key}\\??: )(.*);\\n`);
    const replaced = text.replace(found, (_, before: string) => `${before}Sdk.${name}["${key}"];\n`);
    assert.notEqual(replaced, text, `${name}.${key}`);
    text = replaced;
  }
  return `declare namespace Ours {\n${text}\n}`;
}

const VAPI_SDK = 'import type { Vapi as Sdk } from "@vapi-ai/server-sdk";';

test("Vapi's types are those of its SDK, in both directions", { timeout: 300_000 }, async () => {
  const pairs = both([
    ["Ours.CreateAssistantDTO", "Sdk.CreateAssistantDto"],
    ["Ours.CreateSquadDTO", "Sdk.CreateSquadDto"],
    ["Ours.CreateEvalDTO", "Sdk.CreateEvalDto"],
    ["Ours.SimulationRunSimulationEntry", "Sdk.SimulationRunSimulationsItem.Simulation"],
  ]);
  assert.equal(await compileWithSdks(assignable([VAPI_SDK, generated("vapi", DIFFERENCES)], pairs)), "");
});

test("each difference from Vapi's SDK is still one", { timeout: 300_000 }, async () => {
  const all = Object.values(DIFFERENCES).flat();
  const pairs = all.map(([name, key]) => [`Ours.${name}["${key}"]`, `Sdk.${name}["${key}"]`] as const);
  const errors = await compileWithSdks(assignable([VAPI_SDK, generated("vapi")], pairs));
  const lines = assignable([VAPI_SDK, generated("vapi")], pairs).split("\n");
  for (const [from] of pairs) {
    const line = lines.findIndex((each) => each.includes(`Is<${from},`)) + 1;
    assert.ok(errors.includes(`literals.ts(${line},`), `${from} is assignable to the SDK's`);
  }
});

test("Retell's types are those of its SDK, in both directions", { timeout: 300_000 }, async () => {
  const imports = [
    'import type { AgentCreateParams } from "retell-sdk/resources/agent";',
    'import type { ConversationFlowCreateParams } from "retell-sdk/resources/conversation-flow";',
    generated("retell"),
  ];
  const pairs = both(["AgentCreateParams", "ConversationFlowCreateParams"].map((name) => [`Ours.${name}`, name]));
  assert.equal(await compileWithSdks(assignable(imports, pairs)), "");
});

test("test cases of Retell, and the reasons that calls end for, are those of the SDKs", {
  timeout: 300_000,
}, async () => {
  const root = fileURLToPath(new URL("../../", import.meta.url)).replaceAll("\\", "/");
  const imports = [
    'import type { CallResponse } from "retell-sdk/resources/call";',
    'import type { TestCaseDefinitionResponse, TestCreateTestCaseDefinitionParams as Body } from "retell-sdk/resources/tests";',
    VAPI_SDK,
    `import type { RetellTestCase, RetellTestEngine } from "${root}platforms/retell/mod.ts";`,
    `import type { RetellReason } from "${root}platforms/retell/calls/read.ts";`,
    `import type { VapiReason } from "${root}platforms/vapi/calls/read.ts";`,
    "type Failed = `$" +
      "{string}error$" +
      "{string}` | `$" +
      "{string}fault$" +
      "{string}` | `$" +
      "{string}failed$" +
      "{string}`;",
    "type Case = RetellTestCase & { response_engine: RetellTestEngine };",
  ];
  const pairs = [
    ...both([
      ["Omit<Case, 'type'>", "Body"],
      ["RetellTestEngine", "Body['response_engine']"],
      ["NonNullable<RetellTestCase['type']>", "TestCaseDefinitionResponse['type']"],
      ["RetellReason", "NonNullable<CallResponse['disconnection_reason']>"],
      ["VapiReason", "Exclude<Sdk.CallEndedReason, Failed>"],
    ]),
  ];
  assert.equal(await compileWithSdks(assignable(imports, pairs)), "");
});
