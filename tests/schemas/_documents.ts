import { helpDesk } from "../../examples/help-desk/flow.ts";
import { scenarios } from "../../examples/help-desk/scenarios.ts";

/** Documents with every key that the schema of graphs names. */
export const GRAPHS: readonly unknown[] = [
  JSON.parse(JSON.stringify(helpDesk)),
  {
    entry_node_id: "a",
    source_type: "custom",
    source_metadata: {
      name: "all",
      general_prompt: "Be brief.",
      begin_message: null,
      start_speaker: "user",
      default_dynamic_variables: { day: "Monday" },
      language: "en-US",
      voice: { retell: "x" },
    },
    default_model: "openai/gpt-5-mini",
    snippets: { hours: "We open at nine." },
    nodes: {
      a: {
        id: "a",
        node_type: "function",
        state_prompt: "",
        instruction_type: "static_text",
        tools: [
          {
            name: "look_up",
            description: "Looks up",
            parameters: { type: "object" },
            type: "custom",
            url: "https://example.com",
            tool_id: "t",
            response_variables: { total: "$.total" },
            metadata: {},
          },
        ],
        transitions: [
          {
            target_node_id: "b",
            condition: { type: "tool_call", value: "look_up", outcome: "failed" },
            timing: "else",
          },
          {
            target_node_id: "b",
            condition: {
              type: "equation",
              logical_operator: "or",
              equations: [
                { left: "total", operator: ">", right: 5 },
                { left: "total", operator: "exists", right: null },
              ],
            },
            description: "d",
            metadata: { retell: {} },
          },
        ],
        metadata: null,
      },
      b: {
        node_type: "transfer",
        transfer_to: "+15551234567",
        variables_to_extract: [{ name: "v", description: "V", type: "enum", choices: ["x"] }],
        global_node_setting: {
          condition: "Caller asks",
          go_back_conditions: [{ id: "g", condition: { type: "llm_prompt", value: "Done" } }],
          metadata: {},
        },
      },
    },
  },
];

/** Documents with every key and alias that the schema of scenarios names. */
export const SCENARIOS: readonly unknown[] = [
  JSON.parse(JSON.stringify(scenarios)),
  {
    $schema: "./node_modules/callweave/schemas/scenarios.json",
    scenarios: [
      {
        name: "all keys",
        user_prompt: "You call.",
        says: ["Hi"],
        dynamic_variables: { day: 1 },
        tool_mocks: [
          {
            tool_name: "look_up",
            input_match_rule: { type: "any" },
            output: { a: 1 },
            result: true,
            delay_ms: 5,
            times: 1,
            state_changes: { orders: { W1: null } },
          },
          { tool_name: "look_up", input_match_rule: { type: "partial_match", args: { id: 1 } } },
          { tool: "look_up", args: { id: 2 }, fails: true, delayMs: 3, stateChanges: { a: 1 } },
        ],
        type: "simulation",
        metrics: ["Is polite", { criterion: "Is brief", threshold: 0.5 }],
        includes: ["a"],
        excludes: ["b"],
        patterns: ["c*"],
        visits: ["a"],
        avoids: ["b"],
        ends: "agent_ended",
        extracts: { day: "1" },
        calls: [{ tool: "look_up", args: { id: 1 } }],
        tool_state: { orders: {} },
        end_state: { orders: { W1: { status: "cancelled" } } },
        checks: ["own"],
        tags: ["smoke"],
        llm_model: "openai/gpt-5-mini",
        max_turns: 3,
        answers_within_ms: 1500,
        metadata: { author: "x" },
        _note: 1,
      },
      { name: "nothing", says: null, tool_mocks: null, ends: null, max_turns: null },
      {
        name: "steps",
        says: [
          "Hi",
          { interrupts: { after_ms: 600 } },
          "Stop",
          { silence_ms: 3000 },
          { interrupts: { after_words: 4 } },
          { dtmf: "12*#" },
          { hold_music_ms: 5000 },
          { voicemail: "You have reached Ana." },
          "I would like",
          { hangs_up: { mid_sentence: true } },
        ],
        speaks: { voice: "ana", language: "de", rate: 1.5, noise_db: 10, packet_loss: 0.02 },
        answers_after_tools_within_ms: 3000,
        stops_within_ms: 500,
        talks_over_at_most_ms: 0,
        dead_air_at_most_ms: 4000,
        says_nothing_twice: true,
        word_errors_at_most: 0.1,
        each_reply: [
          { criterion: "is kind", node: "a", from_turn: 0, to_turn: 3, after: "glob:no*", at_least: 0.9 },
          { pattern: "a" },
          { no_pattern: "b" },
          { words_at_most: 30 },
          { seconds_at_most: 12.5 },
          { questions_at_most: 0 },
          { reading_level_at_most: 8 },
          { silence_at_most_ms: 800 },
          { no_repetition: true, node: null },
          { says_back: "day" },
        ],
      },
    ],
  },
  {
    name: "aliases",
    persona: "You call.",
    variables: {},
    mock: { look_up: { output: 1, args: { id: 1 }, fails: false, delay_ms: 1, times: 2 }, other: "text" },
    judge: "Is polite",
    matches: "a",
    turns: 4,
    x_ticket: 7,
  },
  [
    { name: "one mock", mock: { tool_name: "look_up", output: "x" }, judge: { criterion: "Is brief" } },
    { name: "lists", mock: [{ tool: "look_up" }], judge: ["Is brief"], matches: ["a"] },
  ],
];

/** Configurations of a project. */
export const CONFIGS: readonly unknown[] = [
  {
    $schema: "./node_modules/callweave/schemas/config.json",
    source: "flow.ts",
    scenarios: ["scenarios.ts"],
    tests: "tests.json",
    export: "desk",
    from: "retell",
    run: { model: "offline", threshold: 0.8, tag: ["smoke"], fail_fast: true, max_turns: 5, live_tools: "localhost" },
    check: { target: "retell", strict: true },
    emit: { to: "retell", out: "retell.json" },
    compare_turns: { rpm: 60 },
    environments: {
      staging: { to: "retell", key: "RETELL_STAGING_KEY", env: ["BOOKING_TOKEN"] },
      production: {
        to: "vapi-squad",
        baseUrl: "https://proxy.example.com",
        workspace: "org_1",
        voice: { retell: "11labs-Adrian", vapi: { provider: "11labs" } },
        retell: { agent: { responsiveness: 0.5 } },
        vapi: { name: "desk" },
        variables: { city: "Ulm" },
        ids: { kb_staging: "kb_live" },
        numbers: ["+14155550123"],
        acceptLosses: ["snippet"],
      },
    },
  },
  {},
];
