import { useState } from "preact/hooks";
import { dateText } from "../../../../../web/browser/mod.ts";
import type { StudioAnswer, StudioLabel } from "../../../../api/mod.ts";
import { type CallFacts, Choice, lineOfTurn, Trouble, turnName, turnOf } from "../../parts/mod.ts";
import { route, session, setSettings, studio } from "../../state/mod.ts";

/** Says whether a call, or a turn of it, is good, and shows what others have said. */
export function LabelPanel({
  call,
  facts,
  line,
  canLabel,
  again,
  onLine,
}: {
  readonly call: StudioAnswer<"call">;
  readonly facts: CallFacts;
  readonly line: number;
  readonly canLabel: boolean;
  readonly again: () => void;
  readonly onLine: (line: number) => void;
}) {
  const isBlind = route.value.query.get("blind") === "true";
  return (
    <section class="panel labels" aria-label="Labels">
      <h3>Was it good?</h3>
      {canLabel ? (
        <LabelForm call={call} turn={line < 0 ? null : turnOf(facts.lines, line)} again={again} />
      ) : (
        <p class="quiet">Your role may look, but not label.</p>
      )}
      {call.labels.length > 0 && (
        <ul class="label-list">
          {call.labels.map((label) => (
            <LabelItem key={label.id} label={label} facts={facts} again={again} onLine={onLine} />
          ))}
        </ul>
      )}
      <label class="check">
        <input
          type="checkbox"
          checked={isBlind}
          onChange={() => setSettings({ blind: isBlind ? undefined : "true" })}
        />
        Hide what others have said until I have labelled it
      </label>
    </section>
  );
}

function LabelForm({
  call,
  turn,
  again,
}: {
  readonly call: StudioAnswer<"call">;
  readonly turn: number | null;
  readonly again: () => void;
}) {
  const [place, setPlace] = useState<"call" | "turn">("call");
  const [verdict, setVerdict] = useState<"good" | "bad" | "">("");
  const [criterion, setCriterion] = useState("");
  const [what, setWhat] = useState("");
  const [words, setWords] = useState("");
  const [error, setError] = useState<unknown>();
  const [isBusy, setBusy] = useState(false);
  const [isSaved, setSaved] = useState(false);
  const criteria = [...new Set(call.verdicts.map((each) => each.criterion))];
  const isTurn = place === "turn" && turn !== null;
  const save = async (event: SubmitEvent) => {
    event.preventDefault();
    if (verdict === "") return;
    setBusy(true);
    setError(undefined);
    try {
      await studio.saveLabel({
        call: call.id,
        turn: isTurn ? turn : null,
        criterion: criterion || null,
        verdict,
        what: what.trim() || null,
        words: words.trim() || null,
      });
      setVerdict("");
      setWhat("");
      setWords("");
      setSaved(true);
      again();
    } catch (problem) {
      setError(problem);
    }
    setBusy(false);
  };
  return (
    <form onSubmit={save}>
      <Choice
        label="What is labelled"
        chosen={isTurn ? "turn" : "call"}
        choices={[["call", "the whole call"], ...(turn === null ? [] : [["turn", turnName(turn)] as const])]}
        onChoose={setPlace}
      />
      <Choice
        label="Verdict"
        chosen={verdict}
        choices={[
          ["good", "✓ good"],
          ["bad", "✗ bad"],
        ]}
        onChoose={(chosen) => {
          setVerdict(chosen);
          setSaved(false);
        }}
      />
      {criteria.length > 0 && (
        <label>
          about
          <select value={criterion} onChange={({ currentTarget }) => setCriterion(currentTarget.value)}>
            <option value="">all of it</option>
            {criteria.map((each) => (
              <option key={each} value={each}>
                {each}
              </option>
            ))}
          </select>
        </label>
      )}
      {verdict === "bad" && (
        <>
          <label>
            what went wrong
            <textarea rows={2} value={what} onInput={({ currentTarget }) => setWhat(currentTarget.value)} />
          </label>
          <label>
            the right words
            <textarea rows={2} value={words} onInput={({ currentTarget }) => setWords(currentTarget.value)} />
          </label>
        </>
      )}
      <p>
        <button type="submit" class="main" disabled={isBusy || verdict === ""}>
          Save label
        </button>{" "}
        <span class="quiet" role="status">
          {isSaved && "Saved."}
        </span>
      </p>
      {error !== undefined && <Trouble error={error} />}
    </form>
  );
}

function LabelItem({
  label,
  facts,
  again,
  onLine,
}: {
  readonly label: StudioLabel;
  readonly facts: CallFacts;
  readonly again: () => void;
  readonly onLine: (line: number) => void;
}) {
  const { id, turn, criterion, verdict, what, words, by, at } = label;
  const [error, setError] = useState<unknown>();
  const line =
    turn === null ? undefined : (lineOfTurn(facts.lines, turn, "agent") ?? lineOfTurn(facts.lines, turn, "caller"));
  return (
    <li class={verdict === "good" ? "pass" : "fail"}>
      <p>
        <b class={verdict === "good" ? "better" : "worse"}>{verdict === "good" ? "✓ good" : "✗ bad"}</b>{" "}
        {turn === null ? (
          "the whole call"
        ) : line === undefined ? (
          turnName(turn)
        ) : (
          <button type="button" class="link" onClick={() => onLine(line)}>
            {turnName(turn)}
          </button>
        )}
        {criterion !== null && `, ${criterion}`}
      </p>
      {what !== null && <p>{what}</p>}
      {words !== null && (
        <p>
          Better: <q>{words}</q>
        </p>
      )}
      <p class="quiet">
        {by}, {dateText(at)}{" "}
        {by === session.value?.name && (
          <button type="button" class="link" onClick={() => studio.deleteLabel({ label: id }).then(again, setError)}>
            Delete
          </button>
        )}
      </p>
      {error !== undefined && <Trouble error={error} />}
    </li>
  );
}
