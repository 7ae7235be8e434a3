export { queueSettings } from "./queue_settings.ts";
export { checkSendable, runQueuedCall, variableTypes } from "./queued_calls.ts";
