import assert from "node:assert/strict";
import { test } from "node:test";
import { judgeMetrics } from "../../../src/call/judges/mod.ts";
import { scripted } from "../../../src/call/models/mod.ts";
import type { Message } from "../../../src/document/transcript/mod.ts";
import { line } from "./_fixtures.ts";

/** The lines of a call as the judge is shown them. */
async function shown(transcript: readonly Message[]): Promise<unknown> {
  const verdict = { number: 1, requirement: "", evidence: "", reasoning: "", score: 1, confidence: 1 };
  const model = scripted({ judge: [{ verdicts: [verdict] }] });
  await judgeMetrics([{ criterion: "is polite", threshold: 0.7 }], transcript, { model });
  return model.calls[0]?.input.transcript;
}

const noted = (kind: string, content: string, role: Message["role"] = "system"): Message => {
  return { ...line(role, content), metadata: { kind } };
};

const hello = { role: "assistant", content: "Hello." };
const yes = { role: "user", content: "Yes." };
const spoken = [line("assistant", "Hello."), line("user", "Yes.")];

test("the judge is shown interruptions and silences in brackets behind the line that they follow", async () => {
  for (const kind of ["interruption", "silence"])
    assert.deepEqual(await shown([...spoken, line("user", "Yes?"), noted(kind, "2 s"), line("assistant", "Bye.")]), [
      hello,
      yes,
      { role: "user", content: "Yes? [2 s]" },
      { role: "assistant", content: "Bye." },
    ]);
});

test("several interruptions and silences behind one line all stand behind it, in their order", async () => {
  const notes = [noted("interruption", "cut off"), line("tool", "looked up"), noted("silence", "2 s")];
  assert.deepEqual(await shown([...spoken, ...notes]), [hello, { role: "user", content: "Yes. [cut off] [2 s]" }]);
});

test("a silence before the first line is not shown, because it follows no words", async () => {
  assert.deepEqual(await shown([noted("silence", "2 s"), ...spoken]), [hello, yes]);
});

test("the judge is shown no other lines of the system, and none of tools", async () => {
  const others = [
    line("system", "note"),
    noted("dtmf", "1"),
    noted("silence", "of a tool", "tool"),
    noted("interruption", "of a tool", "tool"),
  ];
  assert.deepEqual(await shown([...others, ...spoken, ...others]), [hello, yes]);
});
