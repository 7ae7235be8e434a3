import assert from "node:assert/strict";
import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { createServer, type Socket } from "node:net";
import { dirname, join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { fileURLToPath } from "node:url";
import { inspect } from "node:util";
import { createClient } from "@libsql/client";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { openStoreByClock } from "../../../src/run/store/open.ts";
import { TestClock } from "../../test_clock.ts";
import { inFolder, newResult, newRun } from "./_fixtures.ts";

// On a busy machine these take longer than a runner's usual limit.
const SLOW = { timeout: 120_000 };

async function refusal(open: Promise<unknown>) {
  const error = await open.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  assert.ok(isCallweaveError(error), `a typed error, not ${inspect(error)}`);
  assert.equal(error.code, "store-unavailable");
  assert.doesNotMatch(error.message, /\n/);
  assert.notEqual(error.hint, "");
  return error;
}

test("openStore() rejects a file that is not a database", () =>
  inFolder(async (folder) => {
    const path = join(folder, "notes.db");
    const text = "These are my notes.\n".repeat(500);
    await writeFile(path, text);
    assert.match((await refusal(openStore(path))).message, /not a database/);
    assert.equal(await readFile(path, "utf8"), text);
  }));

test("openStore() rejects a damaged database", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const store = await openStore(path);
    const { id } = await store.startRun(newRun());
    await store.addResult(id, newResult());
    await store.close();
    const bytes = await readFile(path);
    await writeFile(path, Buffer.concat([bytes.subarray(0, 100), Buffer.alloc(bytes.length - 100, 0xa5)]));
    assert.match((await refusal(openStore(path))).message, /damaged|not a database/);
  }));

test("openStore() rejects a folder, and a path through a file", () =>
  inFolder(async (folder) => {
    await mkdir(join(folder, "results.db"));
    assert.match((await refusal(openStore(join(folder, "results.db")))).message, /cannot be opened/);
    await writeFile(join(folder, "file"), "");
    assert.match((await refusal(openStore(join(folder, "file", "results.db")))).message, /file, not a folder/);
    assert.deepEqual((await readdir(folder)).sort(), ["file", "results.db"]);
  }));

test("openStore() rejects an unreachable server", SLOW, async () => {
  for (const url of ["http://127.0.0.1:9", "ws://127.0.0.1:9", "libsql://127.0.0.1:9?tls=0"]) {
    const clock = new TestClock();
    const opening = openStoreByClock(url, {}, clock);
    await clock.runUntil(opening, 250);
    const error = await refusal(opening);
    assert.match(error.message, /cannot be reached|no answer/, url);
  }
});

test("openStore() times out when a server accepts the connection but never answers", SLOW, async () => {
  const sockets: Socket[] = [];
  const server = createServer((socket) => void sockets.push(socket));
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  try {
    for (const scheme of ["http", "ws"]) {
      const clock = new TestClock();
      const opening = openStoreByClock(`${scheme}://127.0.0.1:${address.port}`, {}, clock);
      await clock.advanceUntilDone(opening, 500);
      const error = await refusal(opening);
      assert.match(error.message, /no answer|cannot be reached/, scheme);
    }
  } finally {
    for (const socket of sockets) socket.destroy(); // unread sockets would keep Node's process alive for two minutes
    await new Promise((resolve) => server.close(resolve));
  }
});

test("openStore() rejects URLs that libSQL does not support", async () => {
  for (const url of ["postgres://127.0.0.1/db", "ftp://x", "http://", "file:", "file:%zz"]) {
    await refusal(openStore(url));
  }
  const withPassword = await refusal(openStore("http://ada:s3cret@127.0.0.1:9"));
  assert.doesNotMatch(inspect(withPassword, { depth: 9 }), /s3cret|ada/);
});

test("errors contain no token, from any source", async () => {
  const token = "t0ken.with/signs+==";
  const inUrl = await refusal(openStore(`libsql://127.0.0.1:9?tls=0&authToken=${encodeURIComponent(token)}`));
  const inOptions = await refusal(openStore("http://127.0.0.1:9", { authToken: token }));
  for (const error of [inUrl, inOptions]) {
    const text = inspect(error, { depth: 9, showHidden: true });
    assert.ok(!text.includes(token) && !text.includes(encodeURIComponent(token)), text);
  }
});

