import type { LocalFault, LocalRequest } from "./serve.ts";

/** Which request goes wrong. */
export interface FaultPlan {
  /** What happens instead of the platform's answer. */
  readonly fault: LocalFault;
  /** Which of the matching requests, counted from 0. Default: the first. */
  readonly at?: number;
  /** How many matching requests in a row go wrong. Default: 1. */
  readonly times?: number;
  /** Default: every request. */
  readonly matches?: (request: LocalRequest) => boolean;
}

/** Makes the requests of a local server go wrong as planned: the `fault` option of `serveLocally()`. */
export function planFaults(plans: readonly FaultPlan[]): (request: LocalRequest) => LocalFault | undefined {
  const counts = plans.map(() => 0);
  return (request) => {
    let found: LocalFault | undefined;
    for (const [index, { fault, at = 0, times = 1, matches = () => true }] of plans.entries()) {
      if (!matches(request)) continue;
      const count = counts[index] ?? 0;
      counts[index] = count + 1;
      if (count >= at && count < at + times) found ??= fault;
    }
    return found;
  };
}

/** Whether a request changes something. */
export function isWrite({ method, path }: LocalRequest): boolean {
  return method !== "GET" && !/\/list-/.test(path);
}
