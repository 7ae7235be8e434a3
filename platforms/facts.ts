import type { Path } from "../src/base/errors.ts";
import type { PlatformApi } from "../src/base/http/mod.ts";
import type { JsonObject } from "../src/base/values/mod.ts";
import type { AgentGraph, Metadata, ToolDefinition } from "../src/document/graph/mod.ts";
import type { PlatformKeys, PlatformWords } from "../src/document/platforms/mod.ts";
import type { Adapter, DeployEnvironment } from "./deploying/mod.ts";
import type { ModelLists } from "./models.ts";
import type { Format } from "./platform.ts";
import type { CallReader } from "./reading/mod.ts";
import type { LocalOptions, LocalPlatform } from "./serving/mod.ts";
import type { CarriedSetting, VendorVoice } from "./voices.ts";

/**
 * The facts about a platform that need none of its formats: `traits/` of its folder. Emitters of other platforms read
 * them, and so does everything that connects to the platform.
 */
export interface PlatformTraits<Name extends string = string> {
  /** First word of its formats, and the key of its settings: `retell`. */
  readonly name: Name;
  /** For messages: `Retell`. */
  readonly title: string;
  readonly connection: ConnectionTraits;
  readonly variables: VariableTraits;
  /** What its settings are called. */
  readonly words: PlatformWords;
  /** Keys of its settings that mean something to code for all platforms. */
  readonly keys: PlatformKeys;
  /** Keys that its servers add to what they return: they are no settings. */
  readonly serverKeys: readonly string[];
  readonly destinations: DestinationTraits;
  readonly requests: RequestTraits;
  /** Names of the settings in the metadata of a graph or node that affect calls: `voice`, `model.temperature`. */
  readonly settingNames: (settings: JsonObject) => readonly string[];
  /** The same for the metadata of a tool: settings of its request, with `server.` before those of its server. */
  readonly toolSettingNames: (settings: JsonObject) => readonly string[];
}

/** How the platform is reached, how its key is sent, and what may be repeated. */
export interface ConnectionTraits extends Omit<PlatformApi, "platform"> {
  /** Environment variable of the API key: `RETELL_API_KEY`. */
  readonly keyVariable: string;
}

/** Variables that the platform sets in every call. */
export interface VariableTraits {
  readonly names: readonly string[];
  /** Beginnings of names that end with a time zone: `current_time_`. */
  readonly prefixes: readonly string[];
  /**
   * Returns the value of a variable at the start of a call; `undefined` for one that changes during the call, and for
   * other names.
   */
  readonly valueOf: (name: string, moment: CallMoment) => string | undefined;
}

/** Inputs for the values of a platform's own variables at the start of a call. */
export interface CallMoment extends SystemVariables {
  readonly now: Date;
  /** The same for the same call in every run, so that prompts do not change between runs. */
  readonly callId: string;
}

/** Settings for the variables that platforms set in every call. */
export interface SystemVariables {
  /** IANA name of the time zone. Default: the platform's own, such as `America/Los_Angeles` at Retell. */
  readonly timeZone?: string;
  /** Default: `+12025550143`, a fictional number. */
  readonly userNumber?: string;
  /** Default: `+12025550199`. */
  readonly agentNumber?: string;
  /** Default: `inbound`. */
  readonly direction?: "inbound" | "outbound";
  /** Default: `phone_call`. */
  readonly callType?: "phone_call" | "web_call";
}

/** Where the platform's settings of a node or a tool hold the destination of a transfer. */
export interface DestinationTraits {
  /** Paths of a destination, or of a list of them. A destination is read nowhere else. */
  readonly places: readonly Path[];
  /** Types of its tools that transfer the call. */
  readonly toolTypes: readonly string[];
  /** Whether a transfer node with these settings needs no destination. */
  readonly isPlaceless: (settings: JsonObject) => boolean;
}

/** Where the platform's settings of a tool say how its request is made. Its URL and its arguments are in the graph. */
export interface RequestTraits {
  /** Types of its tools that make a request. */
  readonly toolTypes: readonly string[];
  readonly read: (settings: JsonObject) => readonly RequestPart[];
}

/** A part of a tool's request. `setting`: its name, as `toolSettingNames` returns it. */
export type RequestPart = { readonly setting: string } & (
  | { readonly kind: "method"; readonly value: string }
  | { readonly kind: "timeoutMs"; readonly value: number }
  | { readonly kind: "headers"; readonly value: { readonly [name: string]: string } }
);

