/**
 * Loaded before `callweave serve`: answers each message of the bench with what the process has used so far. The processes
 * that the server starts load this as well; the server talks to them, and not the bench.
 */
import { existsSync, readFileSync } from "node:fs";
import process from "node:process";

if (process.argv[1]?.endsWith("_child.js") !== true) {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({
      cpuMs: (user + system) / 1000,
      rssBytes: process.memoryUsage().rss,
      peakKb: peakKb(),
    });
  });
  // the bench ends the process, and not its channel
  process.channel?.unref();
}

/** The most memory that this program has had. What `maxRSS` says on Linux counts the program that started it, too. */
function peakKb(): number {
  const status = "/proc/self/status";
  const [, peak] = (existsSync(status) && /^VmHWM:\s*(\d+) kB/m.exec(readFileSync(status, "utf8"))) || [];
  return peak === undefined ? process.resourceUsage().maxRSS : Number(peak);
}
