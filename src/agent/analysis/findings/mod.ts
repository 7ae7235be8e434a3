export { checkGraph } from "./check_graph.ts";
