import { useEffect, useState } from "preact/hooks";
import type { StudioAnswer, StudioChat, StudioNamedNode } from "../../../../api/mod.ts";
import { Trouble } from "../../parts/mod.ts";
import { linkTo, noteError, studio } from "../../state/mod.ts";

/** What one can do in a chat beside talking: why, undo, goto, set, and the link to it. */
export function TalkTools({
  chat,
  nodes,
  isBusy,
  change,
}: {
  readonly chat: StudioChat;
  readonly nodes: readonly StudioNamedNode[];
  readonly isBusy: boolean;
  readonly change: (step: () => Promise<StudioChat>) => void;
}) {
  const [name, setName] = useState("");
  const [value, setValue] = useState("");
  const last = chat.steps.at(-1);
  const at = nodes.find(({ id }) => id === chat.node);
  // a deployed agent keeps the state of its calls to itself
  const hasState = chat.connection === null;
  return (
    <section class="panel">
      <div class="section-line">
        <h3>{at?.name ?? (chat.node || "The call")}</h3>
        {hasState && (
          <button
            type="button"
            disabled={isBusy || !last}
            title={last ? `Take back: ${last.kind} ${last.what}` : "There is nothing to take back"}
            onClick={() => change(() => studio.undoChat({ chat: chat.id }))}
          >
            Undo
          </button>
        )}
      </div>
      {hasState && <Why key={chat.transcript.length} chat={chat} nodes={nodes} />}
      <h4>Variables</h4>
      <dl class="variables">
        {Object.entries(chat.variables).map(([variable, known]) => (
          <div key={variable}>
            <dt>{variable}</dt>
            <dd>{typeof known === "string" ? known : JSON.stringify(known)}</dd>
          </div>
        ))}
      </dl>
      {hasState && (
        <>
          <form
            class="inline"
            onSubmit={(event) => {
              event.preventDefault();
              change(() => studio.setInChat({ chat: chat.id, name: name.trim(), value }));
              setName("");
              setValue("");
            }}
          >
            <input
              aria-label="Variable"
              placeholder="variable"
              value={name}
              onInput={({ currentTarget }) => setName(currentTarget.value)}
            />
            <input
              aria-label="Value"
              placeholder="value"
              value={value}
              onInput={({ currentTarget }) => setValue(currentTarget.value)}
            />
            <button type="submit" disabled={isBusy || name.trim() === ""}>
              Set
            </button>
          </form>
          <label>
            go to
            <select
              value=""
              disabled={isBusy}
              onChange={({ currentTarget }) => {
                const node = currentTarget.value;
                if (node !== "") change(() => studio.gotoInChat({ chat: chat.id, node }));
              }}
            >
              <option value="">a node</option>
              {nodes.map((node) => (
                <option key={node.id} value={node.id}>
                  {node.name}
                </option>
              ))}
            </select>
          </label>
        </>
      )}
      <p class="links">
        <a href={linkTo(["talk", chat.agent], { chat: chat.id })}>Link to this chat</a>
        <a href={linkTo(["talk", chat.agent])}>New chat</a>
      </p>
    </section>
  );
}

/** Why the last transition was taken, or why none was. */
function Why({ chat, nodes }: { readonly chat: StudioChat; readonly nodes: readonly StudioNamedNode[] }) {
  const [isOpen, setOpen] = useState(false);
  const [why, setWhy] = useState<StudioAnswer<"whyInChat">>();
  const [error, setError] = useState<unknown>();
  const nameOf = (id: string) => nodes.find((node) => node.id === id)?.name ?? id;
  useEffect(() => {
    if (!isOpen) return;
    studio.whyInChat({ chat: chat.id }).then(setWhy, (problem: unknown) => {
      noteError(problem);
      setError(problem);
    });
  }, [isOpen]);
  return (
    <>
      <p>
        <button type="button" class="link" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
          Why?
        </button>
      </p>
      {isOpen && error !== undefined && <Trouble error={error} />}
      {isOpen && why && (
        <div class="why">
          {why.decisions.length === 0 && <p class="quiet">Nothing was decided in the last turn.</p>}
          {why.decisions.map(({ node, to, because, reasoning, considered }, index) => (
            <div key={index}>
              <p>
                {to === null ? (
                  <>
                    Stayed at <b>{nameOf(node)}</b>
                  </>
                ) : (
                  <>
                    From <b>{nameOf(node)}</b> to <b>{nameOf(to)}</b>
                  </>
                )}{" "}
                {because}
              </p>
              {reasoning !== null && <p class="quiet">{reasoning}</p>}
              <ul class="ways">
                {considered.map((each, place) => (
                  <li key={place}>
                    <span>
                      {each.condition || each.kind} <span class="quiet">→ {nameOf(each.target)}</span>
                    </span>
                    <span class="quiet">{each.outcome}</span>
                  </li>
                ))}
              </ul>
            </div>
          ))}
        </div>
      )}
    </>
  );
}
