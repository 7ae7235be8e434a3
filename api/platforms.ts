/**
 * `callweave/platforms`: formats as objects, and scenarios as the tests of Retell and Vapi. To read and write agents,
 * `importAgent()` and `emit()` of `callweave` are enough.
 *
 * @module
 */
export {
  type DocumentShape,
  emitRetellTestCases,
  emitVapiTests,
  type Format,
  formatNamed,
  importRetellTestCases,
  type OpenedDocument,
  type PlainEmitted,
  type RetellTestCase,
  type RetellTestCases,
  type RetellTestEngine,
  type VapiEval,
  type VapiTests,
} from "../platforms/mod.ts";
