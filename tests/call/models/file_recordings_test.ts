import assert from "node:assert/strict";
import { chmod, readdir, readFile, stat, symlink, writeFile } from "node:fs/promises";
import { dirname, join, resolve } from "node:path";
import { test } from "node:test";
import { fileRecordings } from "../../../src/call/models/mod.ts";
import { inFolder } from "../../base/files/_fixtures.ts";
import { recording } from "../../run/store/_recordings.ts";
import { runFile } from "../../surface/cli/_process.ts";

const WRITER = resolve(import.meta.dirname ?? ".", "_recording_writer.ts");

test("processes that record to one file concurrently lose nothing", { timeout: 120_000 }, () =>
  inFolder(async (folder) => {
    const path = join(folder, "shared", "calls.json");
    const starts = [1000, 1005, 1010, 1015, 1020, 1025];
    const ended = await Promise.all(starts.map((from) => runFile(WRITER, [path, String(from), "5"])));
    assert.deepEqual(
      ended.map(({ code, err }) => [code, err]),
      starts.map(() => [0, ""]),
    );
    const keys = (await fileRecordings(path).like("agent", "respond")).map(({ key }) => key);
    assert.deepEqual(
      keys,
      Array.from({ length: 30 }, (_, index) => String(1000 + index)),
    );
    assert.deepEqual(await readdir(dirname(path)), ["calls.json"]);
  }),
);

test("a recordings file keeps its permissions, and links and devices work", () =>
  inFolder(async (folder) => {
    const [path, link, device] = ["calls.json", "link.json", "null.json"].map((name) => join(folder, name));
    assert.ok(path && link && device);
    await symlink("calls.json", link);
    await symlink("/dev/null", device);
    for (const file of [link, link, device]) {
      const store = fileRecordings(file);
      await store.add(recording({ key: String(Math.random()) }));
      await store.flush();
      if (file === link) await chmod(path, 0o600);
    }
    assert.equal((await fileRecordings(path).like("agent", "respond")).length, 2);
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.ok((await stat(device)).isCharacterDevice());
  }));

test("only a missing recordings file counts as empty; an unreadable file stays as it is", () =>
  inFolder(async (folder) => {
    const later = join(folder, "later.json");
    await writeFile(later, '{"version":3,"recordings":[]}');
    for (const path of [folder, later, join(later, "x.json")]) {
      const store = fileRecordings(path);
      await store.add(recording());
      await assert.rejects(store.find("none"), { code: "recording-unreadable" });
      await assert.rejects(store.flush(), { code: /recording-un(?:read|writ)able/ });
    }
    assert.equal(await readFile(later, "utf8"), '{"version":3,"recordings":[]}');
    assert.equal(await fileRecordings(join(folder, "none.json")).find("none"), undefined);
  }));
