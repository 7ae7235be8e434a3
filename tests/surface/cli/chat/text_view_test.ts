import assert from "node:assert/strict";
import { test } from "node:test";
import { ModelError } from "../../../../src/base/errors.ts";
import { terminalWidth } from "../../../../src/base/values/mod.ts";
import { createTextView } from "../../../../src/surface/cli/chat/text_view.ts";
import { startSession } from "../../chat/_shop.ts";

function startView(width: number, color = false) {
  const written: string[] = [];
  const size = { width };
  const view = createTextView({
    write: (text) => written.push(text),
    style: () => ({ color, width: size.width }),
    isTerminal: true,
  });
  const message = (role: "assistant" | "tool" | "system", content: string, metadata = {}) =>
    view.onMessage({
      message: { role, content, metadata, node_id: "welcome", timestamp: "2026-03-01T09:00:00Z" },
    });
  return { view, message, size, lines: () => written.join("").split("\n") };
}

test("words are written as they arrive, and lines are broken at the width of the terminal", () => {
  const { view, message, lines } = startView(40);
  view.onToken({ text: "Hello, " });
  assert.deepEqual(lines(), ["agent › Hello,"]);
  view.onToken({ text: "this is the phone of Lumen. 请问您的订单号是" });
  view.onToken({ text: "多少？ Thank" });
  view.onToken({ text: " you." });
  message("assistant", "Hello, this is the phone of Lumen. 请问您的订单号是多少？ Thank you.");
  assert.deepEqual(lines(), [
    "agent › Hello, this is the phone of",
    "        Lumen. 请问您的订单号是多少？",
    "        Thank you.",
    "",
  ]);
  for (const line of lines()) assert.ok(terminalWidth(line) < 40, line);
});

test("the width is read anew for every word, as a window can be resized", () => {
  const { view, message, size, lines } = startView(60);
  view.onToken({ text: "one two three four five six seven eight " });
  size.width = 24;
  view.onToken({ text: "nine ten eleven " });
  message("assistant", "one two three four five six seven eight nine ten eleven");
  assert.deepEqual(lines(), ["agent › one two three four five six seven eight", "        nine ten eleven", ""]);
});

test("a reply that is streamed again after a retry is written again; a text that was not streamed is written whole", () => {
  const { view, message, lines } = startView(60);
  view.onToken({ text: "It " });
  view.onRetry({ retry: { signature: "respond", retry: 1, reason: "the connection broke" } });
  view.onToken({ text: "It arrives today." });
  message("assistant", "It arrives today.");
  message("assistant", "Goodbye.");
  assert.deepEqual(lines(), [
    "agent › It",
    "        · the model is asked again: the connection broke",
    "agent › It arrives today.",
    "agent › Goodbye.",
    "",
  ]);
});

test("what the agent does is dim and on lines of its own; without colours a dot marks it", () => {
  const metadata = { kind: "transition", from: "welcome", to: "tell", because: "Caller\u001b[31m asks" };
  const colored = startView(60, true);
  colored.message("tool", "", metadata);
  assert.deepEqual(colored.lines(), ["\u001b[2m        · welcome → tell: Caller\ufffd[31m asks\u001b[0m", ""]);
  const plain = startView(60);
  plain.view.onToken({ text: "One moment " });
  plain.view.noted("flow.ts was saved");
  plain.message("system", "One moment", { spoken: false });
  assert.deepEqual(plain.lines(), [
    "agent › One moment",
    "        · flow.ts was saved",
    "        · not spoken: One moment",
    "",
  ]);
});

test("an error is shown with its hint, and the chat goes on", () => {
  const { view, lines } = startView(200);
  view.onToken({ text: "Hel" });
  view.failed(
    new ModelError("Cannot call the model: it is down", { code: "model-failed", hint: "Try again" }),
    "again",
  );
  view.turned("aborted", startSession({}).session.state);
  assert.deepEqual(lines(), [
    "agent › Hel",
    "        ✗ error[model-failed] Cannot call the model: it is down — Try again",
    "        · again",
    "        · aborted; the call is as it was before your words",
    "",
  ]);
});