/** How a platform writes the parts of a request; `undefined` for a value that it cannot have. */
export type RequestWriter = {
  readonly [Kind in RequestPart["kind"]]: (
    value: Extract<RequestPart, { readonly kind: Kind }>["value"],
  ) => JsonObject | undefined;
};

/** Everything that shared code knows of a platform: one record, exported by the `mod.ts` of its folder. */
export interface PlatformFacts<Name extends string = string> extends PlatformTraits<Name> {
  /** Its formats; their names begin with the platform's. */
  readonly formats: readonly Format<NameOfFormat<Name>>[];
  readonly settings: SettingFacts;
  readonly transfers: TransferFacts;
  /** `null`: agents cannot be deployed to it. */
  readonly deploy: DeployFacts<Name> | null;
  /** `null`: its calls cannot be read. */
  readonly calls: CallFacts | null;
}

/** How the platform writes the settings that a graph has for all platforms. */
export interface SettingFacts {
  /** Key of its settings that holds language and voice. */
  readonly key: string;
  readonly languages: () => readonly string[];
  readonly language: (tag: string) => JsonObject;
  /** Type of a flow's `voice` for this platform: an id, or an object. */
  readonly voiceKind: "text" | "object";
  readonly voice: (voice: unknown) => JsonObject;
  /** The platform's value for a vendor's voice, for `voice`; `undefined` if it has no such voice, or another name for it. */
  readonly voiceFrom: (voice: VendorVoice) => JsonObject | string | undefined;
  /** Voice and language in the settings of a graph that was imported from the platform, for moving it to another one. */
  readonly carried: (graph: AgentGraph) => readonly CarriedSetting[];
  readonly models: () => ModelLists;
  /** The longest name of a tool; `undefined` for a tool whose name is not its own. */
  readonly toolNameLimit: (tool: ToolDefinition) => number | undefined;
  /** Key of its settings that documents can lack although the agent has them: an agent around its flow. */
  readonly container: string | null;
}

/** A destination of a transfer in a platform's JSON, and the number or address in it. */
export interface Destination {
  /** Key of the metadata that contains it. */
  readonly owner: string;
  readonly json: JsonObject;
  /** A phone number, a SIP URI, or a text with variables. Absent: an assistant, or a prompt that finds a number. */
  readonly to?: string;
  readonly extension?: string;
}

/** How the platform writes the destination of a transfer. */
export interface TransferFacts {
  /** Whether a transfer can have several destinations. */
  readonly takesSeveral: boolean;
  /** Whether its emitters report settings of destinations themselves. */
  readonly reportsSettings: boolean;
  /** How a transfer without a destination is emitted, in words for a loss. */
  readonly nowhere: string;
  /** Writes the chosen destination into the metadata of a node or a tool, where the platform's emitters read it. */
  readonly write: (metadata: Metadata, chosen: Destination & { readonly to: string }, isImported: boolean) => Metadata;
}

/** Name of a format of a platform: that of the platform, alone or with more words. */
export type NameOfFormat<Name extends string> = string extends Name ? string : Name | `${Name}-${string}`;

/** How agents get to the platform. */
export interface DeployFacts<Name extends string = string> {
  /** Formats that can be deployed, the usual one first. */
  readonly formats: readonly NameOfFormat<Name>[];
  /** Addresses of the resources that are an agent: each belongs to one agent alone, while others can be shared. */
  readonly roots: readonly string[];
  /** Whether a version is published before calls use it. */
  readonly publishes: boolean;
  /** Keys of an environment's settings that say how to deploy there; they are not settings of the agent. */
  readonly environmentKeys?: readonly string[];
  /** @param environment Absent: what depends on no environment is used. */
  readonly adapter: (environment?: DeployEnvironment) => Promise<Adapter>;
  /** A local server that behaves like the platform, for tests and first steps. `null`: there is none. */
  readonly local: (() => Promise<(options: LocalOptions) => LocalPlatform>) | null;
}

/** How calls get here from the platform. */
export interface CallFacts {
  /** Whether the ids of calls are globally unique. */
  readonly hasUniqueIds: boolean;
  /** Which records are read, for the documentation: `call objects`. */
  readonly words: string;
  readonly reader: () => Promise<CallReader>;
  /** Whether calls are only read from files, because nothing lists them. Default: they can be pulled. */
  readonly areFilesOnly?: boolean;
}
