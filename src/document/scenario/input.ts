import type { EndReason } from "../transcript/mod.ts";
import type { MockRule, OfflineTurn, ScenarioGate } from "./scenario.ts";

/** A criterion for the judge: its text, or its text with threshold and number of judges. */
export type MetricInput =
  | string
  | { readonly criterion: string; readonly threshold?: number | null; readonly panel?: number | null };

/**
 * A scenario with optional keys; {@link Scenario} describes them. The builder's names (`persona`, `variables`, `mock`,
 * `judge`, `matches`, `turns`) are aliases. A scenario with both an alias and its key is an error.
 */
export interface ScenarioInput {
  readonly name: string;
  /** `simulation` and `unit` are former names of `llm` and `rule`. */
  readonly type?: "llm" | "rule" | "simulation" | "unit" | null;
  readonly user_prompt?: string | null;
  readonly says?: readonly string[] | null;
  readonly dynamic_variables?: { readonly [name: string]: unknown } | null;
  readonly tool_mocks?: readonly ToolMockInput[] | null;
  readonly metrics?: readonly MetricInput[] | null;
  readonly includes?: readonly string[] | null;
  readonly excludes?: readonly string[] | null;
  readonly patterns?: readonly string[] | null;
  readonly visits?: readonly string[] | null;
  readonly avoids?: readonly string[] | null;
  readonly ends?: EndReason | null;
  readonly extracts?: { readonly [name: string]: unknown } | null;
  readonly calls?:
    | readonly { readonly tool: string; readonly args?: { readonly [name: string]: unknown } | null }[]
    | null;
  readonly answers_within_ms?: number | null;
  readonly checks?: readonly string[] | null;
  readonly tags?: readonly string[] | null;
  readonly llm_model?: string | null;
  readonly repeat?: number | null;
  readonly gate?: ScenarioGate | null;
  readonly max_turns?: number | null;
  readonly offline_path?: readonly OfflineTurn[] | null;
  /** Alias of `user_prompt`. */
  readonly persona?: string | null;
  /** Alias of `dynamic_variables`. */
  readonly variables?: { readonly [name: string]: unknown } | null;
  /** Alias of `tool_mocks`, or an object of answers by tool, such as `{ "weather": { "output": "grey" } }`. */
  readonly mock?: readonly ToolMockInput[] | { readonly [name: string]: unknown } | null;
  /** Alias of `metrics`, or a single criterion. */
  readonly judge?: MetricInput | readonly MetricInput[] | null;
  /** Alias of `patterns`, or a single pattern. */
  readonly matches?: string | readonly string[] | null;
  /** Alias of `max_turns`. */
  readonly turns?: number | null;
}

/** A mock with optional keys. */
export interface ToolMockInput {
  readonly tool_name: string;
  /** Default: any arguments. */
  readonly input_match_rule?: MockRule | null;
  readonly output?: unknown;
  /** Whether the call succeeds. Default: true. */
  readonly result?: boolean | null;
  readonly delay_ms?: number | null;
  readonly times?: number | null;
}
