import process from "node:process";
import type { PlatformConnections } from "../../../api/connect.ts";
import type { RunReport } from "../../../mod.ts";

/** Has the key of a platform in the environment until it is disposed. */
export function keyed(
  platform: keyof PlatformConnections | "http",
  variable = `${platform.toUpperCase()}_API_KEY`,
): Disposable {
  const before = process.env[variable];
  process.env[variable] = KEY;
  const restore = () => {
    if (before === undefined) delete process.env[variable];
    else process.env[variable] = before;
  };
  return { [Symbol.dispose]: restore };
}

/** The key that servers of tests get. */
export const KEY = "key-of-the-tests-0123456789";

/** Each result in one word, with the reason of an error or the first failed check. */
export function statuses({ results }: RunReport): readonly string[] {
  return results.map(({ status, checks, errorMessage }) => {
    const failed = checks.find(({ passed }) => !passed);
    if (status === "pass") return "pass";
    return `${status}: ${errorMessage ?? `${failed?.kind} ${failed?.expected}: ${failed?.reason}`}`;
  });
}
