import { randomBytes } from "node:crypto";
import type { Socket } from "node:dgram";
import { answerChallenge, type SipLogin } from "./digest.ts";
import {
  failureOf,
  headerOf,
  parameterOf,
  readSip,
  type SipAddress,
  type SipMessage,
  sequenceOf,
  sipAddress,
  uriOf,
  writeSip,
} from "./message.ts";
import { type AgreedSound, agreedSound } from "./sdp.ts";

/** How a call is set up. */
export interface DialogOptions {
  readonly socket: Socket;
  /** Address that the other side answers to. */
  readonly local: { readonly host: string; readonly port: number };
  /** Where requests are sent until the other side says otherwise. */
  readonly first: SipAddress;
  readonly to: string;
  readonly from: string;
  /** Our offer (SDP). */
  readonly offer: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly login: SipLogin | undefined;
  readonly userAgent: string;
}

/** What the other side does while the call is open. */
export interface DialogListener {
  /** It hangs up, or passes the call on to somebody else. */
  readonly end: (how: "ended" | "transferred") => void;
  /** Its line fails, with the reason that it gives. */
  readonly fail: (reason: string) => void;
  /** It changes where or how sound is sent. */
  readonly sound: (sound: AgreedSound) => void;
}

/** Why a call was not answered. */
export type Refusal =
  | { readonly kind: "status"; readonly status: number; readonly reason: string }
  /** It asks who is calling, and nothing that can be said helps. */
  | { readonly kind: "login"; readonly status: number; readonly isWrong: boolean }
  | { readonly kind: "sound" };

/** Time until a request is sent again, in milliseconds (T1); it doubles up to the second (T2). */
const FIRST_MS = 500;
const LONGEST_MS = 4_000;
/** How long the end of a call may take, in milliseconds. */
const END_MS = 2_000;
const MOST_FORWARDS = "70";
const ALLOW = "INVITE, ACK, BYE, CANCEL, OPTIONS, INFO, UPDATE, REFER, NOTIFY";

type State = "calling" | "ringing" | "open" | "over";

/** A request that waits for its answer. */
interface Waiting {
  readonly method: string;
  readonly branch: string;
  readonly stop: () => void;
  readonly answered: (message: SipMessage) => void;
}

/** A call by SIP (RFC 3261), on the side of the caller. */
export class SipDialog {
  readonly #options: DialogOptions;
  readonly #listener: DialogListener;
  readonly callId = `${randomBytes(12).toString("hex")}@callweave`;
  readonly #tag = randomBytes(6).toString("hex");
  #state: State = "calling";
  #number = 0;
  #inviteNumber = 0;
  #inviteBranch = "";
  #remoteTag: string | undefined;
  #target: string;
  #routes: readonly string[] = [];
  #authorization: readonly [name: string, value: string] | undefined;
  readonly #waiting = new Map<string, Waiting>();
  readonly #answeredRefers = new Set<number>();
  #settle: ((result: AgreedSound | Refusal) => void) | undefined;
  #stopInvite = () => {};
  /** Resolves when the last message has gone out: a socket that is closed before would drop it. */
  #sent: Promise<void> = Promise.resolve();

  constructor(options: DialogOptions, listener: DialogListener) {
    this.#options = options;
    this.#listener = listener;
    this.#target = options.to;
    options.socket.on("message", (bytes: Uint8Array, from: { readonly address: string; readonly port: number }) => {
      const message = readSip(new TextDecoder().decode(bytes));
      if (!message) return;
      const reply = { host: from.address, port: from.port };
      if (message.method === undefined) this.#response(message);
      else this.#request(message, reply);
    });
  }

  get state(): State {
    return this.#state;
  }

  /** Calls. Resolves when the other side answers or refuses. */
  async invite(): Promise<AgreedSound | Refusal> {
    return await new Promise((resolve) => {
      this.#settle = resolve;
      this.#sendInvite();
    });
  }

