export { endOfValue, isCutJson, parseAnswer } from "./answer.ts";
export { mergedMessages } from "./merged_messages.ts";
export { EVENT_LINES, EVENTS, type Note, withNotes } from "./notes.ts";
export { type ChatMessage, requestPrompt } from "./prompt.ts";
export { jsonLine, renderInput } from "./render.ts";
export { createSpokenFilter, spokenText } from "./spoken_text.ts";
export { offeredNames, withMeantNames, withOfferedNames } from "./tool_names.ts";
export { wrappedModel } from "./wrapped.ts";
