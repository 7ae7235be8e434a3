export { missingDestinations } from "./destinations.ts";
export { type DocumentShape, merge, type OpenedDocument } from "./lens/mod.ts";
export type { EmitOptions, Emitted, Finding, Format, Loss, PlainEmitted } from "./platform.ts";
export {
  type AnyFormatName,
  type CheckFormat,
  checkFormat,
  emit,
  type FormatInfo,
  type FormatName,
  formatNamed,
  formats,
  type Imported,
  importAgent,
} from "./registry/mod.ts";
export {
  emitTestCases as emitRetellTestCases,
  importTestCases as importRetellTestCases,
  RETELL_EDGE_SLOTS,
  type RetellTestCase,
  type RetellTestCases,
  type RetellTestEngine,
  retellTables,
  retellUnknownKeys,
} from "./retell/mod.ts";
export { RETELL_SERVER_KEYS, VAPI_SERVER_KEYS } from "./server_keys.ts";
export {
  emitVapiTests,
  openVapiAssistant,
  openVapiSquad,
  type Refused,
  type VapiEval,
  type VapiTests,
  vapiRefusals,
} from "./vapi/mod.ts";
