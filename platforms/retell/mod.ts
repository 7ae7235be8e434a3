export { retell } from "./flow/mod.ts";
export { retellLlm } from "./llm/mod.ts";
export { type EmittedTestCases, emitTestCases, importTestCases, type TestCase } from "./test_cases/mod.ts";
