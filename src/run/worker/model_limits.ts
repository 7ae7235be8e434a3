import { type RunRequestOptions, sharedLimits } from "../runner/mod.ts";

/** Turns the rate limits of a worker into middleware that all of its calls share. */
export function modelLimits({ maxParallel, perMinute, ...requests }: RunRequestOptions = {}): RunRequestOptions {
  if (maxParallel === undefined && perMinute === undefined) return requests;
  return { ...requests, within: [...(requests.within ?? []), sharedLimits({ maxParallel, perMinute }, undefined)] };
}
