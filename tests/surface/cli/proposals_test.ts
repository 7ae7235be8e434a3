import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { createProposal } from "../../../src/surface/proposals/mod.ts";
import { callweave, folder } from "./_terminal.ts";

const ARGV = ["proposals", "accept", "say-less"];

async function proposed(): Promise<string> {
  const cwd = folder({ "flow.ts": "say a lot\n" });
  await createProposal(cwd, {
    title: "Say less",
    reason: "People hang up",
    files: [{ path: "flow.ts", after: "say little\n" }],
  });
  return cwd;
}

test("proposals accept shows the change and asks, and without a terminal needs --yes", async () => {
  const cwd = await proposed();
  const text = () => readFileSync(join(cwd, "flow.ts"), "utf8");
  const alone = await callweave(ARGV, { cwd });
  assert.equal(alone.code, 2);
  assert.match(alone.err, /there is no terminal to ask on/);
  const asked: string[] = [];
  const answering = (answer: string) => async (question: string) => {
    asked.push(question);
    return answer;
  };
  const declined = await callweave(ARGV, { cwd, ask: answering("no") });
  assert.equal(declined.code, 1);
  assert.match(declined.err, /^-say a lot\n\+say little$/m);
  assert.equal(text(), "say a lot\n");
  assert.equal((await callweave(ARGV, { cwd, ask: answering("yes") })).code, 0);
  assert.deepEqual([text(), asked.length], ["say little\n", 2]);
  const again = await callweave(ARGV, { cwd });
  assert.match(again.err, /it was accepted before/);

  const other = await proposed();
  assert.equal((await callweave([...ARGV, "--yes"], { cwd: other })).code, 0);
});

test("proposals accept writes nothing if the proposal was changed while a person read it", async () => {
  const cwd = await proposed();
  const patch = join(cwd, ".callweave", "proposals", "say-less.patch");
  const ask = async () => {
    writeFileSync(patch, readFileSync(patch, "utf8").replace("+say little", "+say nothing"));
    return "yes";
  };
  const { code, err } = await callweave(ARGV, { cwd, ask });
  assert.deepEqual([code, readFileSync(join(cwd, "flow.ts"), "utf8")], [2, "say a lot\n"]);
  assert.match(err, /changed while you read it/);
});
