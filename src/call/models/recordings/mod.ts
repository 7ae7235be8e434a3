export {
  type CallIdentity,
  ClockDocument,
  clockKey,
  type RecordedCallName,
  type RecordedContent,
  type Recording,
  RecordingDocument,
  type Role,
  redacted,
} from "./recording.ts";
export { createRecordings, type Recordings } from "./recordings.ts";
export { fileRecordings, type RecordingMode, type RecordingStore } from "./store.ts";
