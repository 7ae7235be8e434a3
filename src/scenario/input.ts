import type { EndReason } from "../transcript/mod.ts";
import type { MockRule } from "./scenario.ts";

/** A criterion that a judge scores: its text, or its text and the lowest score that passes. */
export type MetricInput = string | { readonly criterion: string; readonly threshold?: number | null };

/**
 * A scenario before absent keys are filled in; {@link Scenario} describes the keys. The names of the builder
 * (`persona`, `variables`, `mock`, `judge`, `matches`, `turns`) are aliases; a scenario with an alias and its key is an
 * error.
 */
export interface ScenarioInput {
  readonly name: string;
  /** `simulation` and `unit` are older names of `llm` and `rule`. */
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
  readonly checks?: readonly string[] | null;
  readonly tags?: readonly string[] | null;
  readonly llm_model?: string | null;
  readonly max_turns?: number | null;
  /** `user_prompt`. */
  readonly persona?: string | null;
  /** `dynamic_variables`. */
  readonly variables?: { readonly [name: string]: unknown } | null;
  /** `tool_mocks`; also an object of answers by tool, such as `{ "weather": { "output": "grey" } }`. */
  readonly mock?: readonly ToolMockInput[] | { readonly [name: string]: unknown } | null;
  /** `metrics`; also one criterion alone. */
  readonly judge?: MetricInput | readonly MetricInput[] | null;
  /** `patterns`; also one pattern alone. */
  readonly matches?: string | readonly string[] | null;
  /** `max_turns`. */
  readonly turns?: number | null;
}

/** A mock before absent keys are filled in. */
export interface ToolMockInput {
  readonly tool_name: string;
  /** Absent: any. */
  readonly input_match_rule?: MockRule | null;
  readonly output?: unknown;
  /** Absent: it succeeds. */
  readonly result?: boolean | null;
  readonly delay_ms?: number | null;
  readonly times?: number | null;
}
