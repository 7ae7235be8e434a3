export { watchRun } from "./watch_run.ts";
