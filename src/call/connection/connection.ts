import type { CallerAct, CallerSpeech, PlannedInterruption, ToolMock } from "../../document/scenario/mod.ts";
import type { EndReason, Message, ToolCall, VoiceInterruption, VoiceRecord } from "../../document/transcript/mod.ts";

/**
 * What a connection can do. A run compares it with what its scenarios need before the first call: an expectation about
 * something that a connection does not report would pass or fail whatever the agent does.
 */
export interface ConnectionCapabilities {
  /** Every answer names the node at which the agent is. */
  readonly nodeEachTurn: boolean;
  /** The record of a finished call has the nodes that were visited. */
  readonly nodeAfterwards: boolean;
  /** Every tool call of the agent is reported, with its arguments. */
  readonly toolArguments: boolean;
  /** Tools answer with the mocks of the scenario. */
  readonly mocks: boolean;
  /** The agent can speak first. */
  readonly opening: boolean;
  /** The agent starts with the variables of the scenario. */
  readonly startVariables: boolean;
  /** Answers have the variables that changed. */
  readonly variables: boolean;
  /** The agent says that it ended the call. */
  readonly endSignal: boolean;
  /** It also says whether it transferred the call. Default: like `endSignal`. */
  readonly transferSignal?: boolean;
  /** The agent reads and writes text. */
  readonly text: boolean;
  /** The agent hears and speaks: the caller's words are spoken to it, and what it says is written down. */
  readonly voice: boolean;
  /** Keys of the telephone reach the agent as keys (DTMF). Default: false. */
  readonly dtmf?: boolean;
  /** The platform writes down what the agent heard of the caller. Default: false. */
  readonly transcripts?: boolean;
  /** The version of the agent can be chosen, or is reported. */
  readonly version: boolean;
}

/** The name of a capability. */
export type Capability = keyof ConnectionCapabilities;

/** Something that an agent did in a turn. Events are in the order of the call. */
export type AgentEvent =
  /** The agent said something. `reported`: the words as the platform has them, if `text` is what was heard of them. */
  | { readonly kind: "says"; readonly text: string; readonly reported?: string }
  /** The agent went to a node, or is still at it. */
  | { readonly kind: "node"; readonly node: string }
  | { readonly kind: "tool"; readonly call: ReportedToolCall };

/** A tool call, as an agent reports it. */
export interface ReportedToolCall {
  readonly name: string;
  readonly arguments: { readonly [name: string]: unknown };
  /** Parsed JSON, else text; for a failure the error message. Absent: it is not known. */
  readonly result?: unknown;
  /** Default: `succeeded`. */
  readonly outcome?: ToolCall["outcome"];
  /** Whether a mock of the scenario answered. Default: false. */
  readonly mocked?: boolean;
  readonly durationMs?: number;
}

/** What an agent answers: its opening, or its reply to the caller's words. */
export interface AgentTurn {
  readonly events: readonly AgentEvent[];
  /** Variables that changed. */
  readonly variables?: { readonly [name: string]: unknown };
  /**
   * From the caller's last word to the agent's first, in milliseconds; for the opening, from the start of the call.
   * Absent: the time in which the turn was answered.
   */
  readonly firstWordMs?: number;
  /** Why the call is over. Absent: it goes on. */
  readonly ended?: Extract<EndReason, "agent_ended" | "agent_transferred">;
  /** The interruption that `ahead` had announced. Absent: the reply was over before it. */
  readonly interruption?: VoiceInterruption;
}

/** What is known only when a call is over. */
export interface ConnectionRecord {
  /** Ids or names of the visited nodes, in order. Replaces what the turns reported. */
  readonly nodesVisited?: readonly string[];
  /**
   * All tool calls in order, if turns could not report all of them or all of their parts. Replaces what turns reported:
   * calls of the same name keep their place in the transcript, others are added to its end.
   */
  readonly toolsCalled?: readonly ReportedToolCall[];
  /** Why the call was over, if the agent ended it and no turn said so. Replaces another end, such as the caller's. */
  readonly ended?: Extract<EndReason, "agent_ended" | "agent_transferred">;
  /** Final values of variables. */
  readonly variables?: { readonly [name: string]: unknown };
  /** The platform's id of the call. */
  readonly callId?: string;
  /** The version of the agent that answered. */
  readonly version?: string;
  /** The platform's end reason. */
  readonly endReason?: string;
  /** In US dollars. */
  readonly costUsd?: number;
  readonly recordingUrl?: string;
  /** What only voice shows. */
  readonly voice?: VoiceRecord;
}

