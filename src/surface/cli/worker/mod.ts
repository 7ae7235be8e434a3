export { workerCommand } from "./worker.ts";
