import { useState } from "preact/hooks";
import type { StudioAnswer, StudioChat } from "../../../../api/mod.ts";
import { isGraph, Trouble } from "../../parts/mod.ts";
import { noteError, route, setSettings, studio } from "../../state/mod.ts";
import { TryPanel } from "../try/mod.ts";

/** Starts a chat, also with another prompt of one node: the source stays as it is. */
export function TalkStart({
  agent,
  connections,
  onStart,
}: {
  readonly agent: StudioAnswer<"agent">;
  /** Deployed agents that can answer in place of the graph. */
  readonly connections: readonly string[];
  readonly onStart: (chat: StudioChat) => void;
}) {
  const from = route.value.query.get("node") ?? "";
  const [scenario, setScenario] = useState("");
  const [node, setNode] = useState("");
  const [prompt, setPrompt] = useState("");
  const [chosen, setConnection] = useState("");
  const [allowsTools, setAllowsTools] = useState(false);
  const hasGraph = agent.source !== null && agent.problem === null;
  const connection = hasGraph ? chosen : chosen || (connections[0] ?? "");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const { graph } = agent;
  const promptOf = (id: string) => (isGraph(graph) ? (graph.nodes[id]?.state_prompt ?? "") : "");
  const isChanged = node !== "" && prompt !== promptOf(node);
  const start = async () => {
    setBusy(true);
    setError(undefined);
    try {
      const chat = await studio.createChat({
        agent: agent.id,
        ...(scenario === "" ? {} : { scenario }),
        ...(connection !== ""
          ? { connection, allowRealTools: allowsTools }
          : isChanged
            ? { prompts: { [node]: prompt } }
            : {}),
      });
      const there = from === "" || connection !== "" ? chat : await studio.gotoInChat({ chat: chat.id, node: from });
      onStart(there);
      setSettings({ node: undefined });
    } catch (problem) {
      noteError(problem);
      setError(problem);
      setBusy(false);
    }
  };
  return (
    <section class="panel start">
      <p>You are the caller. The agent answers as it would on the phone.</p>
      {connections.length > 0 && (
        <label>
          who answers
          <select value={connection} onChange={({ currentTarget }) => setConnection(currentTarget.value)}>
            {hasGraph && <option value="">the agent as it is in the source</option>}
            {connections.map((name) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {connection !== "" && (
        <label class="check">
          <input type="checkbox" checked={allowsTools} onChange={() => setAllowsTools(!allowsTools)} />
          let its tools really run
        </label>
      )}
      {agent.scenarios.length > 0 && (
        <label>
          with the variables and the mocks of
          <select value={scenario} onChange={({ currentTarget }) => setScenario(currentTarget.value)}>
            <option value="">no scenario</option>
            {agent.scenarios.map(({ name }) => (
              <option key={name} value={name}>
                {name}
              </option>
            ))}
          </select>
        </label>
      )}
      {connection === "" && (
        <>
          <label>
            try another prompt of
            <select
              value={node}
              onChange={({ currentTarget }) => {
                setNode(currentTarget.value);
                setPrompt(promptOf(currentTarget.value));
              }}
            >
              <option value="">no node: the agent as it is</option>
              {agent.figures.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
          {node !== "" && (
            <label>
              prompt in this chat; the source stays as it is
              <textarea rows={8} value={prompt} onInput={({ currentTarget }) => setPrompt(currentTarget.value)} />
            </label>
          )}
        </>
      )}
      <p>
        <button type="button" class="main" disabled={isBusy} onClick={start}>
          {connection === "" && isChanged ? "Start with this prompt" : "Start the call"}
        </button>
      </p>
      {error !== undefined && <Trouble error={error} />}
      {connection === "" && isChanged && (
        <TryPanel key={node} agent={agent} node={node} before={promptOf(node)} after={prompt} scenario={scenario} />
      )}
    </section>
  );
}