/** How a call starts. */
export interface OpenOptions {
  /** Variables of the scenario and of the run. */
  readonly variables: { readonly [name: string]: unknown };
  readonly mocks: readonly ToolMock[];
  /** Whether tools that no mock answers run. Otherwise they fail, where the connection can decide it. */
  readonly allowRealTools: boolean;
  /** Aborted when the run is cancelled or a turn takes too long. */
  readonly signal: AbortSignal;
  /**
   * Stops the clock of the call while a request waits because the agent's server is throttling. It returns a function
   * that starts the clock again.
   */
  readonly pauseClock: () => () => void;
  /** How the caller speaks, for calls by voice. */
  readonly speaks?: CallerSpeech;
  /** The interruption of the opening, for calls by voice. */
  readonly ahead?: PlannedInterruption;
}

/** An open call with an agent. */
export interface AgentCall {
  /** What the agent said before the caller spoke; no events if the caller speaks first. */
  readonly opening: AgentTurn;
  /** Passes the caller's words to the agent. */
  say(text: string): Promise<AgentTurn>;
  /**
   * The caller does something that is more than words, or interrupts the agent's reply to it with the act of `ahead`. Calls
   * by voice have it; without it, the caller's steps are approximated in text.
   */
  act?(act: CallerAct, options: { readonly ahead?: PlannedInterruption | undefined }): Promise<AgentTurn>;
  /** Ends the call. Called once for every open call, also after an error. */
  close(options: { readonly signal: AbortSignal }): Promise<ConnectionRecord>;
}

/**
 * A way to talk to an agent where it runs. `run()` takes one in place of a graph. `connect` makes them; an object of
 * your own can be one, too.
 */
export interface AgentConnection {
  /** Name of the agent in reports. It has no secrets. */
  readonly name: string;
  /** Version of the agent; absent if it is not known before a call. */
  readonly version?: string;
  readonly capabilities: ConnectionCapabilities;
  /** Number of calls that the platform allows at the same time; absent if it is not known. */
  readonly maxCalls?: number;
  /** What the platform charges for each reply, in US dollars; absent if it is not known. */
  readonly costPerReplyUsd?: { readonly least: number; readonly most: number };
  /** Whether the record of a call has what it cost. Default: false. */
  readonly reportsCost?: boolean;
  /** The agent's tools; absent if they are not known. */
  readonly tools?: readonly AgentTool[];
  /** Ids or names of the nodes that calls can report; absent if they are not known. */
  readonly nodes?: readonly string[];
  /**
   * The agent as its platform exports it. Its graph names nodes, tools and variables, unless the run has another one.
   * Absent: there is none.
   */
  readonly document?: unknown;
  /**
   * Looks the agent up, once in a run and before its first call. It returns the connection that the run uses: with the
   * version that answers, what the agent can do and its tools. Absent: there is nothing to look up.
   *
   * @throws {ConnectionError}
   */
  prepare?(options: PrepareOptions): Promise<AgentConnection>;
  /** Starts a call. Calls run at the same time. */
  open(options: OpenOptions): Promise<AgentCall>;
}

/** A tool of an agent that does something outside of the call. */
export interface AgentTool {
  readonly name: string;
  /** Whether a mock of a scenario can answer it. */
  readonly isMockable: boolean;
  /**
   * For a tool whose mocks are kept on the platform: whether they answer like the mocks that a scenario has for it. Absent:
   * mocks of scenarios reach the tool.
   */
  readonly answersLike?: (mocks: readonly ToolMock[]) => boolean;
  /** Why no mock answers it, in the middle of a sentence: `its mock on the platform answers "shipped"`. */
  readonly whyNot?: string;
  /**
   * Whether it runs when no mock of a scenario answers it. Default: true for a tool that cannot be mocked. False: the
   * platform answers it, or lets it fail.
   */
  readonly runs?: boolean;
}

/** Options of looking an agent up. */
export type PrepareOptions = Pick<OpenOptions, "signal" | "pauseClock">;

/** The capabilities of a connection that only exchanges text. */
export const TEXT_ONLY: ConnectionCapabilities = {
  nodeEachTurn: false,
  nodeAfterwards: false,
  toolArguments: false,
  mocks: false,
  opening: false,
  startVariables: false,
  variables: false,
  endSignal: false,
  text: true,
  voice: false,
  version: false,
};

/** A message that callers and agents said so far, for agents that get the whole history each turn. */
export type SpokenMessage = Pick<Message, "content"> & { readonly role: "user" | "assistant" };
