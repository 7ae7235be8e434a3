import {
  CALL_SETTINGS,
  KIND,
  RECORDING_SETTINGS,
  RESULT_SETTINGS,
  SHARING_SETTINGS,
} from "../../../document/settings/mod.ts";
import type { Flag } from "../arguments/mod.ts";
import { COMPARE_FLAGS, REPORTER_FLAGS } from "../reports/mod.ts";
import { AUDIO_FLAGS } from "./audio.ts";

/** Flags of commands that run calls. */
export const CALL_FLAGS = {
  scenario: { value: "NAME", repeats: true, description: "Only the scenario of this name; repeatable" },
  grep: { value: "PATTERN", description: "Only scenarios whose name matches this regular expression, ignoring case" },
  tag: { value: "TAG", repeats: true, description: "Only scenarios with this tag; repeatable" },
  ...CALL_SETTINGS,
} satisfies { readonly [name: string]: Flag };

/** Flags of a run, wherever its scenarios come from. */
export const RUN_FLAGS = {
  ...CALL_FLAGS,
  ...AUDIO_FLAGS,
  db: RESULT_SETTINGS.db,
  ...SHARING_SETTINGS,
  ...RECORDING_SETTINGS,
  "fail-fast": RESULT_SETTINGS["fail-fast"],
  queue: { value: "REDIS", description: "Let workers run the calls: URL of the Redis that callweave worker uses" },
  "worker-timeout": {
    value: "SECONDS",
    kind: { ...KIND.count, to: KIND.seconds.to },
    description: "With --queue: maximum time without any worker (default: 600)",
  },
  telemetry: RESULT_SETTINGS.telemetry,
  estimate: { description: "Print calls, tokens and cost of the run without calling a model" },
  coverage: { description: "Also print the coverage of the agent" },
  "min-coverage": {
    value: "N",
    kind: KIND.percent,
    description: "Exit with 1 if the calls cover less than N percent of the agent",
  },
  json: { description: "Print the report as JSON" },
  junit: { value: "FILE", description: "Also write a JUnit report" },
  ...REPORTER_FLAGS,
  ...COMPARE_FLAGS,
} satisfies { readonly [name: string]: Flag };
