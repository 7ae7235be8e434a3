import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { startLocalPlatforms } from "../../mod.ts";
import { ROOT, runFile } from "../cli/_process.ts";
import { folder } from "../cli/_terminal.ts";

// on the runtime that the test runs on: the suite runs on all of them
test("the help desk deploys from a script: the first run creates it on both platforms, the second has nothing to apply", async () => {
  await using platforms = await startLocalPlatforms();
  const { retell, vapi, key } = platforms;
  const env = { RETELL_API_KEY: key, RETELL_BASE_URL: retell, VAPI_API_KEY: key, VAPI_BASE_URL: vapi };
  const file = join(ROOT, "examples", "help-desk", "deploy.ts");
  const start = { cwd: folder(), env };
  const first = await runFile(file, [], start);
  assert.equal(first.code, 0, first.err);
  assert.match(first.out, /retell: created agent/);
  assert.match(first.out, /vapi-squad: created squad/);
  const second = await runFile(file, [], start);
  assert.equal(second.code, 0, second.err);
  assert.equal(second.out, "retell: nothing to apply\nvapi-squad: nothing to apply\n");
});
