import { useState } from "preact/hooks";
import type { StudioAnswer, StudioChat } from "../../../../api/mod.ts";
import { isGraph, Trouble } from "../../parts/mod.ts";
import { noteError, route, setSettings, studio } from "../../state/mod.ts";
import { TryPanel } from "../try/mod.ts";

/** Starts a chat, also with another prompt of one node: the source stays as it is. */
export function TalkStart({
  agent,
  onStart,
}: {
  readonly agent: StudioAnswer<"agent">;
  readonly onStart: (chat: StudioChat) => void;
}) {
  const from = route.value.query.get("node") ?? "";
  const [scenario, setScenario] = useState("");
  const [node, setNode] = useState("");
  const [prompt, setPrompt] = useState("");
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
        ...(isChanged ? { prompts: { [node]: prompt } } : {}),
      });
      const there = from === "" ? chat : await studio.gotoInChat({ chat: chat.id, node: from });
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
      <p>
        <button type="button" class="main" disabled={isBusy} onClick={start}>
          {isChanged ? "Start with this prompt" : "Start the call"}
        </button>
      </p>
      {error !== undefined && <Trouble error={error} />}
      {isChanged && (
        <TryPanel key={node} agent={agent} node={node} before={promptOf(node)} after={prompt} scenario={scenario} />
      )}
    </section>
  );
}
