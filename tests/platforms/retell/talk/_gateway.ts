import { helpDesk } from "../../../../examples/help-desk/flow.ts";
import { emit } from "../../../../mod.ts";
import { RTC_RATE } from "../../../../src/call/rtc/mod.ts";
import { type Answer, startServer, type TakenRequest, type TestServer } from "../../../call/connection/_server.ts";
import { answerOffer, type FarEnd, type FarEndOptions } from "../../../call/rtc/_far_end.ts";
import { Ear, SPOKEN_MS, spoken } from "../../../call/voice/_spoken.ts";
import { type BrainTurn, startBrain } from "../../connections/_brain.ts";
import { DESK_TOOLS } from "../../connections/_tools.ts";
import { AGENT_ID } from "./_playground.ts";

/** How a gateway differs from the usual one. */
export interface GatewayOptions extends FarEndOptions {
  /** Answers in place of the usual ones, by the beginning of the request's path. */
  readonly instead?: (request: TakenRequest) => Answer | undefined;
  /** What happens when the agent hangs up. Default: the gateway goes on with silence. */
  readonly closes?: boolean;
  /** Why the call is over, in place of the usual reason. */
  readonly reason?: string;
  /** How often the call is told to go on after its end. Default: once. */
  readonly late?: number;
  /** Says nothing. */
  readonly isSilent?: boolean;
}

/** The token of a call. */
export const TOKEN = "token-of-a-call-0123456789";

/** A server with an agent's web calls. */
export interface Gateway extends AsyncDisposable, Pick<TestServer, "url" | "taken" | "statuses"> {}

/**
 * A server that behaves as Retell's web calls are described: a call is created, joined with an offer, and over when the
 * agent or the caller hangs up. The gateway tells nothing of it.
 */
export async function startGateway(options: GatewayOptions = {}): Promise<Gateway> {
  const { conversationFlow } = JSON.parse(emit(helpDesk, "retell").text);
  const calls = new Map<string, GatewayCall>();
  const server = await startServer(async (request): Promise<Answer> => {
    const other = options.instead?.(request);
    if (other) return other;
    const { pathname } = new URL(request.url, "http://server");
    const { method, body, headers } = request;
    if (pathname === `/get-agent/${AGENT_ID}`) {
      const response_engine = { type: "conversation-flow", conversation_flow_id: "flow_1", version: 7 };
      return { json: { agent_id: AGENT_ID, version: 7, response_engine } };
    }
    if (pathname === "/get-conversation-flow/flow_1") return { json: conversationFlow };
    if (pathname === "/v3/create-web-call") {
      const call = new GatewayCall(`call_${calls.size + 1}`, body.retell_llm_dynamic_variables, options);
      calls.set(call.id, call);
      const ice_servers: object[] = [];
      return { json: { call_id: call.id, access_token: TOKEN, expires_at: 1, ice_servers, transport: "gateway" } };
    }
    const [, id = ""] = /^\/(?:webrtc-proxy|v2\/get-call)\/([^/]+)/.exec(pathname) ?? [];
    const call = calls.get(id);
    if (!call) return { status: 404, json: { status: "error", message: "Not found" } };
    if (pathname.startsWith("/v2/get-call/")) return { json: call.told() };
    if (headers.authorization !== `Bearer ${TOKEN}`) return { status: 401, json: { message: "no such token" } };
    if (method === "DELETE") {
      await call.leave("user_hangup");
      return { json: {} };
    }
    return { json: { session_id: "session_1", sdp: await call.join(body.sdp) } };
  });
  return {
    url: server.url,
    taken: server.taken,
    statuses: server.statuses,
    [Symbol.asyncDispose]: async () => {
      for (const call of calls.values()) await call.close();
      await server[Symbol.asyncDispose]();
    },
  };
}