  /** Gives a call up that was not answered. One that is answered at the same moment is ended. */
  async cancel(): Promise<void> {
    this.#stopInvite();
    if (this.#state === "open") return void (await this.bye());
    if (this.#state !== "ringing") return await this.#close();
    const gone = new Promise<void>((resolve) => {
      const before = this.#settle;
      this.#settle = (result) => {
        before?.(result);
        resolve();
      };
    });
    const branch = this.#inviteBranch;
    const cancel = this.#ask("CANCEL", { number: this.#inviteNumber, branch, uri: this.#options.to });
    await within(Promise.all([cancel, gone]), END_MS);
    // it was answered at the same moment
    if (this.isOpen) await this.bye();
    await this.#close();
  }

  get isOpen(): boolean {
    return this.#state === "open";
  }

  /** Hangs up, and returns whether the other side has taken it, or had ended the call before. */
  async bye(): Promise<boolean> {
    const isOpen = this.#state === "open";
    this.#state = "over";
    const isTaken = !isOpen || (await within(this.#ask("BYE", {}), END_MS));
    await this.#close();
    return isTaken;
  }

  /** Presses a key by a message, for a side that does not take keys as packets. */
  async info(key: string): Promise<void> {
    if (this.#state !== "open") return;
    const body = `Signal=${key}\r\nDuration=160\r\n`;
    await within(this.#ask("INFO", { body, type: "application/dtmf-relay" }), END_MS);
  }

  async #close(): Promise<void> {
    this.#state = "over";
    this.#stopInvite();
    for (const { stop } of this.#waiting.values()) stop();
    await this.#sent;
  }

  #sendInvite(): void {
    const { to, offer } = this.#options;
    this.#inviteNumber = ++this.#number;
    this.#inviteBranch = newBranch();
    const request = this.#requestText("INVITE", {
      number: this.#inviteNumber,
      branch: this.#inviteBranch,
      uri: to,
      body: offer,
      type: "application/sdp",
    });
    this.#stopInvite();
    this.#stopInvite = this.#repeat(request);
  }

  /** Sends a request until it is answered. */
  async #ask(
    method: string,
    given: { number?: number; branch?: string; uri?: string; body?: string; type?: string },
  ): Promise<SipMessage> {
    const { number = ++this.#number, branch = newBranch() } = given;
    const request = this.#requestText(method, { uri: this.#target, ...given, number, branch });
    return await new Promise((answered) => {
      const stop = this.#repeat(request);
      this.#waiting.set(`${method} ${branch}`, { method, branch, stop, answered });
    });
  }

  #repeat(text: string): () => void {
    let pause = FIRST_MS;
    let timer: ReturnType<typeof setTimeout> | undefined;
    const again = () => {
      this.#send(text);
      timer = setTimeout(again, pause);
      pause = Math.min(pause * 2, LONGEST_MS);
    };
    again();
    return () => clearTimeout(timer);
  }

  #requestText(
    method: string,
    { number, branch, uri, body, type }: { number: number; branch: string; uri: string; body?: string; type?: string },
  ): string {
    const { local, to, from, headers, userAgent } = this.#options;
    const host = local.host.includes(":") ? `[${local.host}]` : local.host;
    // the answer to CANCEL has the headers of the first request
    const tag = method === "INVITE" || method === "CANCEL" ? undefined : this.#remoteTag;
    const isFirst = method === "INVITE" || method === "CANCEL";
    return writeSip({
      start: `${method} ${uri} SIP/2.0`,
      headers: [
        ["Via", `SIP/2.0/UDP ${host}:${local.port};branch=${branch};rport`],
        ["Max-Forwards", MOST_FORWARDS],
        ...(isFirst ? [] : this.#routes.map((route) => ["Route", route] as const)),
        ["From", `<${from}>;tag=${this.#tag}`],
        ["To", tag === undefined ? `<${to}>` : `<${to}>;tag=${tag}`],
        ["Call-ID", this.callId],
        ["CSeq", `${number} ${method}`],
        ["Contact", `<sip:callweave@${host}:${local.port}>`],
        ...(method === "INVITE" ? [["Allow", ALLOW] as const, ...headers] : []),
        ...(this.#authorization && method === "INVITE" ? [this.#authorization] : []),
        ["User-Agent", userAgent],
        ...(type === undefined ? [] : [["Content-Type", type] as const]),
      ],
      ...(body === undefined ? {} : { body }),
    });
  }

  #send(text: string): void {
    const { socket, first } = this.#options;
    const [route] = this.#routes;
    const next =
      (this.#state === "calling" || this.#state === "ringing" ? undefined : sipAddress(uriOf(route ?? this.#target))) ??
      first;
    this.#sent = new Promise((resolve) => {
      socket.send(text, next.port, next.host, () => resolve());
    });
  }

