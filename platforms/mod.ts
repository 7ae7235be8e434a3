export type {
  AnyFormatName,
  CheckFormat,
  EmitOptions,
  Emitted,
  Finding,
  Format,
  FormatName,
  Loss,
} from "./platform.ts";
export {
  checkFormat,
  emit,
  type FormatInfo,
  formatNamed,
  formats,
  type Imported,
  importAgent,
} from "./registry/mod.ts";
export {
  type EmittedTestCases as RetellTestCases,
  emitTestCases as emitRetellTestCases,
  importTestCases as importRetellTestCases,
  type TestCase as RetellTestCase,
} from "./retell/mod.ts";
