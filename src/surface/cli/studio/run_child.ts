/** The process of a run that the studio starts: `callweave run`, which ends as after Ctrl-C when the studio is gone. */
import process from "node:process";
import { endWithParent } from "../../project/mod.ts";

/** Time to store what was said in calls that run. */
const GRACE_MS = 8_000;

await endWithParent({ end: () => process.kill(process.pid, "SIGINT"), graceMs: GRACE_MS });
await import("../main.ts");
