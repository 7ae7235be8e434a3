export type { FlowTypeError } from "../src/values/mod.ts";
