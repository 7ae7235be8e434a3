import assert from "node:assert/strict";
import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { pathToFileURL } from "node:url";
import { createStudioClient } from "../../../src/surface/studio/api/client.ts";
import { ROOT } from "../cli/_process.ts";
import { startRealStudio } from "./page/_real_studio.ts";

const AGENT = `import { connect } from ${JSON.stringify(pathToFileURL(join(ROOT, "api", "connect.ts")).href)};
export const agent = connect.custom({ name: "echo", agent: (messages) => "You said: " + messages.at(-1)?.content });
`;

test("callweave studio --agent: people talk with the agent of a module, and with no other address", {
  timeout: 300_000,
}, async (t) => {
  const folder = mkdtempSync(join(tmpdir(), "callweave-studio-"));
  writeFileSync(join(folder, "package.json"), JSON.stringify({ type: "module" }));
  writeFileSync(join(folder, "agent.ts"), AGENT);
  const source = join(ROOT, "examples", "help-desk", "flow.ts");
  const address = await startRealStudio(t, folder, ["--agent", "./agent.ts", source]);
  const studio = createStudioClient({ url: address.replace(/\/$/, "") });
  assert.deepEqual((await studio.project({})).connections, ["./agent.ts"]);
  const chat = await studio.createChat({ agent: "help-desk", connection: "./agent.ts" });
  const said: string[] = [];
  for await (const event of studio.say({ chat: chat.id, text: "Hello?" }))
    if (event.type === "message") said.push(event.message.content);
  assert.deepEqual(said, ["Hello?", "You said: Hello?"]);
  await assert.rejects(studio.undoChat({ chat: chat.id }), { code: "missing-capability" });
  await assert.rejects(studio.createChat({ agent: "help-desk", connection: "./other.ts" }), {
    code: "unknown-agent",
  });
});
