export { type OpenQueue, openQueue, type QueueOptions, type WarningEvent } from "./open_queue.ts";
export { type CallWorker, startWorker, type WorkerOptions } from "./start_worker.ts";
