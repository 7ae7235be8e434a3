import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { LocalBland } from "../../platforms/bland/local/mod.ts";
import { LocalElevenLabs } from "../../platforms/elevenlabs/local/mod.ts";
import { PLATFORM_NAMES, type PlatformName } from "../../platforms/mod.ts";
import { LocalRetell } from "../../platforms/retell/local/mod.ts";
import { fetchLocally, type LocalPlatform } from "../../platforms/serving/mod.ts";
import { LocalTelnyx } from "../../platforms/telnyx/local/mod.ts";
import { LocalVapi } from "../../platforms/vapi/local/mod.ts";
import { type Clock, parsedJson } from "../../src/base/values/mod.ts";
import type { DeployFormat, DeployTarget } from "../../src/deploy/mod.ts";
import type { WrongKind } from "../base/http/wrong_answers.ts";
import { seeded } from "../platforms/mutate.ts";
import {
  elevenLabsAnswers,
  elevenLabsCall,
  retellAnswers,
  retellCall,
  vapiAnswers,
  vapiCall,
} from "../run/calls/pull/_platforms.ts";

export const KEY = "key-of-the-fuzz-0123456789";
const NUMBER = "+14155550100";
export const NOW = Date.parse("2024-05-20T12:00:00Z");
export const DAY = 86_400_000;

/** A platform in this process, of which one request is answered wrongly. */
export class Wronged implements AsyncDisposable {
  readonly requests: string[] = [];
  /** The request that is answered wrongly, and how. */
  wrong: { readonly request: string; readonly kind: WrongKind } | undefined;
  /** Whether the kind could be applied. */
  isHit = false;
  /** Id of an agent that was created in the dashboard. */
  adopted = "";
  readonly to: DeployFormat;
  readonly platform: PlatformName;
  readonly folder: string;
  readonly #local: typeof fetch;
  #expire: () => void = () => {};

  private constructor(to: DeployFormat, folder: string) {
    this.to = to;
    this.platform = PLATFORM_NAMES.find((name) => to.startsWith(name)) ?? "vapi";
    this.folder = folder;
    this.#local = fetchLocally(startedPlatform(this.platform));
  }

  static async open(to: DeployFormat): Promise<Wronged> {
    return new Wronged(to, await mkdtemp(join(tmpdir(), "callweave-test-answers-")));
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

  /** @param to The world's own format, or another one of its platform. */
  target({ to = this.to, environment = "staging" }: Partial<DeployTarget> = {}): DeployTarget {
    return {
      to,
      environment,
      key: KEY,
      folder: this.folder,
      baseUrl: "http://platform.test",
      clock: this.clock,
      fetch: this.fetch,
      settings: environment === "staging" && !/^(?:bland|telnyx)$/.test(this.platform) ? { numbers: [NUMBER] } : {},
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

  readonly #calls: {
    readonly [platform: string]: (asked: {
      path: string;
      body: { readonly [key: string]: unknown };
      query: URLSearchParams;
    }) => unknown;
  } = {
    elevenlabs: elevenLabsAnswers(() => [1, 2, 3].map((number) => elevenLabsCall(number, NOW - DAY + number * 1_000))),
    retell: retellAnswers(() => [1, 2, 3].map((number) => retellCall(number, NOW - DAY + number))),
    vapi: vapiAnswers(() => [1, 2, 3].map((number) => vapiCall(number, NOW - DAY + number))),
  };

  /** The platforms' own answers; calls are not a part of the local platforms. */
  async #answer(input: string | URL | Request, init: RequestInit): Promise<Response> {
    const { pathname: path, searchParams: query } = new URL(String(input));
    if (!/call|\/conversations/.test(path)) return await this.#local(input, init);
    const body = parsedJson(typeof init.body === "string" ? init.body : "{}");
    const found = this.#calls[this.platform]?.({ path, query, body: { ...(typeof body === "object" ? body : {}) } });
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
function startedPlatform(platform: PlatformName): LocalPlatform {
  const options = { keys: { [KEY]: "org-1" }, random: seeded(1), now: () => NOW };
  const stored = (body: object) => ({ kind: "phone-number", id: NUMBER, workspace: "org-1", body: { ...body } });
  if (platform === "elevenlabs") return new LocalElevenLabs({ ...options, stored: [stored({ phone_number: NUMBER })] });
  // deploying sets no numbers at these two
  if (platform === "bland") return new LocalBland(options);
  if (platform === "telnyx") return new LocalTelnyx(options);
  return platform === "retell"
    ? new LocalRetell({ ...options, stored: [stored({ phone_number_type: "custom" })] })
    : new LocalVapi({ ...options, stored: [stored({ provider: "byo-phone-number", number: NUMBER })] });
}
