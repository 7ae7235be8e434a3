import assert from "node:assert/strict";
import { readdir, readFile, symlink, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { withLock } from "../../../src/base/files/mod.ts";
import { sampled } from "../../fast_check.ts";
import { TestClock } from "../../test_clock.ts";
import { inFolder, makeFifo } from "./_fixtures.ts";

test("withLock() serializes work on a file, also through links, and removes its lock", () =>
  inFolder(async (folder) => {
    const [path, link] = [join(folder, "calls.json"), join(folder, "link.json")];
    await symlink("calls.json", link);
    await writeFile(path, "0");
    const add = async () => await writeFile(path, String(Number(await readFile(path, "utf8")) + 1));
    await Promise.all(Array.from({ length: 20 }, (_, index) => withLock(index % 2 ? path : link, add)));
    assert.equal(await readFile(path, "utf8"), "20");
    assert.deepEqual((await readdir(folder)).toSorted(), ["calls.json", "link.json"]);
  }));

test("withLock() times out and keeps the other process's lock", () =>
  inFolder(async (folder) => {
    const path = join(folder, "calls.json");
    await writeFile(`${path}.lock`, "other");
    const clock = new TestClock();
    const waiting = withLock(path, async () => assert.fail("it is locked"), { limitMs: 1_000, clock });
    const outcome = await clock.runUntil(waiting, 500);
    assert.equal(outcome.status === "rejected" && outcome.reason.code, "EBUSY");
    assert.equal(await readFile(`${path}.lock`, "utf8"), "other");
  }));

test("withLock() removes the lock of a crashed process", () =>
  inFolder(async (folder) => {
    const path = join(folder, "calls.json");
    await writeFile(`${path}.lock`, "dead");
    await utimes(`${path}.lock`, 1, 1);
    const works = Array.from({ length: 5 }, (_, index) => withLock(path, async () => index));
    assert.deepEqual(await Promise.all(works), [0, 1, 2, 3, 4]);
    assert.deepEqual(await readdir(folder), []);
  }));

test("the lock of a crashed process is removed once: whoever takes it then keeps it", () =>
  inFolder(async (folder) => {
    const path = join(folder, "calls.json");
    let holders = 0;
    const work = async (confirm: () => Promise<void>) => {
      assert.equal(++holders, 1, "one at a time");
      await confirm();
      holders -= 1;
    };
    for (let round = 0; round < sampled(16); round++) {
      await writeFile(`${path}.lock`, "dead");
      await utimes(`${path}.lock`, 1, 1);
      await Promise.all(Array.from({ length: 8 }, () => withLock(path, work)));
      assert.deepEqual(await readdir(folder), []);
    }
  }));

test("withLock() removes the lock of a crashed process although another one crashed while it removed it", () =>
  inFolder(async (folder) => {
    const path = join(folder, "calls.json");
    for (const name of [`${path}.lock`, `${path}.lock.removal`]) {
      await writeFile(name, "");
      await utimes(name, 1, 1);
    }
    assert.equal(await withLock(path, async () => "done"), "done");
    assert.deepEqual(await readdir(folder), []);
  }));

test("withLock() reports a lost lock to its work, and keeps the new owner's lock", () =>
  inFolder(async (folder) => {
    const path = join(folder, "calls.json");
    const work = withLock(path, async (confirm) => {
      await writeFile(`${path}.lock`, "other");
      await confirm();
    });
    await assert.rejects(work, { code: "EBUSY" });
    assert.equal(await readFile(`${path}.lock`, "utf8"), "other");
  }));

test("withLock() does not lock FIFOs", () =>
  inFolder(async (folder) => {
    const path = makeFifo(join(folder, "fifo"));
    assert.deepEqual(await withLock(path, async () => await readdir(folder)), ["fifo"]);
  }));
