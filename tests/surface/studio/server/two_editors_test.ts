import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { startLocalPlatforms } from "../../../../src/deploy/mod.ts";
import { acceptProposal, createProposal } from "../../../../src/surface/proposals/mod.ts";
import { createStudioClient } from "../../../../src/surface/studio/api/client.ts";
import { addEvent, createToken } from "../../../../src/surface/studio/data/mod.ts";
import { agentFile, storedRun, withStudio } from "../_studio.ts";

/** What became of works at the same time: `done`, or the code of the error. */
async function outcomes(works: readonly Promise<unknown>[]): Promise<readonly string[]> {
  const ended = works.map((work) =>
    work.then(
      () => "done",
      (error) => String(error.code),
    ),
  );
  return (await Promise.all(ended)).toSorted();
}

test("of two editors who apply the same plan at once, one does it and the other is told", {
  timeout: 120_000,
}, async () => {
  await using local = await startLocalPlatforms();
  const question = { path: "", exportName: undefined, format: undefined, scenarioFiles: [] as string[] };
  const place = { folder: "" };
  await withStudio(
    async ({ address, errors }) => {
      const [ana, ben] = [createStudioClient({ url: address }), createStudioClient({ url: address })];
      const here = { environment: "staging" };
      const { digest } = await ana.planDeployment(here);
      const [one, other = ""] = await outcomes([ana, ben].map((each) => each.applyDeployment({ ...here, digest })));
      assert.ok([one, other].includes("done"), `${one}, ${other}`);
      assert.ok(["apply-running", "plan-outdated"].includes([one, other].find((each) => each !== "done") ?? ""), one);
      assert.equal((await ana.deployments({})).items[0]?.deployed.length, 1);
      const { items } = await ana.audit({ action: "applyDeployment" });
      assert.deepEqual(items.map(({ detail }) => detail.outcome).toSorted(), [one, other].toSorted());
      assert.deepEqual(errors, []);
    },
    {
      before: async (_, folder) => {
        place.folder = folder;
        Object.assign(question, await agentFile(folder));
      },
      question,
      environments: {
        names: ["staging"],
        formatOf: () => "retell",
        targetOf: (environment, signal) => ({
          ...{ to: "retell", key: local.key, baseUrl: local.retell, environment, signal },
          folder: place.folder,
        }),
      },
    },
  );
});

test("a run that two editors resume or stop at once is resumed and stopped once", async () => {
  let started = 0;
  const given = { data: undefined as Parameters<typeof addEvent>[0] | undefined };
  await withStudio(
    async ({ address, data }) => {
      given.data = data;
      const studio = createStudioClient({ url: address });
      const { run } = await storedRun(data, ["pass"], { plan: { scenarios: { greets: "hash" } } });
      const resumed = await outcomes([1, 2, 3].map(() => studio.resumeRun({ run })));
      assert.deepEqual([resumed, started], [["done", "run-not-here", "run-not-here"], 1]);
      const stopped = await outcomes([1, 2].map(() => studio.stopRun({ run })));
      assert.ok(stopped.includes("done"));
    },
    {
      startRun: ({ resume = "" }) => {
        started++;
        let stop = () => {};
        const ended = new Promise<{ words: string }>((resolve) => {
          stop = () => resolve({ words: "" });
        });
        if (given.data) void addEvent(given.data, { type: "run-resumed", run: resume });
        return { ended, stop };
      },
    },
  );
});

test("labels of two people are both kept, and one that is deleted twice is unknown the second time", async () => {
  const tokens = { ana: "", ben: "" };
  await withStudio(
    async ({ address, data }) => {
      const url = address.replace("0.0.0.0", "127.0.0.1");
      const [ana, ben] = [tokens.ana, tokens.ben].map((token) => createStudioClient({ url, token }));
      assert.ok(ana && ben);
      const { calls } = await storedRun(data, ["pass"]);
      const [call = ""] = calls;
      const turns = Array.from({ length: 10 }, (_, turn) => turn);
      await Promise.all(
        turns.flatMap((turn) => [
          ana.saveLabel({ call, turn, verdict: "good" }),
          ben.saveLabel({ call, turn, verdict: "bad" }),
        ]),
      );
      const { items } = await ana.labels({ call, limit: 200 });
      assert.equal(items.length, 20);
      const own = items.find(({ by }) => by === "ben")?.id ?? "";
      assert.deepEqual(await outcomes([ana.deleteLabel({ label: own })]), ["unknown-label"]);
      assert.deepEqual(await outcomes([1, 2].map(() => ben.deleteLabel({ label: own }))), ["done", "unknown-label"]);
      // both at the same place: the later one counts, and there is one
      await Promise.all([1, 2, 3].map(() => ana.saveLabel({ call, verdict: "good" })));
      const whole = (await ana.labels({ call, by: "ana", limit: 200 })).items.filter(({ turn }) => turn === null);
      assert.equal(whole.length, 1);
    },
    {
      host: "0.0.0.0",
      before: async (data) => {
        tokens.ana = (await createToken(data, "ana", "labeller")) ?? "";
        tokens.ben = (await createToken(data, "ben", "labeller")) ?? "";
        const again = await Promise.all([1, 2].map(() => createToken(data, "cleo", "viewer")));
        assert.equal(again.filter((token) => token !== undefined).length, 1);
      },
    },
  );
});

test("a proposal that two people accept at once is applied once, and the second is told", async () => {
  const folder = await mkdtemp(join(tmpdir(), "callweave-two-"));
  try {
    await writeFile(join(folder, "flow.ts"), "a\n");
    const files = [{ path: "flow.ts", after: "b\n" }];
    const { name } = await createProposal(folder, { title: "B", reason: "it is better", files });
    const accepted = await outcomes([1, 2, 3].map(() => acceptProposal(folder, name)));
    assert.deepEqual(accepted, ["done", "unknown-proposal", "unknown-proposal"]);
    assert.equal(readFileSync(join(folder, "flow.ts"), "utf8"), "b\n");
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
});
