import type { AgentGraph } from "../graph/mod.ts";
import type { Clock } from "../values/mod.ts";
import type { EnvironmentSettings } from "./environment.ts";

/** Formats that can be deployed. The platform is the first word. */
export type DeployFormat = "retell" | "retell-llm" | "vapi-squad" | "vapi-assistant";

/** Where an agent is deployed, and how its platform is reached. */
export interface DeployTarget {
  readonly to: DeployFormat;
  /** API key. It comes from the environment, and is never written to a file or a message. */
  readonly key: string;
  /** Such as `staging`. Default: `default`. */
  readonly environment?: string;
  /** Name of the agent in the lock file. Default: the graph's name. */
  readonly flow?: string;
  /** Folder of `callweave.lock.json` and `.callweave/`. Default: the current folder. */
  readonly folder?: string;
  /** The platform's address, or that of a proxy or a local platform. */
  readonly baseUrl?: string;
  /** What differs in this environment. */
  readonly settings?: EnvironmentSettings;
  /** The workspace that the key has to belong to, where the platform names one. */
  readonly workspace?: string;
  /** Values of `{{env:NAME}}` references; see `emit()`. */
  readonly env?: { readonly [name: string]: string | undefined };
  /** Variables that may be used wherever the graph refers to them; see `emit()`. */
  readonly allowEnv?: readonly string[];
  /** The graph that was deployed last, for a machine that did not deploy it, such as one of a CI service. */
  readonly previous?: AgentGraph;
  /** Time limit of one request in milliseconds. Default: 30,000. */
  readonly requestTimeoutMs?: number;
  /** Default: the global `fetch`. */
  readonly fetch?: typeof fetch;
  readonly clock?: Clock;
  readonly signal?: AbortSignal;
}

/** Which agent in which environment on which platform. */
export interface Place {
  readonly environment: string;
  readonly flow: string;
  readonly platform: string;
}
