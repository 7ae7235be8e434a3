import { isRecord } from "../../base/values/mod.ts";
import type { EndReason } from "../../document/transcript/mod.ts";
import { type CallCheck, checkTestedCall } from "./check_call.ts";

/**
 * Matchers for `expect.extend(matchers)` of Bun, Vitest, Jest and Deno's `@std/expect`. They check a `conversation()` or
 * a result of a run by the rules of a scenario's `.visits()`, `.extracts()` and `.ends()`. Without anything to check they
 * throw `invalid-option`, also under `.not`.
 *
 * @example
 * ```ts
 * import { conversation, flow } from "callweave";
 * import { matchers } from "callweave/testing";
 *
 * const hello = flow("hello").end("bye", { prompt: "Say goodbye." }).compile();
 * const call = conversation(hello, { models: { agent: "offline" } });
 * await call.open();
 * console.log(matchers.toVisit(call, "bye").pass); // expect(call).toVisit("bye") after expect.extend(matchers)
 * ```
 */
export const matchers = {
  /** The call visits these nodes in this order; others may come between. */
  toVisit: (received: unknown, ...nodes: readonly string[]): CallCheck =>
    checkTestedCall(callOf(received), { visits: nodes }, "toVisit()"),
  /** The variables have these values at the end. `undefined`: the variable is not set. */
  toExtract: (received: unknown, variables: { readonly [name: string]: unknown }): CallCheck =>
    checkTestedCall(callOf(received), { extracts: variables }, "toExtract()"),
  /** The call ended for this reason. */
  toEndWith: (received: unknown, reason: EndReason): CallCheck =>
    checkTestedCall(callOf(received), { ends: reason }, "toEndWith()"),
} as const;

/** Types of the matchers, for the interface of `expect()` in a test runner; the docs show how. */
export interface CallMatchers<Returned = void> {
  toVisit(...nodes: readonly string[]): Returned;
  toExtract(variables: { readonly [name: string]: unknown }): Returned;
  toEndWith(reason: EndReason): Returned;
}

/** `@std/expect` passes a context that holds the value. */
function callOf(received: unknown): unknown {
  return isRecord(received) && "value" in received && "isNot" in received ? received.value : received;
}
