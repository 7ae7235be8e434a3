export {
  argumentsFrom,
  CallDraft,
  type CallReader,
  factsFrom,
  NotACallError,
  numberAt,
  outcomeOf,
  type RecordedCall,
  type RecordPlace,
  textAt,
  timeFrom,
  transitionText,
  type UnreadableCall,
} from "./call_draft.ts";
export { callFrom } from "./call_from.ts";
export {
  type CallList,
  type CallListOptions,
  type CallPage,
  clientFor,
  type ListedCall,
  type Stretch,
} from "./call_list.ts";
export { readLabelledText, sayLabelledText } from "./labelled_text.ts";
