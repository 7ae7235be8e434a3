export { type Fault, named } from "./faults.ts";
export { convertJsonSchema, droppedKeywords, fitValue, hasType } from "./fit_value.ts";
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
export { limits, type NumberRange, namePatterns, type Refused, vapiRefusals } from "./refusals.ts";
export { choicesAt, keysOf, modelNames, publishedOn, type Schema, schemaAt } from "./schema.ts";
