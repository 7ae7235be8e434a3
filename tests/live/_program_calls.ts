import { planProgram } from "../../platforms/livekit/code/plan.ts";
import { isRecord, type JsonObject, own, records } from "../../src/base/values/mod.ts";
import { conversation } from "../../src/call/engine/mod.ts";
import { type ScriptedAnswer, scripted } from "../../src/call/models/mod.ts";
import { isSilent, waysAfterHearing } from "../../src/document/graph/mod.ts";
import type { ComparedCall } from "../platforms/vapi/compile/squads/compared_call.ts";

/** What the model of a program answers to one request, and the moves that it must be offered. */
export interface Action {
  readonly node: string;
  readonly text?: string;
  readonly call?: { readonly name: string; readonly args: JsonObject };
  readonly moves?: readonly string[];
}

/** One turn of the engine's call: the model's answers, the answers of tools, and what became of the call. */
export interface ScriptedTurn {
  /** Absent: the opening. */
  readonly line?: string;
  readonly actions: readonly Action[];
  readonly tools: readonly { readonly name: string; readonly result: unknown; readonly failed: boolean }[];
  readonly expected: {
    readonly visited: readonly string[];
    readonly variables: JsonObject;
    readonly said: readonly string[];
    readonly ended: boolean;
  };
}

/** A call for a program. */
export interface ProgramCall {
  readonly variables: JsonObject;
  readonly transfers: readonly string[];
  readonly turns: readonly ScriptedTurn[];
}

/** Runs a call with the engine, and returns its decisions as a script for the program of the same graph. */
export async function scriptOf({
  graph,
  lines,
  answers,
  mocks = [],
  variables = {},
}: ComparedCall): Promise<ProgramCall> {
  const { plan } = planProgram(graph);
  const agentAt = (id: string) => plan.agents.find(({ node }) => node === id);
  const asked: { signature: string; node: string; input: JsonObject; answer: unknown }[] = [];
  const at = () => call.nodesVisited.at(-1) ?? "";
  const watched = (signature: string, list: readonly ScriptedAnswer[]) =>
    list.map((each) => (input: JsonObject) => {
      const answer = typeof each === "function" ? each(input) : each;
      asked.push({ signature, node: at(), input, answer });
      return answer;
    });
  const script = Object.fromEntries(Object.entries(answers).map(([name, list]) => [name, watched(name, list ?? [])]));
  const call = conversation(graph, { models: { agent: scripted(script) }, variables, mocks });
  const turns: ScriptedTurn[] = [];
  for (const line of [undefined, ...lines]) {
    if (call.ended) break;
    const [before, calledBefore] = [asked.length, call.toolsCalled.length];
    const { spoken } = line === undefined ? await call.open() : await call.hear(line);
    turns.push({
      ...(line === undefined ? {} : { line }),
      actions: actionsOf(asked.slice(before)),
      tools: call.toolsCalled
        .slice(calledBefore)
        .map(({ name, result, outcome }) => ({ name, result, failed: outcome === "failed" })),
      expected: { visited: [...call.nodesVisited], variables: call.variables, said: spoken, ended: call.ended },
    });
    if (call.endReason === "failed" || call.endReason === "hop_limit") break;
  }
  const transfers = plan.agents.filter(({ kind }) => kind === "Transfer").map(({ node }) => node);
  return { variables, transfers, turns };

  /** The requests of the program: it decides and replies in one. */
  function actionsOf(requests: typeof asked): readonly Action[] {
    const actions: Action[] = [];
    for (let index = 0; index < requests.length; index++) {
      const { signature, node, input, answer } = requests[index] ?? {
        signature: "",
        node: "",
        input: {},
        answer: null,
      };
      if (signature !== "transition") {
        actions.push({ node, ...replyOf(signature, node, answer) });
        continue;
      }
      const { moves, picked } = decisionOf(node, input, answer);
      const next = requests[index + 1];
      if (picked !== undefined) actions.push({ node, moves, call: { name: picked, args: {} } });
      else if (next?.signature === "respond" && next.node === node) {
        actions.push({ node, moves, ...replyOf("respond", node, next.answer) });
        index++;
      } else actions.push({ node, moves, text: "This is not said." });
    }
    return actions;
  }

  function decisionOf(id: string, input: JsonObject, answer: unknown) {
    const node = own(graph.nodes, id);
    const silent = node !== undefined && isSilent(node);
    const offers = records(input.available_transitions).map(({ target, condition_type: type }) => ({
      target: String(target),
      name: type === "go_back" ? plan.goBack : (agentAt(String(target))?.handoff ?? ""),
    }));
    const hasRest = silent || (node !== undefined && waysAfterHearing(node).otherwise !== undefined);
    const moves = [...new Set([...offers.map(({ name }) => name), ...(hasRest ? [plan.stay] : [])])].sort();
    const { objectives_complete: complete, transition_to: to } = isRecord(answer) ? answer : {};
    // a silent node takes what the model picks, complete or not
    const isDone = silent || complete !== false;
    const chosen = isDone ? offers.find(({ target }) => target === to) : undefined;
    if (chosen) return { moves, picked: chosen.name };
    return { moves, picked: hasRest && isDone ? plan.stay : undefined };
  }

  function replyOf(signature: string, id: string, answer: unknown): Pick<Action, "text" | "call"> {
    const [first] = agentAt(id)?.functions ?? [];
    if (signature === "extract" || signature === "arguments") {
      const given = Object.entries(isRecord(answer) ? answer : {}).filter(([, value]) => value !== null);
      return { call: { name: first?.name ?? "", args: Object.fromEntries(given) } };
    }
    if (typeof answer === "string") return { text: answer };
    const [toolCall] = records(isRecord(answer) ? answer.toolCalls : []);
    return { call: { name: String(toolCall?.name), args: isRecord(toolCall?.arguments) ? toolCall.arguments : {} } };
  }
}
