/** Loaded before `callweave serve`: answers each message of the bench with what the process has used so far. */
import process from "node:process";

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
