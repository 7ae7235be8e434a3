export { PULL_PLATFORMS, type PullCallsOptions, type PullPlatform, pullCalls } from "./pull_calls.ts";
