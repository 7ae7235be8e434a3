/**
 * `callweave/platforms`: formats as objects, and Retell's test cases. To read and write agents, `importAgent()` and
 * `emit()` of `callweave` are enough.
 *
 * @module
 */
export {
  type DocumentShape,
  emitRetellTestCases,
  type Format,
  formatNamed,
  importRetellTestCases,
  type OpenedDocument,
  type PlainEmitted,
  type RetellTestCase,
  type RetellTestCases,
  type RetellTestEngine,
} from "../platforms/mod.ts";
