import assert from "node:assert/strict";
import { readFile, writeFile } from "node:fs/promises";
import { test } from "node:test";
import * as v from "valibot";
import { startLocalPlatforms } from "../../../../src/deploy/mod.ts";
import { createStudioClient } from "../../../../src/surface/studio/api/client.ts";
import { SCHEMAS } from "../../../../src/surface/studio/api/mod.ts";
import { agentFile, withStudio } from "../_studio.ts";

test("a plan is read, approved by its digest and applied; a rollback restores what was before", {
  timeout: 120_000,
}, async () => {
  await using local = await startLocalPlatforms();
  const question = { path: "", exportName: undefined, format: undefined, scenarioFiles: [] as string[] };
  const place = { folder: "" };
  await withStudio(
    async ({ address, folder, errors }) => {
      place.folder = folder;
      const studio = createStudioClient({ url: address });
      const here = { environment: "staging" };
      const { items } = await studio.deployments({});
      assert.deepEqual(
        items.map(({ environment, to, hasKey, deployed }) => [environment, to, hasKey, deployed]),
        [["staging", "retell", true, []]],
      );
      const planned = await studio.planDeployment(here);
      assert.ok(v.is(SCHEMAS.planDeployment.answer, planned));
      assert.deepEqual([planned.isEmpty, planned.runs], [false, []]);
      assert.ok(!JSON.stringify(planned).includes(local.key));
      const applied = await studio.applyDeployment({ ...here, digest: planned.digest });
      assert.ok(v.is(SCHEMAS.applyDeployment.answer, applied) && applied.written.length > 0);
      await assert.rejects(studio.applyDeployment({ ...here, digest: planned.digest }), {
        code: "plan-outdated",
        status: 409,
      });
      const drift = await studio.drift(here);
      assert.ok(v.is(SCHEMAS.drift.answer, drift));
      assert.equal(drift.isDrifted, false);

      const text = await readFile(question.path, "utf8");
      await writeFile(question.path, text.replace("Say goodbye.", "Say farewell."));
      for await (const event of studio.events({ after: "0" })) if (event.type === "source-changed") break;
      const second = await studio.planDeployment(here);
      assert.match(JSON.stringify(second.changes), /Say /);
      await studio.applyDeployment({ ...here, digest: second.digest });
      const [{ snapshots = [] } = {}] = (await studio.deployments({})).items;
      const snapshot = snapshots[0]?.name ?? "";
      const back = await studio.planRollback({ ...here, snapshot });
      assert.equal(back.isEmpty, false);
      await studio.rollback({ ...here, snapshot, digest: back.digest });
      assert.notEqual((await studio.planDeployment(here)).isEmpty, true);
      for (const name of ["../../../etc/passwd", "/etc/passwd.json", "none.json"])
        await assert.rejects(studio.planRollback({ ...here, snapshot: name }), { code: "unknown-snapshot" });
      await assert.rejects(studio.planDeployment({ environment: "none" }), { code: "unknown-environment" });
      const { items: deeds } = await studio.audit({ action: "rollback" });
      assert.deepEqual(
        deeds.map(({ target, detail }) => [target, detail.outcome]),
        [["staging", "done"]],
      );
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
          to: "retell",
          key: local.key,
          baseUrl: local.retell,
          environment,
          folder: place.folder,
          signal,
        }),
      },
    },
  );
});
