import assert from "node:assert/strict";
import { test } from "node:test";
import { createStudioClient } from "../../../../src/surface/studio/api/client.ts";
import { KEY_HEADER, ROLES, ROUTES } from "../../../../src/surface/studio/api/mod.ts";
import { createToken, revokeToken } from "../../../../src/surface/studio/data/mod.ts";
import { newResult, newRun } from "../../../run/store/_fixtures.ts";
import { raw, storedRun, type TestStudio, withStudio } from "../_studio.ts";

const LABEL = JSON.stringify({ call: "none", verdict: "good" });
const JSON_TYPE = { "content-type": "application/json" };

/** The key of the local session. */
async function keyOf({ address }: TestStudio): Promise<string> {
  return (await createStudioClient({ url: address }).session({})).key ?? "";
}

const codeOf = (text: string): unknown => JSON.parse(text).error.code;

test("pages of other sites get no answer, nor does another name for this address", () =>
  withStudio(async (studio) => {
    const { port } = studio;
    const own = `127.0.0.1:${port}`;
    const attempts: Record<string, string>[] = [
      { host: "evil.example" },
      { host: `evil.example:${port}` },
      { host: `127.0.0.1.evil.example:${port}` },
      { host: "127.0.0.1" },
      { host: own, origin: "https://evil.example" },
      { host: own, origin: `http://127.0.0.1:${port + 1}` },
      { host: own, origin: "null" },
      { host: own, origin: `ftp://${own}` },
      { host: own, "sec-fetch-site": "cross-site" },
      { host: own, "sec-fetch-site": "same-site" },
    ];
    for (const headers of attempts)
      for (const method of ["GET", "POST"]) {
        const answer = await raw(port, "/api/v1/labels", {
          method,
          headers: { ...JSON_TYPE, ...headers },
          ...(method === "POST" ? { body: LABEL } : {}),
        });
        assert.deepEqual([answer.status, codeOf(answer.text)], [403, "other-origin"], JSON.stringify(headers));
        assert.equal(answer.headers["access-control-allow-origin"], undefined);
      }
    const headers = { host: `localhost:${port}`, origin: `http://localhost:${port}`, "sec-fetch-site": "same-origin" };
    assert.equal((await raw(port, "/api/v1/labels", { headers })).status, 200);
  }));

test("a request that changes something needs the session's key, also on this machine", () =>
  withStudio(async (studio) => {
    const { port, data } = studio;
    const { calls } = await storedRun(data, ["pass"]);
    const body = JSON.stringify({ call: calls[0], verdict: "good" });
    const post = (headers: Record<string, string>) =>
      raw(port, "/api/v1/labels", {
        method: "POST",
        headers: { host: `127.0.0.1:${port}`, ...JSON_TYPE, ...headers },
        body,
      });
    const keys: Record<string, string>[] = [{}, { [KEY_HEADER]: "" }, { [KEY_HEADER]: "forged" }];
    for (const key of keys)
      assert.deepEqual([(await post(key)).status, codeOf((await post(key)).text)], [403, "not-allowed"]);
    assert.equal((await post({ [KEY_HEADER]: await keyOf(studio) })).status, 200);
    // a form of another site could send this type without being asked
    const plain = await post({ [KEY_HEADER]: await keyOf(studio), "content-type": "text/plain" });
    assert.deepEqual([plain.status, codeOf(plain.text)], [400, "invalid-request"]);
  }));

/** A server for a team, with a token of each role. */
function withTeam(body: (studio: TestStudio, tokens: Record<string, string>) => Promise<void>): Promise<void> {
  const tokens: Record<string, string> = {};
  return withStudio((studio) => body({ ...studio, address: studio.address.replace("0.0.0.0", "127.0.0.1") }, tokens), {
    host: "0.0.0.0",
    before: async (data) => {
      for (const role of ROLES) tokens[role] = (await createToken(data, role, role)) ?? "";
    },
  });
}

