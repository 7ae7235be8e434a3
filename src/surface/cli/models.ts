import { styleFor } from "../../base/values/mod.ts";
import { choiceOf, KIND } from "../../document/settings/mod.ts";
import type { FitnessRole } from "../../run/fitness/mod.ts";
import type { Command } from "./arguments.ts";

const ROLES: readonly FitnessRole[] = ["agent", "caller", "judge"];

/** `callweave models test`. */
export const modelsTestCommand: Command = {
  name: "models test",
  summary: "Say whether a model is fit to be agent, caller and judge",
  spec: {
    positionals: [{ name: "MODEL", description: "provider/model, such as openai/gpt-5-mini, or offline" }],
    flags: {
      role: { value: "ROLE", kind: choiceOf(ROLES), repeats: true, description: "Only this role; repeatable" },
      repeat: {
        value: "N",
        kind: KIND.count,
        description: "Calls of each case, all of which have to pass (default: 1)",
      },
      timeout: { value: "SECONDS", kind: KIND.seconds, description: "Limit for all of it (default: 300)" },
      concurrency: { value: "N", kind: KIND.count, description: "Concurrent calls (default: 8)" },
      json: { description: "Print the result as JSON" },
    },
  },
  notes: [
    "The model is tried on calls whose outcome is known: transitions, extraction, tools, fused turns, three languages,",
    "a persona, and verdicts that nobody doubts. It makes about 45 requests.",
    "Exit code 1 when it is not fit for a role that was tried.",
  ],
  examples: ["callweave models test anthropic/claude-haiku-4-5", "callweave models test ollama/llama3.3 --role agent"],
  run: async (args, terminal) => {
    const { formatFitness, testModel } = await import("../../run/fitness/mod.ts");
    const roles = ROLES.filter((role) => args.texts("role").includes(role));
    const [repeat, timeout, concurrency] = [args.number("repeat"), args.number("timeout"), args.number("concurrency")];
    const fitness = await testModel(args.at("MODEL"), {
      signal: terminal.signal,
      ...(roles.length === 0 ? {} : { roles }),
      ...(repeat === undefined ? {} : { repeat }),
      ...(timeout === undefined ? {} : { timeoutMs: timeout * 1000 }),
      ...(concurrency === undefined ? {} : { concurrency }),
    });
    const style = styleFor(terminal.stdout, terminal.env);
    terminal.out(args.has("json") ? `${JSON.stringify(fitness, null, 2)}\n` : formatFitness(fitness, style));
    return Object.values(fitness.fit).includes(false) ? 1 : 0;
  },
};
