export type { FlowTypeError } from "../src/graph/mod.ts";
