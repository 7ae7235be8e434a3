export { editGraph, type GraphEditor, type SplitOptions } from "./edit_graph.ts";
