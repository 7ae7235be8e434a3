import assert from "node:assert/strict";
import { test } from "node:test";
import { helpDesk } from "../../../examples/help-desk/flow.ts";
import { run } from "../../../mod.ts";
import { holdDesk, SCENARIOS } from "./_desk_runs.ts";
import { FAULTY_PLATFORMS } from "./_faulty_platforms.ts";
import { statuses } from "./_runs.ts";

test("the graph passes the help desk's scenarios", async () => {
  assert.ok(statuses(await run(helpDesk, SCENARIOS, { store: false })).every((status) => status === "pass"));
});

for (const platform of FAULTY_PLATFORMS)
  test(`the same scenarios have the same verdicts on ${platform.name}, and what is not checked is named`, async () =>
    await holdDesk(platform));
