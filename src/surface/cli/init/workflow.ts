import type { ProjectFile } from "./project_file.ts";
import { COMMANDS_OF, type Runtime } from "./runtime.ts";

const SETUP: { readonly [Name in Runtime]: string } = {
  node: `      - uses: actions/setup-node@v5
        with:
          node-version: 22`,
  bun: "      - uses: oven-sh/setup-bun@v2",
  deno: `      - uses: denoland/setup-deno@v2
        with:
          deno-version: v2.x`,
};

/** A workflow of GitHub Actions that checks types and the agent, runs the scenarios, and uploads their results. */
export function workflowFile(runtime: Runtime): ProjectFile {
  const { callweave, install, types } = COMMANDS_OF[runtime];
  const modules = runtime === "deno" ? " flow.ts scenarios.ts" : "";
  const text = `name: Callweave

on:
  push:
    branches: [main]
  pull_request:

permissions:
  contents: read

jobs:
  agent:
    runs-on: ubuntu-latest
    timeout-minutes: 15
    steps:
      - uses: actions/checkout@v5
${SETUP[runtime]}
      - run: ${install}
      - run: ${types}${modules}
      - run: ${callweave} check --sarif check.sarif
      # without the secret, as in pull requests from forks, the offline model plays every part
      - run: ${callweave} run --reporter github --reporter junit:report.xml
        env:
          OPENAI_API_KEY: \${{ secrets.OPENAI_API_KEY }}
      - uses: actions/upload-artifact@v6
        if: always()
        with:
          name: callweave
          include-hidden-files: true
          if-no-files-found: ignore
          path: |
            check.sarif
            report.xml
            .callweave/results.db
`;
  return { path: ".github/workflows/callweave.yml", text, kept: "Nothing to do if it runs check and run" };
}
