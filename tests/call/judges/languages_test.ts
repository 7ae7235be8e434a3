import assert from "node:assert/strict";
import { test } from "node:test";
import { createPersonaCaller } from "../../../src/call/callers/mod.ts";
import { judgeMetrics } from "../../../src/call/judges/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import type { Message } from "../../../src/document/transcript/mod.ts";

function transcript(...lines: readonly string[]): readonly Message[] {
  return lines.map((content, index) => ({
    role: index % 2 === 0 ? ("assistant" as const) : ("user" as const),
    content,
    node_id: "a",
    timestamp: "2026-01-02T03:04:05.678Z",
    metadata: {},
  }));
}

const METRIC = { criterion: "Is polite", threshold: 0.5 };

/** What the judge is told of the languages of a call, and what its verdict says. */
async function judged(...lines: readonly string[]) {
  const ruling = { number: 1, requirement: "", claims: "presence", evidence: [], reasoning: "", score: 1 };
  const model = scripted({ judge: [{ verdicts: [ruling] }] });
  const [verdict] = await judgeMetrics([METRIC], transcript(...lines), { model });
  return { told: model.calls[0]?.input.languages, languages: verdict?.languages };
}

test("judgeMetrics() tells the judge the language of a call, and the verdict says it", async () => {
  assert.deepEqual(await judged("Guten Tag, was kann ich für Sie tun?", "Ich möchte einen Termin."), {
    told: ["German"],
    languages: ["de"],
  });
});

test("judgeMetrics() names all languages of a call that changes its language, the main one first", async () => {
  const lines = [
    "Buenos días, ¿en qué puedo ayudarle?",
    "Quisiera pedir una cita para mañana por la tarde, por favor.",
    "¿Cuál es su nombre?",
    "I'm sorry, I do not speak Spanish that well, can we do this in English?",
  ];
  assert.deepEqual((await judged(...lines)).languages, ["es", "en"]);
});

test("judgeMetrics() says nothing of a call in English", async () => {
  assert.deepEqual(await judged("Hello, how can I help you?", "I want to book a table."), {
    told: undefined,
    languages: undefined,
  });
});

test("createPersonaCaller() tells the model the language that the caller speaks, if one is given", async () => {
  const said = { message: "Ja.", should_end: false };
  const model = scripted({ caller: [said, said] });
  await createPersonaCaller("You are Anna.", model, { language: "de-AT" }).next([]);
  await createPersonaCaller("You are Anna.", model).next([]);
  assert.deepEqual(
    model.calls.map(({ input }) => input),
    [
      { persona: "You are Anna.", language: "Austrian German", conversation_history: [] },
      { persona: "You are Anna.", conversation_history: [] },
    ],
  );
});
