import {
  argumentsSignature,
  auditSignature,
  callerSignature,
  extractSignature,
  flowSignature,
  fusedSignature,
  judgeSignature,
  RESPOND_INSTRUCTIONS,
  transitionSignature,
} from "../../../call/models/mod.ts";
import type { AgentGraph, AgentNode } from "../../../document/graph/mod.ts";
import type { Ask } from "./call_bounds.ts";

/** Estimated input and output tokens of a request. */
export interface RequestSize {
  readonly input: number;
  readonly output: number;
}

/** Average characters per token of English prose in the tokenizers of most vendors. */
const CHARACTERS_PER_TOKEN = 4;
/** Average tokens that a caller or agent says in one turn. */
const LINE = 15;
const REPLY = 35;
/** JSON Schema of the answer and field names around the input, in tokens. */
const CONTRACT = 200;
const DECISION = 45;
const VALUE = 12;
const VERDICT = 90;

/** Estimates the size of the agent's requests: instructions by their length, the history by the number of turns. */
export function agentRequests(graph: AgentGraph): (ask: Ask) => RequestSize {
  const general = tokensOf(graph.source_metadata.general_prompt ?? "");
  const nodes = Object.values(graph.nodes);
  const globals = nodes.filter(({ global_node_setting: setting }) => setting);
  const entries = tokensOf(globals.map(({ id, global_node_setting: own }) => `${id} ${own?.condition}`).join(" "));
  const known = new Map<string, RequestSize>();

  return ({ signature, node, turn }) => {
    const key = `${signature} ${node.id}`;
    const still = known.get(key) ?? withoutHistory(signature, node);
    known.set(key, still);
    return { input: still.input + REPLY + turn * (LINE + REPLY), output: still.output };
  };

  function withoutHistory(signature: Ask["signature"], node: AgentNode): RequestSize {
    const prompt = tokensOf(node.state_prompt);
    const offers = entries + tokensOf(JSON.stringify(node.transitions.map(({ metadata: _, ...rest }) => rest)));
    switch (signature) {
      case "respond": {
        const tools = tokensOf(JSON.stringify(node.tools.map(({ metadata: _, ...rest }) => rest)));
        return { input: tokensOf(RESPOND_INSTRUCTIONS) + general + prompt + tools, output: REPLY };
      }
      case "transition":
        return { input: CONTRACT + tokensOf(transitionSignature.instructions) + prompt + offers, output: DECISION };
      case "fused": {
        const targets = node.transitions.flatMap(
          ({ target_node_id: id }) => nodes.find((each) => each.id === id) ?? [],
        );
        const prompts = tokensOf([...targets, ...globals].map(({ state_prompt: text }) => text).join(" "));
        const instructions = tokensOf(fusedSignature.instructions) + general + prompt;
        return { input: CONTRACT + instructions + offers + prompts, output: DECISION + REPLY };
      }
      case "extract": {
        const variables = tokensOf(JSON.stringify(node.variables_to_extract));
        const input = CONTRACT + tokensOf(extractSignature.instructions) + prompt + variables;
        return { input, output: VALUE * node.variables_to_extract.length };
      }
      case "arguments": {
        const parameters = JSON.stringify(node.tools[0]?.parameters ?? {});
        const input = CONTRACT + tokensOf(argumentsSignature.instructions) + prompt + tokensOf(parameters);
        return { input, output: VALUE * Math.max(1, parameters.split('"type"').length - 1) };
      }
    }
  }
}

/** Estimates the total size of all requests of a simulated caller. */
export function callerRequests(persona: string, requests: number): RequestSize {
  const still = CONTRACT + tokensOf(callerSignature.instructions) + tokensOf(persona);
  const before = (requests * (requests - 1)) / 2;
  return { input: requests * (still + REPLY) + before * (LINE + REPLY), output: requests * (LINE + DECISION) };
}

/** Estimates the size of the request that judges a call. */
export function judgeRequest(criteria: readonly string[], turns: number): RequestSize {
  const still = CONTRACT + tokensOf(judgeSignature.instructions) + tokensOf(criteria.join(" "));
  return { input: still + REPLY + turns * (LINE + REPLY), output: VERDICT * criteria.length };
}

/** Size of the request that judges the path of a call with this number of turns, each with a step. */
export function flowRequest(graph: AgentGraph, turns: number): RequestSize {
  const nodes = Object.values(graph.nodes).map(({ state_prompt: prompt, transitions }) => [
    prompt,
    ...transitions.map(({ target_node_id: target, condition }) => [target, condition.value, condition.equations]),
  ]);
  const still = CONTRACT + tokensOf(flowSignature.instructions) + (turns === 0 ? 0 : tokensOf(JSON.stringify(nodes)));
  return { input: still + REPLY + turns * (LINE + REPLY + DECISION), output: VERDICT * (1 + turns) };
}

/** Size of the request that audits the caller of a call with this number of turns. */
export function auditRequest(persona: string, turns: number): RequestSize {
  const still = CONTRACT + tokensOf(auditSignature.instructions) + tokensOf(persona);
  return { input: still + REPLY + turns * (LINE + REPLY), output: VERDICT };
}

function tokensOf(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}
