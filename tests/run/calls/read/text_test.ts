import assert from "node:assert/strict";
import { test } from "node:test";
import { callsOf, courseOf, readAll } from "../_read.ts";

async function courses(text: string): Promise<readonly (readonly string[])[]> {
  return (await callsOf(text)).map(courseOf);
}

test("plain text has its speakers, in any usual form, and lines that go on", async () => {
  const forms = [
    "Agent: Hello.\nHow are you?\nUser: Fine: thanks.",
    "[00:01] Agent: Hello.\nHow are you?\n[00:04] Caller: Fine: thanks.",
    "AI (0:01): Hello.\nHow are you?\nCustomer (0:04): Fine: thanks.",
    "**Assistant:** Hello.\nHow are you?\n**User:** Fine: thanks.",
    "2026-01-05 09:30:01 Agent: Hello.\nHow are you?\n2026-01-05 09:30:04 Client: Fine: thanks.",
    "Call of Monday\n\nNova: Hello.\nHow are you?\nUSER: Fine: thanks.",
    "bot: Hello.\r\nHow are you?\r\nMaria Lopez: Fine: thanks.\r\n",
  ];
  for (const form of forms)
    assert.deepEqual(await courses(form), [["|assistant: Hello.\nHow are you?", "|user: Fine: thanks."]], form);
});

test("times before the speakers are the times of the messages", async () => {
  const [dated] = await callsOf("2026-01-05T09:30:00Z Agent: Hello\n2026-01-05T09:30:04Z User: Hi");
  assert.deepEqual([dated?.startedAt, dated?.durationMs], ["2026-01-05T09:30:00.000Z", 4000]);
  assert.equal(dated?.transcript[1]?.timestamp, "2026-01-05T09:30:04.000Z");
  const [clock] = await callsOf("[14:30:05] Agent: Hello\n[14:30:07.5] User: Hi");
  assert.deepEqual([clock?.startedAt, clock?.durationMs], [null, 2500]);
});

test("a text holds several calls between lines of dashes; one without speakers is damaged", async () => {
  assert.equal((await courses("Agent: One\n---\nAgent: Two\n=====\nUser: Three")).length, 3);
  const [read] = await readAll("Dear team,\nplease call back.");
  assert.deepEqual(read, {
    problem: "damaged",
    reason: 'no line begins with a speaker such as "Agent:" or "User:"',
    source: "calls",
    position: 1,
    line: 1,
  });
});
