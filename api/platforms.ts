/**
 * `callweave/platforms`: formats as objects, agents as TypeScript, secrets of agents, and scenarios as the tests of Retell,
 * Vapi, ElevenLabs, Telnyx and Bland. To read and write agents, `importAgent()` and `emit()` of `callweave` are enough.
 *
 * @module
 */
export { type EjectedFile, type EjectOptions, eject } from "../dsl/mod.ts";
export {
  type BlandAssertion,
  type BlandScenario,
  type BlandScenarios,
  emitBlandScenarios,
  importBlandScenarios,
} from "../platforms/bland/mod.ts";
export {
  type ElevenLabsTest,
  type ElevenLabsTests,
  emitAgentTests as emitElevenLabsTests,
  importAgentTests as importElevenLabsTests,
} from "../platforms/elevenlabs/mod.ts";
export {
  type DocumentShape,
  type EmittedFile,
  type Format,
  formatNamed,
  type OpenedDocument,
  type PlainEmitted,
} from "../platforms/mod.ts";
export {
  emitTestCases as emitRetellTestCases,
  importTestCases as importRetellTestCases,
  type RetellTestCase,
  type RetellTestCases,
  type RetellTestEngine,
} from "../platforms/retell/mod.ts";
export {
  emitTelnyxTests,
  importTelnyxTests,
  type TelnyxTest,
  type TelnyxTests,
} from "../platforms/telnyx/mod.ts";
export { emitVapiTests, type VapiEval, type VapiTests } from "../platforms/vapi/mod.ts";
export { type PortabilityOptions, type Ported, type PortedState, portability } from "../src/agent/check/mod.ts";
export {
  CHANGE_AREAS,
  type Change,
  type ChangeArea,
  type Construct,
  type ConstructKind,
  type Conversion,
  type ConvertOptions,
  convert,
  type Decision,
} from "../src/agent/convert/mod.ts";
export { type Export, readExport } from "../src/base/files/mod.ts";
export type { SecretKind } from "../src/base/redaction/mod.ts";
export { type ExtractedSecrets, extractSecrets, type SecretVariable } from "../src/document/secrets/mod.ts";
