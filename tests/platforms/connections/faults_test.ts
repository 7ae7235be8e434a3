import assert from "node:assert/strict";
import { test } from "node:test";
import { sampled } from "../../fast_check.ts";
import { tryFaults } from "./_faults.ts";
import { FAULTY_PLATFORMS } from "./_faulty_platforms.ts";

/** Every n-th fault is tried here; the bench `connections` tries all, in three scenarios. */
const EVERY = Math.max(1, Math.round(10 / sampled(10))) * 3;

for (const platform of FAULTY_PLATFORMS) {
  test(`a fault of the server at any message is an error with its kind: ${platform.name}`, async () => {
    const { tried, wrong } = await tryFaults(platform, { scenarios: [0], every: EVERY });
    assert.ok(tried > 0);
    assert.deepEqual(wrong, []);
  });
}