test("openStore() without a URL uses the environment, then the default file", () =>
  inFolder(async (folder) => {
    const before = { url: process.env.CALLWEAVE_DB_URL, directory: process.cwd() };
    try {
      process.chdir(folder);
      process.env.CALLWEAVE_DB_URL = "named.db";
      await (await openStore()).close();
      delete process.env.CALLWEAVE_DB_URL;
      const store = await openStore();
      assert.equal(store.url, ".callweave/results.db");
      await store.close();
    } finally {
      process.chdir(before.directory);
      if (before.url !== undefined) process.env.CALLWEAVE_DB_URL = before.url;
    }
    const files = await readdir(folder);
    assert.ok(files.includes("named.db") && files.includes(".callweave"), files.join());
  }));

test("openStore() twice keeps the schema", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const schema = async () => {
      await (await openStore(path)).close();
      const client = createClient({ url: `file:${path}` });
      const { rows } = await client.execute("SELECT name, sql FROM sqlite_master ORDER BY name");
      const versions = await client.execute("SELECT version, applied_at FROM callweave_schema");
      client.close();
      return JSON.stringify([rows, versions.rows]);
    };
    assert.equal(await schema(), await schema());
  }));

test("openStore() rejects a schema newer than the code", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    await (await openStore(path)).close();
    const client = createClient({ url: `file:${path}` });
    await client.execute("INSERT INTO callweave_schema (version, applied_at) VALUES (1000, '')");
    client.close();
    const error = await refusal(openStore(path));
    assert.match(error.message, /newer Callweave \(schema 1000/);
    assert.match(error.hint, /Update/);
  }));

test("openStore() can use a database with other tables", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    const client = createClient({ url: `file:${path}` });
    await client.execute("CREATE TABLE runs (mine TEXT)");
    client.close();
    const store = await openStore(path);
    assert.deepEqual(await store.listRuns(), []);
    await store.close();
  }));

test("importing the store does not load a database client", async () => {
  const seen = new Map<string, string>();
  const visit = async (file: string): Promise<void> => {
    if (seen.has(file)) return;
    const source = await readFile(file, "utf8");
    seen.set(file, source);
    for (const [, specifier] of source.matchAll(/^(?:import|export) (?!type )[^;]*?from "([^"]+)"/gms)) {
      if (specifier?.startsWith(".")) await visit(join(dirname(file), specifier));
      else assert.doesNotMatch(specifier ?? "", /libsql/, file);
    }
  };
  await visit(fileURLToPath(new URL("../../../src/run/store/mod.ts", import.meta.url)));
  assert.ok([...seen.values()].some((source) => source.includes('await import("@libsql/client/')));
});

test("openStore() gives a hint when a folder cannot be created", async (t) => {
  if (process.platform !== "linux") return t.skip("only Linux has /proc, where nobody can make a folder");
  const { message, hint } = await refusal(openStore("/proc/callweave/results.db"));
  assert.match(message, /the folder cannot be created/);
  assert.match(String(hint), /folder can be written to/);
});

test("openStore() with create: false creates neither a file nor tables", () =>
  inFolder(async (folder) => {
    const path = join(folder, "results.db");
    assert.match((await refusal(openStore(path, { create: false }))).message, /the file does not exist/);
    await writeFile(path, "");
    assert.match((await refusal(openStore(path, { create: false }))).message, /no Callweave tables/);
    assert.equal((await readFile(path)).length, 0);
    assert.deepEqual(await readdir(folder), ["results.db"]);
    await (await openStore(path)).close();
    await (await openStore(path, { create: false })).close();
  }));

test("openStore() rejects options and URLs of the wrong type", async () => {
  for (const options of [
    { storeTimeoutMs: 0 },
    { storeTimeoutMs: Number.NaN },
    { storeTimeoutMs: Infinity },
    { authtoken: "x" },
  ])
    await assert.rejects(openStore(":memory:", options), { name: "StoreError", code: "invalid-option" });
  for (const url of [null, 7, {}])
    await assert.rejects(openStore(url as unknown as string), { name: "StoreError", code: "invalid-option" }); // no types there
});