/** A call, with the help desk behind it. */
class GatewayCall {
  readonly id: string;
  readonly #options: GatewayOptions;
  readonly #brain: ReturnType<typeof startBrain>;
  readonly #ear = new Ear(RTC_RATE);
  readonly #transcript: object[] = [];
  #far: FarEnd | undefined;
  #status = "registered";
  #reason: string | undefined;
  #late: number;
  #ahead = 0;
  #endsAtMs = Number.POSITIVE_INFINITY;
  #ending: string | undefined;

  constructor(id: string, variables: { readonly [name: string]: unknown }, options: GatewayOptions) {
    this.id = id;
    this.#options = options;
    this.#late = options.late ?? 1;
    this.#brain = startBrain({ mocks: DESK_TOOLS, variables });
  }

  async join(offer: string): Promise<string> {
    const far = await answerOffer(offer, this.#options);
    this.#far = far;
    this.#status = "ongoing";
    far.onSound = (samples) => this.#hear(samples);
    // who is gone before the call is over has broken off
    void far.gone.then(async () => await this.leave("error_retell"));
    void far.opened.then(async () => {
      // a track begins with silence: which of its first packets was sent first, nobody can know
      far.speak(new Int16Array(RTC_RATE / 25));
      this.#say(await this.#brain.open());
    });
    return far.answer;
  }

  /** What the platform answers about the call. */
  told(): object {
    const isLate = this.#status === "ended" && this.#late-- > 0;
    const { id: call_id } = this;
    const about = { call_id, agent_id: AGENT_ID, agent_version: 7, call_type: "web_call" };
    if (isLate || this.#status !== "ended") return { ...about, call_status: isLate ? "ongoing" : this.#status };
    return {
      ...about,
      call_status: "ended",
      disconnection_reason: this.#options.reason ?? this.#reason,
      transcript_with_tool_calls: this.#transcript,
      recording_multi_channel_url: "https://example.com/call.wav",
      call_cost: { combined_cost: 14 },
    };
  }

  async leave(reason: string): Promise<void> {
    if (this.#status === "ended") return;
    [this.#status, this.#reason] = ["ended", reason];
    if (reason === "user_hangup" || this.#options.closes) await this.close();
  }

  async close(): Promise<void> {
    await this.#far?.close();
    this.#far = undefined;
  }

  #hear(samples: Int16Array): void {
    const ear = this.#ear;
    const text = ear.hear(samples);
    // the gateway sends silence between words, and after the end
    if (this.#ahead <= 0) this.#far?.speak(new Int16Array(samples.length));
    else this.#ahead -= samples.length;
    if (ear.nowMs >= this.#endsAtMs) {
      this.#endsAtMs = Number.POSITIVE_INFINITY;
      void this.leave(this.#ending ?? "agent_hangup");
    }
    if (text === undefined || this.#status === "ended") return;
    this.#transcript.push({ role: "user", content: text });
    void this.#brain.hear(text).then((turn) => this.#say(turn));
  }

  #say({ events, ended }: BrainTurn): void {
    if (this.#options.isSilent) return;
    const texts: string[] = [];
    for (const [at, event] of events.entries()) {
      const tool_call_id = `tool_${this.#transcript.length}_${at}`;
      if (event.kind === "says") {
        texts.push(event.text);
        this.#transcript.push({ role: "agent", content: event.text });
      } else if (event.kind === "moves")
        this.#transcript.push({ role: "node_transition", former_node_id: event.from, new_node_id: event.to });
      else {
        const { name, arguments: args, result, failed } = event;
        this.#transcript.push({ role: "tool_call_invocation", tool_call_id, name, arguments: JSON.stringify(args) });
        const content = typeof result === "string" ? result : JSON.stringify(result);
        this.#transcript.push({ role: "tool_call_result", tool_call_id, content, successful: !failed });
      }
    }
    for (const text of texts) {
      const samples = spoken(text, RTC_RATE);
      this.#far?.speak(samples);
      this.#ahead += samples.length;
    }
    if (!ended) return;
    this.#ending = ended === "agent_transferred" ? "call_transfer" : "agent_hangup";
    this.#endsAtMs = this.#ear.nowMs + (texts.length + 1) * (SPOKEN_MS + 100);
  }
}
