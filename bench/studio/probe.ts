/**
 * Loaded before `callweave serve`: answers each message of the bench with what the process has used so far. The processes
 * that the server starts load this as well; the server talks to them, and not the bench.
 */
import process from "node:process";

if (process.argv[1]?.endsWith("_child.js") !== true) {
  process.on("message", () => {
    const { user, system } = process.cpuUsage();
    process.send?.({
      cpuMs: (user + system) / 1000,
      rssBytes: process.memoryUsage().rss,
      peakKb: process.resourceUsage().maxRSS,
    });
  });
  // the bench ends the process, and not its channel
  process.channel?.unref();
}
