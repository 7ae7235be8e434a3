import { useState } from "preact/hooks";
import { counted } from "../../../../../web/browser/mod.ts";
import type { StudioAnswer, StudioProposal } from "../../../../api/mod.ts";
import { Patch, Trouble, useActions, writtenWords } from "../../parts/mod.ts";
import { studio } from "../../state/mod.ts";

/** Takes a tried prompt over: as a patch to copy, or into the source. */
export function SourceChange({
  agent,
  node,
  before,
  after,
}: {
  readonly agent: string;
  readonly node: string;
  /** The prompt of the source when the page was loaded. */
  readonly before: string;
  readonly after: string;
}) {
  const [base, setBase] = useState(before);
  const [proposed, setProposed] = useState<StudioAnswer<"propose"> & { readonly after: string }>();
  const { isBusy, note, setNote, error, act } = useActions();
  const show = () =>
    act(async () => {
      const old = proposed?.proposal;
      if (old) await studio.rejectProposal({ proposal: old.name });
      setProposed(undefined);
      setProposed({ ...(await studio.propose({ agent, prompts: [{ node, before: base, after }] })), after });
    });
  const accept = ({ name }: StudioProposal, text: string) =>
    act(async () => {
      const { files } = await studio.acceptProposal({ proposal: name });
      setProposed(undefined);
      setBase(text);
      setNote(writtenWords(files));
    });
  const reject = ({ name }: StudioProposal) =>
    act(async () => {
      await studio.rejectProposal({ proposal: name });
      setProposed(undefined);
      setNote("The change was put away. The source is as it was.");
    });
  const copy = ({ patch }: StudioProposal) =>
    act(async () => {
      await navigator.clipboard.writeText(patch);
      setNote("The patch is copied. git apply reads it.");
    });
  const proposal = proposed?.proposal;
  const isOld = proposed !== undefined && proposed.after !== after;
  return (
    <section class="source-change">
      <h3>Take it over</h3>
      <p>
        <button type="button" disabled={isBusy || after === base} onClick={show}>
          {proposed ? "Show the change of the source again" : "Show the change of the source"}
        </button>
      </p>
      {isOld && <p class="notice">You have changed the prompt since: this is the change before.</p>}
      {proposed?.refused && (
        <>
          <Trouble error={Object.assign(new Error(proposed.refused.message), proposed.refused)} />
          <p>The change in words:</p>
          <ul>
            {proposed.changes.map(({ message }, index) => (
              <li key={index}>{message}</li>
            ))}
          </ul>
          <Patch label="The prompt" text={after} />
        </>
      )}
      {proposal && (
        <>
          <p class="quiet">
            {counted(proposal.files.length, "file")}: {proposal.files.join(", ")}. It waits as the proposal{" "}
            <code>{proposal.name}</code>.
          </p>
          <Patch label="The patch" text={proposal.patch} />
          {proposal.isRedacted && (
            <p class="notice">Secrets beside the change are not shown, so this text cannot be applied elsewhere.</p>
          )}
          <p class="actions">
            <button type="button" disabled={isBusy} onClick={() => copy(proposal)}>
              Copy the patch
            </button>
            <button
              type="button"
              class="main"
              disabled={isBusy || isOld}
              onClick={() => accept(proposal, proposed.after)}
            >
              Write it to the source
            </button>
            <button type="button" disabled={isBusy} onClick={() => reject(proposal)}>
              Put it away
            </button>
          </p>
        </>
      )}
      {note !== "" && <p role="status">{note}</p>}
      {error !== undefined && <Trouble error={error} />}
    </section>
  );
}
