export {
  emitTestCases,
  importTestCases,
  type RetellTestCase,
  type RetellTestCases,
  type RetellTestEngine,
} from "./emit.ts";
