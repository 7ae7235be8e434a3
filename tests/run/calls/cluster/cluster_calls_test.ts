import assert from "node:assert/strict";
import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import type { EmbeddingModelV3 } from "@ai-sdk/provider";
import { type CallClusters, clusterCalls } from "../../../../api/calls.ts";
import { scenario, scripted } from "../../../../mod.ts";
import { adjustedRand, call, knownCalls } from "./_intents.ts";

/** The group of each call, in the order of the calls. */
function labels({ groups }: CallClusters, calls: readonly { readonly id: string }[]): readonly string[] {
  const found = new Map(groups.flatMap(({ callIds }, index) => callIds.map((id) => [id, String(index)] as const)));
  return calls.map(({ id }) => found.get(id) ?? `alone ${id}`);
}

test("clusterCalls() finds known intents by words, English and German: adjusted Rand index at least 0.9", async () => {
  const known = knownCalls();
  const calls = known.map((each) => each.call);
  const clusters = await clusterCalls(calls);
  const found = labels(clusters, calls);
  const intents = known.map(({ intent }) => intent);
  assert.ok(adjustedRand(intents, found) >= 0.9, `adjusted Rand index ${adjustedRand(intents, found)}`);
  const mixed = clusters.groups.filter(({ callIds }) => new Set(callIds.map((id) => id.replace(/-\d+$/, ""))).size > 1);
  assert.deepEqual(mixed, []);
  assert.equal(clusters.calls, calls.length);
  assert.equal(
    clusters.groups.reduce((sum, group) => sum + group.calls, 0),
    calls.length,
  );
});

test("clusterCalls() gives the same groups, names and representatives for any order of the calls", async () => {
  const calls = knownCalls().map((each) => each.call);
  const turned = [...calls.slice(17), ...calls.slice(0, 17)].reverse();
  const plain = ({ groups }: CallClusters) =>
    groups.map(({ callIds, ...group }) => ({ ...group, callIds: [...callIds].sort() }));
  assert.deepEqual(plain(await clusterCalls(turned)), plain(await clusterCalls(calls)));
});

test("clusterCalls() shows what no scenario covers, the most frequent first, with a call to write a test from", async () => {
  const calls = knownCalls().map((each) => each.call);
  const scenarios = [
    scenario("cancels").persona("You are Ann. You want to cancel your appointment.").ends("agent_ended"),
    scenario("asks for a prescription").says("Hello!", "I need a new prescription.").ends("agent_ended"),
  ];
  const { groups, coveredShare } = await clusterCalls(calls, { scenarios });
  const [first, second] = groups;
  assert.deepEqual([first?.calls, first?.coveredBy], [8, []]);
  assert.ok(first?.words.includes("invoice"), first?.words.join());
  assert.match(first?.representative.text ?? "", /invoice/);
  assert.ok(first?.callIds.includes(first.representative.id));
  assert.ok((second?.calls ?? 0) <= 8);
  const covered = groups.filter(({ coveredBy }) => coveredBy.length > 0);
  assert.deepEqual(
    new Map(covered.map(({ coveredBy, calls: count }) => [coveredBy.join(), count])),
    new Map([
      ["cancels", 8],
      ["asks for a prescription", 8],
    ]),
  );
  assert.equal(
    groups.findIndex(({ coveredBy }) => coveredBy.length > 0),
    groups.length - covered.length,
  );
  assert.equal(coveredShare, 16 / calls.length);
});

test("clusterCalls() leaves greetings, names and account numbers out of what a caller wanted", async () => {
  const calls = [
    call("1", "Hello!", "I want to cancel my order, please.", "It is A-4815."),
    call("2", "Hi there", "My user ID is ann_meyer_17.", "I need to cancel an order."),
    call("3", "Good morning.", "Thanks!"),
    call("4", "Do you repair bicycles?"),
  ];
  const { groups, unclear } = await clusterCalls(calls);
  assert.deepEqual(unclear, ["3"]);
  assert.deepEqual(
    groups.map(({ name, callIds }) => [name, callIds]),
    [
      ["cancel, order", ["1", "2"]],
      ["bicycles, repair", ["4"]],
    ],
  );
});

/** An embedding model that knows two meanings, in two languages. */
function meanings(asked: string[] = []): EmbeddingModelV3 {
  return {
    ...{ specificationVersion: "v3", provider: "test", modelId: "meanings", maxEmbeddingsPerCall: 100 },
    supportsParallelCalls: false,
    doEmbed: async ({ values }) => {
      asked.push(...values);
      const embeddings = values.map((text) => (/cancel|absagen|sagt ab/i.test(text) ? [1, 0.1] : [0.1, 1]));
      return { embeddings, warnings: [] };
    },
  };
}

