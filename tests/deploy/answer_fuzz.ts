import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalRetell } from "../../platforms/retell/local/mod.ts";
import { fetchLocally, type LocalPlatform } from "../../platforms/serving/mod.ts";
import { LocalVapi } from "../../platforms/vapi/local/mod.ts";
import { isCallweaveError } from "../../src/base/errors.ts";
import { type Clock, parsedJson, wordsWithHint } from "../../src/base/values/mod.ts";
import { apply, type DeployTarget, deleteDeployed, drift, importDeployed, plan, pull } from "../../src/deploy/mod.ts";
import { pullCalls } from "../../src/run/calls/mod.ts";
import { openStore } from "../../src/run/store/mod.ts";
import { WRONG, WRONG_KINDS, type WrongKind } from "../base/http/wrong_answers.ts";
import { seeded } from "../platforms/mutate.ts";
import { retellAnswers, retellCall, vapiAnswers, vapiCall } from "../run/calls/pull/_platforms.ts";
import { shop } from "./shop.ts";

type Platform = "retell" | "vapi";

/** What came of wrong answers, one to a request. */
export interface AnswerFuzzReport {
  readonly answers: number;
  /** Different requests that were answered wrongly. */
  readonly requests: number;
  readonly successes: readonly string[];
  /** Errors without a code and a hint, or with the key. */
  readonly rawErrors: readonly string[];
  /** Errors that do not name the platform. */
  readonly unnamed: readonly string[];
  /** Something of a wrong answer was stored. */
  readonly stored: readonly string[];
  readonly hangs: readonly string[];
  /** The same work failed after the platform answered rightly again. */
  readonly stuck: readonly string[];
}

const KEY = "key-of-the-fuzz-0123456789";
const NUMBER = "+14155550100";
const NOW = Date.parse("2024-05-20T12:00:00Z");
const DAY = 86_400_000;

/** A platform in this process, of which one request is answered wrongly. */
class Wronged implements AsyncDisposable {
  readonly requests: string[] = [];
  /** The request that is answered wrongly, and how. */
  wrong: { readonly request: string; readonly kind: WrongKind } | undefined;
  /** Whether the kind could be applied. */
  isHit = false;
  readonly platform: Platform;
  readonly folder: string;
  readonly #local: typeof fetch;
  #expire: () => void = () => {};

  private constructor(platform: Platform, folder: string) {
    this.platform = platform;
    this.folder = folder;
    this.#local = fetchLocally(startedPlatform(platform));
  }

  static async open(platform: Platform): Promise<Wronged> {
    return new Wronged(platform, await mkdtemp(join(tmpdir(), "callweave-test-answers-")));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await rm(this.folder, { recursive: true, force: true });
  }

  /** Time stands still, unless a body stops. */
  readonly clock: Clock = {
    now: () => NOW,
    pause: async () => {},
    after: (_ms, callback) => {
      this.#expire = callback;
      return () => {};
    },
  };

  target(to: DeployTarget["to"]): DeployTarget {
    return {
      to,
      key: KEY,
      folder: this.folder,
      baseUrl: "http://platform.test",
      clock: this.clock,
      fetch: this.fetch,
      settings: { numbers: [NUMBER] },
    };
  }

  readonly fetch: typeof fetch = Object.assign(
    async (input: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
      const { pathname } = new URL(String(input));
      const name = `${init.method ?? "GET"} ${pathname.replace(/\/(?!get|list|update|create|delete|publish)[^/]*[\d%][^/]*$/, "/ID")}`;
      this.requests.push(name);
      const wrong = this.wrong?.request === name ? this.wrong : undefined;
      const answer = !wrong || wrong.kind.isHandled ? await this.#answer(input, init) : new Response();
      if (!wrong) return answer;
      const text = await answer.clone().text();
      const right = { status: answer.status, text, value: parsedJson(text), expire: () => this.#expire() };
      const made = wrong.kind.answer(right);
      if (!made) return answer;
      this.isHit = true;
      if (made instanceof Error) throw made;
      return made;
    },
    { preconnect: () => {} },
  );

  readonly #calls = {
    retell: retellAnswers(() => [1, 2, 3].map((number) => retellCall(number, NOW - DAY + number))),
    vapi: vapiAnswers(() => [1, 2, 3].map((number) => vapiCall(number, NOW - DAY + number))),
  };

  /** The platforms' own answers; calls are not a part of the local platforms. */
  async #answer(input: string | URL | Request, init: RequestInit): Promise<Response> {
    const { pathname: path, searchParams: query } = new URL(String(input));
    if (!/call/.test(path)) return await this.#local(input, init);
    const body = parsedJson(typeof init.body === "string" ? init.body : "{}");
    const found = this.#calls[this.platform]({ path, query, body: { ...(typeof body === "object" ? body : {}) } });
    return new Response(JSON.stringify(found));
  }

  /** Everything that is stored in the folder, but for what says that a creation was begun. */
  async files(): Promise<string> {
    const names = await readdir(this.folder, { recursive: true, withFileTypes: true });
    const texts = names
      .filter((entry) => entry.isFile() && !entry.name.endsWith(".intent.json"))
      .map(
        async ({ parentPath, name }) => `${name}: ${await readFile(join(parentPath, name), "utf8").catch(() => "")}`,
      );
    return (await Promise.all(texts)).sort().join("\n");
  }
}

/** A local platform with a phone number. */
function startedPlatform(platform: Platform): LocalPlatform {
  const options = { keys: { [KEY]: "org-1" }, random: seeded(1), now: () => NOW };
  const stored = (body: object) => ({ kind: "phone-number", id: NUMBER, workspace: "org-1", body: { ...body } });
  return platform === "retell"
    ? new LocalRetell({ ...options, stored: [stored({ phone_number_type: "custom" })] })
    : new LocalVapi({ ...options, stored: [stored({ provider: "byo-phone-number", number: NUMBER })] });
}

