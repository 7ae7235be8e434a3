import assert from "node:assert/strict";
import { generateKeyPairSync, sign } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { test } from "node:test";
import { inspect } from "node:util";
import { isCallweaveError } from "../../../src/base/errors.ts";
import { openStore } from "../../../src/run/store/mod.ts";
import { openStoreByClock } from "../../../src/run/store/open.ts";
import { TestClock } from "../../test_clock.ts";
import { GRAPH, inFolder, newResult, newRun, runWriter } from "./_fixtures.ts";
import { NO_SQLD, type SqldServer, startSqld } from "./sqld_server.ts";

const options = { skip: NO_SQLD ?? false, timeout: 180_000 };

async function withServer(args: readonly string[], body: (server: SqldServer) => Promise<void>): Promise<void> {
  const server = await startSqld(args);
  try {
    await body(server);
  } finally {
    await server.stop();
  }
}

test("a server stores runs and results, over HTTP and WebSockets", options, () =>
  withServer([], async ({ url }) => {
    const byHttp = await openStore(url);
    const started = await byHttp.startRun(newRun());
    const added = await byHttp.addResult(started.id, newResult());
    const large = "long ".repeat(20_000);
    const [message] = newResult().transcript;
    assert.ok(message);
    // Together 12 MB, more than a server answers with at once.
    const transcript = Array.from({ length: 3 }, () => ({ ...message, content: large }));
    for (let trial = 2; trial <= 41; trial++) await byHttp.addResult(started.id, newResult({ trial, transcript }));
    await byHttp.close();

    const byWebSocket = await openStore(url.replace("http:", "ws:"));
    const finished = await byWebSocket.finishRun(started.id);
    assert.equal(finished.counts.pass, 41);
    const shown = await byWebSocket.showRun(started.id.slice(0, 12));
    assert.equal(shown.results.length, 41);
    assert.deepEqual(shown.results[0], added);
    assert.equal(shown.results[40]?.transcript[2]?.content, large);
    assert.deepEqual(shown.graph, GRAPH);
    assert.deepEqual(await byWebSocket.listRuns(), [finished]);
    await byWebSocket.close();

    const byLibsql = await openStore(url.replace("http:", "libsql:").concat("?tls=0"));
    assert.equal((await byLibsql.listResults({ limit: 100 })).length, 41);
    await byLibsql.close();
  }),
);

test("stores on one server share a run, and store each scenario, trial and attempt once", options, () =>
  withServer([], async ({ url }) => {
    const run = newRun({ joinRun: "build", plan: { repeat: 20 } });
    const stores = await Promise.all([1, 2, 3].map(() => openStore(url)));
    const ids = await Promise.all(
      stores.map(async (store, index) => {
        const { id } = await store.startRun({ ...run, part: { index: index + 1, total: 3 } });
        const added = Array.from({ length: 20 }, (_, trial) => newResult({ trial: trial + 1, attempt: 1 }));
        await Promise.all(added.map((result) => store.addResult(id, result)));
        return (await store.finishRun(id)).id;
      }),
    );
    assert.equal(new Set(ids).size, 1);
    const [store] = stores;
    assert.ok(store);
    const { run: shared, results } = await store.showRun(ids[0] ?? "");
    assert.deepEqual(
      [shared.counts.pass, results.length, new Set(results.map(({ trial }) => trial)).size],
      [20, 20, 20],
    );
    assert.notEqual(shared.finishedAt, null);
    await Promise.all(stores.map((each) => each.close()));
  }),
);

test("processes that open a new server database concurrently lose nothing", options, () =>
  withServer([], async ({ url }) => {
    const outputs = await Promise.all(Array.from({ length: 3 }, () => runWriter([url, "2", "20"])));
    const written = outputs.flatMap((output) => output.trim().split(/\s+/)).sort();
    const store = await openStore(url);
    const runs = await store.listRuns();
    assert.deepEqual(runs.map(({ id }) => id).sort(), written);
    assert.deepEqual(
      runs.map(({ counts }) => counts.pass),
      [20, 20, 20, 20, 20, 20],
    );
    await store.close();
  }),
);

test("the token is sent to the server that requires it, and to no other", options, () =>
  inFolder(async (folder) => {
    const { publicKey, privateKey } = generateKeyPairSync("ed25519");
    const keyFile = join(folder, "key.pem");
    await writeFile(keyFile, publicKey.export({ type: "spki", format: "pem" }));
    const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");
    const unsigned = `${part({ alg: "EdDSA", typ: "JWT" })}.${part({ a: "rw" })}`;
    const token = `${unsigned}.${sign(null, Buffer.from(unsigned), privateKey).toString("base64url")}`;
    await withServer(["--auth-jwt-key-file", keyFile], async ({ url }) => {
      const store = await openStore(url, { authToken: token });
      await store.startRun(newRun());
      await store.close();
      assert.ok(!inspect(store, { depth: 9, showHidden: true }).includes(token));
      const webSocket = url.replace("http:", "ws:");
      for (const address of [url, webSocket])
        for (const authToken of [undefined, `${token.slice(0, -8)}AAAAAAAA`, "nonsense"]) {
          const error: unknown = await openStore(address, authToken === undefined ? {} : { authToken }).catch((e) => e);
          assert.ok(isCallweaveError(error), `${address} ${authToken}`);
          assert.equal(error.code, "store-unavailable");
          assert.match(error.message, /reject(s|ed) the token/, `${address} ${authToken}`);
          assert.match(error.hint, /CALLWEAVE_DB_TOKEN/);
          assert.ok(authToken === undefined || !inspect(error, { depth: 9 }).includes(authToken));
        }
    });
  }),
);

test("a server that becomes unreachable is an error and not an endless wait", options, async () => {
  const server = await startSqld();
  const clock = new TestClock();
  const store = await openStoreByClock(server.url, {}, clock);
  await server.stop();
  const outcome = await clock.runUntil(store.startRun(newRun()), 250);
  assert.ok(outcome.status === "rejected" && isCallweaveError(outcome.reason));
  assert.equal(outcome.reason.code, "store-failed");
  await store.close();
});