test("every route needs its role, and no route gives anything without a token", { timeout: 60_000 }, () =>
  withTeam(async ({ port }, tokens) => {
    for (const [name, route] of Object.entries(ROUTES)) {
      if (route.role === null) continue;
      const path = `/api/v1${route.path.replaceAll(/:\w+/g, "none")}`;
      const ask = (authorization?: string) =>
        raw(port, path, { method: route.method, headers: authorization === undefined ? {} : { authorization } });
      for (const forged of [
        undefined,
        "Bearer",
        "Bearer forged",
        `Basic ${tokens.editor}`,
        `Bearer ${tokens.editor}x`,
        `Bearer cws_${"a".repeat(43)}`,
      ]) {
        const { status, text } = await ask(forged);
        assert.deepEqual([status, codeOf(text)], [401, "not-signed-in"], `${name} with ${forged}`);
      }
      for (const [place, role] of ROLES.entries()) {
        if (name === "events") continue; // it does not end
        const { status }: { readonly status: number } = await ask(`Bearer ${tokens[role]}`);
        const isAllowed: boolean = place >= ROLES.indexOf(route.role);
        assert.equal(status === 403 || status === 401, !isAllowed, `${name} as ${role}: ${status}`);
        assert.notEqual(status, 500, name);
      }
    }
  }),
);

test("people sign in with a token, and are out when it is revoked", () =>
  withTeam(async ({ port, data }, tokens) => {
    const sign = (token: string) =>
      raw(port, "/api/v1/session", { method: "POST", headers: JSON_TYPE, body: JSON.stringify({ token }) });
    assert.equal((await sign("forged")).status, 401);
    const signed = await sign(tokens.labeller ?? "");
    const [given = ""] = [signed.headers["set-cookie"] ?? []].flat();
    assert.match(given, /; HttpOnly; SameSite=Strict; /);
    assert.doesNotMatch(given + signed.text, new RegExp(tokens.labeller ?? "-"));
    const [cookie = ""] = given.split(";");
    const session = JSON.parse((await raw(port, "/api/v1/session", { headers: { cookie } })).text);
    assert.deepEqual([session.role, session.name, session.needsToken], ["labeller", "labeller", true]);
    const label = (headers: Record<string, string>) =>
      raw(port, "/api/v1/labels", { method: "POST", headers: { ...JSON_TYPE, ...headers }, body: LABEL });
    assert.equal((await label({ cookie })).status, 403);
    assert.equal((await label({ cookie, [KEY_HEADER]: session.key })).status, 404);
    assert.equal((await label({ cookie, [KEY_HEADER]: session.key, origin: "https://evil.example" })).status, 403);
    assert.equal((await raw(port, "/api/v1/audit", { headers: { cookie } })).status, 403);
    await revokeToken(data, "labeller");
    assert.equal((await label({ cookie, [KEY_HEADER]: session.key })).status, 401);
    await createToken(data, "labeller", "editor"); // somebody else with the same name
    assert.equal((await raw(port, "/api/v1/project", { headers: { cookie } })).status, 401);
  }));

test("the database has no token, and another address needs one", () =>
  withStudio(async ({ data }) => {
    const token = await createToken(data, "ana", "viewer");
    const { rows } = await data.database.read("SELECT * FROM callweave_tokens", { action: "read" });
    assert.ok(token && !JSON.stringify(rows).includes(token));
    assert.equal(await createToken(data, "ana", "editor"), undefined);
    await revokeToken(data, "ana");
    await assert.rejects(
      withStudio(async () => {}, { host: "0.0.0.0" }),
      { code: "usage" },
    );
  }));

