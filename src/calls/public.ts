export type { RecordedCall, UnreadableCall } from "./recorded_call.ts";
