import type { DeployFormat } from "../../../platforms/mod.ts";
import type { Clock } from "../../base/values/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import type { EnvironmentSettings } from "./environment.ts";

/** Where to deploy an agent, and how to reach the platform. */
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
  /** URL of the platform's API, of a proxy, or of a local platform. */
  readonly baseUrl?: string;
  /** Settings of this environment. */
  readonly settings?: EnvironmentSettings;
  /** The workspace that the key must belong to, if the platform reports one. */
  readonly workspace?: string;
  /** Values of `{{env:NAME}}` references; see `emit()`. */
  readonly env?: { readonly [name: string]: string | undefined };
  /** Variables that references anywhere in the graph may use; see `emit()`. */
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

/** The agent, environment and platform of a target. */
export interface DeployScope {
  readonly environment: string;
  readonly flow: string;
  readonly platform: string;
}
