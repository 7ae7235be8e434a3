export { AgentScreen } from "./agent.tsx";
