export type { DocumentShape, OpenedDocument } from "./lens/mod.ts";
export type {
  AnyFormatName,
  CheckFormat,
  EmitOptions,
  Emitted,
  Finding,
  Format,
  FormatName,
  Listed,
  Loss,
  PlainEmitted,
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
  emitTestCases as emitRetellTestCases,
  importTestCases as importRetellTestCases,
  type RetellTestCase,
  type RetellTestCases,
  type RetellTestEngine,
} from "./retell/mod.ts";
