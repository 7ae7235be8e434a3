import { GraphError } from "../../base/errors.ts";
import { didYouMean, own } from "../../base/values/mod.ts";
import {
  type Conversation,
  type ConversationOptions,
  type ConversationSnapshot,
  conversation,
  type Turn,
} from "../../call/engine/mod.ts";
import type { AgentGraph } from "../../document/graph/mod.ts";
import { type Decision, isDecision } from "./decision.ts";
import type { ChatListeners, VariableChange } from "./message_lines.ts";

/** A step that `undo` reverts. */
export interface Step {
  readonly kind: "said" | "goto" | "set" | "hang-up";
  /** The caller's words, the node or the variable. */
  readonly what: string;
  readonly before: ConversationSnapshot;
  /** The decisions of the turn, in order. */
  readonly decisions: readonly Decision[];
}

/** The result of a turn; `aborted`: `abort` stopped it, and nothing changed. */
export type Said = Turn | "aborted";

/** A call with a person as its caller, who can undo steps. Between two turns, its state is one snapshot. */
export class ChatSession {
  #graph: AgentGraph;
  /** A newer version of the graph, used as soon as the current node exists in it. */
  #newer: AgentGraph | undefined;
  readonly #options: Omit<ConversationOptions, "listeners" | "from">;
  readonly #listeners: ChatListeners;
  #state: ConversationSnapshot;
  #steps: readonly Step[] = [];
  #opening: readonly Decision[] = [];
  #running: Conversation | undefined;
  #isAborting = false;

  constructor(graph: AgentGraph, options: Omit<ConversationOptions, "listeners" | "from">, listeners: ChatListeners) {
    this.#graph = graph;
    this.#options = options;
    this.#listeners = listeners;
    this.#state = this.#begin();
  }

  get graph(): AgentGraph {
    return this.#graph;
  }
  /** The call as it is between two turns. */
  get state(): ConversationSnapshot {
    return this.#state;
  }
  /** Steps that can be undone, oldest first. */
  get steps(): readonly Step[] {
    return this.#steps;
  }
  /** The decisions of the last turn. */
  get decisions(): readonly Decision[] {
    const turn = this.#steps.findLast(({ kind }) => kind === "said");
    return turn?.decisions ?? this.#opening;
  }

  async open(): Promise<Said> {
    this.#adopt();
    const { turn, decisions } = await this.#turn((call) => call.open());
    this.#opening = decisions;
    return turn;
  }

  /**
   * Sends the caller's words. A turn that fails or is aborted changes nothing.
   *
   * @throws What `conversation()` and its turns throw.
   */
  async say(words: string): Promise<Said> {
    if (!this.#state.opened) {
      const opened = await this.open();
      if (opened === "aborted") return opened;
    }
    this.#adopt();
    const before = this.#state;
    const { turn, decisions } = await this.#turn((call) => call.hear(words));
    if (turn !== "aborted") this.#steps = [...this.#steps, { kind: "said", what: words, before, decisions }];
    return turn;
  }

  /** Aborts the turn that is running. */
  abort(): void {
    this.#isAborting = true;
    this.#running?.end("aborted");
  }

  /** Reverts the last step; `undefined` if there is none. */
  undo(): Step | undefined {
    const step = this.#steps.at(-1);
    if (!step) return undefined;
    this.#steps = this.#steps.slice(0, -1);
    this.#state = step.before;
    return step;
  }

  /**
   * Moves the call to a node, where the agent waits for the caller.
   *
   * @throws {GraphError} `unknown-target`.
   */
  goTo(id: string): void {
    if (this.#newer && own(this.#newer.nodes, id)) this.#take(this.#newer);
    if (!own(this.#graph.nodes, id)) {
      throw new GraphError(`Cannot go to "${id}": the agent has no such node`, {
        code: "unknown-target",
        path: ["nodes", id],
        hint: didYouMean(
          id,
          Object.keys(this.#graph.nodes),
          `Name one of its nodes: ${Object.keys(this.#graph.nodes).join(", ")}`,
        ),
      });
    }
    const { originators, nodeId, nodesVisited, transcript } = this.#state;
    const isGlobal = (node: string) => own(this.#graph.nodes, node)?.global_node_setting !== undefined;
    const left = isGlobal(nodeId) ? originators.slice(0, -1) : originators;
    this.#step("goto", id, {
      nodeId: id,
      nodesVisited: [...nodesVisited, id],
      enteredAt: transcript.length,
      spokenHere: false,
      originators: isGlobal(id) && id !== nodeId && !isGlobal(nodeId) ? [...left, nodeId] : left,
      opened: true,
      endReason: undefined,
      endDetail: undefined,
    });
  }

  set(name: string, value: string): void {
    const { variables } = this.#state;
    this.#step("set", name, { variables: Object.fromEntries([...Object.entries(variables), [name, value]]) });
  }

  /** Ends the call as a caller who hangs up. */
  hangUp(): void {
    this.#step("hang-up", "", { endReason: "caller_ended" });
  }

  async restart(): Promise<Said> {
    if (this.#newer) this.#take(this.#newer);
    this.#steps = [];
    this.#opening = [];
    this.#state = this.#begin();
    return await this.open();
  }

  /**
   * Switches to another version of the graph from the next turn on, if it has the current node.
   *
   * @returns Whether it has.
   */
  replaceGraph(graph: AgentGraph): boolean {
    this.#newer = graph;
    return own(graph.nodes, this.#state.nodeId) !== undefined;
  }

  #begin(): ConversationSnapshot {
    return this.#call({}).snapshot();
  }

  #step(kind: Step["kind"], what: string, changes: Partial<ConversationSnapshot>): void {
    this.#steps = [...this.#steps, { kind, what, before: this.#state, decisions: [] }];
    this.#state = { ...this.#state, ...changes };
  }

  #adopt(): void {
    if (this.#newer && own(this.#newer.nodes, this.#state.nodeId)) this.#take(this.#newer);
  }

  #take(graph: AgentGraph): void {
    this.#graph = graph;
    this.#newer = undefined;
  }

  #call(more: Pick<ConversationOptions, "listeners" | "from">): Conversation {
    return conversation(this.#graph, { ...this.#options, ...more });
  }

  async #turn(take: (call: Conversation) => Promise<Turn>) {
    const { fingerprint: _, ...from } = this.#state; // steps may be older than the graph
    const decisions: Decision[] = [];
    let { variables, originators } = from;
    const graph = this.#graph;
    const tellVariables = () => {
      const now = call.variables;
      const changes = Object.entries(now).flatMap(([name, value]): VariableChange[] => {
        const was = own(variables, name);
        return was === value ? [] : [{ name, value, ...(was === undefined ? {} : { was }) }];
      });
      variables = now;
      if (changes.length > 0) this.#listeners.onVariables({ changes });
    };
    const call = this.#call({
      from,
      listeners: {
        onToken: this.#listeners.onToken,
        onMessage: ({ message }) => {
          tellVariables();
          if (isDecision(message)) decisions.push({ message, graph, variables, originators });
          originators = [...call.originators];
          this.#listeners.onMessage({ message });
        },
        onRetry: this.#listeners.onRetry,
      },
    });
    this.#running = call;
    this.#isAborting = false;
    try {
      const turn = await take(call);
      tellVariables();
      if (this.#isAborting) return { turn: "aborted" as const, decisions: [] };
      this.#state = call.snapshot();
      return { turn, decisions };
    } catch (error) {
      if (this.#isAborting) return { turn: "aborted" as const, decisions: [] };
      throw error;
    } finally {
      this.#running = undefined;
    }
  }
}
