import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import * as v from "valibot";
import { API_PATH, ROUTES, SCHEMAS, type StudioRouteName } from "../../../../src/surface/studio/api/mod.ts";
import { studioPage } from "../../../../src/surface/studio/page/mod.ts";
import { policyDecisions } from "../../../../src/surface/studio/server/agents/policy_decisions.ts";
import { createChats } from "./_studio_chats.ts";
import {
  agentAnswer,
  agentSummary,
  callAnswer,
  callSummary,
  comparisonAnswer,
  type FixtureAgent,
  rateOf,
  runAnswer,
  runSummary,
} from "./_studio_data.ts";
import { tones } from "./_wave.ts";

/** Only the page's own files: no script, style or address of others. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "media-src 'self'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

/** A server with the studio's page whose answers keep to the API's schemas. */
export interface FixtureStudio {
  readonly address: string;
  readonly close: () => Promise<void>;
  /** Bodies of the requests that change something, with the route's name. */
  readonly asked: readonly (readonly [StudioRouteName, unknown])[];
}

interface Asked {
  readonly path: { readonly [name: string]: string };
  readonly query: URLSearchParams;
  // biome-ignore lint/suspicious/noExplicitAny: bodies are those that the page sends; the schemas check them
  readonly body: any;
}

export async function serveStudio(agents: readonly FixtureAgent[]): Promise<FixtureStudio> {
  const asked: (readonly [StudioRouteName, unknown])[] = [];
  let loads = 0;
  const labels: v.InferOutput<typeof SCHEMAS.saveLabel.answer>[] = [];
  const chats = createChats(agents);
  const runs = agents.flatMap((agent) => agent.reports.map((report, index) => ({ agent, report, index })));
  const runOf = (id: string | undefined) => runs.find(({ report }) => report.id === id) ?? runs[0];
  const calls = runs.flatMap(({ agent, report }) => report.results.map((result) => ({ agent, report, result })));
  const list = <Item>(items: readonly Item[]) => ({ items, nextCursor: null });
  const applied = { written: [{ address: "agent", id: "agent_1", action: "update" }], kept: [] };
  const plan = {
    digest: "d1",
    fingerprint: "f".repeat(64),
    isEmpty: false,
    place: {},
    to: "retell",
    resources: [{ address: "agent", state: "changed", action: "update" }],
    changes: [
      {
        kind: "prompt-changed",
        risk: "medium",
        path: ["nodes", "welcome", "state_prompt"],
        message: 'The prompt of "welcome" changed',
        words: [
          { change: "same", text: "Greet the caller " },
          { change: "removed", text: "briefly" },
          { change: "added", text: "warmly and by name" },
        ],
      },
    ],
    remoteChanges: [],
    conflicts: [],
    losses: [
      {
        code: "equation-as-prompt",
        kind: "emulated",
        message: "An equation is written as a prompt",
        instead: "a condition in words",
      },
    ],
    findings: [],
    runs: runs
      .slice(0, 1)
      .map(({ report }) => ({ id: report.id, startedAt: report.startedAt, passed: 2, scenarios: 3 })),
  };

  const answers: { readonly [Name in StudioRouteName]?: (asked: Asked) => unknown } = {
    session: () => ({ role: "editor", name: "ada", key: "key-1", needsToken: false }),
    project: () => ({
      name: agents[0]?.name ?? "empty",
      version: "0.1.0",
      role: "editor",
      user: "ada",
      agents: agents.map(agentSummary),
      counts: { runs: runs.length, calls: calls.length, labels: labels.length },
      environments: agents.length > 0 ? ["staging", "production"] : [],
      connections: agents.length > 0 ? ["production"] : [],
      store: "file:callweave.db",
    }),
    agent: ({ path }) => agents.filter(({ id }) => id === path.agent).map(agentAnswer)[0],
    agentPolicies: ({ path }) =>
      agents
        .filter(({ id }) => id === path.agent)
        .map(({ graph, policies = [] }) => ({ fingerprint: null, items: policyDecisions(graph, policies) }))[0],
    agentDiff: ({ query }) => ({
      from: query.get("from") ?? "",
      to: query.get("to") ?? "",
      changes: query.get("from") === query.get("to") ? [] : plan.changes,
    }),
    agentVersions: ({ path }) => ({
      ...list(
        runs
          .filter(({ agent }) => agent.id === path.agent)
          .map(({ agent, report, index }) => {
            const { id, startedAt, commit, branch, environment } = runSummary(agent, report, index);
            const fingerprint = String(index).repeat(64);
            return {
              fingerprint,
              runs: 1,
              firstAt: startedAt,
              lastAt: startedAt,
              run: id,
              commit,
              branch,
              environment,
            };
          }),
      ),
      now: null,
    }),
    runs: ({ query }) =>
      list(
        runs
          .map(({ agent, report, index }) => runSummary(agent, report, index))
          .filter((run) =>
            ["agent", "branch"].every((name) => (query.get(name) ?? Reflect.get(run, name)) === Reflect.get(run, name)),
          ),
      ),
    run: ({ path }) => {
      const found = runOf(path.run);
      return found && runAnswer(found.agent, found.report, found.index);
    },
    startRun: () => ({ id: runs[0]?.report.id ?? "" }),
    compareRuns: ({ path, query }) => {
      const [head, base] = [runOf(path.run), runOf(query.get("with") ?? "")];
      return head && base && comparisonAnswer(head.report, base.report);
    },
    trend: ({ path }) =>
      list(
        runs.map(({ agent, report, index }) => {
          const { id, startedAt, fingerprint, commit, branch } = runSummary(agent, report, index);
          const found = report.scenarios.find(({ scenario }) => scenario === path.scenario);
          const passRate = rateOf(found?.counts.pass ?? 0, found?.trials ?? 0, found?.interval);
          return { run: id, startedAt, agent: agent.name, fingerprint, commit, branch, passRate, meanScore: null };
        }),
      ),
    calls: () => list(calls.map(({ agent, report, result }) => callSummary(agent, report, result))),
    call: ({ path }) => {
      const found = calls.find(({ result }) => result.id === path.call);
      return (
        found && {
          ...callAnswer(found.agent, found.report, found.result),
          labels: labels.filter(({ call }) => call === path.call),
        }
      );
    },
    search: ({ query }) => {
      const words = (query.get("q") ?? "").toLowerCase();
      const items = calls.flatMap(({ agent, report, result }) => {
        const excerpts = result.transcript.flatMap(({ role, content }, message) => {
          const from = content.toLowerCase().indexOf(words);
          return from < 0 ? [] : [{ message, role, text: content, marks: [{ from, to: from + words.length }] }];
        });
        return excerpts.length > 0 ? [{ call: callSummary(agent, report, result), excerpts }] : [];
      });
      return { ...list(items), waiting: 0 };
    },
    saveLabel: ({ body }) => {
      const label = {
        turn: null,
        criterion: null,
        what: null,
        words: null,
        ...body,
        id: `l${labels.length}`,
        by: "ada",
        at: "2026-01-05T10:00:00Z",
      };
      labels.push(label);
      return label;
    },
    callScenario: ({ query }) => ({
      scenario: { name: "asks" },
      code: query.get("script") === "true" ? 'says("When do you open?")' : 'persona("You ask")',
      json: '{ "scenarios": [] }',
      notes: ["People say that the call was not good: expect what a good agent does instead."],
    }),
    proposeScenario: ({ body }) => ({
      proposal: {
        ...{
          name: "scenario-from-a-call",
          state: "open",
          title: "Scenario",
          reason: "",
          madeAt: "2026-01-05T10:00:00Z",
        },
        ...{ files: ["scenario_asks.ts"], patch: `+script: ${body.script}`, isRedacted: false },
      },
      notes: [],
      command: "npx callweave run flow.ts --scenarios scenario_asks.ts",
    }),
    acceptProposal: () => ({ files: [{ path: "scenario_asks.ts", outcome: "created" }] }),
    examples: () => {
      const about = labels.filter(({ criterion }) => criterion !== null);
      const items = about.map(({ call, verdict }) => ({
        name: call,
        transcript: [],
        verdicts: [{ criterion: "polite", passed: verdict === "good", said: [] }],
      }));
      return { ...list(items), disputed: [] };
    },
    agreement: () => ({
      people: [],
      judge: [
        {
          criterion: null,
          calls: 9,
          agreed: 7,
          kappa: 0.53,
          disagreements: calls.slice(0, 2).map(({ result }) => result.id),
        },
      ],
    }),
    queue: () => ({
      items: calls
        .filter(({ result }) => result.status === "fail" && !labels.some(({ call }) => call === result.id))
        .map(({ agent, report, result }) => ({
          call: callSummary(agent, report, result),
          reasons: [{ kind: "failed", words: "the call failed" }],
          labels: 0,
        })),
    }),
    ...chats.answers,
    audit: () =>
      list([
        {
          id: "2",
          at: "2026-03-02T09:00:00.000Z",
          by: "ana",
          role: "labeller",
          action: "saveLabel",
          target: null,
          detail: { body: { call: "a".repeat(40), words: "<b>We close at six</b>" }, outcome: "done" },
        },
        {
          id: "1",
          at: "2026-03-01T09:00:00.000Z",
          by: "ben",
          role: "editor",
          action: "startRun",
          target: null,
          detail: {},
        },
      ]),
    deployments: () => ({
      items: ["staging", "production"].map((environment) => ({
        environment,
        to: "retell",
        hasKey: true,
        deployed: [{}],
        snapshots: [
          { taken: "2026-02-02T09:00:00.000Z", name: "b.json" },
          { taken: "2026-01-02T09:00:00.000Z", name: "a.json" },
        ],
      })),
    }),
    // production changes all the time: no plan of it can be applied
    planDeployment: ({ path }) => (path.environment === "production" ? { ...plan, digest: `p${loads++}` } : plan),
    applyDeployment: ({ path }) => (path.environment === "production" ? undefined : applied),
    planRollback: ({ query }) => ({ ...plan, digest: `back ${query.get("snapshot") ?? "latest"}` }),
    rollback: () => applied,
    drift: () => ({ isDrifted: false, resources: [], changes: [] }),
  };

  const { html, script, style } = studioPage();
  const files = new Map([
    ["/", [html, "text/html; charset=utf-8"]],
    ["/studio.js", [script, "text/javascript; charset=utf-8"]],
    ["/studio.css", [style, "text/css; charset=utf-8"]],
  ]);
  const server = createServer((request, response) => {
    respond(request, response).catch((error) => {
      response.writeHead(500, { "content-type": "application/json" });
      response.end(JSON.stringify({ error: { code: "internal", message: String(error), path: [], hint: "" } }));
    });
  });

  async function respond(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? "/", "http://studio");
    const [text, type] = files.get(url.pathname) ?? [];
    response.setHeader("content-security-policy", POLICY);
    if (text !== undefined && type !== undefined) {
      response.setHeader("content-type", type);
      response.end(text);
      return;
    }
    const found = routeOf(request.method ?? "GET", url.pathname);
    if (!found) return void response.writeHead(404).end();
    const { name, path } = found;
    if (name === "events") {
      response.writeHead(200, { "content-type": "text/event-stream" }).write(": open\n\n");
      return;
    }
    if (name === "recording") {
      response.setHeader("content-type", "audio/wav");
      response.end(tones());
      return;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const raw = Buffer.concat(chunks).toString("utf8");
    const body = raw === "" ? {} : v.parse(SCHEMAS[name].body, JSON.parse(raw));
    if (request.method !== "GET") asked.push([name, body]);
    if (name === "say") {
      response.writeHead(200, { "content-type": "text/event-stream" });
      for await (const event of chats.say(path.chat ?? "", Reflect.get(Object(body), "text")))
        response.write(`data: ${JSON.stringify(v.parse(SCHEMAS.say.answer, event))}\n\n`);
      response.end();
      return;
    }
    const answer = await answers[name]?.({ path, query: url.searchParams, body });
    if (answer === undefined) {
      response.writeHead(404, { "content-type": "application/json" });
      response.end(
        JSON.stringify({
          error: { code: "not-found", message: `Cannot find it: ${url.pathname}`, path: [], hint: "Look at the list" },
        }),
      );
      return;
    }
    response.setHeader("content-type", "application/json");
    response.end(JSON.stringify(v.parse(SCHEMAS[name].answer, answer)));
  }

  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const bound = server.address();
  const port = typeof bound === "object" && bound ? bound.port : 0;
  return {
    address: `http://127.0.0.1:${port}/`,
    asked,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The route of a request, and the parameters in its path. Routes without parameters come first. */
function routeOf(
  method: string,
  pathname: string,
): { readonly name: StudioRouteName; readonly path: Asked["path"] } | undefined {
  for (const name of ROUTE_NAMES) {
    const route = ROUTES[name];
    const pattern = new RegExp(`^${API_PATH}${route.path.replace(/:(\w+)/g, "(?<$1>[^/]+)")}$`);
    const match = pattern.exec(pathname);
    if (!match || route.method !== method) continue;
    const path = Object.entries(match.groups ?? {}).map(([key, value]) => [key, decodeURIComponent(value)]);
    return { name, path: Object.fromEntries(path) };
  }
  return undefined;
}

const ROUTE_NAMES = (Object.keys(ROUTES) as StudioRouteName[]).toSorted(
  (a, b) => Number(ROUTES[a].path.includes(":")) - Number(ROUTES[b].path.includes(":")),
); // keys() forgets the names
