import assert from "node:assert/strict";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { hostname } from "node:os";
import { dirname } from "node:path";
import { test } from "node:test";
import { statePath } from "../../src/deploy/state/lock_file.ts";
import { whileApplying } from "../../src/deploy/state/mod.ts";
import { inFolder } from "../base/files/_fixtures.ts";
import { sampled } from "../fast_check.ts";

const PLACE = { environment: "default", flow: "shop", platform: "retell" } as const;
/** More than the highest id of a process. */
const DEAD = 2 ** 22 + 1;

test("applies that find the lock of a killed process at the same time run one after another, or are refused", () =>
  inFolder(async (folder) => {
    const path = statePath(folder, PLACE, "applying");
    await mkdir(dirname(path), { recursive: true });
    let running = 0;
    const work = async () => {
      assert.equal(++running, 1, "one at a time");
      await readdir(folder);
      running -= 1;
    };
    for (let round = 0; round < sampled(40); round++) {
      await writeFile(path, JSON.stringify({ host: hostname(), pid: DEAD, id: "killed" }));
      const applies = Array.from({ length: 8 }, () => whileApplying(folder, PLACE, work));
      const ends = await Promise.allSettled(applies);
      assert.ok(ends.some(({ status }) => status === "fulfilled"));
      for (const end of ends) assert.ok(end.status === "fulfilled" || end.reason.code === "apply-running", `${round}`);
      assert.deepEqual(await readdir(dirname(path)), []);
    }
  }));
