import { retellTables } from "./shared/mod.ts";

export { retell } from "./flow/mod.ts";
export { retellLlm } from "./llm/mod.ts";
export { type EmittedTestCases, emitTestCases, importTestCases, type TestCase } from "./test_cases/mod.ts";

/** Languages of an agent. */
export const retellLanguages = (): readonly string[] => retellTables().languages;
