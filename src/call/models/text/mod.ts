export { createSpokenFilter, endOfValue, isCutJson, parseAnswer, spokenText } from "./answer.ts";
export {
  type ChatMessage,
  EVENT_LINES,
  EVENTS,
  jsonLine,
  mergedMessages,
  type Note,
  offeredNames,
  renderInput,
  requestPrompt,
  withMeantNames,
  withNotes,
  withOfferedNames,
  wrappedModel,
} from "./messages.ts";
