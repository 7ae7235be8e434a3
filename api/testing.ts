/**
 * `callweave/testing`: scenarios as tests of `bun test`, `deno test`, `node --test` or Vitest, matchers for calls, and
 * attacks on agents.
 *
 * @module
 */
export * from "../src/run/attack/public.ts";
export {
  assertEndsWith,
  assertExtracts,
  assertVisits,
  type CallCheck,
  type CallMatchers,
  matchers,
  type TestScenariosOptions,
  testScenarios,
} from "../src/surface/testing/mod.ts";
