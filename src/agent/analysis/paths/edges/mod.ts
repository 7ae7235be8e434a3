export { type Edges, edgesOf } from "./edges.ts";
