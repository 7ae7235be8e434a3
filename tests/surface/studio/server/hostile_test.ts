import assert from "node:assert/strict";
import { test } from "node:test";
import { createStudioClient } from "../../../../src/surface/studio/api/client.ts";
import { createToken } from "../../../../src/surface/studio/data/mod.ts";
import { MOST_LISTENERS } from "../../../../src/surface/studio/server/event_feed.ts";
import { csvCell } from "../../../../src/surface/studio/server/exports/mod.ts";
import { newResult, newRun } from "../../../run/store/_fixtures.ts";
import { raw, withStudio } from "../_studio.ts";

const codeOf = (text: string): unknown => JSON.parse(text).error.code;

test("other spellings of this machine's address are not its name", () =>
  withStudio(async ({ port }) => {
    const names = [
      `127.0.0.1.:${port}`,
      `localhost.:${port}`,
      `127.0.0.1:${port}.`,
      `[::1].:${port}`,
      `[::ffff:127.0.0.1]:${port}`,
      `127.1:${port}`,
      `2130706433:${port}`,
      `0x7f.0.0.1:${port}`,
      `user@127.0.0.1:${port}`,
      `localhost:${port}@evil.example`,
      `127.0.0.1:${port}, evil.example`,
      "localhost",
    ];
    for (const host of names) {
      const { status, text } = await raw(port, "/api/v1/project", { headers: { host } });
      assert.ok(status === 403 || status === 400, `${host}: ${status}`);
      assert.ok(!text.includes('"role"'), host);
    }
    const own = { host: `127.0.0.1:${port}` };
    for (const headers of [
      { ...own, "x-forwarded-host": "evil.example", "x-forwarded-for": "10.0.0.1" },
      { host: `LOCALHOST:${port}` },
      { host: `[::1]:${port}` },
    ])
      assert.equal((await raw(port, "/api/v1/project", { headers })).status, 200, JSON.stringify(headers));
    // the address in the request line does not stand for the host
    const { status } = await raw(port, `http://evil.example:${port}/api/v1/project`, {
      headers: { host: "evil.example" },
    });
    assert.notEqual(status, 200);
  }));

test("a token counts only in its header, and is in no answer, audit or error", async () => {
  const tokens = { editor: "" };
  await withStudio(
    async ({ port, address, data, errors }) => {
      const { editor } = tokens;
      for (const path of [`/api/v1/project?token=${editor}`, `/api/v1/project?access_token=${editor}`])
        assert.equal((await raw(port, path)).status, 401);
      const cookie = `callweave_session=${editor}`;
      assert.equal((await raw(port, "/api/v1/project", { headers: { cookie } })).status, 401);
      const authorization = `Bearer ${editor}`;
      const wrong = await raw(port, `/api/v1/calls?token=${editor}`, { headers: { authorization } });
      assert.deepEqual([wrong.status, codeOf(wrong.text)], [400, "invalid-request"]);
      const sign = await raw(port, "/api/v1/session", {
        method: "POST",
        headers: { "content-type": "application/json" },
        body: JSON.stringify({ token: editor }),
      });
      const [given = ""] = [sign.headers["set-cookie"] ?? []].flat();
      const [session = ""] = given.split(";");
      // a cookie that a page of another site makes the browser send
      const foreign: Record<string, string>[] = [
        { cookie: session, origin: "https://evil.example" },
        { cookie: session, "sec-fetch-site": "cross-site" },
      ];
      for (const headers of foreign)
        assert.equal((await raw(port, "/api/v1/project", { headers })).status, 403, JSON.stringify(headers));
      for (const cookies of [`${session}; ${session}x`, `a=b; ${session}`, ` ${session} `])
        assert.equal((await raw(port, "/api/v1/project", { headers: { cookie: cookies } })).status, 200, cookies);
      assert.equal((await raw(port, "/api/v1/project", { headers: { cookie: `x${session}` } })).status, 401);
      const studio = createStudioClient({ url: address.replace("0.0.0.0", "127.0.0.1"), token: editor });
      const { id: run } = await data.store.startRun(newRun());
      const { id: call } = await data.store.addResult(run, newResult());
      await studio.saveLabel({ call, verdict: "bad", words: `my token is ${editor}` });
      const answers = [await studio.audit({}), await studio.project({}), errors, wrong.text, sign.text];
      assert.ok(!JSON.stringify(answers).includes(editor));
    },
    {
      host: "0.0.0.0",
      before: async (data) => {
        tokens.editor = (await createToken(data, "ana", "editor")) ?? "";
      },
    },
  );
});

test("a method or a name that a route does not take is refused by name", () =>
  withStudio(async ({ port }) => {
    const headers = { host: `127.0.0.1:${port}` };
    for (const [method, path, allow] of [
      ["PUT", "/calls", "GET, HEAD"],
      ["OPTIONS", "/labels/agreement", "GET, HEAD"],
      ["PATCH", "/session", "GET, HEAD, POST, DELETE"],
      ["TRACE", "/runs/a/stop", "POST"],
    ] as const) {
      const answer = await raw(port, `/api/v1${path}`, { method, headers });
      assert.deepEqual(
        [answer.status, codeOf(answer.text), answer.headers.allow],
        [405, "unknown-method", allow],
        `${method} ${path}`,
      );
    }
    const { status, text } = await raw(port, "/api/v1/calls?senario=a", { headers });
    assert.deepEqual([status, JSON.parse(text).error.path], [400, ["senario"]]);
  }));

test("HEAD of the events does not listen, however often it is asked", () =>
  withStudio(async ({ port }) => {
    const headers = { host: `127.0.0.1:${port}` };
    const ask = () => raw(port, "/api/v1/events", { method: "HEAD", headers });
    const rounds = Math.ceil((MOST_LISTENERS + 10) / 50);
    for (let round = 0; round < rounds; round++)
      for (const { status } of await Promise.all(Array.from({ length: 50 }, ask))) assert.equal(status, 200);
  }));

test("no text of a call becomes a formula, a second line or a part of a file's name", () =>
  withStudio(async ({ port, data }) => {
    const formulas = ["=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "\r=1", "\n=1", '=cmd|"/C calc"!A0\r\nnext,row'];
    for (const text of formulas) assert.match(csvCell(text), /^"?'/, JSON.stringify(text));
    const { id: run } = await data.store.startRun(newRun({ agent: '../../a"\r\nx: y' }));
    for (const [index, scenario] of formulas.entries())
      await data.store.addResult(run, newResult({ scenario, trial: index + 1, attempt: 1, errorMessage: scenario }));
    const headers = { host: `127.0.0.1:${port}` };
    for (const ending of ["csv", "jsonl", "html"]) {
      const answer = await raw(port, `/api/v1/exports/run/${run}.${ending}`, { headers });
      assert.equal(answer.headers["content-disposition"], `attachment; filename="${run}.${ending}"`);
      assert.equal(answer.headers.x, undefined);
      if (ending === "jsonl") {
        const lines = answer.text.trim().split("\n");
        assert.deepEqual(lines.map((line) => JSON.parse(line).scenario).toSorted(), formulas.toSorted());
      }
    }
  }));
