/**
 * `callweave/testing`: scenarios as tests of `bun test`, `deno test`, `node --test` or Vitest, and matchers for calls.
 *
 * @module
 */
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
