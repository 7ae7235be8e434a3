export { type RecordPlace, transitionText } from "../../../../platforms/mod.ts";
export { type CallSource, SOURCE } from "./call_source.ts";
export { isRecordedCall, type ReadCallsOptions, readCalls, readRecords } from "./read_calls.ts";
export { CALL_FORMATS, type CallFormat, type CallReaders, loadReaders } from "./recognise.ts";
