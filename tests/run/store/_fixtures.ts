import { spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type AgentGraph, parseGraph } from "../../../src/document/graph/mod.ts";
import type { NewResult, NewRun } from "../../../src/run/store/mod.ts";
import { ownStart } from "../../surface/cli/_process.ts";

/** A graph of one node that says goodbye. */
export const GRAPH: AgentGraph = parseGraph({
  nodes: { bye: { node_type: "end", state_prompt: "Say goodbye." } },
  entry_node_id: "bye",
});

export function newRun(changes: Partial<NewRun> = {}): NewRun {
  return {
    kind: "simulated",
    agent: "farewell",
    graph: GRAPH,
    models: { agent: "offline", caller: "offline", judge: "offline" },
    options: { trials: 1 },
    ...changes,
  };
}

/** A result with an item in every list. */
export function newResult(changes: Partial<NewResult> = {}): NewResult {
  const at = { node_id: "bye", timestamp: "2026-01-02T03:04:05.678Z" };
  return {
    scenario: "says goodbye",
    status: "pass",
    transcript: [
      { ...at, role: "assistant", content: 'Goodbye, "friend"', metadata: {} },
      { ...at, role: "tool", content: "lookup", metadata: { kind: "tool_call", nested: { list: [1, null] } } },
    ],
    verdicts: [
      {
        criterion: "polite",
        requirement: "The agent is polite",
        evidence: "Goodbye",
        reasoning: "It says goodbye",
        score: 0.9,
        confidence: 0.8,
        threshold: 0.7,
        passed: true,
      },
    ],
    checks: [{ kind: "includes", expected: "goodbye", passed: true, reason: "said in turn 1" }],
    nodesVisited: ["bye"],
    toolsCalled: [
      {
        name: "lookup",
        arguments: { id: 7 },
        result: { found: [true] },
        outcome: "succeeded",
        durationMs: 12,
        nodeId: "bye",
        mocked: true,
      },
    ],
    variables: { caller_name: "Ada" },
    turnCount: 1,
    durationMs: 12.5,
    usage: { calls: 3, inputTokens: 100, outputTokens: 20, modelMs: 9 },
    endReason: "agent_ended",
    errorMessage: null,
    ...changes,
  };
}

/** Calls with a folder that is deleted afterwards. */
export async function inFolder(body: (folder: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "callweave-store-"));
  try {
    await body(folder);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs tests/run/store/_writer.ts in a process of the current runtime, and returns its output. */
export async function runWriter(args: readonly string[]): Promise<string> {
  return await runScript("_writer.ts", args);
}

/** Runs a script of this folder in a process of the current runtime, and returns its output. */
export async function runScript(name: string, args: readonly string[]): Promise<string> {
  const script = fileURLToPath(new URL(name, import.meta.url));
  const [command = "", ...start] = ownStart();
  const child = spawn(command, [...start, script, ...args], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  let complaints = "";
  child.stdout.setEncoding("utf8").on("data", (part) => {
    output += part;
  });
  child.stderr.setEncoding("utf8").on("data", (part) => {
    complaints += part;
  });
  const code = await new Promise((resolve) => child.on("close", resolve));
  if (code !== 0) throw new Error(`the writer ended with ${code}: ${complaints}`);
  return output;
}

/** A finding of the audit of a caller. */
export const AUDIT = {
  findings: [{ kind: "invented-fact", fact: "4815", quote: "My number is 4815", reason: "The persona has no number" }],
} as const;
