import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { startLocalPlatforms } from "../../api/deploy.ts";
import { ROOT, runFile } from "../surface/cli/_process.ts";
import { folder } from "../surface/cli/_terminal.ts";

// on the runtime that the test runs on: the suite runs on all of them
test("the help desk deploys from a script: the first run creates it on both platforms, the second has nothing to apply", async () => {
  await using platforms = await startLocalPlatforms();
  const { retell, vapi, key } = platforms;
  const env = { RETELL_API_KEY: key, RETELL_BASE_URL: retell, VAPI_API_KEY: key, VAPI_BASE_URL: vapi };
  const script = join(ROOT, "examples", "help-desk", "deploy.ts");
  const cwd = folder({
    "twice.ts": `await import(${JSON.stringify(script)});
console.log("again");
await import(${JSON.stringify(`${script}?again`)});
`,
    "package.json": { type: "module" },
  });
  const { code, out, err } = await runFile(join(cwd, "twice.ts"), [], { cwd, env });
  assert.equal(code, 0, err);
  const [first = "", second] = out.split("again\n");
  assert.match(first, /retell: created agent/);
  assert.match(first, /vapi-squad: created squad/);
  assert.equal(second, "retell: nothing to apply\nvapi-squad: nothing to apply\n");
});
