export { transitionText } from "./call_draft.ts";
export { type CallSource, SOURCE } from "./call_source.ts";
export { isRecordedCall, type ReadCallsOptions, readCalls, readRecords } from "./read_calls.ts";
export type { RecordPlace } from "./read_context.ts";
export { CALL_FORMATS, type CallFormat } from "./recognise.ts";
export { VAPI_OPEN_STATUSES } from "./vapi.ts";
