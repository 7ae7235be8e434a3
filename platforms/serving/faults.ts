import type { LocalFault, LocalRequest } from "./serve.ts";

/** Which request fails, and how. */
export interface FaultPlan {
  /** The response in place of the platform's. */
  readonly fault: LocalFault;
  /** Index of the first matching request that fails. Default: 0. */
  readonly at?: number;
  /** Number of consecutive matching requests that fail. Default: 1. */
  readonly times?: number;
  /** Default: every request. */
  readonly matches?: (request: LocalRequest) => boolean;
}

/** Makes requests to a local server fail as planned: the `fault` option of `serveLocally()`. */
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

/** Whether a request modifies something. */
export function isLocalWrite({ method, path }: LocalRequest): boolean {
  return method !== "GET" && !/\/list-/.test(path);
}
