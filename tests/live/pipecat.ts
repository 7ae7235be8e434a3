import assert from "node:assert/strict";
import { type ChildProcess, spawn } from "node:child_process";
import { createServer, connect as openSocket } from "node:net";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { connect } from "../../api/connect.ts";
import { run, scenario } from "../../mod.ts";
import { pythonIn } from "../../scripts/live/installs.ts";
import { type ChatRequest, startChatServer } from "../chat_server.ts";
import { statuses } from "../platforms/connections/_runs.ts";
import { needsSoftware } from "./_software.ts";

const { folder, options } = needsSoftware("Pipecat");
const LIMITED = { ...options, timeout: 240_000 };
const BOT = join(import.meta.dirname ?? ".", "desk_bot.py");
const START_MS = 120_000;

/** Answers as the bot's model. */
function answer({ messages }: ChatRequest) {
  const last = messages.at(-1);
  const words = String(last?.content);
  if (last?.role === "tool") return { say: "It is shipped and arrives on Friday." };
  if (last?.role !== "user") return { say: "Lamp shop, what is your order number?" };
  if (words.includes("Goodbye")) return { call: { name: "end_call", arguments: {} } };
  return { call: { name: "look_up_order", arguments: { order_number: "A-1042" } } };
}

test("a bot of Pipecat: opening, a function, an answer, a wrong reply and the end", LIMITED, async () => {
  await using model = await startChatServer(answer);
  await using bot = await startBot(model.url);
  const agent = connect.pipecat({ url: bot.url, hangUpMs: 8_000 });
  const whole = scenario("whole")
    .says("It is A-1042.", "Goodbye.")
    .calls("look_up_order", { order_number: "A-1042" })
    .includes("order number", "arrives on Friday")
    .ends("agent_ended");
  const wrong = scenario("wrong").says("It is A-1042.").includes("lost at sea");
  const report = await run(agent, [whole, wrong], { store: false, connection: { allowRealTools: true } });
  assert.deepEqual(
    report.results.map(({ status }) => status),
    ["pass", "fail"],
    statuses(report).join("\n"),
  );
  const [first] = report.results;
  assert.equal(first?.transcript[0]?.content, "Lamp shop, what is your order number?");
  const [looked] = first?.toolsCalled ?? [];
  assert.deepEqual(
    [looked?.name, looked?.arguments, looked?.result],
    ["look_up_order", { order_number: "A-1042" }, { status: "shipped", arrives: "Friday" }],
  );
});

async function startBot(model: string) {
  const port = await freePort();
  const child = spawn(pythonIn(folder), [BOT, "--host", "127.0.0.1", "--port", String(port)], {
    env: { ...process.env, DESK_MODEL: model },
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (part: string) => {
      output = (output + part).slice(-4_000);
    });
  const ended = new Promise<void>((resolve) => child.once("close", () => resolve()));
  const until = Date.now() + START_MS;
  while (!(await answers(port))) {
    if (child.exitCode !== null || Date.now() > until) {
      await stop(child, ended);
      throw new Error(`the bot does not listen: ${output}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
  return {
    url: `ws://127.0.0.1:${port}/ws`,
    [Symbol.asyncDispose]: async () => await stop(child, ended),
  };
}

async function stop(child: ChildProcess, ended: Promise<void>): Promise<void> {
  child.kill("SIGTERM");
  const timer = setTimeout(() => child.kill("SIGKILL"), 5_000);
  await ended;
  clearTimeout(timer);
}

async function answers(port: number): Promise<boolean> {
  return await new Promise((resolve) => {
    const socket = openSocket(port, "127.0.0.1");
    const end = (is: boolean) => {
      socket.destroy();
      resolve(is);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
  });
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  return typeof address === "object" && address ? address.port : 0;
}
