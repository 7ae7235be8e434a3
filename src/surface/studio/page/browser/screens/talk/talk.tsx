import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { createTranscript } from "../../../../../web/browser/mod.ts";
import type { StudioAnswer, StudioChat } from "../../../../api/mod.ts";
import {
  callFactsOf,
  GraphPicture,
  Mounted,
  NoAgents,
  Nothing,
  nextState,
  type TalkState,
  Trouble,
  Wait,
} from "../../parts/mod.ts";
import { linkTo, may, noteError, route, studio, useLoaded } from "../../state/mod.ts";
import { TalkStart } from "./talk_start.tsx";
import { TalkTools } from "./talk_tools.tsx";

type Project = StudioAnswer<"project">;
type Agent = StudioAnswer<"agent">;

/** A chat with an agent, beside its picture. */
export function TalkScreen({ project, agent }: { readonly project: Project; readonly agent: string }) {
  const { connections } = project;
  const agents = project.agents.filter(
    ({ source, problem }) => connections.length > 0 || (source !== null && problem === null),
  );
  const known = agent !== "" ? agent : agents.length === 1 ? (agents[0]?.id ?? "") : "";
  if (!may("editor"))
    return (
      <Nothing title="Talking needs the role of an editor">
        <p>A chat asks models, which costs money.</p>
      </Nothing>
    );
  if (known === "")
    return (
      <article>
        <h2>Talk</h2>
        {agents.length === 0 &&
          (project.agents.length === 0 ? (
            <NoAgents />
          ) : (
            <Nothing title="No agent can be called now">
              <p>
                The studio calls an agent whose source it has: start it with the file of one, and look for errors in it.
              </p>
            </Nothing>
          ))}
        <ul class="agent-cards">
          {agents.map(({ id, name }) => (
            <li key={id}>
              <h3>
                <a href={linkTo(["talk", id])}>{name}</a>
              </h3>
            </li>
          ))}
        </ul>
      </article>
    );
  return <TalkWith key={known} agent={known} connections={connections} />;
}

function TalkWith({ agent, connections }: { readonly agent: string; readonly connections: readonly string[] }) {
  const loaded = useLoaded(`agent/${agent}`, (signal) => studio.agent({ agent }, { signal }));
  const chosen = route.value.query.get("chat") ?? "";
  return (
    <Wait loaded={loaded} what="the agent">
      {(value) => <TalkArticle key={chosen} agent={value} id={chosen} connections={connections} />}
    </Wait>
  );
}

function TalkArticle({
  agent,
  id,
  connections,
}: {
  readonly agent: Agent;
  readonly id: string;
  readonly connections: readonly string[];
}) {
  const old = useLoaded(`chat/${id}`, async (signal) =>
    id === "" ? undefined : await studio.chat({ chat: id }, { signal }),
  );
  const [started, setStarted] = useState<StudioChat>();
  const chat = started ?? old.value;
  return (
    <article class="talk">
      <p class="crumbs">
        <a href={linkTo(["agents", agent.id])}>{agent.name}</a>
      </p>
      <h2>Talk with {agent.name}</h2>
      {old.error !== undefined && <Trouble error={old.error} />}
      {chat ? (
        <Conversation key={chat.id} agent={agent} first={chat} />
      ) : (
        <TalkStart agent={agent} connections={connections} onStart={setStarted} />
      )}
    </article>
  );
}

function Conversation({ agent, first }: { readonly agent: Agent; readonly first: StudioChat }) {
  const [state, setState] = useState<TalkState>({ chat: first, reply: "", news: [] });
  const [isBusy, setBusy] = useState(false);
  const [text, setText] = useState("");
  const control = useRef<AbortController>();
  const end = useRef<HTMLDivElement>(null);
  const { chat } = state;
  useEffect(() => () => control.current?.abort(), []);
  useEffect(() => {
    end.current?.scrollIntoView({ block: "nearest" });
  }, [chat.transcript.length, state.reply, state.news.length]);

  const act = async (action: (signal: AbortSignal) => Promise<unknown>) => {
    const own = new AbortController();
    control.current = own;
    setBusy(true);
    try {
      await action(own.signal);
    } catch (problem) {
      noteError(problem);
      const error = problem instanceof Error ? problem : new Error(String(problem));
      setState((now) => ({ chat: now.chat, reply: "", news: [], ...(own.signal.aborted ? {} : { error }) }));
    }
    setBusy(false);
  };
  const say = (words: string) =>
    act(async (signal) => {
      setText("");
      setState((now) => ({ chat: now.chat, sent: words, reply: "", news: [] }));
      for await (const event of studio.say({ chat: chat.id, text: words }, { signal }))
        setState((now) => nextState(now, event));
    });
  const change = (step: () => Promise<StudioChat>) =>
    act(async () => setState({ chat: await step(), reply: "", news: [] }));

  const named = useMemo(() => agent.figures.map(({ id, name, type }) => ({ id, name, type })), [agent]);
  const facts = useMemo(() => callFactsOf({ ...chat, nodes: named, latency: [], recording: null }), [chat]);
  const transcript = useMemo(() => createTranscript(facts, facts.nodes, () => {}), [facts]);
  const here = facts.nodes.findIndex(({ id, name }) => id === chat.node || name === chat.node);
  const taken = useMemo(() => facts.lines.findLast(({ kind }) => kind === "move"), [facts]);
  return (
    <div class="beside">
      <div>
        {chat.connection !== null && (
          <p class="notice">{chat.model} answers where it runs. What was said to it cannot be taken back.</p>
        )}
        {chat.offline && (
          <p class="notice">
            The offline model answers: fixed rules play the agent. Set a model and its key to hear the agent itself.
          </p>
        )}
        <div class="talk-lines">
          <Mounted element={transcript.element} />
          {state.sent !== undefined && (
            <p class="coming caller">
              <span class="who">Caller</span> {state.sent}
            </p>
          )}
          {state.news.map((line, index) => (
            <p key={index} class="coming quiet">
              {line}
            </p>
          ))}
          {isBusy && (
            <p class="coming agent" aria-live="polite">
              <span class="who">Agent</span> {state.reply === "" ? "…" : state.reply}
            </p>
          )}
          {chat.endReason !== null && <p class="quiet">The call has ended: {chat.endReason.replaceAll("_", " ")}.</p>}
          <div ref={end} />
        </div>
        {state.error !== undefined && <Trouble error={state.error} />}
        <form
          class="say"
          onSubmit={(event) => {
            event.preventDefault();
            if (text.trim() !== "" && !isBusy) void say(text.trim());
          }}
        >
          <input
            aria-label="What you say"
            placeholder={chat.endReason === null ? "Say something" : "The call is over"}
            value={text}
            maxLength={10_000}
            disabled={chat.endReason !== null}
            onInput={({ currentTarget }) => setText(currentTarget.value)}
          />
          {isBusy ? (
            <button type="button" onClick={() => control.current?.abort()}>
              Stop
            </button>
          ) : (
            <button type="submit" class="main" disabled={text.trim() === ""}>
              Say
            </button>
          )}
        </form>
      </div>
      <div class="side">
        {agent.picture !== "" && (
          <GraphPicture
            svg={agent.picture}
            nodes={facts.nodes}
            current={here < 0 ? undefined : here}
            taken={taken?.kind === "move" ? taken.arrows : undefined}
            used={facts}
          />
        )}
        <TalkTools chat={chat} nodes={named} isBusy={isBusy} change={change} />
      </div>
    </div>
  );
}
