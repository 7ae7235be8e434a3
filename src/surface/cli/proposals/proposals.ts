import { oneLine, paint, styleFor } from "../../../base/values/mod.ts";
import {
  type AcceptedFile,
  acceptProposal,
  formatProposal,
  listProposals,
  readProposal,
  rejectProposal,
  type StoredProposal,
} from "../../proposals/mod.ts";
import { type Arguments, type Command, usage } from "../arguments.ts";
import type { Terminal } from "../io/mod.ts";

/** Proposals are in the current folder, as the configuration is. */
const FOLDER = ".";
const NAME = { name: "NAME", description: "The proposal's name, as callweave proposals list shows it" };

/** `callweave proposals list`. */
export const proposalsListCommand: Command = {
  name: "proposals list",
  summary: "List the changes that a coding assistant has proposed",
  spec: {
    positionals: [],
    flags: {
      all: { description: "Also those that were accepted or rejected" },
      json: { description: "Print the proposals as JSON" },
    },
  },
  examples: ["callweave proposals list", "callweave proposals list --all --json"],
  run: async (args, terminal) => {
    const found = (await listProposals(FOLDER)).filter(({ state }) => args.has("all") || state === "open");
    if (args.has("json")) terminal.out(`${JSON.stringify(found, null, 2)}\n`);
    else if (found.length === 0) terminal.out("no proposals\n");
    for (const { name, state, title, madeAt, files } of args.has("json") ? [] : found) {
      const paths = files.map(({ path }) => path).join(", ");
      terminal.out(`${name}  ${state}  ${madeAt.slice(0, 16).replace("T", " ")}  ${oneLine(title)} (${paths})\n`);
    }
    return 0;
  },
};

/** `callweave proposals show`. */
export const proposalsShowCommand: Command = {
  name: "proposals show",
  summary: "Show a proposed change: why, and what it changes",
  spec: { positionals: [NAME], flags: { json: { description: "Print the proposal as JSON" } } },
  examples: ["callweave proposals show ask-for-the-day"],
  run: async (args, terminal) => {
    const proposal = await readProposal(FOLDER, args.at("NAME"));
    terminal.out(args.has("json") ? `${JSON.stringify(proposal, null, 2)}\n` : shown(proposal, terminal));
    return 0;
  },
};

/** `callweave proposals accept`. */
export const proposalsAcceptCommand: Command = {
  name: "proposals accept",
  summary: "Apply a proposed change to the files as they are now",
  spec: {
    positionals: [NAME],
    flags: {
      yes: { description: "Accept it without confirmation" },
      json: { description: "Print what became of each file as JSON" },
    },
  },
  notes: [
    "In a terminal it shows the change and asks. Elsewhere it needs --yes.",
    "Edits that were made since the proposal are kept. Where it is about the same lines, nothing is written.",
    "This is a person's decision. Coding assistants have no tool for it, and should not run it.",
  ],
  examples: ["callweave proposals accept ask-for-the-day"],
  run: async (args, terminal) => {
    if (!(await isConfirmed(args, terminal))) {
      terminal.err("nothing was written\n");
      return 1;
    }
    const files = await acceptProposal(FOLDER, args.at("NAME"));
    if (args.has("json")) terminal.out(`${JSON.stringify(files, null, 2)}\n`);
    else for (const { path, outcome } of files) terminal.out(`${WORDS[outcome]} ${path}\n`);
    terminal.err("next: npx callweave check, and npx callweave run\n");
    return 0;
  },
};

/** `callweave proposals reject`. */
export const proposalsRejectCommand: Command = {
  name: "proposals reject",
  summary: "Put a proposed change away without applying it",
  spec: { positionals: [NAME], flags: { json: { description: "Print the proposal's name and state as JSON" } } },
  examples: ["callweave proposals reject ask-for-the-day"],
  run: async (args, terminal) => {
    const name = args.at("NAME");
    await rejectProposal(FOLDER, name);
    terminal.out(args.has("json") ? `${JSON.stringify({ name, state: "rejected" })}\n` : `rejected ${name}\n`);
    return 0;
  },
};

async function isConfirmed(args: Arguments, terminal: Terminal): Promise<boolean> {
  const proposal = await readProposal(FOLDER, args.at("NAME"));
  if (args.has("yes") || proposal.state !== "open") return true; // one that was decided before is refused
  if (!terminal.ask) throw usage("there is no terminal to ask on", "Read the proposal, and pass --yes");
  terminal.err(shown(proposal, terminal));
  if (!/^y(es)?$/i.test((await terminal.ask("Accept this change? (yes/no) ")).trim())) return false;
  if (formatProposal(await readProposal(FOLDER, proposal.name)) === formatProposal(proposal)) return true;
  throw usage("the proposal was changed while you read it", "Read it again");
}

/** A proposal with the colours of a patch. */
function shown(proposal: StoredProposal, { stdout, env }: Terminal): string {
  const style = styleFor(stdout, env);
  const colors = { "+": "green", "-": "red", "@": "cyan", "#": "bold" } as const;
  return formatProposal(proposal)
    .split("\n")
    .map((line) => {
      const color = Object.entries(colors).find(([sign]) => line.startsWith(sign))?.[1];
      return color === undefined ? visible(line) : paint(style, color, visible(line));
    })
    .join("\n");
}

const WORDS: { readonly [Outcome in AcceptedFile["outcome"]]: string } = {
  created: "created  ",
  changed: "changed  ",
  merged: "merged   ",
  unchanged: "unchanged",
};

/** A line of a patch with control characters and hidden letters as escapes: what is accepted is what is seen. */
function visible(line: string): string {
  return line.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/gu, (letter) =>
    letter === "\t" ? letter : `\\u{${letter.codePointAt(0)?.toString(16)}}`,
  );
}
