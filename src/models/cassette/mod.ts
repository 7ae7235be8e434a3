export { type Cassette, createCassette } from "./cassette.ts";
export { ClockDocument, RecordingDocument } from "./document.ts";
export { fileCassette } from "./file_store.ts";
export { clockKey, type RecordedCallName, type Recording, type Role } from "./recording.ts";
export { redacted } from "./redacted.ts";
export type { CassetteMode, CassetteStore } from "./store.ts";
