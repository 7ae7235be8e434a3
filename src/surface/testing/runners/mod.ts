export { findRunner } from "./find_runner.ts";
export type { TestCase, TestGroup } from "./runner.ts";
