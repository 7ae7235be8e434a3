/** Runs in a copy of the repository that has Acme: uses it everywhere, and prints what it saw as JSON. */
import { once } from "node:events";
import { createServer } from "node:http";
import { join } from "node:path";
import process from "node:process";
import { importCalls, pullCalls } from "../../../api/calls.ts";
import { apply, type DeployTarget, drift, plan, startLocalPlatforms } from "../../../api/deploy.ts";
import { check, emit, flow, formats, importAgent, openStore } from "../../../mod.ts";
import type { PlatformName } from "../../../src/document/platforms/mod.ts";

// in the repository itself, Acme is no platform
const ACME = "acme" as PlatformName;
const FORMAT = "acme" as DeployTarget["to"];
const NAME: string = FORMAT;
const ASK: string = "Ask {{acme_caller}} what they need.";
const folder = process.argv[2] ?? ".";

const desk = flow("desk", {
  prompt: "You work for Acme.",
  language: "en-US",
  voice: { [ACME]: "Ada" },
  [ACME]: { agent: { pace: "slow" } },
})
  .conversation("ask", {
    prompt: ASK,
    next: ({ to }) => [to("bye", "Caller is done")],
  })
  .end("bye", { prompt: "Say goodbye." })
  .compile();

const CALLS = [
  {
    acme_call: "call_1",
    agent: "agent_1",
    began: Date.UTC(2026, 0, 2),
    seconds: 3,
    lines: [
      { who: "agent", says: "What do you need?", at: 0, step: "ask" },
      { who: "caller", says: "Nothing.", at: 900, step: "ask" },
    ],
  },
];

const agents = new Map<string, Record<string, unknown>>();
const requests: string[] = [];
const server = createServer(async (request, response) => {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = chunks.length > 0 ? JSON.parse(Buffer.concat(chunks).toString()) : undefined;
  const [, kind, id = ""] = new URL(request.url ?? "/", "http://localhost").pathname.split("/");
  requests.push(`${request.method} ${kind} ${request.headers["x-acme-key"]}`);
  const answer = (status: number, content: unknown) => {
    response.writeHead(status, { "content-type": "application/json" }).end(JSON.stringify(content));
  };
  if (kind === "calls") return answer(200, CALLS);
  if (request.method === "POST") agents.set(`agent_${agents.size + 1}`, { ...body, id: `agent_${agents.size + 1}` });
  const found = request.method === "POST" ? [...agents.values()].at(-1) : agents.get(id);
  if (request.method === "GET" && id === "") return answer(200, [...agents.values()]);
  if (!found) return answer(404, { message: "there is no such agent" });
  if (request.method === "PATCH") Object.assign(found, body);
  return answer(200, found);
});
server.listen(0, "127.0.0.1");
await once(server, "listening");
const address = server.address();
const baseUrl = `http://127.0.0.1:${typeof address === "object" && address ? address.port : 0}`;

const { config, losses, text } = emit(desk, NAME);
const read = importAgent(text);
const target: DeployTarget = { to: FORMAT, key: "key-1", baseUrl, folder };
const planned = await plan(desk, target);
const { written } = await apply(planned);
const again = await plan(desk, target);
for (const agent of agents.values()) agent.opening = "Hello from the dashboard.";
const drifted = await drift(desk, target);

await using store = await openStore(`file:${join(folder, "results.db")}`);
const since = new Date(Date.UTC(2026, 0, 1));
const pulled = await pullCalls(ACME, { key: "key-1", baseUrl, since, store, agent: desk });
const imported = await importCalls(JSON.stringify(CALLS), { store, name: "calls.json" });
server.close();

await using local = await startLocalPlatforms();

console.log(
  JSON.stringify({
    formats: formats().map(({ name }) => name),
    config,
    losses,
    read: { format: read.format, again: emit(read.graph, NAME).text === text },
    findings: check(
      { ...desk, nodes: { ...desk.nodes, ask: { ...desk.nodes.ask, state_prompt: "x".repeat(2_001) } } } as typeof desk,
      {
        target: NAME,
      },
    ).map(({ code }) => code),
    written: written.map(({ action, address: name }) => `${action} ${name}`),
    isEmptyAgain: again.isEmpty,
    drifted: JSON.stringify(drifted).includes("opening"),
    requests: [...new Set(requests)].toSorted(),
    local: Object.keys(local),
    pulled: pulled.added,
    imported: [imported.added, imported.known],
  }),
);
