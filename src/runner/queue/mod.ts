export { queueSettings } from "./queue_settings.ts";
export { checkSendable, runQueuedCall } from "./queued_calls.ts";
