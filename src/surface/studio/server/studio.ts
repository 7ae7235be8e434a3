import type { JsonObject } from "../../../base/values/mod.ts";
import type { Role, StudioAnswer } from "../api/mod.ts";
import type { Coalesced, Latest, NewGroup, StudioData } from "../data/mod.ts";
import type { Agents, GraphWork } from "./agents/mod.ts";
import type { Chats } from "./chats/mod.ts";
import type { Connections } from "./connections.ts";
import type { Environments } from "./environments.ts";
import type { EventFeed } from "./event_feed.ts";
import type { RunsHere } from "./runs_here.ts";
import type { Trials } from "./trials.ts";

/** What a run's answer has of its calls. */
export type RunGrid = Pick<StudioAnswer<"run">, "scenarios" | "criteria">;

/** What calls showed of an agent. */
export type Seen = Pick<StudioAnswer<"agent">, "figures" | "coverage">;

/** What the routes of a server work with. */
export interface Studio {
  readonly data: StudioData;
  readonly agents: Agents;
  readonly graphWork: GraphWork;
  readonly runs: RunsHere;
  readonly chats: Chats;
  readonly trials: Trials;
  readonly events: EventFeed;
  /** Groups of calls that no scenario has tried. */
  readonly newGroups: () => Promise<readonly NewGroup[]>;
  readonly environments: Environments;
  /** What the calls of a run showed of an agent: reading them takes longer than all else of an agent's answer. */
  readonly seen: Latest<Seen>;
  /** The scenarios and criteria of runs. */
  readonly grids: Latest<RunGrid>;
  /** Reads the scenarios and criteria of a run: all who watch it ask again after each of its calls. */
  readonly readGrid: Coalesced<RunGrid>;
  readonly connections: Connections;
  /** Name of the project, and version of Callweave. */
  readonly name: string;
  readonly version: string;
  /** Folder of the project: recordings outside of it are not served. */
  readonly folder: string;
  /** Tells the server's log of an unexpected error. */
  readonly onError: (error: unknown) => void;
}

/** Who asks. */
export interface Person {
  readonly name: string;
  readonly role: Role;
}

/** A request after it was checked. */
export interface StudioRequest<Query, Body> {
  readonly studio: Studio;
  readonly who: Person;
  readonly params: { readonly [name: string]: string };
  readonly query: Query;
  readonly body: Body;
  /** Aborts when nobody waits for the answer. */
  readonly signal: AbortSignal;
  /** Adds to the audit's entry of the request. */
  readonly note: (detail: JsonObject) => void;
}
