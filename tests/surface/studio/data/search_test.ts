import assert from "node:assert/strict";
import { join } from "node:path";
import { test } from "node:test";
import { indexWords, openStudioData } from "../../../../src/surface/studio/data/mod.ts";
import { inFolder, newResult, newRun } from "../../../run/store/_fixtures.ts";

test("calls with long transcripts are indexed a few at a time", () =>
  inFolder(async (folder) => {
    await using data = await openStudioData(join(folder, "results.db"), { spool: false });
    const { id: run } = await data.store.startRun(newRun());
    const at = { node_id: "bye", timestamp: "2026-01-02T03:04:05.678Z", role: "user" as const, metadata: {} };
    const content = "long ".repeat(80_000);
    for (let trial = 1; trial <= 5; trial++)
      await data.store.addResult(run, newResult({ trial, attempt: 1, transcript: [{ ...at, content }] }));
    const waiting = async () => {
      const sql = "SELECT count(*) AS waiting FROM callweave_call_facts WHERE indexed = 0";
      return Number((await data.database.read(sql, { action: "count results of" })).rows[0]?.waiting);
    };
    const left: number[] = [];
    while (await indexWords(data, 1)) left.push(await waiting());
    assert.deepEqual([...left, await waiting()], [3, 1, 0]);
  }));
