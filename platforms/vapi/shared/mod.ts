export { liftCalls, lowerCalls } from "./calls.ts";
export { checkAssistant, checkSquad } from "./check.ts";
export { modelOf, withModel } from "./default_model.ts";
export {
  createDirectory,
  type Directory,
  idsOf,
  type MemberName,
  NODE_HINT,
  nameOf,
  nodeIds,
  recordOr,
} from "./directory.ts";
export { closeEnvelope, keepEnvelope, type Opened, openEnvelope } from "./envelope.ts";
export type { FindingCode } from "./findings.ts";
export { dropAt, getAt, isText, type JsonPath, readPath, setAt } from "./json_path.ts";
export { assistantLikeness, holdsOnlyTools, openAssistant, openSquad, squadLikeness } from "./keys.ts";
export { freeNames } from "./names.ts";
export { readOpening, writeOpening } from "./opening.ts";
export { readIndex } from "./order.ts";
export { ownPrompt } from "./own_prompt.ts";
export { withRawTools } from "./raw_tools.ts";
export { readMember } from "./read_member.ts";
export { readShared, writeShared } from "./shared_handoffs.ts";
export { type MemberKept, memberKept, nameMembers, writeMember } from "./write_member.ts";
