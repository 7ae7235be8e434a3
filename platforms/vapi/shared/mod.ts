export { liftCalls, lowerCalls } from "./calls.ts";
export { checkAssistant, checkSquad } from "./checks.ts";
export { modelKeys, modelOf, providerAndModel, withDefaultModel, withoutModel } from "./default_model.ts";
export { destinationsFor, vapiTransfers } from "./destinations.ts";
export { createDirectory, type Directory, idsOf, type MemberName, NODE_HINT, nameOf, nodeIds } from "./directory.ts";
export {
  aliasesOf,
  assistantLikeness,
  DOCUMENT_SHAPE,
  holdsOnlyTools,
  type Opened,
  openAssistant,
  openEnvelope,
  openSquad,
  squadLikeness,
  withAliases,
} from "./document.ts";
export { freeNames } from "./lists.ts";
export {
  homeOf,
  liquidText,
  type Native,
  nameMembers,
  type OpenedSquad,
  openMembers,
  ownPrompt,
  readMember,
  readOpening,
  writeMember,
  writeOpening,
} from "./members.ts";
export { isText, takeText, textPlace, withSpeech } from "./prompt.ts";
export { readShared, writeShared } from "./shared_handoffs.ts";
export { emitTool, importTool, isNamed, toolNameLimit, withRawTools } from "./tool.ts";