/** Work that sends requests; `prepare` is done before any answer is wrong. */
interface Work {
  readonly name: string;
  readonly prepare: (world: Wronged, to: DeployTarget["to"]) => Promise<unknown>;
  readonly run: (world: Wronged, to: DeployTarget["to"]) => Promise<unknown>;
}

const first = shop();
const second = shop({ greet: "Ask what the caller would like.", hasReturns: true });
const applied = async (world: Wronged, to: DeployTarget["to"], graph = first) =>
  await apply(await plan(graph, world.target(to)), { publish: true });

const WORKS: readonly Work[] = [
  { name: "first apply", prepare: async () => {}, run: async (world, to) => await applied(world, to) },
  {
    name: "next apply",
    prepare: async (world, to) => await applied(world, to),
    run: async (world, to) => await applied(world, to, second),
  },
  {
    name: "drift",
    prepare: async (world, to) => await applied(world, to),
    run: async (world, to) => await drift(first, world.target(to)),
  },
  {
    name: "pull",
    prepare: async (world, to) => await applied(world, to),
    run: async (world, to) => await pull(first, world.target(to)),
  },
  {
    name: "prune",
    prepare: async (world, to) => await applied(world, to, second),
    run: async (world, to) => await apply(await plan(first, world.target(to)), { prune: true }),
  },
  {
    name: "delete",
    // an agent that answers a number cannot be deleted
    prepare: async (world, to) => await apply(await plan(first, { ...world.target(to), settings: {} })),
    run: async (world, to) => await deleteDeployed(world.target(to), { confirm: "shop" }),
  },
  {
    name: "adopt",
    prepare: async (world, to) => {
      await applied(world, to);
      const lock = await readFile(join(world.folder, "callweave.lock.json"), "utf8");
      adopted = /"(?:agent|squad)": "([^"]+)"/.exec(lock)?.[1] ?? "";
      await rm(join(world.folder, "callweave.lock.json"));
    },
    run: async (world, to) => await importDeployed(adopted, world.target(to)),
  },
  {
    name: "calls pull",
    prepare: async () => {},
    run: async (world) => {
      const store = await openStore(`file:${join(world.folder, "results.db")}`);
      const { fetch: send, clock, platform } = world;
      const state = join(world.folder, "pulls.json");
      try {
        const since = new Date(NOW - 2 * DAY);
        const report = await pullCalls(platform, { key: KEY, since, store, state, clock, fetch: send });
        if (report.damaged + report.skipped > 0) throw new Error(`${report.damaged} damaged`);
      } finally {
        await store.close();
      }
    },
  },
];
let adopted = "";

/**
 * Answers every request of deployments and of pulling calls wrongly, in every way, on both platforms.
 *
 * @param step 1 for all pairs of a request and a way, 10 for every tenth of them.
 */
export async function fuzzAnswers(step: number, limitMs = 20_000): Promise<AnswerFuzzReport> {
  const counts = { answers: 0, pair: 0 };
  const asked = new Set<string>();
  const found = { successes: [], rawErrors: [], unnamed: [], stored: [], hangs: [], stuck: [] } satisfies Record<
    string,
    string[]
  >;
  const report: { readonly [name in keyof typeof found]: string[] } = found;
  for (const platform of ["retell", "vapi"] as const)
    for (const work of WORKS) {
      const to = platform === "retell" ? "retell" : "vapi-squad";
      for (const request of await requestsOf(platform, work, to))
        for (const kind of WRONG_KINDS) {
          if (counts.pair++ % step !== 0) continue;
          const place = `${platform}, ${work.name}, ${request}: ${kind.name}`;
          await using world = await Wronged.open(platform);
          await work.prepare(world, to);
          world.wrong = { request, kind };
          const outcome = await within(work.run(world, to), limitMs);
          world.wrong = undefined;
          if (!world.isHit) continue;
          counts.answers++;
          asked.add(`${platform} ${request}`);
          if (outcome === "hang") report.hangs.push(place);
          else if (outcome === "success") report.successes.push(place);
          else check(outcome, platform, (name, what) => report[name].push(`${place}: ${what}`));
          if ((await world.files()).includes(WRONG)) report.stored.push(place);
          const again = await within(work.run(world, to), limitMs);
          if (again !== "success") report.stuck.push(`${place}: ${again instanceof Error ? again.message : again}`);
        }
    }
  return { ...report, answers: counts.answers, requests: asked.size };
}

async function requestsOf(platform: Platform, work: Work, to: DeployTarget["to"]): Promise<readonly string[]> {
  await using world = await Wronged.open(platform);
  await work.prepare(world, to);
  world.requests.length = 0;
  await work.run(world, to);
  return [...new Set(world.requests)];
}

async function within(work: Promise<unknown>, limitMs: number): Promise<Error | "success" | "hang"> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<"hang">((resolve) => {
    timer = setTimeout(() => resolve("hang"), limitMs);
  });
  const done = work.then(
    () => "success" as const,
    (error: unknown) => (error instanceof Error ? error : new Error(String(error))),
  );
  return await Promise.race([done, late]).finally(() => clearTimeout(timer));
}

function check(error: Error, platform: Platform, note: (list: "rawErrors" | "unnamed", what: string) => void): void {
  const isTyped = isCallweaveError(error) && error.hint !== "" && !error.message.includes("undefined");
  if (!isTyped) note("rawErrors", error.message);
  if (`${wordsWithHint(error)}${error.stack}`.includes(KEY)) note("rawErrors", "the key is in the error");
  if (!/[Rr]etell|[Vv]api|platform\.test/.test(error.message)) note("unnamed", `${platform}: ${error.message}`);
}
