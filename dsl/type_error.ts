export type { FlowTypeError } from "../src/base/values/mod.ts";
