import { test } from "node:test";
import { holdDesk } from "./_desk_runs.ts";
import { VOICE_PLATFORMS } from "./_voice_platforms.ts";

for (const platform of VOICE_PLATFORMS)
  test(
    `the same scenarios have the same verdicts on ${platform.name}, and what is not checked is named`,
    {
      timeout: 120_000,
    },
    async () => await holdDesk(platform),
  );
