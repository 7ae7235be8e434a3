import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { retellAnswers, retellCall, startPlatform } from "../../../run/calls/pull/_platforms.ts";
import { callweave, folder } from "../_terminal.ts";

const HOUR = 60 * 60 * 1000;

test("calls pull --redact stores calls of a platform once, notes what it read and keeps the key to itself", async () => {
  const at = Date.now() - 5 * HOUR;
  const call = retellCall(1, at);
  const named = { ...call, transcript_object: [{ role: "user", content: "My name is Maria Lopez.", words: [] }] };
  await using platform = await startPlatform(retellAnswers(() => [named, retellCall(2, at + 1000)]));
  const path = folder();
  const db = join(path, "results.db");
  const env = { RETELL_API_KEY: "key_0123456789abcdef", CALLWEAVE_REDACT_KEY: "a key for tests" };
  const argv = [
    "calls",
    "pull",
    "--from",
    "retell",
    "--since",
    "1d",
    "--redact",
    "--base-url",
    platform.url,
    "--db",
    db,
  ];
  const first = await callweave(argv, { env });
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /^2 new, 0 known\nrun \w+ /);
  const second = await callweave(argv, { env });
  assert.equal(second.out, "0 new, 0 known\n");
  const bytes = readFileSync(db, "latin1");
  assert.ok(bytes.includes("My name is "));
  assert.ok(!/Maria|Lopez/.test(bytes));
  const state = join(path, "pulls.json");
  assert.ok(existsSync(state));
  assert.ok(!readFileSync(state, "utf8").includes(env.RETELL_API_KEY));
});

test("calls pull says which flag or key is wrong", async () => {
  const missing = await callweave(["calls", "pull", "--from", "retell"]);
  assert.equal(missing.code, 2);
  assert.match(missing.err, /RETELL_API_KEY is not set/);
  const age = await callweave(["calls", "pull", "--from", "vapi", "--since", "yesterday"], {
    env: { VAPI_API_KEY: "k" },
  });
  assert.equal(age.code, 2);
  assert.match(age.err, /--since is "yesterday"/);
  const platform = await callweave(["calls", "pull", "--from", "acme"]);
  assert.match(platform.err, /--from is "acme"/);
});
