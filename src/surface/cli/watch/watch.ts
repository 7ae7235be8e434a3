import { PULL_PLATFORMS } from "../../../../platforms/mod.ts";
import { CALL_SETTINGS, KIND } from "../../../document/settings/mod.ts";
import { type Command, EXAMPLE } from "../arguments.ts";
import { REDACT_FLAGS } from "../calls/mod.ts";
import { deployRun } from "../deploy/mod.ts";
import { POLICY_FLAGS } from "../sources.ts";

/** `callweave watch`. */
export const watchCommand: Command = {
  name: "watch",
  summary: "Watch production: read and judge new calls, and report what got worse than in the weeks before",
  spec: {
    positionals: [
      {
        name: "SOURCE",
        description:
          "The agent of the calls: a module that exports a graph, or JSON (default: source of the configuration)",
        optional: true,
      },
    ],
    flags: {
      from: {
        value: "PLATFORM",
        isOwn: true,
        description: `${PULL_PLATFORMS.join(" or ")}; the environment may name it`,
      },
      env: { value: "NAME", description: "Environment of the configuration: its agent, key and base URL" },
      "agent-id": {
        value: "ID",
        description: "Only calls of this agent or assistant (default: the one in the lock file)",
      },
      flow: { value: "NAME", description: "Name of the agent in the lock file (default: the agent's name)" },
      "base-url": { value: "URL", description: "URL of the API, such as a proxy's (default: the environment's)" },
      every: {
        value: "TIME",
        description: "Repeat after this time, such as 10m or 1h; Ctrl-C ends it. Default: one round",
      },
      window: { value: "TIME", description: "Length of the time that is compared with the time before (default: 1w)" },
      baseline: { value: "TIME", description: "Length of the time before it (default: 4w)" },
      minimum: {
        value: "N",
        kind: KIND.count,
        description: "Least number of calls in the window, and before it, to say something (default: 20)",
      },
      level: {
        value: "SHARE",
        kind: { type: "number", above: 0, to: 0.5 },
        description: "Share of looks without a change that name one, at most (default: 0.01)",
      },
      scenarios: {
        ...{ value: "FILE", repeats: true, sameAs: "tests" },
        description: "Module that exports scenarios, for their criteria and latency; SOURCE itself by default",
      },
      tests: {
        ...{ value: "FILE.json", repeats: true, sameAs: "scenarios" },
        description: "JSON list of test cases, in the same way",
      },
      ...POLICY_FLAGS,
      metric: {
        value: "TEXT",
        repeats: true,
        description: "Criterion by which the judge judges every call; repeatable",
      },
      "answers-within": {
        value: "MS",
        kind: KIND.count,
        description: "Longest time until the agent's first word in every call, in milliseconds",
      },
      model: CALL_SETTINGS.model,
      "judge-model": CALL_SETTINGS["judge-model"],
      threshold: CALL_SETTINGS.threshold,
      concurrency: { value: "N", kind: KIND.count, description: "Concurrent judgements (default: auto)" },
      limit: {
        value: "N",
        kind: KIND.count,
        description: "Maximum number of calls to read, and to judge, in one round",
      },
      webhook: { value: "URL", description: "Post the report as JSON when something new got worse" },
      "webhook-key-variable": {
        value: "NAME",
        description: "Environment variable with a key for the webhook, sent as a bearer token",
      },
      country: {
        ...REDACT_FLAGS.country,
        description: "Country of phone numbers without a country's code, such as GB",
      },
      language: {
        ...REDACT_FLAGS.language,
        description: "Language of personal data in the calls: en, de, fr or es (default: detected)",
      },
      export: { value: "NAME", description: "Name of the export, if the module exports several graphs" },
      "source-from": { value: "FORMAT", description: "Format of a JSON source; detected from its keys by default" },
      db: { value: "URL", description: "Results database (default: .callweave/results.db)" },
      json: { description: "Print the result of watchCalls() as JSON, one line per round" },
    },
  },
  notes: [
    "This watches real calls. To run scenarios again when a file changes, use callweave run --watch.",
    "Personal data is replaced before anything is stored, as in callweave calls import --redact.",
    "What all scenarios expect is expected of every call; what some expect, of calls whose callers want the same.",
    "The first round reads and judges the calls of the window and the weeks before; --limit spreads them over rounds.",
    "Exit codes: 0 nothing got worse; 1 something got worse; 2 wrong usage or input; 3 the round is incomplete and nothing got worse, or the webhook failed.",
    "With --every, the exit code is that of the last round.",
  ],
  examples: [
    `callweave watch --from ${EXAMPLE.calls} --env production`,
    `callweave watch flow.ts --from ${EXAMPLE.calls} --agent-id agent_1 --every 10m`,
    `callweave watch --from ${EXAMPLE.otherCalls} --webhook "$ALERT_URL" --webhook-key-variable ALERT_KEY`,
  ],
  run: deployRun(async (args, terminal) => {
    const [{ readWatch }, { watchRounds }] = await Promise.all([import("./read_watch.ts"), import("./rounds.ts")]);
    return await watchRounds(await readWatch(args, terminal), terminal);
  }),
};
