export { editGraph, type GraphEditor } from "./edit_graph.ts";
export { mapConditions, mapPrompts, replaceNodes } from "./map_graph.ts";
export { renameVariable } from "./rename.ts";
export { type ExtractSnippetOptions, isSnippetText, putSnippet } from "./snippets.ts";
export type { SplitOptions } from "./split_node.ts";
