import assert from "node:assert/strict";
import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { test } from "node:test";
import { type ChatAnswer, type ChatRequest, fitting, startChatServer } from "../../../chat_server.ts";
import { needsProgram } from "../../../programs.ts";
import { SHOP } from "../../chat/_shop.ts";
import { ownStart, ROOT } from "../_process.ts";
import { folder } from "../_terminal.ts";
import { startTerminal } from "../_tmux.ts";

const MAIN = join(ROOT, "src", "surface", "cli", "main.ts");

/** A promise that the test resolves. */
function gate(): { readonly isOpen: Promise<void>; readonly open: () => void } {
  let open = () => {};
  const isOpen = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { isOpen, open: () => open() };
}

test("a person talks to an agent: words as they stream, Ctrl-C, history, paste, completion, undo, why, save, resize", {
  ...needsProgram("tmux"),
  timeout: 240_000,
}, async () => {
  const second = gate();
  async function* slowWords(): AsyncGenerator<string> {
    yield "The order is ";
    await second.isOpen;
    yield "shipped, and it arrives on Monday.";
  }
  async function* endlessWords(): AsyncGenerator<string> {
    yield "Let me see ";
    await new Promise(() => {});
  }
  const replies: ChatAnswer[] = [{ words: endlessWords() }, { words: slowWords() }];
  const answer = (request: ChatRequest): ChatAnswer => {
    const { response_format: format } = request;
    if (!format) return replies.shift() ?? { status: 400, body: '{"error":{"message":"no such model"}}' };
    const transition_to = JSON.stringify(format).includes('"read"') ? "read" : "none";
    return fitting(request, { objectives_complete: true, transition_to, reasoning: "It is a number.", order: "A-1" });
  };
  await using server = await startChatServer(answer);
  const mocks = [{ tool_name: "look_up", output: { status: "shipped" } }];
  const path = folder({ "agent.json": SHOP, "tests.json": [{ name: "order", says: ["Hello"], tool_mocks: mocks }] });
  const args = ["chat", "agent.json", "--tests", "tests.json", "--scenario", "order", "--model", "openai/m"];
  const env = {
    OPENAI_BASE_URL: server.url,
    OPENAI_API_KEY: "sk-test",
    NO_COLOR: "1",
    PATH: process.env.PATH ?? "",
  };
  using terminal = startTerminal([...ownStart(), MAIN, ...args], path, env, { width: 80, height: 50 });

  await terminal.shows(/agent › Hello, this is Lumen\.\n {2}you ›$/m);
  terminal.paste("Where is\nmy order A-1?");
  await terminal.shows(/you › Where is my order A-1\?/);
  terminal.press("Enter");
  await terminal.shows(/· welcome → read: Caller names an order; It is a number\./);
  await terminal.shows(/agent › Let me see/);
  terminal.press("C-c");
  await terminal.shows(/aborted; the call is as it was before your words\n {2}you ›$/m);

  terminal.press("Up");
  await terminal.shows(/aborted.*\n {2}you › Where is my order A-1\?$/m);
  terminal.press("Enter");
  const streaming = await terminal.shows(/agent › The order is$/m);
  assert.doesNotMatch(streaming, /shipped, and it arrives/);
  assert.match(streaming, /· order = "A-1"[\s\S]*· look_up\(order: "A-1"\) → \{"status":"shipped"\} \(mocked\)/);
  assert.match(streaming, /· status = "shipped"/);
  second.open();
  await terminal.shows(/agent › The order is shipped, and it arrives on Monday\.\n {2}you ›$/m);

  terminal.type("/w");
  await terminal.shows(/you › \/w$/m);
  terminal.press("Tab");
  await terminal.shows(/you › \/why/);
  terminal.press("Enter");
  await terminal.shows(/✓ to read \(LLM\): Caller names an order — taken/);
  await terminal.shows(/= reasoning: It is a number\./);

  terminal.type("And now?");
  terminal.press("Enter");
  await terminal.shows(/✗ error\[model-failed\][\s\S]*no such model/);
  await terminal.shows(/it was before the turn[\s\S]*\n {2}you ›$/m);
  terminal.type("/save saved.json");
  terminal.press("Enter");
  await terminal.shows(/saved saved\.json/);
  assert.ok(existsSync(join(path, "saved.json")));

  terminal.resize(40);
  terminal.type("/undo");
  terminal.press("Enter");
  // the terminal breaks the line itself where the program has not heard of the new width yet
  await terminal.shows(/undone: "Where[\s\S]*A-1\?"\s*; at/);
  terminal.type("/goto man");
  await terminal.shows(/you › \/goto man$/m);
  terminal.press("Tab");
  await terminal.shows(/you › \/goto manager$/m);
  terminal.press("Enter");
  await terminal.shows(/at manager\n {2}you ›$/m);
  writeFileSync(join(path, "agent.json"), JSON.stringify({ ...SHOP, nodes: { desk: {} }, entry_node_id: "desk" }));
  await terminal.shows(/agent\.json was saved,\s+but\s+has\s+no\s+node\s+"manager"[\s\S]*\n {2}you ›$/m);
  terminal.press("C-d");
  await terminal.shows(/exit=0/);
});
