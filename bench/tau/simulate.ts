import { flow, run, type ScenarioSource, scenario, tool } from "../../mod.ts";
import { madeOnceFor } from "../../src/base/values/mod.ts";
import { type Models, scripted } from "../../src/call/models/mod.ts";
import type { RunOptions } from "../../src/run/runner/mod.ts";
import type { ResultRecord } from "../../src/run/store/mod.ts";
import { type Database, databaseHash } from "./database.ts";
import { expectedDatabase, type Reward, rewardOf, unsaid } from "./grade.ts";
import { isDatabase, parametersOf, RETAIL_TOOLS } from "./retail_tools.ts";
import { type Action, callerOf, type RetailData, type Task } from "./tasks.ts";

const INSTRUCTIONS = `You are a customer service agent who helps the caller according to the policy below.
In each turn you either speak to the caller or call a tool, not both. Follow the policy.`;

/** The agent of the shop: one node with the policy and all tools, whose functions work on the database of the call. */
export const retailAgent = madeOnceFor(({ policy }: RetailData) => {
  const tools = Object.entries(RETAIL_TOOLS).map(([name, each]) =>
    tool({
      name,
      description: each.description,
      parameters: parametersOf(each),
      execute: (args: { readonly [name: string]: unknown }, call): unknown => {
        if (!isDatabase(call?.state)) throw new TypeError("unreachable: the state of each call is the database");
        return each.use(call.state, args);
      },
    }),
  );
  return flow("retail", {
    prompt: `${INSTRUCTIONS}\n\n${policy}`,
    tools,
    beginMessage: "Hi! How can I help you today?",
  })
    .conversation("serve", { prompt: "Serve the caller.", tools: Object.keys(RETAIL_TOOLS) })
    .compile();
});

/** One call of a task, graded. */
export interface GradedTrial {
  readonly task: string;
  readonly trial: number;
  /** Absent: a model or the network failed, and the call says nothing about the agent. */
  readonly reward?: Reward;
  readonly result: ResultRecord;
}

/** How tasks are run. */
export interface TauRun {
  readonly models: Partial<Models>;
  /** Calls of each task. */
  readonly trials?: number;
  /** The lines of the caller. Absent: its model plays it. */
  readonly says?: readonly string[];
  /** Whether the judge's model judges the assertions in words. */
  readonly judgesWords?: boolean;
  readonly options?: Pick<RunOptions, "limits" | "requests" | "signal" | "listeners">;
}

/** Runs tasks on the agent, and grades each call. */
export async function runTasks(
  data: RetailData,
  tasks: readonly Task[],
  given: TauRun,
): Promise<readonly GradedTrial[]> {
  const { models, trials = 1, options = {} } = given;
  const { results } = await run(
    retailAgent(data),
    tasks.map((task) => scenarioOf(task, data.database, given)),
    {
      ...options,
      models: { agent: "offline", ...models },
      store: false,
      repeat: { times: trials, sequential: false },
      toolState: () => structuredClone(data.database),
    },
  );
  const byName = new Map(tasks.map((task) => [nameOf(task), task]));
  return results.flatMap((result) => {
    const task = byName.get(result.scenario);
    return task ? [graded(task, result, given)] : [];
  });
}

function nameOf({ id }: Task): string {
  return `task ${id}`;
}

const END_STATE = "the database is as expected";

function scenarioOf(task: Task, database: Database, { says, judgesWords = false }: TauRun): ScenarioSource {
  let expected: string | undefined;
  const built = scenario(nameOf(task)).endState(
    (state) => {
      expected ??= databaseHash(expectedDatabase(task, database));
      return isDatabase(state) && databaseHash(state) === expected;
    },
    { name: END_STATE },
  );
  const called = says ? built.says(...says) : built.persona(callerOf(task));
  const { nl_assertions: assertions, reward_basis: basis } = task.evaluation_criteria;
  const words = judgesWords && basis.includes("NL_ASSERTION") ? (assertions ?? []) : [];
  return words.reduce((each, criterion) => each.judge(criterion), called.turns(30));
}

function graded(task: Task, result: ResultRecord, { judgesWords = false }: TauRun): GradedTrial {
  const { scenario: _, trial, status, checks, verdicts, transcript, endReason, errorMessage } = result;
  const head = { task: task.id, trial, result };
  const end = checks.find(({ kind, expected }) => kind === "end_state" && expected === END_STATE);
  // Callweave ends a call whose agent repeats a failing tool call; counting it as no call would flatter the agent
  if (status === "error" && errorMessage?.startsWith("The agent's model is stuck"))
    return { ...head, reward: { reward: 0, parts: {}, unjudged: [] } };
  if (status !== "pass" && status !== "fail") return head;
  if (!end) throw new TypeError("unreachable: a call that was judged has its end state");
  const call = {
    endReason,
    isDatabaseRight: end.passed,
    unsaid: unsaid(task, transcript),
    assertionsHold: judgesWords ? verdicts.every(({ passed }) => passed) : undefined,
  };
  return { ...head, reward: rewardOf(task, call) };
}

/** What a scripted agent does in a task. */
export interface Script {
  readonly actions: readonly Pick<Action, "name" | "arguments">[];
  readonly says: string;
}

/** Runs a task with an agent that takes these actions, one after another, and then says something. */
export async function runScript(data: RetailData, task: Task, { actions, says }: Script): Promise<GradedTrial> {
  const calls = actions.map(({ name, arguments: args }) => ({ toolCalls: [{ name, arguments: args }] }));
  const agent = scripted({ respond: [...calls, says] });
  const limits = { budget: { turn: { modelCalls: calls.length + 5 } } };
  const [trial] = await runTasks(data, [task], { models: { agent }, says: ["Please help me."], options: { limits } });
  if (!trial) throw new TypeError("unreachable: one task gives one call");
  return trial;
}

/** The recorded solution of a task. */
export function recordedScript({ evaluation_criteria: { actions, communicate_info: infos } }: Task): Script {
  return { actions: actions ?? [], says: `Done. ${(infos ?? []).join(" and ")}` };
}
