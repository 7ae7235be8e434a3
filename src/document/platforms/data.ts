import type { Path } from "../../base/errors.ts";

/**
 * What code that cannot import platforms knows of one, as data: names, sentences, and keys of its settings. A platform's
 * record has it, and `npm run docs` copies it into `generated`.
 */
export interface PlatformData {
  /** For messages: `Retell`. */
  readonly title: string;
  /** Environment variable of the API key. */
  readonly keyVariable: string;
  /** What a flow's `voice` has for it: an id, or an object. */
  readonly voiceKind: "text" | "object";
  /** Whether a version is published before calls use it. */
  readonly publishes: boolean;
  /** Whether its calls can be read. */
  readonly readsCalls: boolean;
  /** Whether its calls can be pulled. */
  readonly pullsCalls: boolean;
  readonly words: PlatformWords;
  readonly keys: PlatformKeys;
}

/** What a platform's settings are called, for descriptions. */
export interface PlatformWords {
  /** What a flow's `voice` has for it: `a voice id`. */
  readonly voice: string;
  /** A docstring for that: `Voice id, such as `11labs-Adrian`.` */
  readonly voiceDoc: string;
  /** Whose settings a flow has under its name: `Retell's flow or LLM`. */
  readonly settings: string;
  /** What it groups nodes into, which pictures frame: `the components of a Retell flow`. `null`: nothing. */
  readonly groups: string | null;
}

/** Keys of a platform's settings that mean something to code for all platforms. */
export interface PlatformKeys {
  /** Their value is a node's id. They follow when the node is renamed. */
  readonly nodeIds: readonly string[];
  readonly variables: VariableKeys;
  /** Path of the name of a node's group in the node's settings. `null`: nodes have no groups. */
  readonly nodeGroup: Path | null;
  /** A node that only refers to an agent saved at the platform: it has a text at one of `ids`, and no object at `unless`. */
  readonly savedNode: { readonly ids: readonly Path[]; readonly unless: readonly Path[] };
  /** Limits how often a global node is entered. `null`: there is no such setting. */
  readonly reentryLimit: string | null;
  /** Keys of its test cases that are no expectations; `inside`: of the objects in them. */
  readonly testCases: { readonly own: readonly string[]; readonly inside: readonly string[] };
  /** Fields that have the types of the platform's options, so that ejected code can set them, and the kind of each. */
  readonly typed: { readonly flow: FieldKinds; readonly node: FieldKinds };
}

/** Where settings name variables without braces. */
export interface VariableKeys {
  /** Objects whose keys are names of variables. */
  readonly maps: readonly string[];
  /** What is filled: lists of items with a name, or JSON schemas. */
  readonly filled: readonly string[];
  /** Keys of an item that name its variable. */
  readonly names: readonly string[];
  /** Lists whose items name a variable, at any depth. */
  readonly lists: readonly string[];
}

/** The kind of each field. A list: one of these texts. `point`: `{ x, y }`. */
export interface FieldKinds {
  readonly [field: string]: "text" | "number" | "boolean" | "texts" | "point" | readonly string[];
}
