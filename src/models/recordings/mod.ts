export { ClockDocument, RecordingDocument } from "./document.ts";
export { fileRecordings } from "./file_store.ts";
export { clockKey, type RecordedCallName, type Recording, type Role } from "./recording.ts";
export { createRecordings, type Recordings } from "./recordings.ts";
export { redacted } from "./redacted.ts";
export type { RecordingMode, RecordingStore } from "./store.ts";
