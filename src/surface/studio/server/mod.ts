export type { AgentQuestion } from "./agents/mod.ts";
export type { ChatBeginning, ConnectedBeginning, PrepareChat } from "./chats/mod.ts";
export type { Connections } from "./connections.ts";
export type { Environments } from "./environments.ts";
export { type PageFiles, type PageTexts, pageFiles } from "./page_files.ts";
export type { RunFlags, RunProcess, StartRun } from "./runs_here.ts";
export { type ServerOptions, type StudioServer, startServer } from "./start_server.ts";
export type { HoldTrial, TrialFindings, TrialWork } from "./trials.ts";
