import { EXAMPLE } from "../arguments.ts";
import type { ProjectFile } from "./project_file.ts";
import { COMMANDS_OF, type Runtime } from "./runtime.ts";

/** Instructions for coding assistants: the rules of the builder and the commands of the project. */
export function agentsFile(runtime: Runtime): ProjectFile {
  const { callweave, test, start, types } = COMMANDS_OF[runtime];
  const text = `# Instructions for coding assistants

This project is a phone agent, written with Callweave. \`flow.ts\` holds the agent as a typed graph, \`scenarios.ts\` the
simulated calls that test it, \`callweave.config.json\` the settings of the commands. The documentation is in
\`node_modules/callweave/docs\`; \`node_modules/callweave/llms.txt\` lists its pages.

## Commands

| command | does |
| --- | --- |
| \`${test}\` | checks the agent and runs every scenario; run it after each change |
| \`${types}${runtime === "deno" ? " flow.ts scenarios.ts" : ""}\` | checks types: a transition to a node that does not exist does not compile |
| \`${callweave} check\` | findings with code, place and hint; \`docs/check.md\` explains each code |
| \`${callweave} run --scenario "NAME"\` | runs one scenario |
| \`${callweave} runs show ID\` | shows a stored run: transcripts, nodes, scores and reasons |
| \`${callweave} view\` | shows the graph in the browser and redraws it on every save |
| \`${callweave} emit flow.ts --to ${EXAMPLE.format} --out ${EXAMPLE.format}.json\` | writes the JSON of a platform; \`${callweave} formats\` lists them |
| \`${start} scenarios.ts\` | starts the scenarios as a program${runtime === "node" ? " (Node 22.18 or later)" : ""} |

Without a key the offline model plays every part by fixed rules. It shows that the flow runs, not how well it talks. With
\`OPENAI_API_KEY\` set, the same commands use a real model and cost money: ask before you set it.

## Rules of flows

- One call of the builder per node: \`.conversation\`, \`.extract\`, \`.logic\`, \`.function\`, \`.transfer\`, \`.end\`, \`.global\`.
  The first node is where every call starts. \`.compile()\` comes last; export its result, not the builder.
- A conversation node speaks and waits for the caller. Give it one task. \`next\` lists where the call goes:
  \`to("node", "Caller …")\` is a condition that the model judges after the caller has spoken.
- Write conditions as facts about the caller: "Caller names a day", not "Ask for the day".
- Declare variables in the options of \`flow()\`: \`text\`, \`number\`, \`boolean\`, \`choice\`. An \`.extract\` node fills them from
  what the caller said. \`{{name}}\` in a prompt inserts a value.
- Decide by equations, not by prompts, where a variable holds the answer: \`to("node", when("reason", "==", "question"))\`.
  Logic and extract nodes are silent; end their list with \`to("node")\` or \`otherwise("node")\`, so that no call gets stuck.
- \`.global(id, { when, goBack, prompt })\` can be entered from every conversation node.
- Text that several prompts share belongs in \`snippets\`, used as \`{%name%}\`.
- Tools have a description, a JSON Schema of their parameters, and a \`url\` or an \`execute\` function.
- Never write keys, tokens or personal data into a flow. Use \`env("NAME")\`.

## Rules of scenarios

- \`scenario("name", agent)\` is followed by \`.persona(text)\` (a simulated caller) or \`.says(...lines)\` (exact words).
- State what must hold: \`.visits\`, \`.avoids\`, \`.extracts\`, \`.calls\`, \`.ends\`, \`.answersWithin\`, \`.includes\`, \`.excludes\`, \`.judge\`, \`.eachReply\`.
- \`.mock(tool, output)\` answers a tool; without a mock, its \`execute\` runs. URLs are called only with \`--live-tools\`.
- When you change a flow, add or change the scenario that shows the change. Never weaken a scenario to make it pass.
`;
  return { path: "AGENTS.md", text, kept: "Add the rules of node_modules/callweave/docs/flows.md to it" };
}
