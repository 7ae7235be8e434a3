export { type Fault, named } from "./faults.ts";
export { fitValue, hasType } from "./fit_value.ts";
export { convertJsonSchema, droppedKeywords } from "./json_schema.ts";
export { limits, type NumberRange, namePatterns } from "./limits.ts";
export {
  fitModel,
  fitSettings,
  fitToolSettings,
  isToolKind,
  modelProvider,
  needsOnlyModel,
  settingKeys,
  withUnknownKeys,
} from "./parts.ts";
export { type Refused, vapiRefusals } from "./refusals.ts";
export { choicesAt, keysOf, modelNames, publishedOn, type Schema, schemaAt } from "./schema.ts";
