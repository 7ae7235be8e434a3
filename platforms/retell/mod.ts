export { RETELL } from "./facts.ts";
export { retellTables } from "./shared/mod.ts";
export {
  emitTestCases,
  importTestCases,
  type RetellTestCase,
  type RetellTestCases,
  type RetellTestEngine,
} from "./test_cases.ts";
