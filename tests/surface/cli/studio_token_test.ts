import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { callweave, folder } from "./_terminal.ts";

test("studio takes a source as its first argument, and is not only the name of its subcommands", async () => {
  const cwd = folder({ "flow.txt": "no agent" });
  const stopped = AbortSignal.abort(new Error("stopped"));
  const alone = await callweave(["studio"], { cwd, signal: stopped });
  assert.doesNotMatch(alone.out + alone.err, /studio token create|there is no command/);
  const started = await callweave(["studio", "flow.txt", "--no-open"], { cwd, signal: stopped });
  assert.doesNotMatch(started.out + started.err, /there is no command/);
  const unknown = await callweave(["studio", "token", "none"], { cwd });
  assert.match(unknown.err, /there is no command "studio token none"/);
});

test("studio token creates, lists and revokes tokens, of which the database has only hashes", async () => {
  const path = folder({});
  const db = ["--db", join(path, "results.db")];
  const created = await callweave(["studio", "token", "create", "ana", "--role", "labeller", ...db]);
  assert.match(created.out, /^cws_[\w-]{43}\n$/);
  const token = created.out.trim();
  assert.ok(!readFileSync(join(path, "results.db"), "latin1").includes(token));
  const again = await callweave(["studio", "token", "create", "ana", "--role", "editor", ...db]);
  assert.deepEqual([again.code, again.out], [2, ""]);
  assert.match(again.err, /"ana" has a token/);
  const listed = await callweave(["studio", "token", "list", "--json", ...db]);
  const [first] = JSON.parse(listed.out);
  assert.deepEqual([first.name, first.role, listed.out.includes(token)], ["ana", "labeller", false]);
  for (const argv of [
    ["create", "bo"],
    ["create", "bo", "--role", "owner"],
    ["create", " ", "--role", "viewer"],
    ["revoke", "bo"],
  ])
    assert.equal((await callweave(["studio", "token", ...argv, ...db])).code, 2, argv.join(" "));
  assert.equal((await callweave(["studio", "token", "revoke", "ana", ...db])).out, "revoked: ana\n");
  assert.equal((await callweave(["studio", "token", "list", ...db])).out, "no tokens\n");
});
