import assert from "node:assert/strict";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { ended, serve } from "./_served.ts";

const SDK = JSON.stringify(new URL("../../../../mod.ts", import.meta.url).href);

/** Each call waits for a file, so that a run is surely running when it is stopped. */
const FLOW = `import { existsSync, writeFileSync } from "node:fs";
import { setTimeout } from "node:timers/promises";
import { flow, scenario, tool } from ${SDK};
const wait = tool({ name: "wait", description: "Waits", execute: async () => {
  writeFileSync("pid", process.pid + "\\n");
  while (!existsSync("go")) await setTimeout(20);
  return "went";
} });
export const shop = flow("shop", { tools: [wait] })
  .conversation("greet", { text: "Hello.", next: ({ to }) => [to("look", "Caller asks about an order")] })
  .function("look", { tools: ["wait"], next: ({ to }) => [to("bye")] })
  .end("bye", { text: "Goodbye." })
  .compile();
export const scenarios = [scenario("asks", shop).says("I ask about an order.").visits("bye")];
`;

test("a run is started, watched, stopped and resumed, and a server that is killed loses nothing", {
  timeout: 240_000,
}, async () => {
  const folder = await mkdtemp(join(tmpdir(), "callweave-studio-"));
  await writeFile(join(folder, "flow.ts"), FLOW);
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  let server = await serve(folder);
  try {
    await assert.rejects(server.studio.startRun({ agent: "shop", scenarios: ["none"] }), {
      code: "unknown-scenario",
      status: 404,
      message: /none/,
    });
    await assert.rejects(server.studio.startRun({ agent: "shop", tags: ["none"] }), { code: "unknown-scenario" });
    const { id } = await server.studio.startRun({ agent: "shop", repeats: 2 });
    assert.equal((await server.studio.run({ run: id })).state, "running");
    await assert.rejects(server.studio.resumeRun({ run: id }), { code: "run-not-here", status: 409 });
    await server.studio.stopRun({ run: id });
    for await (const event of server.studio.events({ after: "0" })) if (event.type === "run-ended") break;
    const stopped = await server.studio.run({ run: id });
    assert.deepEqual([stopped.state, stopped.counts.pass], ["stopped", 0]);
    const { id: call } = (await server.studio.calls({ run: id })).items[0] ?? { id: "" };
    await server.studio.saveLabel({ call, verdict: "bad", what: "stopped" });
    const kept = await server.studio.labels({});
    assert.equal(kept.items.length, 1);

    // in the middle of writing: requests are under way when the process is killed
    const writes = Array.from({ length: 20 }, (_, turn) =>
      server.studio.saveLabel({ call, turn, verdict: "good" }).then(
        ({ id: label }) => label,
        () => undefined,
      ),
    );
    await Promise.race(writes);
    server.child.kill("SIGKILL");
    const saved = (await Promise.all(writes)).filter((label) => label !== undefined);
    await ended(server.child);

    server = await serve(folder);
    const found = new Set((await server.studio.labels({})).items.map(({ id: label }) => label));
    for (const label of [...saved, kept.items[0]?.id ?? ""]) assert.ok(found.has(label), "a saved label is lost");
    const events = new Set<string>();
    for await (const event of server.studio.events({ after: "0" })) {
      if (event.type === "label-saved") events.add(event.label.id);
      if (events.size === found.size) break;
    }
    assert.deepEqual(
      [...found].filter((label) => !events.has(label)),
      [],
    );

    // a run that a killed server had started ends too, and is not shown as running for ever
    await rm(join(folder, "pid"), { force: true });
    await server.studio.resumeRun({ run: id });
    const pid = await pidIn(join(folder, "pid"));
    server.child.kill("SIGKILL");
    await ended(server.child);
    while (isRunning(pid)) await pause();
    server = await serve(folder);
    const interrupted = await server.studio.run({ run: id });
    assert.notEqual(interrupted.state, "running");
    assert.equal(interrupted.counts.pass, 0);

    await writeFile(join(folder, "go"), "");
    assert.deepEqual(await server.studio.resumeRun({ run: id }), { id });
    for (;;) {
      const { state, counts } = await server.studio.run({ run: id });
      if (state !== "running") {
        assert.deepEqual([state, counts.pass], ["finished", 2]);
        break;
      }
      await pause();
    }
    const audit = await server.studio.audit({});
    assert.ok(audit.items.some(({ action, detail }) => action === "startRun" && detail.run === id));
    assert.equal(audit.items[0]?.action, "resumeRun");
  } finally {
    server.child.kill("SIGTERM");
    await ended(server.child);
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});

const pause = () => new Promise((resolve) => setTimeout(resolve, 50));

async function pidIn(file: string): Promise<number> {
  for (;;) {
    const text = await readFile(file, "utf8").catch(() => "");
    if (text.endsWith("\n")) return Number(text);
    await pause();
  }
}

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