  #response(message: SipMessage) {
    if (headerOf(message, "call-id") !== this.callId) return;
    const { number, method } = sequenceOf(message);
    const branch = parameterOf(headerOf(message, "via"), "branch") ?? "";
    if (method === "INVITE") return this.#inviteResponse(message, number);
    const waiting = this.#waiting.get(`${method} ${branch}`);
    if (!waiting || message.status < 200) return;
    this.#waiting.delete(`${method} ${branch}`);
    waiting.stop();
    waiting.answered(message);
  }

  #inviteResponse(message: SipMessage, number: number) {
    const { status } = message;
    if (number !== this.#inviteNumber) return;
    const tag = parameterOf(headerOf(message, "to"), "tag");
    if (status < 200) {
      if (this.#state !== "calling") return;
      this.#state = "ringing";
      return this.#stopInvite();
    }
    this.#stopInvite();
    if (status >= 300) {
      this.#acknowledge(message, number, this.#inviteBranch);
      return this.#refused(message);
    }
    const isFirst = this.#state !== "open";
    if (isFirst) {
      this.#remoteTag = tag;
      this.#target = uriOf(headerOf(message, "contact")) || this.#options.to;
      this.#routes = (message.headers.get("record-route") ?? []).toReversed();
      this.#state = "open";
    } else if (tag !== this.#remoteTag) return; // another one that answered, too
    this.#acknowledge(message, number, newBranch());
    if (!isFirst) return;
    const sound = agreedSound(message.body);
    this.#settle?.(sound ?? { kind: "sound" });
  }

  /** Confirms the answer to INVITE; a refusal is confirmed in the same transaction. */
  #acknowledge(message: SipMessage, number: number, branch: string): void {
    const isRefusal = message.status >= 300;
    const before = this.#remoteTag;
    this.#remoteTag = parameterOf(headerOf(message, "to"), "tag") ?? before;
    this.#send(this.#requestText("ACK", { number, branch, uri: isRefusal ? this.#options.to : this.#target }));
    if (isRefusal) this.#remoteTag = before;
  }

  #refused(message: SipMessage) {
    const { status, reason } = message;
    if (this.#state === "over") return;
    if (status === 401 || status === 407) {
      const { login, to } = this.#options;
      const challenges = message.headers.get(status === 401 ? "www-authenticate" : "proxy-authenticate") ?? [];
      const isWrong = this.#authorization !== undefined;
      const [answer] = login
        ? challenges.flatMap((each) => answerChallenge(each, login, { method: "INVITE", uri: to }) ?? [])
        : [];
      if (isWrong || answer === undefined) return this.#settle?.({ kind: "login", status, isWrong });
      this.#authorization = [status === 401 ? "Authorization" : "Proxy-Authorization", answer];
      this.#state = "calling";
      return this.#sendInvite();
    }
    this.#state = "over";
    this.#settle?.({ kind: "status", status, reason });
  }

  #request(message: SipMessage, from: { readonly host: string; readonly port: number }) {
    const { method } = message;
    const isOurs = headerOf(message, "call-id") === this.callId;
    if (method === "ACK") return;
    if (method === "OPTIONS") return this.#reply(message, from, 200, "OK");
    if (!isOurs) return this.#reply(message, from, 481, "Call/Transaction Does Not Exist");
    if (method === "BYE") {
      this.#reply(message, from, 200, "OK");
      if (this.#state !== "open") return;
      this.#state = "over";
      const failure = failureOf(message);
      return failure === undefined ? this.#listener.end("ended") : this.#listener.fail(failure);
    }
    if (method === "INVITE" || method === "UPDATE") return this.#change(message, from);
    if (method === "REFER") return this.#refer(message, from);
    if (method === "INFO" || method === "NOTIFY" || method === "CANCEL") return this.#reply(message, from, 200, "OK");
    this.#reply(message, from, 405, "Method Not Allowed");
  }

  #change(message: SipMessage, from: { readonly host: string; readonly port: number }) {
    const sound = message.body.trim() === "" ? undefined : agreedSound(message.body);
    if (message.body.trim() !== "" && !sound) return this.#reply(message, from, 488, "Not Acceptable Here");
    if (sound) this.#listener.sound(sound);
    const hasSound = sound !== undefined || message.method === "INVITE";
    this.#reply(message, from, 200, "OK", hasSound ? this.#options.offer : undefined);
  }

  /** The other side passes the call on: for the caller, the agent has transferred it. */
  #refer(message: SipMessage, from: { readonly host: string; readonly port: number }) {
    this.#reply(message, from, 202, "Accepted");
    const { number } = sequenceOf(message);
    if (this.#answeredRefers.has(number)) return;
    this.#answeredRefers.add(number);
    this.#listener.end("transferred");
  }

  #reply(
    message: SipMessage,
    { host, port }: { readonly host: string; readonly port: number },
    status: number,
    reason: string,
    body?: string,
  ): void {
    const { local, socket, userAgent } = this.#options;
    const copied = ["via", "record-route"].flatMap((name) =>
      (message.headers.get(name) ?? []).map((value) => [name, value] as const),
    );
    const to = headerOf(message, "to");
    const own = local.host.includes(":") ? `[${local.host}]` : local.host;
    const text = writeSip({
      start: `SIP/2.0 ${status} ${reason}`,
      headers: [
        ...copied.map(([name, value]) => [name === "via" ? "Via" : "Record-Route", value] as const),
        ["From", headerOf(message, "from")],
        ["To", parameterOf(to, "tag") === undefined ? `${to};tag=${this.#tag}` : to],
        ["Call-ID", headerOf(message, "call-id")],
        ["CSeq", headerOf(message, "cseq")],
        ["Contact", `<sip:callweave@${own}:${local.port}>`],
        ["User-Agent", userAgent],
        ...(body === undefined ? [] : [["Content-Type", "application/sdp"] as const]),
      ],
      ...(body === undefined ? {} : { body }),
    });
    this.#sent = new Promise((resolve) => {
      socket.send(text, port, host, () => resolve());
    });
  }
}

function newBranch(): string {
  return `z9hG4bK${randomBytes(10).toString("hex")}`;
}

/** Waits for a time at most. Returns whether the work was done in it. */
async function within(work: Promise<unknown>, ms: number): Promise<boolean> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const limit = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), ms);
  });
  const isDone = await Promise.race([
    work.then(
      () => true,
      () => false,
    ),
    limit,
  ]);
  clearTimeout(timer);
  return isDone;
}
