import assert from "node:assert/strict";
import { test } from "node:test";
import type { Message } from "../../../mod.ts";
import { pairOfCalls } from "../../../src/run/compare/mod.ts";
import { sideBySide } from "../../../src/run/compare/show_calls.ts";

const message = (role: Message["role"], content: string, node: string): Message => ({
  role,
  content,
  node_id: node,
  timestamp: "2026-01-01T00:00:00.000Z",
  metadata: {},
});

const greeting = [message("assistant", "Clinic, hello.", "greet"), message("user", "I want to book.", "greet")];
const style = { color: false, width: 63 };

test("sideBySide() shows two transcripts from the first message that differs", () => {
  const base = [...greeting, message("assistant", "Which day?", "book"), message("user", "Monday.", "book")];
  const head = [...greeting, message("assistant", "Goodbye.", "bye")];
  assert.equal(
    sideBySide({ title: "base", transcript: base }, { title: "head", transcript: head }, style),
    [
      "base                           │ head",
      "the first 1 messages are equal",
      "[greet]                        │ [greet]",
      "caller  I want to book.        │ caller  I want to book.",
      "[book]                         ≠ [bye]",
      "agent   Which day?             ≠ agent   Goodbye.",
      "caller  Monday.                ≠",
      "",
    ].join("\n"),
  );
});

test("sideBySide() aligns messages that are equal again after a difference", () => {
  const base = [message("assistant", "Hello.", "greet"), ...greeting.slice(1)];
  const text = sideBySide({ title: "b", transcript: base }, { title: "h", transcript: greeting }, style);
  assert.match(text, /agent {3}Hello\. {17}≠ agent {3}Clinic, hello\.\n/);
  assert.match(text, /caller {2}I want to book\. {8}│ caller {2}I want to book\.\n/);
});

test("sideBySide() says that transcripts are equal, and breaks no line with control characters", () => {
  const equal = sideBySide({ title: "b", transcript: greeting }, { title: "h", transcript: greeting }, style);
  assert.match(equal, /\nthe transcripts are equal \(2 messages\)\n$/);
  const hostile = [message("user", "a\u001b[31m\nb", "no\nde")];
  assert.equal(
    sideBySide({ title: "b", transcript: hostile }, { title: "h", transcript: [] }, style).includes("\u001b"),
    false,
  );
});

test("pairOfCalls() shows a passed and a failed call, of the same trial if there are such", () => {
  const calls = (...statuses: ("pass" | "fail" | "error")[]) =>
    statuses.map((status, index) => ({ status, trial: index + 1 }));
  const pair = (
    change: "worse" | "better" | "none",
    base: ReturnType<typeof calls>,
    head: ReturnType<typeof calls>,
  ) => {
    const found = pairOfCalls(base, head, change);
    return found && [found.base.trial, found.head.trial];
  };
  assert.deepEqual(pair("worse", calls("pass", "pass", "fail"), calls("pass", "fail", "fail")), [2, 2]);
  assert.deepEqual(pair("worse", calls("pass", "fail"), calls("error", "fail")), [1, 2]);
  assert.deepEqual(pair("better", calls("fail", "fail"), calls("fail", "pass")), [2, 2]);
  assert.equal(pair("worse", calls("pass"), calls("error")), undefined);
});
