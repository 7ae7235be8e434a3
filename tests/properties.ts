export * as fc from "./fast_check.ts";