test("malformed, oversized and hostile requests are refused, and the server goes on", () =>
  withStudio(async (studio) => {
    const { port, errors } = studio;
    const headers = { host: `127.0.0.1:${port}`, ...JSON_TYPE, [KEY_HEADER]: await keyOf(studio) };
    const bodies = [
      "{",
      "[]",
      "null",
      "1",
      '"a"',
      '{"call":1}',
      '{"call":"a","verdict":"maybe"}',
      "\u0000",
      "[".repeat(100_000),
    ];
    for (const body of bodies) {
      const { status, text } = await raw(port, "/api/v1/labels", { method: "POST", headers, body });
      assert.deepEqual([status, codeOf(text)], [400, "invalid-request"], body.slice(0, 40));
    }
    const large = JSON.stringify({ call: "a", verdict: "good", words: "a".repeat(1_100_000) });
    assert.equal((await raw(port, "/api/v1/labels", { method: "POST", headers, body: large })).status, 413);
    const chunked = { ...headers, "transfer-encoding": "chunked" };
    assert.equal((await raw(port, "/api/v1/labels", { method: "POST", headers: chunked, body: large })).status, 413);
    for (const query of ["limit=0", "limit=201", "limit=-1", "limit=a", `cursor=${"a".repeat(501)}`, "status=none"])
      assert.equal((await raw(port, `/api/v1/calls?${query}`, { headers })).status, 400, query);
    const paths = [
      "/../../etc/passwd",
      "/%2e%2e/%2e%2e/etc/passwd",
      "/..%5c..%5cpackage.json",
      "/studio.js/../../a",
      "//evil.example/",
    ];
    for (const path of [
      ...paths,
      "/api/v1/../../etc/passwd",
      "/api/v1/calls/%00",
      "/api/v1/calls/%E0%A4%A",
      "/api/v2",
    ]) {
      const { status, text } = await raw(port, path, { headers });
      assert.equal(status, 404, path);
      assert.doesNotMatch(text, /root:|evil\.example</);
    }
    assert.equal((await raw(port, "/api/v1/project", { headers })).status, 200);
    assert.deepEqual(errors, []);
  }));

test("hostile words of calls stay texts, and every answer has headers that forbid scripts", () =>
  withStudio(async ({ address, data, port }) => {
    const evil = '</script><script>alert(1)</script>"><img src=x onerror=alert(1)>\u2028';
    const { id } = await data.store.startRun(newRun({ agent: evil }));
    const at = { node_id: evil, timestamp: evil };
    const transcript = [{ ...at, role: "user" as const, content: evil, metadata: { kind: "transition", to: evil } }];
    const { id: call } = await data.store.addResult(
      id,
      newResult({ scenario: evil, transcript, nodesVisited: [evil] }),
    );
    const studio = createStudioClient({ url: address });
    assert.equal((await studio.call({ call })).transcript[0]?.content, evil);
    assert.equal((await studio.trend({ scenario: evil })).items[0]?.agent, evil);
    assert.equal((await studio.agent({ agent: evil })).name, evil);
    const page = await raw(port, `/api/v1/exports/call/${call}.html`, { headers: { host: `127.0.0.1:${port}` } });
    assert.equal(page.status, 200);
    assert.ok(!page.text.includes("<img src=x onerror"));
    assert.match(String(page.headers["content-disposition"]), /^attachment/);
    for (const path of ["/", "/studio.js", "/none", "/api/v1/project", `/api/v1/calls/${call}`]) {
      const { headers } = await raw(port, path, { headers: { host: `127.0.0.1:${port}` } });
      assert.equal(headers["x-content-type-options"], "nosniff", path);
      assert.match(String(headers["content-security-policy"]), /default-src 'none'/, path);
      assert.doesNotMatch(String(headers["content-security-policy"]), /unsafe/, path);
    }
  }));

test("answers have no secrets of the environment", () =>
  withStudio(async ({ address, data }) => {
    const graph = newRun().graph;
    const secret = "sk-proj-abcdefghijklmnopqrstuvwxyz0123456789ABCDEFGH";
    const nodes = { bye: { ...graph.nodes.bye, state_prompt: `Use ${secret}` } };
    await storedRun(data, ["pass"], { graph: { ...graph, nodes } as typeof graph });
    const studio = createStudioClient({ url: address });
    assert.ok(!JSON.stringify(await studio.agent({ agent: "farewell" })).includes(secret));
  }));
