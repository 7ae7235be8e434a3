export { editGraph, type GraphEditor, type SplitOptions } from "./edit_graph.ts";
export { mapConditions, mapNodes, mapPrompts } from "./map_graph.ts";
export { renameVariable } from "./rename_variable.ts";
