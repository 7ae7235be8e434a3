import assert from "node:assert/strict";
import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { createPseudonymizer, importCalls } from "../../../../api/calls.ts";
import { openStore } from "../../../../mod.ts";
import { sampled } from "../../../fast_check.ts";
import { HELD_OUT } from "./_held_out_vocabulary.ts";
import { makeMessages } from "./_made_up.ts";

/** Number of messages per call; one call per message would take long to store. */
const PER_CALL = 5;

/** A call in the chat format: what the caller says, and a tool's answer with the same person. */
function callOf(person: { readonly [key: string]: string }): string {
  return JSON.stringify({
    messages: [
      { role: "assistant", content: "Who am I speaking with?" },
      { role: "user", content: `${person.first} ${person.last}` },
      {
        role: "assistant",
        tool_calls: [
          {
            id: "t1",
            type: "function",
            function: { name: "find_customer", arguments: JSON.stringify({ name: `${person.first} ${person.last}` }) },
          },
        ],
      },
      { role: "tool", tool_call_id: "t1", name: "find_customer", content: JSON.stringify(person) },
      { role: "assistant", content: `Thanks ${person.first}, is ${person.phone} still your number?` },
      { role: "user", content: `Yes, and ${person.email} is my address, I live at ${person.street}.` },
    ],
  });
}

test("calls imported with redact leave no personal data in the database's files, the WAL included", async () => {
  const folder = await mkdtemp(join(tmpdir(), "callweave-redact-"));
  try {
    const messages = makeMessages(HELD_OUT, sampled(500), 11);
    const person = {
      first: "Khadija",
      last: "Krishnamurthy",
      phone: "+44 7911 123456",
      email: "k.krishnamurthy@outlook.com",
      dob: "1961-11-23",
      card: "4929939187355598",
      street: "812 West Cedar Lane",
    };
    const source = [
      ...Array.from({ length: Math.ceil(messages.length / PER_CALL) }, (_, index) => {
        const said = messages.slice(index * PER_CALL, (index + 1) * PER_CALL);
        return JSON.stringify({ messages: said.map(({ text }) => ({ role: "user", content: text })) });
      }),
      callOf(person),
    ].join("\n");
    const store = await openStore(`file:${join(folder, "results.db")}`);
    const report = await importCalls(source, { store, redact: await createPseudonymizer({ key: "a key for tests" }) });
    assert.equal(report.damaged, 0);
    assert.ok(report.added > 1);
    const whileOpen = await bytesOf(folder);
    await store.close();
    const values = [...Object.values(person), ...messages.flatMap(({ slots }) => slots.map(({ value }) => value))];
    for (const bytes of [whileOpen, await bytesOf(folder)]) {
      assert.ok(bytes.includes("find_customer"));
      const left = [...new Set(values)].filter((value) => isTelling(value) && bytes.includes(value));
      assert.deepEqual(left, []);
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

/** Short names occur in other words: "Eze" in "squeeze". */
function isTelling(value: string): boolean {
  return value.length > 5;
}

async function bytesOf(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true });
  const contents = files
    .filter((entry) => entry.isFile())
    .map(async (entry) => await readFile(join(entry.parentPath, entry.name)));
  return Buffer.concat(await Promise.all(contents)).toString("utf8");
}
