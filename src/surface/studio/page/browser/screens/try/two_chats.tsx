import { useEffect, useRef, useState } from "preact/hooks";
import type { StudioChat } from "../../../../api/mod.ts";
import { otherVariables, Trouble } from "../../parts/mod.ts";
import { noteError, studio } from "../../state/mod.ts";
import { ColumnTitles, TwoColumns } from "./two_columns.tsx";

interface Both {
  readonly original: StudioChat;
  readonly edited: StudioChat;
}

/** A chat with the agent as it is, and one with other prompts: each message is said to both. */
export function TwoChats({
  agent,
  prompts,
  scenario,
}: {
  readonly agent: string;
  readonly prompts: { readonly [node: string]: string };
  readonly scenario: string;
}) {
  const [both, setBoth] = useState<Both>();
  const [text, setText] = useState("");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const gone = useRef(new AbortController());
  const chats = useRef<readonly string[]>([]);
  useEffect(
    () => () => {
      gone.current.abort();
      endAll(chats.current);
    },
    [],
  );

  const act = async (action: () => Promise<void>) => {
    setBusy(true);
    setError(undefined);
    try {
      await action();
    } catch (problem) {
      noteError(problem);
      if (!gone.current.signal.aborted) setError(problem);
    }
    setBusy(false);
  };
  const start = () =>
    act(async () => {
      const same = { agent, ...(scenario === "" ? {} : { scenario }) };
      const made = await Promise.allSettled([studio.createChat(same), studio.createChat({ ...same, prompts })]);
      const open = made.flatMap((each) => (each.status === "fulfilled" ? [each.value] : []));
      const failed = made.find((each) => each.status === "rejected");
      const [original, edited] = open;
      if (failed || !original || !edited || gone.current.signal.aborted) {
        endAll(open.map(({ id }) => id));
        throw failed?.reason;
      }
      endAll(chats.current);
      chats.current = [original.id, edited.id];
      setBoth({ original, edited });
    });
  const say = (words: string, { original, edited }: Both) =>
    act(async () => {
      const said = await Promise.allSettled([reply(original, words), reply(edited, words)]);
      const [one, other] = said.map((each, index) =>
        each.status === "fulfilled" ? each.value : index === 0 ? original : edited,
      );
      if (one && other) setBoth({ original: one, edited: other });
      const failed = said.find((each) => each.status === "rejected");
      if (failed) throw failed.reason;
      setText("");
    });
  const reply = async (chat: StudioChat, words: string): Promise<StudioChat> => {
    if (chat.endReason !== null) return chat;
    for await (const event of studio.say({ chat: chat.id, text: words }, { signal: gone.current.signal })) {
      if (event.type === "turn") return event.chat;
      if (event.type === "error") throw Object.assign(new Error(event.message), { code: event.code, hint: event.hint });
    }
    throw new Error("The reply broke off");
  };

  if (!both)
    return (
      <>
        <p>
          <button type="button" class="main" disabled={isBusy} onClick={start}>
            Start both calls
          </button>
        </p>
        {error !== undefined && <Trouble error={error} />}
      </>
    );
  const { original, edited } = both;
  const isOver = original.endReason !== null && edited.endReason !== null;
  const variables = otherVariables(original.variables, edited.variables);
  return (
    <>
      <ColumnTitles />
      <TwoColumns original={original.transcript} edited={edited.transcript} />
      <div class="two">
        {[original, edited].map((chat) => (
          <p key={chat.id} class="quiet">
            {chat.endReason === null
              ? `at ${chat.node}`
              : `The call has ended: ${chat.endReason.replaceAll("_", " ")}.`}
          </p>
        ))}
      </div>
      {variables.map((name) => (
        <div key={name} class="two differs">
          {[original, edited].map((chat) => (
            <p key={chat.id}>
              {name}: {chat.variables[name] === undefined ? "not set" : JSON.stringify(chat.variables[name])}
            </p>
          ))}
        </div>
      ))}
      {error !== undefined && <Trouble error={error} />}
      <form
        class="say"
        onSubmit={(event) => {
          event.preventDefault();
          if (text.trim() !== "" && !isBusy) void say(text.trim(), both);
        }}
      >
        <input
          aria-label="What you say to both"
          placeholder={isOver ? "Both calls are over" : "Say something to both"}
          value={text}
          maxLength={10_000}
          disabled={isOver}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
        />
        <button type="submit" class="main" disabled={isBusy || text.trim() === ""}>
          Say to both
        </button>
        <button type="button" disabled={isBusy} onClick={start}>
          Start again
        </button>
      </form>
    </>
  );
}

function endAll(chats: readonly string[]): void {
  for (const chat of chats) studio.endChat({ chat }).catch(() => {}); // a restarted server has none
}
