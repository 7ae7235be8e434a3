export { type RecordPlace, transitionText } from "../../../../platforms/mod.ts";
export {
  type CallSource,
  isRecordedCall,
  type ReadCallsOptions,
  readCalls,
  readRecords,
  SOURCE,
} from "./read_calls.ts";
export { CALL_FORMATS, type CallFormat, type CallReaders, loadReaders } from "./recognise.ts";