test("clusterCalls() groups by the vectors of an embedding model, across languages, scenarios included", async () => {
  const calls = knownCalls().flatMap(({ call: each, intent }) => (/cancel|absagen|parking/.test(intent) ? [each] : []));
  const scenarios = [scenario("sagt ab").says("Ich muss leider absagen.").ends("agent_ended")];
  const { groups, by } = await clusterCalls(calls, { embedding: meanings(), scenarios });
  assert.equal(by, "embeddings");
  assert.deepEqual(
    groups.map(({ calls: count, coveredBy }) => [count, coveredBy]),
    [
      [4, []],
      [13, ["sagt ab"]],
    ],
  );
});

test("clusterCalls() asks an OpenAI-compatible server for embeddings that are named provider/model", async () => {
  const server = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => {
      body += chunk;
    });
    request.on("end", () => {
      const { input, model } = JSON.parse(body);
      const data = input.map((text: string, index: number) => ({
        ...{ object: "embedding", index, embedding: /cancel/i.test(text) ? [1, 0] : [0, 1] },
      }));
      response.setHeader("content-type", "application/json");
      response.end(JSON.stringify({ object: "list", data, model, usage: { prompt_tokens: 1, total_tokens: 1 } }));
    });
  });
  await new Promise<void>((done) => server.listen(0, "127.0.0.1", done));
  const address = server.address();
  assert.ok(address !== null && typeof address === "object");
  process.env.CLUSTERTEST_BASE_URL = `http://127.0.0.1:${address.port}/v1`;
  try {
    const calls = [call("1", "Cancel my order"), call("2", "I must cancel a trip"), call("3", "Are you open?")];
    const { groups } = await clusterCalls(calls, { embedding: "clustertest/small" });
    assert.deepEqual(
      groups.map(({ callIds }) => callIds),
      [["1", "2"], ["3"]],
    );
    await assert.rejects(clusterCalls(calls, { embedding: "nowhere-else/small" }), { code: "missing-package" });
  } finally {
    delete process.env.CLUSTERTEST_BASE_URL;
    server.closeAllConnections();
    await new Promise((done) => server.close(done));
  }
});

test("a model names the groups; where its answer cannot be used, their words do", async () => {
  const calls = [call("1", "Cancel my order"), call("2", "Please cancel the order"), call("3", "Are you open?")];
  const model = scripted({ topic: [{ name: "Cancel an order" }, { name: "" }] });
  const { groups } = await clusterCalls(calls, { model, requests: { retry: { retries: 0 } } });
  assert.deepEqual(
    groups.map(({ name }) => name),
    ["Cancel an order", "open"],
  );
});

test("clusterCalls() takes thousands of calls and leaves none out", async () => {
  const known = knownCalls();
  const count = 3_000;
  const calls = Array.from({ length: count }, (_, index) => {
    const { call: first } = known[index % known.length] ?? assert.fail();
    const text = first.transcript[1]?.content ?? "";
    // words of its own keep the calls apart, as names and places do
    const own = [index % 97, index % 89].map(
      (part) => `extra${"abcdefghij"[part % 10]}${"klmnopqrst"[Math.floor(part / 10)]}`,
    );
    return call(`${index}`, `${text} ${own.join(" ")}`);
  });
  const { groups } = await clusterCalls(calls);
  const ids = groups.flatMap(({ callIds }) => callIds);
  assert.equal(new Set(ids).size, count);
  assert.equal(ids.length, count);
  const intents = calls.map((_, index) => known[index % known.length]?.intent ?? "");
  const found = labels({ groups, calls: 0, coveredShare: 0, unclear: [], by: "words", similarity: 0 }, calls);
  assert.ok(adjustedRand(intents, found) >= 0.7, `adjusted Rand index ${adjustedRand(intents, found)}`);
});

test("clusterCalls() refuses values that are not a list of calls, and accepts an empty list", async () => {
  assert.deepEqual((await clusterCalls([])).groups, []);
  for (const wrong of [null, [1], [{ id: "x" }]])
    await assert.rejects(clusterCalls(wrong as never), { code: "invalid-option" }); // what plain JavaScript may pass
  await assert.rejects(clusterCalls([], { similarity: 0 }), { code: "invalid-option" });
});

const AIRLINE = join(
  import.meta.dirname ?? ".",
  "..",
  "..",
  "..",
  "..",
  "..",
  "shared",
  "data",
  "tau-bench-airline.json",
);

test("clusterCalls() groups 200 published calls to an airline, and puts those about one thing together", {
  skip: !existsSync(AIRLINE) && "the data set is not here",
}, async () => {
  const document = JSON.parse(readFileSync(AIRLINE, "utf8"));
  const calls = document.calls.map(({ messages }: { messages: { role: string; content?: string }[] }, index: number) =>
    call(`${index}`, ...messages.flatMap(({ role, content }) => (role === "user" && content ? [content] : []))),
  );
  const { groups } = await clusterCalls(calls);
  assert.equal(
    groups.reduce((sum, group) => sum + group.calls, 0),
    200,
  );
  const about = (word: string) => groups.filter(({ words }) => words.includes(word));
  assert.ok(groups.length < 60, `${groups.length} groups`);
  for (const word of ["balances", "delayed"]) assert.equal(about(word).length, 1, word);
});
