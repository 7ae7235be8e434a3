import type { EmbeddingReference, ModelReference, RequestOptions } from "../../../call/models/mod.ts";
import type { ScenarioSource } from "../../../document/scenario/mod.ts";

/** Options of `clusterCalls()`. */
export interface ClusterOptions {
  /** Scenarios that may cover groups, by their personas and lines. */
  readonly scenarios?: readonly ScenarioSource[];
  /** Embedding model, or `provider/model`. It compares meanings, across languages too. Default: compares words. */
  readonly embedding?: EmbeddingReference;
  /** Model that names the groups. Default: their most distinctive words. */
  readonly model?: ModelReference;
  /**
   * Minimum average similarity of the calls of a group, above 0 and up to 1. Higher values give more, smaller groups. Default:
   * 0.2 for words, 0.5 for embeddings.
   */
  readonly similarity?: number;
  /** Time limit, retries and middleware of the model's calls. */
  readonly requests?: RequestOptions;
  readonly signal?: AbortSignal;
}

/** Calls whose callers wanted the same. */
export interface CallGroup {
  /** Its most distinctive words, or the name that the model gave it. */
  readonly name: string;
  /** Words that its callers use more than others, the most distinctive first. */
  readonly words: readonly string[];
  readonly calls: number;
  /** Share of all grouped calls, from 0 to 1. */
  readonly share: number;
  /** In the order of the given calls. */
  readonly callIds: readonly string[];
  /** The call that is most similar to the others, and what its caller wanted. */
  readonly representative: { readonly id: string; readonly text: string };
  /** Names of the scenarios with a sentence that would belong to the group. */
  readonly coveredBy: readonly string[];
}

/** Calls grouped by what their callers wanted. */
export interface CallClusters {
  /** Groups without a scenario first; the largest first. */
  readonly groups: readonly CallGroup[];
  /** Number of grouped calls. */
  readonly calls: number;
  /** Share of the grouped calls whose group has a scenario, from 0 to 1. */
  readonly coveredShare: number;
  /** Ids of calls in which the caller never said what they want. */
  readonly unclear: readonly string[];
  readonly by: "words" | "embeddings";
  readonly similarity: number;
}
