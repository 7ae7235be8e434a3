export {
  type AgentQuestion,
  type Agents,
  createAgents,
  type FoundAgent,
  loadAgent,
  type SourceAgent,
  shownGraph,
} from "./agents.ts";
export { type AskProcess, createGraphWork, type GraphWork } from "./graph_work.ts";
