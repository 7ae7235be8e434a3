import type { Call } from "../../document/transcript/mod.ts";

/** A finished call, as judges receive it: its variables are texts. */
export type JudgedCall = Pick<
  Call<{ readonly [name: string]: string }>,
  "transcript" | "nodesVisited" | "toolsCalled" | "variables" | "endReason" | "endDetail" | "latency"
>;
