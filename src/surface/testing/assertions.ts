import { AssertionError } from "node:assert";
import type { Call, EndReason } from "../../document/transcript/mod.ts";
import { type CallExpectation, checkTestedCall } from "./check_call.ts";

/**
 * Asserts that a call visited nodes in this order; others may come between. The message has the path and the transcript.
 *
 * @param call A `conversation()`, or a result of a run.
 * @throws {AssertionError} When it did not.
 * @throws {CallweaveError} `invalid-option` if the value is not a call, or without a node.
 * @example
 * ```ts
 * import { conversation, flow } from "callweave";
 * import { assertEndsWith, assertVisits } from "callweave/testing";
 *
 * const hello = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
 * const call = conversation(hello, { models: { agent: "offline" } });
 * await call.open();
 * assertVisits(call, "bye");
 * assertEndsWith(call, "agent_ended");
 * ```
 */
export function assertVisits(call: Call, ...nodes: readonly string[]): void {
  assertCall(call, { visits: nodes }, "assertVisits()");
}

/**
 * Asserts that variables have these values, compared as texts. `undefined`: the variable is not set.
 *
 * @throws {AssertionError} When one has another value.
 * @throws {CallweaveError} `invalid-option` if the value is not a call, or without a variable.
 */
export function assertExtracts(call: Call, variables: { readonly [name: string]: unknown }): void {
  assertCall(call, { extracts: variables }, "assertExtracts()");
}

/**
 * Asserts that a call ended for this reason.
 *
 * @throws {AssertionError} When it ended for another one, or not at all.
 * @throws {CallweaveError} `invalid-option` if the value is not a call, or without a reason.
 */
export function assertEndsWith(call: Call, reason: EndReason): void {
  assertCall(call, { ends: reason }, "assertEndsWith()");
}

function assertCall(call: Call, expected: CallExpectation, action: string): void {
  const { pass, message } = checkTestedCall(call, expected, action);
  if (!pass) throw new AssertionError({ message: message(), stackStartFn: assertCall });
}
