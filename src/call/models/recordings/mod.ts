export { ClockDocument, RecordingDocument } from "./document.ts";
export { fileRecordings } from "./file_store.ts";
export {
  type CallIdentity,
  clockKey,
  type RecordedCallName,
  type RecordedContent,
  type Recording,
  type Role,
} from "./recording.ts";
export { createRecordings, type Recordings } from "./recordings.ts";
export { redacted } from "./redacted.ts";
export type { RecordingMode, RecordingStore } from "./store.ts";
