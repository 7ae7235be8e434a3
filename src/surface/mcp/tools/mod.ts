import type { Tool } from "../tool.ts";
import { AGENT_TOOLS } from "./agents.ts";
import { CHANGE_TOOLS } from "./changes.ts";
import { RESULT_TOOLS } from "./results.ts";
import { RUN_TOOLS } from "./runs.ts";
import { SCENARIO_TOOLS } from "./scenarios.ts";

/** Every tool of the server, in the order in which assistants see them. None writes a source, or deploys. */
export const TOOLS: readonly Tool[] = [
  ...AGENT_TOOLS,
  ...SCENARIO_TOOLS,
  ...RUN_TOOLS,
  ...RESULT_TOOLS,
  ...CHANGE_TOOLS,
];
