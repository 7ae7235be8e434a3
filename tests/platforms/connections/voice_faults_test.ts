import assert from "node:assert/strict";
import { test } from "node:test";
import { sampled } from "../../fast_check.ts";
import { tryFaults } from "./_faults.ts";
import { RTC_PLATFORMS } from "./_rtc_platforms.ts";
import { VOICE_PLATFORMS } from "./_voice_platforms.ts";

/** Every n-th fault is tried here; the bench `connections` tries all. */
const EVERY = Math.max(1, Math.round(10 / sampled(10))) * 9;

for (const platform of [...VOICE_PLATFORMS, ...RTC_PLATFORMS]) {
  test(`a fault of the server at any message is an error with its kind: ${platform.name}`, {
    timeout: 240_000,
  }, async () => {
    const { tried, wrong } = await tryFaults(platform, { scenarios: [0], every: EVERY });
    assert.ok(tried > 0);
    assert.deepEqual(wrong, []);
  });
}
