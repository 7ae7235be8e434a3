import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { test } from "node:test";
import { connect } from "../../api/connect.ts";
import { emit, flow, importAgent, run, scenario, text } from "../../mod.ts";
import { pythonIn } from "../../scripts/live/installs.ts";
import { type AgentGraph, withoutOriginal } from "../../src/document/graph/mod.ts";
import { type ChatAnswer, type ChatRequest, startChatServer } from "../chat_server.ts";
import * as fc from "../fast_check.ts";
import { EDITOR, STATIC } from "../platforms/pipecat/flow/_flows.ts";
import { randomFrom, randomGraph, randomWalk, type Walk } from "../platforms/pipecat/flow/_walks.ts";
import { schemaGraphs } from "../platforms/schema_graphs.ts";
import { exampleGraphs } from "../platforms/sdk_literals.ts";
import { startBot } from "./_bot.ts";
import { needsSoftware } from "./_software.ts";

const { folder: software, options } = needsSoftware("Pipecat");
const LIMITED = { ...options, timeout: 300_000 };
const SCRIPT = join(import.meta.dirname ?? ".", "walk_flows.py");
const CORPUS = new URL("../../../shared/corpus/pipecat/", import.meta.url);

interface Task extends Partial<Walk> {
  readonly graph: AgentGraph;
}

/** What Pipecat's own `Flow` says of emitted graphs: the nodes that the walk visits, or its error. */
async function walked(tasks: readonly Task[]) {
  const root = mkdtempSync(join(tmpdir(), "callweave-flows-"));
  try {
    const lines = tasks.map(({ graph, steps = [] }, index) => {
      const folder = join(root, String(index));
      const { text: document, files = [] } = emit(graph, "pipecat");
      for (const file of [{ path: "flow.yaml", text: document }, ...files]) {
        mkdirSync(dirname(join(folder, file.path)), { recursive: true });
        writeFileSync(join(folder, file.path), file.text);
      }
      return JSON.stringify({ folder, steps });
    });
    const child = spawn(pythonIn(software), [SCRIPT], { stdio: ["pipe", "pipe", "inherit"], timeout: 280_000 });
    child.stdin.end(`${lines.join("\n")}\n`);
    let output = "";
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      output += part;
    });
    await once(child, "close");
    const results: readonly { readonly visited?: readonly string[]; readonly error?: string }[] = output
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    assert.equal(results.length, tasks.length);
    return results;
  } finally {
    rmSync(root, { recursive: true, force: true });
  }
}

test("Pipecat loads the flows of examples, random graphs and older files without a complaint", LIMITED, async () => {
  const older = [STATIC, EDITOR].map((document) => importAgent(document).graph);
  const found = existsSync(CORPUS)
    ? readdirSync(CORPUS).map((name) => importAgent(readFileSync(new URL(name, CORPUS), "utf8")).graph)
    : [];
  // a configured flow has its own program
  const migrated = [...older, ...found].filter(({ source_type: type }) => type !== "pipecat").map(withoutOriginal);
  const graphs = [...(await exampleGraphs()), ...fc.sample(schemaGraphs(), { numRuns: 30, seed: 1 }), ...migrated];
  const results = await walked(graphs.map((graph) => ({ graph })));
  assert.deepEqual(
    results.flatMap(({ error }) => error ?? []),
    [],
  );
});

test("Pipecat takes the same decisions as the graph: 30 random graphs, with several walks each", LIMITED, async () => {
  const tasks = Array.from({ length: 30 }, (_, seed) => randomGraph(randomFrom(seed))).flatMap((graph, seed) =>
    [1, 2, 3].map((walk) => ({ graph, ...randomWalk(graph, randomFrom(1_000 * walk + seed)) })),
  );
  const results = await walked(tasks);
  for (const [index, { visited, error }] of results.entries())
    assert.deepEqual(visited ?? error, tasks[index]?.visited, JSON.stringify(tasks[index]?.steps));
  const moves = tasks.reduce((sum, { visited }) => sum + visited.length - 1, 0);
  assert.ok(moves > 200, `${moves} moves`);
});

/** Answers as the bot's model: it calls what the node asks for, and else speaks. */
function answer({ messages, tools = [] }: ChatRequest): ChatAnswer {
  const names = tools.map((tool) => tool.function.name);
  const heard = messages.filter(({ role }) => role === "user").at(-1)?.content ?? "";
  const told = messages.filter(({ role }) => role === "developer" || role === "system").at(-1)?.content ?? "";
  if (told.startsWith("Say goodbye")) return { say: told.replace("Say goodbye to", "Goodbye,") };
  if (names.includes("save_name")) return { call: { name: "save_name", arguments: { caller_name: "Ada" } } };
  if (names.includes("to_name") && heard.includes("Ada")) return { call: { name: "to_name", arguments: {} } };
  return { say: "What is your name?" };
}

test(
  "the emitted bot answers a call: it asks, stores a variable in its handlers, says it and hangs up",
  LIMITED,
  async () => {
    const clinic = flow("clinic", {
      prompt: "You answer the phone.",
      variables: { caller_name: text("Name of the caller") },
    })
      .conversation("greet", { prompt: "Ask for the name.", next: ({ to }) => [to("name", "Caller gives the name")] })
      .extract("name", { fills: ["caller_name"], next: ({ to }) => [to("bye")] })
      .end("bye", { prompt: "Say goodbye to {{caller_name}}." })
      .compile();
    const root = mkdtempSync(join(tmpdir(), "callweave-bot-"));
    try {
      const { text: document, files = [] } = emit(clinic, "pipecat");
      for (const file of [{ path: "flow.yaml", text: document }, ...files])
        writeFileSync(join(root, file.path), file.text);
      await using model = await startChatServer(answer);
      const env = { OPENAI_BASE_URL: model.url, OPENAI_API_KEY: "no-key" };
      await using bot = await startBot({ software, script: join(root, "bot.py"), env });
      const agent = connect.pipecat({ url: bot.url, hangUpMs: 8_000 });
      const named = scenario("named")
        .says("I am Ada.")
        .includes("What is your name?", "Goodbye, Ada")
        .ends("agent_ended");
      const report = await run(agent, [named], { store: false, connection: { allowRealTools: true } });
      assert.deepEqual(
        report.results.map(({ status }) => status),
        ["pass"],
        JSON.stringify(
          report.results.map(({ transcript, checks }) => ({ transcript, checks })),
          null,
          1,
        ),
      );
    } finally {
      rmSync(root, { recursive: true, force: true });
    }
  },
);
