export { aliasesOf, withAliases } from "./aliases.ts";
export { liftCalls, lowerCalls } from "./calls.ts";
export { checkAssistant, checkSquad } from "./checks/mod.ts";
export { modelKeys, modelName, modelOf, withDefaultModel, withoutModel } from "./default_model.ts";
export {
  createDirectory,
  type Directory,
  idsOf,
  type MemberName,
  NODE_HINT,
  nameOf,
  nodeIds,
} from "./directory.ts";
export { DOCUMENT_SHAPE } from "./document_shape.ts";
export { type Opened, openEnvelope } from "./envelope.ts";
export { assistantLikeness, holdsOnlyTools, openAssistant, openSquad, squadLikeness } from "./keys.ts";
export { liquidText } from "./liquid_text.ts";
export { homeOf, type Native, nameMembers, readMember, writeMember } from "./member.ts";
export { freeName, freeNames } from "./names.ts";
export { readOpening, writeOpening } from "./opening.ts";
export { ownPrompt } from "./own_prompt.ts";
export { withRawTools } from "./raw_tools.ts";
export { readShared, writeShared } from "./shared_handoffs.ts";
export { isText, recordsAt, takeText, textPlace } from "./texts.ts";
export { emitTool, importTool, isNamed } from "./tool.ts";
