export { type PullCallsOptions, type PullPlatform, pullCalls } from "./pull_calls.ts";
