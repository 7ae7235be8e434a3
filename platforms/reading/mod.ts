export { CallDraft, outcomeOf, transitionText } from "./call_draft.ts";
export { callFrom } from "./call_from.ts";
export {
  type CallList,
  type CallListOptions,
  type CallPage,
  clientFor,
  type ListedCall,
  type Stretch,
} from "./call_list.ts";
export type { CallReader } from "./call_reader.ts";
export { argumentsFrom, numberAt, textAt, timeFrom } from "./fields.ts";
export { readLabelledText, sayLabelledText } from "./labelled_text.ts";
export { factsFrom, NotACallError, type RecordPlace } from "./read_context.ts";
export type { RecordedCall, UnreadableCall } from "./recorded_call.ts";
