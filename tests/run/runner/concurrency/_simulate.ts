import { type AdaptiveLimit, createAdaptiveLimit } from "../../../../src/run/runner/concurrency.ts";

/** A server of models with simulated time. */
export interface SimulatedServer {
  /** Returns the latency of a request, or `refused` after a latency. */
  readonly answer: (inFlight: number, request: number) => { readonly ms: number; readonly refused?: boolean };
}

/** The result of a simulated run. */
export interface Simulated {
  readonly wallMs: number;
  readonly requests: number;
  readonly refused: number;
  /** The limit after each answer. */
  readonly limits: readonly number[];
}

/** Options of {@link simulate}. */
export interface SimulateOptions {
  readonly calls: number;
  readonly requestsPerCall: number;
  /** A fixed number of concurrent calls, instead of an adaptive limit. */
  readonly fixed?: number;
  readonly most?: number;
  readonly waiting?: boolean;
}

interface Request {
  readonly at: number;
  readonly begun: number;
  readonly epoch: number;
  readonly refused: boolean;
  readonly left: number;
}

/** Runs calls of several requests on a simulated server, within the limit of concurrent calls. No time passes. */
export function simulate(server: SimulatedServer, options: SimulateOptions): Simulated {
  const { calls, requestsPerCall, fixed, most = 256, waiting = false } = options;
  const adaptive: AdaptiveLimit = createAdaptiveLimit({ most });
  const limitNow = () => fixed ?? adaptive.limit;
  const inFlight: Request[] = [];
  const gated: number[] = []; // requests left of calls that wait, because more calls run than the limit allows
  const limits: number[] = [];
  let [now, queued, running, requests, refused] = [0, calls, 0, 0, 0];
  const send = (left: number) => {
    if (running > limitNow() && inFlight.length >= limitNow()) return void gated.push(left);
    const { ms, refused = false } = server.answer(inFlight.length + 1, requests++);
    inFlight.push({ at: now + ms, begun: now, epoch: adaptive.begin(), refused, left });
  };
  const fill = () => {
    while (queued > 0 && running < limitNow()) {
      queued -= 1;
      running += 1;
      send(requestsPerCall);
    }
    while (gated.length > 0 && (running <= limitNow() || inFlight.length < limitNow())) send(gated.shift() ?? 0);
  };
  fill();
  while (inFlight.length > 0) {
    const next = inFlight.reduce((first, each) => (each.at < first.at ? each : first));
    inFlight.splice(inFlight.indexOf(next), 1);
    now = next.at;
    const { epoch, refused: isRefused, left } = next;
    if (isRefused) refused += 1;
    adaptive.end({ epoch, kind: "respond", latencyMs: now - next.begun, refused: isRefused, running, waiting });
    limits.push(adaptive.limit);
    if (isRefused || left > 1) send(isRefused ? left : left - 1);
    else running -= 1;
    fill();
  }
  return { wallMs: now, requests, refused, limits };
}

/** Deterministic pseudo-random numbers from 0 to 1. */
export function createNoise(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 1_664_525 + 1_013_904_223) % 2 ** 32;
    return state / 2 ** 32;
  };
}
